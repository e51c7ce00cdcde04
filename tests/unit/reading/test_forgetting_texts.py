"""Which texts a wish to forget means, and which statements claim the same: the pure part."""

from pathlib import Path

from cogmem_core.encoding.whole_wish import wish_of
from cogmem_core.reading.claims import claims
from cogmem_core.reading.forgetting import Meant, chosen, topic_of
from helpers.script_runner import Scripts
from helpers.tables import each_row_of

KEPT_BEFORE_AND_AFTER = """
import cogmem_core
from cogmem_core.base.lru import _emptied, _text_caches
from cogmem_core.testing import MANUAL

def texts_kept():
    results = sum(kept.cache_info().currsize for kept in _text_caches)
    return results + sum(count() for _, count in _emptied)

with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
    engine.pause()
    bank = engine.bank("alice")
    after = []
    for _ in range(3):  # the log may write what it notes of an erasure meanwhile
        bank.remember("I moved to Lisbon with my sister Elif.")
        before = texts_kept()
        bank.forget_all(confirm="alice", hard=True)
        after.append(texts_kept())
    print(before, min(after))
"""


@each_row_of("forgetting_meant/a_statement_shows_what_it_tells", "en tr")
def test_a_statement_shows_what_it_tells(query: str, text: str) -> None:
    """Though the word for it does not stand there."""
    assert Meant(query).named_by(text) in ("slot", "words", "statement")


@each_row_of("forgetting_meant/what_is_somebody_else_s_is_at_most_near", "en tr")
def test_what_is_somebody_else_s_is_at_most_near(query: str, text: str) -> None:
    """One's own things are not those of others."""
    assert Meant(query).named_by(text) in (None, "near")


@each_row_of("forgetting_texts/how_a_text_is_named")
def test_how_a_text_is_named(query: str, text: str, speaker: str | None, way: str | None) -> None:
    """By the closest reason there is."""
    assert Meant(query).named_by(text, speaker) == way


def test_the_closest_way_hides_the_others() -> None:
    """What is only near never counts."""
    assert chosen(["words", "near", "slot"]) == {"slot"}
    assert chosen(["words", "name", "near"]) == {"words", "name"}
    assert chosen(["near"]) == frozenset()


@each_row_of("forgetting_texts/how_plainly_a_wish_is_said")
def test_how_plainly_a_wish_is_said(text: str, query: str, plain: bool) -> None:
    """Only what is said plainly may be acted upon."""
    assert wish_of(text) == (query, plain, False, "")


@each_row_of("forgetting_texts/statements_that_claim_the_same")
def test_statements_that_claim_the_same(first: str, second: str, same: bool) -> None:
    """In another spelling, and about a speaker whose name is known."""
    shared = {form for claim in claims(first, "Elif") for form in claim} & {
        form for claim in claims(second, "Elif") for form in claim
    }
    assert bool(shared) is same


def test_no_function_of_texts_keeps_what_was_erased(scripts: Scripts, tmp_path: Path) -> None:
    """What was read of texts is kept in the process, until something is erased."""
    done = scripts.run(KEPT_BEFORE_AND_AFTER, tmp_path)
    assert done.code == 0, done.err
    before, after = map(int, done.out.split())
    assert before > 0
    assert after == 0


@each_row_of("forgetting_texts/a_reason_or_a_name_beside_a_wish_is_none_of_what_it_names")
def test_a_reason_or_a_name_beside_a_wish_is_none_of_what_it_names(text: str, query: str) -> None:
    """What only says why, or who that is, is cut off."""
    wish = wish_of(text)
    assert wish is not None
    assert (wish.query, wish.is_plain) == (query, True)


@each_row_of("forgetting_texts/what_tells_something_besides_is_not_cut_off")
def test_what_tells_something_besides_is_not_cut_off(text: str) -> None:
    """It would be lost with the wish; and what is no wish becomes none by a reason."""
    wish = wish_of(text)
    assert wish is None or not wish.is_plain


@each_row_of("forgetting_texts/a_phrase_tells_what_it_is_about")
def test_a_phrase_tells_what_it_is_about(query: str, softly: str | None, hard: str | None) -> None:
    """For good nothing is read into what may be a name: "vacation file" is not all of the vacation."""
    assert (topic_of(query, hard=False), topic_of(query, hard=True)) == (softly, hard)

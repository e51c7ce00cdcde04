"""Active and cold memories, searched as one: a score means the same whichever part a memory lies in."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.testing import MANUAL
from helpers.tables import rows_of

TEXTS = dict(rows_of("corpus/texts"))
AWAY = {"b", "e", "f"}
QUERY = ["kite", "sea", "wind", "unheard"]


def view(names: set[str], states: tuple[str, ...] = ("active",)) -> NamespaceView:
    made = NamespaceView("alice", fingerprint="none", dimension=2, states=states)
    made.lexical.extend((name, TEXTS[name].split()) for name in sorted(names))
    for at, name in enumerate(TEXTS):
        if name in names:
            made.order.add(name, "one session", at)
    return made


WHOLE = Corpus(view(set(TEXTS)))
PARTS = Corpus(view(set(TEXTS) - AWAY), view(AWAY, ("dormant", "superseded")))


def test_words_are_as_rare_as_in_both_parts_together() -> None:
    """In deep recall, the score of a cold memory is one with those of the others, before its factor."""
    assert PARTS.scores(QUERY, list(TEXTS)) == pytest.approx(WHOLE.scores(QUERY, list(TEXTS)))
    assert (
        [hit.id for hit in PARTS.by_words(QUERY, 3)]
        == [hit.id for hit in WHOLE.by_words(QUERY, 3)]
        == ["b", "e", "g"]
    )


def test_alone_the_active_part_knows_nothing_of_the_other() -> None:
    """Normal recall: what was put away makes no word more common."""
    alone = Corpus(view(set(TEXTS) - AWAY))
    assert alone.scores(["kite"], ["a"])[0] > PARTS.scores(["kite"], ["a"])[0]
    assert (len(alone), len(PARTS)) == (4, 7)


def test_coverage_counts_over_both_parts() -> None:
    """How much of the question is known at all does not depend on where it lies."""
    rows, known = WHOLE.coverage(QUERY, list(TEXTS))
    parted, known_in_parts = PARTS.coverage(QUERY, list(TEXTS))
    assert parted == pytest.approx(rows)
    assert known_in_parts == pytest.approx(known)
    assert (PARTS.holds("sea"), PARTS.holds("unheard")) == (True, False)


def test_only_the_allowed_are_found() -> None:
    """Categories, tags and moments restrict either part."""
    assert [hit.id for hit in PARTS.by_words(QUERY, 9, allowed={"a", "f"})] == ["f", "a"]


def test_a_turn_that_was_put_away_still_stands_between_its_neighbours() -> None:
    """The turns before and after a hit, as they were said."""
    assert PARTS.beside(["c", "e"]) == [("b", "d"), ("d", "f")]
    assert Corpus(view(set(TEXTS) - AWAY)).beside(["c"]) == [("a", "d")]


def test_a_snapshot_does_not_know_what_was_added_after_it(tmp_path: Path) -> None:
    """While one thread ranks, another adds a memory: the view has it, the snapshot has not."""
    with cogmem_core.open(tmp_path, embedder="hashing", config=MANUAL) as engine:
        bank, services = engine.bank("alice"), engine.services
        first = bank.add("Tea is warm")
        with services.ledger.reading("alice") as snapshot:
            view = services.searcher.view(snapshot)
            with ThreadPoolExecutor(1) as threads:
                second = threads.submit(bank.add, "Soup is warm").result()
            rows = Corpus(view).rows(snapshot, [first.id, second.id])
        assert rows.ids == [first.id]

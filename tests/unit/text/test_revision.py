"""What a new statement does to an old one, with and without cue words: ends it, may end it, nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cogmem_core.text.compare.retelling import nearness_of_retelling, tells_of_others

from cogmem_core.languages import LANGUAGES, packs
from cogmem_core.text.compare import contradicts, revision
from helpers.tables import each_row, each_row_of, rows_of

HARD = rows_of("revision/hard", "en tr")

SOFT = rows_of("revision/soft", "de en tr")

NOTHING = rows_of("revision/nothing", "en tr")


def grade(old: str, new: str) -> str:
    """What the new statement does to the old one."""
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


def test_what_ends_an_older_statement() -> None:
    """Another value of a thing with one value, a correction, a denial, an end."""
    assert [pair for pair in HARD if grade(*pair) != "hard"] == []


def test_what_may_be_a_newer_version() -> None:
    """A value of a habit, or the same in other words: both are kept."""
    assert [pair for pair in SOFT if grade(*pair) != "soft"] == []


def test_what_leaves_an_older_statement_alone() -> None:
    """Remarks, other circumstances, other things, events, and what is not so."""
    assert [(pair, grade(*pair)) for pair in NOTHING if grade(*pair) != "none"] == []


def test_another_person_changes_nothing_personal() -> None:
    """What Ben says of "my phone" is not about Ana's."""
    found = revision("My phone is a Fairphone 5.", "My phone is a Pixel 7.", same_speaker=False)
    assert found is None


def test_a_figure_that_comes_twice_is_not_one_that_comes_once() -> None:
    """However near the vectors are: invoice 0 of client 0 is another one than invoice 5 of client 0."""
    for new, old in (
        ("Invoice 5 of client 0", "Invoice 0 of client 0"),
        ("Invoice 0 of client 0", "Invoice 5 of client 0"),
    ):
        assert revision(new, old, same_speaker=True, nearness=0.99) is None, new


def test_an_ending_shows_whose_it_is_where_no_language_is_shown() -> None:
    """ "Kedim" is the cat of the one who says it."""
    assert revision("Kedim Limon", "Kedim Pamuk", same_speaker=False) is None


def test_a_language_that_lacks_rules_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be over has changed at most."""
    pair = ("My phone is a Fairphone 5.", "My phone is a Pixel 7.")
    ended = ("I no longer work at Siemens", "I work at Siemens as an engineer")
    known = revision(*pair, same_speaker=True)
    assert known
    assert contradicts(*ended, same_speaker=True, similarity=0.7)
    lacking = replace(LANGUAGES["en"], lacks=frozenset(("revisions", "contradictions")))
    own = packs._own
    monkeypatch.setattr(packs, "_own", lambda code: lacking if code == "en" else own(code))
    found = revision(*pair, same_speaker=True)
    assert found
    assert found.grade == "soft"
    assert contradicts(*ended, same_speaker=True, similarity=0.7) is None


@each_row_of("revision/no_nearness_makes_one_a_retelling_of_the_other")
def test_no_nearness_makes_one_a_retelling_of_the_other(new: str, old: str) -> None:
    """The other direction, nothing told, too few words in common."""
    assert nearness_of_retelling(new, old) > 1.0


def test_long_texts_do_not_plainly_tell_of_others() -> None:
    """They are not compared word by word."""
    long = " ".join(f"w{first}{second}" for first in "abcde" for second in "klmnopqrs")
    assert tells_of_others("I saw Rosa", "My sister saw Ben") is True
    assert tells_of_others(f"I saw {long}", "My sister saw Ben") is False


@each_row_of("revision/what_holds_at_some_season_only_ends_nothing")
def test_what_holds_at_some_season_only_ends_nothing(new: str, old: str, grade: str) -> None:
    """The rest of the year the older statement may hold."""
    found = revision(new, old, same_speaker=True)
    assert found is not None
    assert found.grade == grade


@each_row(
    "new",
    ["I moved to Porto last week", "I moved to Porto on Monday", "I moved to Porto yesterday"],
)
def test_the_day_of_a_move_is_no_condition(new: str) -> None:
    """It says when the new home began."""
    assert contradicts(new, "I live in Lisbon", same_speaker=True, similarity=0.6)

"""What a later statement does to an older one of the same person: ends it, raises a doubt, or nothing."""

import json
from pathlib import Path

import pytest

from cogmem_core.reading import of
from cogmem_core.reading.between import change
from helpers.tables import each_row_of

PAIRS = Path(__file__).resolve().parents[2] / "data" / "statement_pairs"
NO_LONGER_TRUE = ("change", "correction", "end")
BECOMES = {
    "certain": ("hard",),
    "certain or doubtful": ("hard", "soft"),
    "doubtful": ("soft",),
    "doubtful at most": ("soft", "none"),
    "nothing": ("none",),
}


def grade(old: str, new: str, *, same_speaker: bool = True) -> str:
    found = change(of(new), of(old), same_speaker=same_speaker)
    return found.grade if found else "none"


def graded(author: str, *, stand: bool, every: int = 1) -> list[str]:
    """The grades of every so manieth of an author's pairs whose older statement stands, or of those where not."""
    lines = (PAIRS / f"{author}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [
        pair for pair in map(json.loads, lines) if stand is (pair["label"] not in NO_LONGER_TRUE)
    ]
    return [grade(pair["old"], pair["new"]) for pair in pairs[::every]]


@each_row_of("reading/changes", "de en es fr tr")
def test_what_becomes_of_the_older_statement(old: str, new: str, becomes: str) -> None:
    """Another value, a denial, an end; others' things, plans, games and remarks change nothing."""
    assert grade(old, new) in BECOMES[becomes]


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.thorough)])
@each_row_of("reading/what_still_holds_is_not_retired")
def test_what_still_holds_is_not_retired(author: str, retired: int, every: int) -> None:
    """Of 1,959 pairs three: what tells more is taken for another value."""
    assert graded(author, stand=True, every=every).count("hard") <= retired


def test_changes_in_nearly_the_same_words_are_found() -> None:
    """Of 314 statements that no longer hold at least 70 end, and 100 are doubted at least."""
    grades = graded("close_wording", stand=False)
    assert len(grades) == 314
    assert grades.count("hard") >= 70
    assert len(grades) - grades.count("none") >= 100


def test_another_person_changes_nothing_personal() -> None:
    """ "I" and "my" are another person's when another person says them; names stay the same."""
    for old, new in (
        ("I live in Lisbon", "I live in Porto"),
        ("My phone is a Pixel 7.", "My phone is a Fairphone 5."),
        ("Kedim Pamuk", "Kedim Limon"),
    ):
        assert grade(old, new, same_speaker=False) == "none"
    assert grade("Ana lives in Lisbon", "Ana lives in Porto", same_speaker=False) == "hard"


def test_a_change_says_why() -> None:
    """The log needs both values."""
    found = change(of("I live in Porto"), of("I live in Lisbon"))
    assert found is not None
    assert "Lisbon" in found.reason
    assert "Porto" in found.reason


def test_statements_of_two_languages_change_nothing() -> None:
    """A German sentence retires no English one, however alike they look."""
    german = "Mein Name ist Jan und ich wohne in Bern."
    assert grade("My name is Tom and I live in Bern.", german) == "none"


def test_a_part_of_a_long_text_ends_only_that_part() -> None:
    """All else in it still holds, so it may not be retired whole."""
    long_text = (
        "I live in Oslo near the harbour, my sister works as a nurse in Bergen, my brother paints"
        " boats and our mother still bakes bread every Friday. My phone is a Pixel 7."
    )
    found = change(of("My phone is a Fairphone 5."), of(long_text))
    assert found is not None
    assert (found.grade, found.part) == ("hard", True)

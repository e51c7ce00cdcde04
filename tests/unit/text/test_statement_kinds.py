"""What statements of one kind do to one another: pairs from reports, each with siblings in English and Turkish."""

from __future__ import annotations

from cogmem_core.text.compare import revision
from helpers.tables import rows_of

OVER = rows_of("statement_kinds/over", "en tr")

OVER_OR_PERHAPS = rows_of("statement_kinds/over_or_perhaps", "en tr")

STANDS = rows_of("statement_kinds/stands", "en tr")


def grade(old: str, new: str) -> str:
    """What the new statement does to the old one."""
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


def test_what_is_over() -> None:
    """Ends, denials, corrections, other values, also of statements without a subject."""
    assert [pair for pair in OVER if grade(*pair) != "hard"] == []


def test_what_is_over_or_perhaps_over() -> None:
    """States of life, "now" and "finally", other spellings, dwellings, jobs that were left."""
    assert [pair for pair in OVER_OR_PERHAPS if grade(*pair) == "none"] == []


def test_what_stands() -> None:
    """Remarks, circumstances, groups, dreams, letters of others, aspects, events, other things."""
    assert [(pair, grade(*pair)) for pair in STANDS if grade(*pair) != "none"] == []


NEVER_RETOLD = [
    ("Ana lent Ben her bike.", "Ben lent Ana his bike."),
    ("I eat meat every day.", "I don't eat much meat."),
    ("Siyah kedim evde uyur.", "The black cat sleeps in Siyah."),
    ("The garden needs rain and sun.", "My cousin paints houses."),
    ("word " * 41, "word " * 42),
]


def test_no_vector_makes_these_one() -> None:
    """Who does what to whom, a denial of a part, two languages, nothing in common, long texts."""
    pairs = [(new, old) for old, new in NEVER_RETOLD]
    found = [revision(*pair, same_speaker=True, nearness=0.99) for pair in pairs]
    assert found == [None] * len(pairs)
    told = revision(
        "Selin Hanım benim müdürüm, yeni değil.",
        "Müdürüm Selin Hanım.",
        same_speaker=True,
        nearness=0.99,
    )
    assert told is not None


def test_a_part_of_a_long_text_ends_only_that_part() -> None:
    """All else in it still holds, so it may not be retired whole."""
    long_text = (
        "I live in Oslo near the harbour, my sister works as a nurse in Bergen, my brother paints"
        " boats and our mother still bakes bread every Friday. My phone is a Pixel 7."
    )
    found = revision("My phone is a Fairphone 5.", long_text, same_speaker=True)
    assert found is not None
    assert (found.grade, found.part) == ("hard", True)
    flat = "I live in a flat on Mill Road, fourth floor, no lift."
    assert revision("I want a balcony, a lift, and light.", flat, same_speaker=True) is None


def test_who_went_back_to_something_does_otherwise_now() -> None:
    """The older habit stays behind it."""
    found = revision(
        "I have switched back to regular milk, oat milk curdles in coffee.",
        "I take my coffee with oat milk.",
        same_speaker=True,
    )
    assert found is not None

"""Notice what a text says about the future, and until when that holds. Pure.

A plan expires: it holds until the last moment it speaks of, or for a week. Questions and plans that
were given up ("I was going to") do not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from cogmem_core.languages.merged import languages_read
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters, quoted_spans
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.time.periods import later
from cogmem_core.text.time.tense import lean

__all__ = ["Foresight", "foresee"]

_APPOINTMENTS = ("day", "part", "time", "weekend", "week")
_SENTENCE = re.compile(r"[^.!?\n;]+(?:[.](?=\S)[^.!?\n;]+)*[.!?;]?")


class Foresight(NamedTuple):
    """A sentence about the future.

    Attributes:
        text: the sentence as it stands.
        start: where it begins in the message.
        end: where it ends.
        valid_until: when it stops being of use: the end of the time it names, else so many days
            later.
    """

    text: str
    start: int
    end: int
    valid_until: datetime


@in_its_language
def foresee(text: str, said_at: datetime, *, default_days: int = 7) -> tuple[Foresight, ...]:
    """List the sentences that tell a plan or an appointment.

    Args:
        text: a message; its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker.
        default_days: how long a plan without a date holds, in days.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    text = text[:MAX_INPUT]
    times = find_times(text, said_at)
    folded = fold_letters(text)
    quotes = quoted_spans(text)
    plans = []
    for sentence in _SENTENCE.finditer(text):
        start, end = _trimmed(text, *sentence.span())
        if start == end or text[end - 1] == "?":
            continue
        dates = [time for time in times if start <= time.start < end and _ahead(time, said_at)]
        if _planned(text, folded, (start, end), quotes) or _appointed(folded, dates, said_at):
            until = max((time.last for time in dates), default=None)
            if until is None:
                until = later(said_at, default_days)
            plans.append(Foresight(text[start:end], start, end, until))
    return tuple(plans)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _ahead(time: TimeMention, said_at: datetime) -> bool:
    """Whether a time is, or may be, still to come."""
    if time.last < said_at or time.kind == "range":
        return False
    return time.first > said_at or time.relative


def _planned(
    text: str, folded: str, span: tuple[int, int], quotes: Sequence[tuple[int, int]]
) -> bool:
    """Whether a word of the sentence says that something will be."""
    return any(language.rewrite.plans(text, folded, span, quotes) for language in languages_read())


def _appointed(folded: str, times: list[TimeMention], said_at: datetime) -> bool:
    """Whether the sentence, without looking back, names a day to come: "my flight is on Friday"."""
    for time in times:
        if time.first <= said_at or time.kind not in _APPOINTMENTS:
            continue
        if lean(folded, time.start, time.end, time.language) >= 0:
            return True
    return False

"""From when and until when a statement holds: "until 2021", "since May", "from 2015 to 2019". Pure.

A statement lasts unless it plainly says otherwise: hours of the day, days that come back each week
and months that come back each year are no ends, nor is what was not so until a day, and has been
since. What tells beside its end what holds now lasts as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.languages.merged import AnyPattern, by_language
from cogmem_core.text.folding import text_before
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.time.tense import lean

_TICK = timedelta(microseconds=1)
_YEAR = re.compile(r"\d{4}")
_REACH = 32  # characters before a time whose words say what it is


class Spell(NamedTuple):
    """How long a statement holds.

    Attributes:
        begin: from when; None = that is not said.
        end: its last moment; None = open.
        used: the times that say so, and name no appointment.
    """

    begin: datetime | None = None
    end: datetime | None = None
    used: tuple[TimeMention, ...] = ()


ALWAYS = Spell()
"""A statement that names neither a beginning nor an end."""


class _Words:
    """Words beside a time that say what it is, by language; a language may have none."""

    def __init__(self, name: str) -> None:
        self._before = by_language(f"time.ends.{name}_before")
        self._after = by_language(f"time.ends.{name}_after")

    def stand_at(self, folded: str, time: TimeMention) -> bool:
        """Whether such words stand directly before or after a time."""
        preceding = text_before(folded, time.start, _REACH)
        before = self._before.get(time.language)
        after = self._after.get(time.language)
        return bool(
            (before and before.search(preceding)) or (after and after.match(folded, time.end))
        )


_CLOSES = _Words("closes")
_EXCLUDES = _Words("excludes")
_OPENS = _Words("opens")
_PAIRS = by_language("time.ends.pairs")
_STATES = AnyPattern("time.ends.states")
_STILL_NOT = AnyPattern("time.ends.still_not")
_GOES_ON = AnyPattern("time.ends.goes_on")
_FUTURE = AnyPattern("time.ends.future")
_DUTIES = AnyPattern("time.ends.duties")


def spell_of(folded: str, times: Sequence[TimeMention], said_at: datetime) -> Spell:
    """How long one statement holds, as the words beside its times say.

    Args:
        folded: the statement after `fold_letters`.
        times: those that it names, in its order.
        said_at: when it was said.
    """
    for first, last in pairwise(times):
        if _are_pair(folded, first, last):
            return _pair(folded, first, last, said_at)
    spell = ALWAYS
    for time in times:
        begin = spell.begin
        end = spell.end
        if time.kind == "range" and not time.relative:
            begin = time.first
            end = None if _may_come(time, said_at) else _unless_more(folded, time, time.last)
        elif _OPENS.stand_at(folded, time):
            begin = time.first
        elif _CLOSES.stand_at(folded, time):
            end = _closed(folded, time, said_at) or end
        elif _EXCLUDES.stand_at(folded, time):
            end = _excluded(folded, time, said_at) or end
        if (begin, end) != (spell.begin, spell.end):
            spell = Spell(begin, end, (*spell.used, time))
    return spell


def _are_pair(folded: str, first: TimeMention, last: TimeMention) -> bool:
    """Whether two times are the ends of one period: "from 2015 to 2019"."""
    marked = (
        f"{text_before(folded, first.start, _REACH)}<{folded[first.start : first.end]}>"
        f"{folded[first.end : last.start]}<{folded[last.start : last.end]}>"
        f"{folded[last.end : last.end + _REACH]}"
    )
    pairs = _PAIRS.get(first.language) if first.language == last.language else None
    return bool(pairs and pairs.search(marked))


def _pair(folded: str, first: TimeMention, last: TimeMention, said_at: datetime) -> Spell:
    """The period between two times; days of the week and months come back, unless a verb looks ahead."""
    undated = not any(map(str.isdigit, first.text + last.text))
    if undated and not _FUTURE.search(folded):
        return Spell(used=(first, last))
    end = last.last
    if undated and end < first.first and first.kind == "day":
        end += timedelta(weeks=1)
    if end < first.first:
        return Spell(used=(first, last))
    lasts = _may_come(last, said_at) and end == last.last
    return Spell(first.first, None if lasts else _unless_more(folded, last, end), (first, last))


def _unless_more(folded: str, time: TimeMention, end: datetime) -> datetime | None:
    """The end, unless the statement also tells what holds now."""
    rest = f"{folded[: time.start]} | {folded[time.end :]}"
    return None if _GOES_ON.search(rest) else end


def _may_come(time: TimeMention, said_at: datetime) -> bool:
    """Whether only the tense of a verb says that a day is past: "I've rented it until June"."""
    if time.last >= said_at:
        return False
    if not time.relative:
        return not _YEAR.search(time.text)
    return any(each.last >= said_at for each in find_times(time.text, said_at))


def _closed(folded: str, time: TimeMention, said_at: datetime) -> datetime | None:
    """The end of what holds until a time; None if it is no end.

    An hour without a day is that of every day. "Until today" is no end, nor is "not until 2019"; nor
    is a past day that only the tense of a verb makes past: "I've rented it until June".
    """
    if _may_come(time, said_at):
        return None
    if time.kind == "time" and not time.relative and time.day == said_at.date():
        return None
    if time.first <= said_at <= time.last and time.kind != "time":
        running = lean(folded, time.start, time.end, time.language) >= 0
        if time.kind == "day" or not running:
            return None
    if _STILL_NOT.search(folded):
        return None
    return _unless_more(folded, time, time.last)


def _excluded(folded: str, time: TimeMention, said_at: datetime) -> datetime | None:
    """The end of what held, or is to be done, before a time; None if it only happened before it."""
    ahead = time.first > said_at
    if not (_DUTIES if ahead else _STATES).search(folded):
        return None
    if not ahead and _STILL_NOT.search(folded):
        return None
    return _unless_more(folded, time, time.first - _TICK)

"""Find the times a text speaks of, and resolve them against the moment it was said. Pure.

A weekday is the nearest one in the sentence's direction, never the day itself. A period ("last
week", "in May") runs from its first day to its last. Counted weeks, months and years name that
period when they look back ("3 years ago" is a year) and a day when they look ahead ("in 3 weeks"
is a deadline). What has two readings (`3/4/2023`) is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from cogmem_core.errors import InvalidInput
from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import DatedWords
from cogmem_core.languages.merged import Kept, by_language
from cogmem_core.languages.needed import QuickPatterns
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.languages.writing import written
from cogmem_core.text.folding import (
    MAX_INPUT,
    fold_letters,
    inside,
    mark_span,
    quoted_spans,
    replaced,
    text_before,
)
from cogmem_core.text.time.clock import clock_after, clock_before
from cogmem_core.text.time.days import kept_day, kept_moment
from cogmem_core.text.time.expressions import Expression, Message
from cogmem_core.text.time.periods import Kind, Period, bounds
from cogmem_core.text.time.rules import NO_TIME, RULES

_NAMES_BEFORE = by_language("time.ends.names_before")
_NAMES_AFTER = by_language("time.ends.names_after")
_NAME_REACH = 24  # characters


class TimeMention(NamedTuple):
    """A time expression and what it means.

    Attributes:
        start: where it begins in the text, without the preposition before it.
        end: where it ends.
        first: its first moment, in the time zone it was resolved in.
        last: its last moment; of a moment, the same as `first`.
        kind: `day`, `part` (of a day), `time` (a moment), `week`, `weekend`, `month`, `season`,
            `year` or `range`.
        text: the expression as it stands.
        relative: whether its meaning depends on when it was said, apart from a missing year
            ("yesterday": yes; "8 May", "in May": no).
        language: the code of the language of its words.
        day: its first day, or the very day that was counted to ("2 weeks ago" is a week).
    """

    start: int
    end: int
    first: datetime
    last: datetime
    kind: Kind
    text: str
    relative: bool
    language: str
    day: date


class _Match(NamedTuple):
    start: int
    end: int
    period: Period
    relative: bool
    language: str


@in_its_language
def find_times(text: str, said_at: datetime) -> tuple[TimeMention, ...]:
    """List the times a text speaks of, in its order, without overlaps.

    Args:
        text: a message or a question; its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker, which decides what "today" is.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    zone = said_at.tzinfo
    if zone is None or said_at.utcoffset() is None:
        raise InvalidInput(
            f"said_at is {said_at!r}, without a time zone; pass an aware datetime such as UTC"
        )
    return _find_times(text[:MAX_INPUT], said_at, (zone, said_at.fold))


@cached_by_language(256)
def _find_times(text: str, said_at: datetime, place: tuple[tzinfo, int]) -> tuple[TimeMention, ...]:
    """The times of a text.

    Args:
        text: what was said.
        said_at: when; equal moments are told apart by their place.
        place: the time zone, and which of the two hours when a clock is set back.
    """
    message = Message(text, fold_letters(text), said_at)
    matches = [_with_clock(message, match) for match in _matches(message)]
    if not matches:
        return ()
    mentions = []
    for match in _without_overlaps(matches):
        if match.period is NO_TIME:
            continue
        try:
            first, last = bounds(match.period, place[0])
        except (OverflowError, ValueError):
            continue
        mention = TimeMention(
            start=match.start,
            end=match.end,
            first=first,
            last=last,
            kind=match.period.kind,
            text=text[match.start : match.end],
            relative=match.relative,
            language=match.language,
            day=match.period.counted or first.date(),
        )
        mentions.append(mention)
    return tuple(mentions)


def first_time(
    text: str, said_at: datetime, besides: Sequence[tuple[int, int]] = ()
) -> datetime | None:
    """The first time that a text speaks of, in UTC.

    The date is the local one wherever it is read, see `text.time.days`.

    Args:
        text: its first 5,000 characters are read.
        said_at: when it was said, in the time zone of who said it.
        besides: parts of it whose times count only if it speaks of no other.

    Returns:
        Midnight for a day or for the first day of a longer period, or for the day that was counted
        to; else the moment; None if the text speaks of no time.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    times = find_times(text, said_at)
    if not times:
        return None
    mention = next((time for time in times if not inside(time.start, besides)), times[0])
    if mention.kind in ("time", "part"):
        return kept_moment(mention.first)
    return kept_day(mention.day)


_LIKELY_RULES = Kept(lambda: QuickPatterns(rule.quick for rule in RULES()))


def _matches(message: Message) -> Iterable[_Match]:
    """What each rule finds.

    A date that does not exist (31 June) or lies outside of the calendar is no time.
    """
    rules = RULES()
    for place in _LIKELY_RULES().places(message.folded):
        rule = rules[place]
        group: str | int = "x" if "x" in rule.quick.pattern.groupindex else 0
        for match in rule.quick.pattern.finditer(message.folded):
            try:
                period = rule.resolve(Expression(match, message, rule))
            except (OverflowError, ValueError):
                continue
            start, end = match.span(group)
            if period and not _is_name(message.folded, start, end, rule.language):
                yield _Match(start, end, period, rule.relative, rule.language)


def _is_name(folded: str, start: int, end: int, language: str) -> bool:
    """Whether a day or a month is somebody's name: "my dog is called Friday"."""
    if any(map(str.isdigit, folded[start:end])):
        return False
    if _NAMES_BEFORE[language].search(text_before(folded, start, _NAME_REACH)):
        return True
    return _NAMES_AFTER[language].match(folded, end) is not None


def _without_overlaps(matches: Iterable[_Match]) -> list[_Match]:
    """Of overlapping matches the longest, of equal ones that of the earlier rule; in text order."""
    chosen: list[_Match] = []
    covered = bytearray(MAX_INPUT)
    for match in sorted(matches, key=lambda match: match.start - match.end):
        if not any(covered[match.start : match.end]):
            mark_span(covered, match.start, match.end)
            chosen.append(match)
    return sorted(chosen)


def _with_clock(message: Message, match: _Match) -> _Match:
    """A day with the hour beside it: "tomorrow at 5 pm", "5 pm tomorrow", "yesterday evening"."""
    if match.period.kind != "day":
        return match
    start = match.start
    end = match.end
    clock = clock_after(message.folded, end)
    if clock:
        end = clock.stop
    else:
        clock = clock_before(message.folded, start)
        if clock is None:
            return match
        start = clock.begin
    day = match.period.first + timedelta(days=clock.days)
    return match._replace(
        start=start, end=end, period=Period(day, day, clock.kind, clock.start, clock.end)
    )


@in_its_language
def normalise(text: str, said_at: datetime) -> str:
    """Replace relative times by dates.

    "yesterday" becomes "on 2023-05-07", `dün` becomes "2023-05-07 tarihinde". Explicit dates,
    months and years stay as they are, with or without a year ("my birthday is 8 May" holds every
    year); so do hours without a day, and everything inside quotation marks. The language stays.
    Idempotent.

    Args:
        text: its first 5,000 characters are read.
        said_at: when it was said, in the time zone of who said it.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    quotes = quoted_spans(text)
    changes = []
    for mention in find_times(text, said_at):
        if not mention.relative or inside(mention.start, quotes):
            continue
        words = DatedWords(
            text=text,
            start=mention.start,
            end=mention.end,
            folded=fold_letters(mention.text),
            first=mention.first,
            last=mention.last,
            kind=mention.kind,
        )
        dated = written(LANGUAGES[mention.language].time, words)
        changes.append((mention.start, mention.end, dated))
    return replaced(text, changes)

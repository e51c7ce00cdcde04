"""Find the times a text speaks of, and resolve them against the moment it was said. English and Turkish; pure.

A weekday is the nearest one in the sentence's direction, never the day itself. A period ("last week", "in May") runs
from its first day to its last. Counted weeks, months and years name that period when they look back ("3 years ago" is a
year) and a day when they look ahead ("in 3 weeks" is a deadline). What has two readings (`3/4/2023`) is left alone.
"""

# ruff: noqa: RUF001 - Turkish is spelt in Turkish

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from cogmem_core.errors import InvalidInput
from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans
from cogmem_core.text.lexicon.calendar import MONTH_NAMES, SEASON_NAMES
from cogmem_core.text.time.clock import clock_after, clock_before
from cogmem_core.text.time.days import kept_day, kept_moment
from cogmem_core.text.time.periods import Kind, Period, bounds
from cogmem_core.text.time.rules import RULES, Said

__all__ = ["TimeMention", "find_times", "first_time", "normalise"]


class TimeMention(NamedTuple):
    """A time expression and what it means.

    Attributes:
        start, end: its place `text[start:end]`, without the preposition before it.
        first, last: its first and last moment, in the time zone it was resolved in; equal for a moment.
        kind: `day`, `part` (of a day), `time` (a moment), `week`, `weekend`, `month`, `season`, `year` or `range`.
        text: the expression as it stands.
        relative: whether its meaning depends on when it was said, apart from a missing year ("yesterday": yes;
            "8 May", "in May": no).
        turkish: whether its words are Turkish.
    """

    start: int
    end: int
    first: datetime
    last: datetime
    kind: Kind
    text: str
    relative: bool
    turkish: bool


class _Found(NamedTuple):
    start: int
    end: int
    period: Period
    relative: bool
    turkish: bool


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
        raise InvalidInput(f"said_at is {said_at!r}, without a time zone; pass an aware datetime such as UTC")
    text = text[:MAX_INPUT]
    said = Said(text, fold_letters(text), said_at)
    mentions = []
    for found in _apart(_clocked(said, _resolved(said))):
        try:
            first, last = bounds(found.period, zone)
        except (OverflowError, ValueError):
            continue
        words = text[found.start : found.end]
        kind, relative, turkish = found.period.kind, found.relative, found.turkish
        mentions.append(TimeMention(found.start, found.end, first, last, kind, words, relative, turkish))
    return tuple(mentions)


def first_time(text: str, said_at: datetime) -> datetime | None:
    """The first time a text speaks of, UTC: midnight for a day or the first day of a longer period, else the moment.

    The date is the local one wherever it is read, see `text.days`. None if the text speaks of no time.

    Args:
        text: its first 5,000 characters are read.
        said_at: when it was said, in the time zone of who said it.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    found = next(iter(find_times(text, said_at)), None)
    if found is None:
        return None
    return kept_moment(found.first) if found.kind in ("time", "part") else kept_day(found.first.date())


def _resolved(said: Said) -> Iterable[_Found]:
    """What each rule finds; a date that does not exist (31 June) or lies outside of the calendar is no time."""
    for rule in RULES:
        for match in rule.pattern.finditer(said.folded):
            try:
                period = rule.resolve(match, said)
            except (OverflowError, ValueError):
                continue
            if period:
                start, end = match.span("x") if "x" in rule.pattern.groupindex else match.span()
                yield _Found(start, end, period, rule.relative, rule.turkish)


def _apart(found: Iterable[_Found]) -> list[_Found]:
    """Of overlapping finds the longest, of equal ones that of the earlier rule; in text order."""
    kept: list[_Found] = []
    taken = bytearray(MAX_INPUT)
    for candidate in sorted(found, key=lambda one: one.start - one.end):
        length = candidate.end - candidate.start
        if not any(taken[candidate.start : candidate.end]):
            taken[candidate.start : candidate.end] = b"\x01" * length
            kept.append(candidate)
    return sorted(kept)


def _clocked(said: Said, found: Iterable[_Found]) -> Iterable[_Found]:
    """Give a day the hour beside it: "tomorrow at 5 pm", "5 pm tomorrow", "yesterday evening"."""
    for one in found:
        if one.period.kind != "day":
            yield one
            continue
        after = clock_after(said.folded, one.end)
        before = None if after else clock_before(said.folded, one.start)
        clock = after or before
        if clock is None:
            yield one
            continue
        first = one.period.first + timedelta(days=clock.days)
        period = Period(first, first, clock.kind, clock.start, clock.end)
        start, end = (one.start, clock.stop) if after else (clock.begin, one.end)
        yield _Found(start, end, period, one.relative, one.turkish)


def normalise(text: str, said_at: datetime) -> str:
    """Replace relative times by dates: "yesterday" becomes "on 2023-05-07", `dün` becomes "2023-05-07 tarihinde".

    Explicit dates, months and years stay as they are, with or without a year ("my birthday is 8 May" holds every
    year); so do hours without a day, and everything inside quotation marks. The language stays. Idempotent.

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    spans, pieces, position = quoted_spans(text), [], 0
    for mention in find_times(text, said_at):
        if not mention.relative or inside(mention.start, spans):
            continue
        words = _turkish_date(text, mention) if mention.turkish else _english_date(text, mention)
        pieces += [text[position : mention.start], words]
        position = mention.end
    return "".join(pieces) + text[position:]


_PREPOSITION = re.compile(
    r"\b(?:on|in|at|by|since|until|till|from|to|before|after|for|of|during|through|than|over|between|around|the)\s$"
)
_SUBJECT = re.compile(r"'s?\b|\s(?:is|are|was|were|has|have|had|will|would|'ll)\b")
_ENGLISH_PREPOSITIONS: dict[Kind, str] = {
    "day": "on", "part": "on", "time": "on", "weekend": "on",
    "week": "in", "month": "in", "season": "in", "year": "in", "range": "in",
}  # fmt: skip


def _english_date(text: str, mention: TimeMention) -> str:
    """The date with the preposition it needs: none after another one, nor where it is a subject ("Tomorrow is")."""
    date = _english_words(mention)
    before = text[max(0, mention.start - 12) : mention.start].lower()
    if _PREPOSITION.search(before) or _SUBJECT.match(text, mention.end):
        return date.removeprefix("the ") if before.endswith("the ") else date
    words = f"{_ENGLISH_PREPOSITIONS[mention.kind]} {date}"
    return words[0].upper() + words[1:] if mention.start == 0 and mention.text[0].isupper() else words


def _english_words(mention: TimeMention) -> str:
    first, last = mention.first, mention.last
    if mention.kind == "part":
        part = {6: "in the morning", 12: "in the afternoon"}.get(first.hour, "in the evening")
        return f"{first.date()} {part}"
    names = {
        "time": f"{first.date()} at {first:%H:%M}",
        "week": f"the week of {first.date()}",
        "weekend": f"the weekend of {first.date()}",
        "month": f"{MONTH_NAMES[False][first.month - 1]} {first.year:04}",
        "season": f"{SEASON_NAMES[False].get(first.month, '')} {first.year:04}",
        "year": f"{first.year:04}",
        "range": f"the time from {first.date()} to {last.date()}",
    }
    return names.get(mention.kind, f"{first.date()}")


_UNTIL = re.compile(r"\s+(?:kadar|dek|değin|doğru)\b")
_FROM = re.compile(r"\s+(?:beri|itibaren|sonra|önce)\b")


def _turkish_date(text: str, mention: TimeMention) -> str:
    """The date with the case ending that the expression had, on a noun whose vowels need no thought."""
    first, last = mention.first, mention.last
    parts = {6: "sabahı", 12: "öğleden sonrası"}
    nouns = {
        "time": f"{first.date()} saat {first:%H:%M}",
        "part": f"{first.date()} {parts.get(first.hour, 'akşamı')}",
        "week": f"{first.date()} haftası",
        "weekend": f"{first.date()} hafta sonu",
        "month": f"{first.year:04} {MONTH_NAMES[True][first.month - 1]} ayı",
        "season": f"{first.year:04} {SEASON_NAMES[True].get(first.month, '')} mevsimi",
        "year": f"{first.year:04} yılı",
        "range": f"{first.date()} ile {last.date()} arası",
    }
    noun = nouns.get(mention.kind, f"{first.date()} tarihi")
    if mention.kind == "time":
        return noun
    return noun + _turkish_case(text, mention, "e" if noun.endswith("i") else "a")


def _turkish_case(text: str, mention: TimeMention, vowel: str) -> str:
    """Dative, ablative, the adjective in -ki or the locative, after a noun that ends in a possessive."""
    folded = fold_letters(mention.text)
    if _UNTIL.match(text, mention.end) or re.search(r"(?:yarina|bugune|gunune|[^t][fmrsl][ai]y[ae])$", folded):
        return "n" + vowel
    if _FROM.match(text, mention.end) or re.search(r"[dt][ae]n$", folded):
        return f"nd{vowel}n"
    return f"nd{vowel}ki" if re.search(r"k[iu]$", folded) else f"nd{vowel}"

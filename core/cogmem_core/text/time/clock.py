"""Hours of the day beside a date: "at 5 pm", "17:30", "in the evening", "akşam 8'de". Pure.

Texts are folded. Without am or pm, the hours 1 to 6 after "at" or "saat" are those of the
afternoon, the way people make appointments.
"""

from __future__ import annotations

import re
from datetime import time
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import Kept, MergedPattern, all_words, any_word, languages_read
from cogmem_core.text.vocabulary import PARTS_OF_DAY


def _spaced(pattern: str) -> MergedPattern:
    return MergedPattern(
        pattern, finish=lambda text: text.replace(" ?", r"\s?").replace(" ", r"\s{1,3}")
    )


_HALF = r"(?: ?(?P<half>[ap])\.?m\b\.?)"
_SURE = (
    rf"(?:(?P<h>\d{{1,2}}):(?P<m>\d\d){_HALF}?"
    rf"|(?P<h2>\d{{1,2}})(?:\.(?P<m2>\d\d))?{_HALF.replace('half', 'half2')}"
    rf"|(?P<h8>\d{{1,2}})\.(?P<m3>\d\d) {any_word(all_words('time.on_the_hour'))}"
    rf"|(?P<h3>\d{{1,2}}) {any_word(all_words('time.on_the_hour'))}"
    rf"|(?P<noon>{any_word(all_words('time.noon'))})\b)(?!\d)"
)
_ENDINGS = any_word(all_words("time.hour_endings"))
_CASE = rf"(?:'?{_ENDINGS}\b)?"
_NUMBER = r"(?P<h4>\d{1,2})"
_BARE = (
    rf"(?:{any_word(all_words('time.bare_hour_prepositions'))} (?:{_NUMBER}"
    r"|(?P<h7>\d{1,2})\.(?P<m5>[0-5]\d))(?![\d:/%]|[.,]\d| ?%)"
    rf"|(?P<h5>\d{{1,2}})'{_ENDINGS}\b)"
)
_PART = _spaced(
    rf",?\s{{0,3}}(?:{any_word(all_words('time.part_prepositions'))} )?"
    rf"(?P<part>{any_word(PARTS_OF_DAY)}){any_word(all_words('time.part_endings'))}?\b"
)
_TIME = _spaced(
    rf",?\s{{0,3}}(?:{any_word(all_words('time.hour_prepositions'))} (?P<h6>\d{{1,2}}) ?h ?(?P<m4>\d\d)"
    rf"|(?:{any_word(all_words('time.hour_prepositions'))} )?{_SURE}|{_BARE}){_CASE}"
)
_BEFORE = Kept(
    lambda: tuple(
        _spaced(pattern.replace("<hour>", _SURE).replace("<number>", _NUMBER))
        for language in languages_read()
        for pattern in language.time.hours_before_day
    )
)
_NO_GROUPS: dict[str, str | None] = dict.fromkeys(("h", "half", "half2", "noon"))
_BEFORE_REACH = 24  # characters

LONE_HOUR = rf"\b{any_word(all_words('time.lone_hour_prepositions'))} (?P<x>{_SURE}{_CASE})"
"""The pattern of an hour without a day, in any language; a blank stands for 1 to 3 white spaces."""


class Clock(NamedTuple):
    """An hour of the day and where it stands.

    Attributes:
        begin: where it begins in the text.
        stop: where it ends in the text.
        kind: `time` for a moment, `part` for a stretch of the day.
        start: the local time at which it starts.
        end: the local time at which it ends; of a moment both are equal.
        days: 0, or 1 when the hour belongs to the next day ("24:00").
    """

    begin: int
    stop: int
    kind: Literal["time", "part"]
    start: time
    end: time
    days: int = 0


def clock_after(folded: str, position: int) -> Clock | None:
    """The hour that directly follows a date, which ends at the position.

    As in "morning", "at 5 pm", "evening at 8".
    """
    part = _PART.match(folded, position)
    if part is None:
        match = _TIME.match(folded, position)
        clock = _clock(match) if match else None
        return clock._replace(begin=position) if clock else None
    low, high = PARTS_OF_DAY[part["part"]]
    match = _TIME.match(folded, part.end())
    clock = _clock(match, low) if match else None
    if clock:
        return clock._replace(begin=position)
    return Clock(position, part.end(), "part", time(low), time(high - 1, 59, 59, 999_999))


def clock_before(folded: str, position: int) -> Clock | None:
    """The hour that directly precedes a date, which begins at the position: "5 pm tomorrow"."""
    low = max(0, position - _BEFORE_REACH)
    for pattern in _BEFORE():
        match = pattern.search(folded[low:position])
        if match:
            clock = _clock(match)
            return clock and clock._replace(begin=clock.begin + low, stop=clock.stop + low)
    return None


def clock_alone(match: re.Match[str]) -> Clock | None:
    """The hour of a match of `LONE_HOUR`."""
    return _clock(match)


def _clock(match: re.Match[str], part_begins: int = 0) -> Clock | None:
    groups = {**_NO_GROUPS, **match.groupdict()}
    hour = _hour(groups, part_begins)
    minute = int(_first(groups, "m", "m2", "m3", "m4", "m5") or 0)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    moment = time(hour % 24, minute)
    return Clock(match.start(), match.end(), "time", moment, moment, days=hour // 24)


def _hour(groups: dict[str, str | None], part_begins: int) -> int:
    if groups["noon"]:
        return 12
    hour = int(_first(groups, "h", "h2", "h3", "h4", "h5", "h6", "h7", "h8") or 24)
    half = groups["half"] or groups["half2"]
    if half == "p":
        return hour % 12 + 12
    if half:
        return hour % 12
    ambiguous = not _first(groups, "h", "h6", "h8") and part_begins == 0 and 1 <= hour <= 6
    if hour < 12 and (part_begins >= 12 or ambiguous):
        hour += 12
    return hour


def _first(groups: dict[str, str | None], *names: str) -> str | None:
    return next(filter(None, map(groups.get, names)), None)

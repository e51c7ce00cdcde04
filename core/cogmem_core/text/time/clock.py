"""Hours of the day beside a date: "at 5 pm", "17:30", "in the evening", "akşam 8'de". Pure; texts are folded.

Without am or pm, the hours 1 to 6 after "at" or "saat" are those of the afternoon, the way people make appointments.
"""

from __future__ import annotations

import re
from datetime import time
from typing import Literal, NamedTuple

from cogmem_core.text.lexicon.calendar import PARTS, any_of

__all__ = ["ALONE", "Clock", "clock_after", "clock_alone", "clock_before"]

_HALF = r"(?: ?(?P<half>[ap])\.?m\b\.?)"
_SURE = (
    rf"(?:(?P<h>\d{{1,2}}):(?P<m>\d\d){_HALF}?|(?P<h2>\d{{1,2}}){_HALF.replace('half', 'half2')}"
    r"|(?P<h3>\d{1,2}) o'clock|(?P<noon>noon|oglen)\b)(?!\d)"
)
_CASE = r"(?:'?(?:te|ta|de|da)\b)?"
_BARE = r"(?:(?:at|@|saat) (?P<h4>\d{1,2})(?![\d:/%]|[.,]\d| ?%)|(?P<h5>\d{1,2})'(?:te|ta|de|da)\b)"


def _spaced(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ?", r"\s?").replace(" ", r"\s{1,3}"))


_PART = _spaced(rf",?\s{{0,3}}(?:(?:in the|at|by) )?(?P<part>{any_of(PARTS)})(?:leyin|ustu|i|si)?\b")
_TIME = _spaced(rf",?\s{{0,3}}(?:(?:(?:at|around|by|@|saat) )?{_SURE}|{_BARE}){_CASE}")
_BEFORE = _spaced(rf"(?:\b(?:at|around|by|@) )?(?<![\d:.]){_SURE},?(?: on| of)?\s{{1,3}}$")
_BEFORE_BARE = _spaced(r"\bat (?P<h4>\d{1,2})(?: on)?\s{1,3}$")
_NO_GROUPS: dict[str, str | None] = dict.fromkeys(("h", "m", "half", "h2", "half2", "h3", "noon"))
_BEFORE_REACH = 24  # characters
ALONE = _spaced(rf"\b(?:at|around|by|until|till|saat) (?P<x>{_SURE}{_CASE})")


class Clock(NamedTuple):
    """An hour of the day and where it stands.

    Attributes:
        begin, stop: its place in the text.
        kind: `time` for a moment, `part` for a stretch of the day.
        start, end: local time; of a moment both are equal.
        days: 0, or 1 when the hour belongs to the next day ("24:00").
    """

    begin: int
    stop: int
    kind: Literal["time", "part"]
    start: time
    end: time
    days: int = 0


def clock_after(folded: str, position: int) -> Clock | None:
    """The hour that directly follows a date which ends at the position: "morning", "at 5 pm", "evening at 8"."""
    part = _PART.match(folded, position)
    match = _TIME.match(folded, part.end() if part else position)
    if match:
        clock = _clock(match, PARTS[part["part"]][0] if part else 0)
        if clock:
            return clock._replace(begin=position)
    if part is None:
        return None
    low, high = PARTS[part["part"]]
    return Clock(position, part.end(), "part", time(low), time(high - 1, 59, 59, 999_999))


def clock_before(folded: str, position: int) -> Clock | None:
    """The hour that directly precedes a date which begins at the position: "5 pm tomorrow"."""
    low = max(0, position - _BEFORE_REACH)
    match = _BEFORE.search(folded[low:position]) or _BEFORE_BARE.search(folded[low:position])
    clock = _clock(match) if match else None
    return clock._replace(begin=clock.begin + low, stop=clock.stop + low) if clock else None


def clock_alone(match: re.Match[str]) -> Clock | None:
    """The hour of a match of `ALONE`."""
    return _clock(match)


def _clock(match: re.Match[str], part_begins: int = 0) -> Clock | None:
    groups = {**_NO_GROUPS, **match.groupdict()}
    hour, minute = _hour(groups, part_begins), int(groups["m"] or 0)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    at = time(hour % 24, minute)
    return Clock(match.start(), match.end(), "time", at, at, days=hour // 24)


def _hour(groups: dict[str, str | None], part_begins: int) -> int:
    if groups["noon"]:
        return 12
    hour = int(next(filter(None, (groups.get(name) for name in ("h", "h2", "h3", "h4", "h5"))), "24"))
    half = groups["half"] or groups["half2"]
    if half:
        return hour % 12 + (12 if half == "p" else 0)
    vague = groups["h"] is None and part_begins == 0 and 1 <= hour <= 6
    return hour + 12 if hour < 12 and (part_begins >= 12 or vague) else hour

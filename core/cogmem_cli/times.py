"""Moments as people type them, in the zone of the people who speak and ask."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal

from cogmem_cli.values import here, show_times_in
from cogmem_core.base.runtime import system_clock
from cogmem_core.errors import InvalidInput
from cogmem_core.values.messages import from_iso

if TYPE_CHECKING:
    from cogmem_cli.shell import Shell
    from cogmem_core.text.time.find import TimeMention

Edge = Literal["first", "last", "day"]
_LEADING = re.compile(r"(?:[^\W\d]{1,5}\s+)?")
_WEEK = timedelta(days=7)
_YEAR = timedelta(days=365)
_DAY = timedelta(days=1)
_NOW = "now"
_POINTS = ("day", "time", "month")


def moment(
    shell: Shell, name: str, typed: str | None, edge: Edge = "first", *, ahead: bool = False
) -> datetime | None:
    """The moment that an option tells: a date, words such as "last monday", or ISO 8601.

    Args:
        shell: whose settings name the zone (`encoding.timezone`); else it is this machine's.
        name: of the option.
        typed: as it stands there; None = nothing.
        edge: which moment of a day or a longer time is meant, its first or its last one; "day" is
            the day as memories keep one that was named.
        ahead: a day that may be one or the other is one to come.

    Raises:
        InvalidInput: it tells no moment.
    """
    if typed is None:
        return None
    show_times_in(shell.config().encoding.timezone)
    text = typed.strip()
    try:
        parsed = from_iso(text)
    except ValueError:
        pass
    else:
        if not _is_day(text):
            return parsed if parsed.tzinfo else _placed(parsed)
    present = system_clock()
    now = present.astimezone(here(present))
    if text.casefold() == _NOW:
        return now
    mention = _read(text, now, ahead=ahead)
    if mention is None:
        raise InvalidInput(
            f"{name} is {typed!r}; give a day such as 2026-05-03, 3 May, yesterday or last monday, "
            "with a time if you like, or ISO 8601 such as 2026-05-03T18:30:00+01:00"
        )
    if mention.kind == "time":
        return mention.first if mention.relative else _placed(mention.first.replace(tzinfo=None))
    if edge == "day":
        from cogmem_core.text.time.days import kept_day

        return kept_day(mention.day)
    found = mention.last if edge == "last" else mention.first
    return _placed(found.replace(tzinfo=None))


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _placed(wall: datetime) -> datetime:
    """What the clock on the wall showed, as a moment."""
    zone: tzinfo = here(wall.astimezone())
    return wall.replace(tzinfo=zone)


def _read(text: str, now: datetime, *, ahead: bool) -> TimeMention | None:
    found = _mention(text, now) or _mention(f"{now:%Y-%m-%d} {text}", now)
    if found is None or ahead or found.first <= now or found.kind not in _POINTS:
        return found
    # A weekday, or a date without its year, stays the same when asked on another day; "tomorrow" does not.
    asked_elsewhere = (_mention(text, now + day) for day in (-_DAY, _DAY))
    if not any(other and other.first == found.first for other in asked_elsewhere):
        return found
    earlier = _mention(text, now - (_WEEK if found.relative else _YEAR))
    return earlier if earlier and earlier.first <= now else found


def _mention(text: str, now: datetime) -> TimeMention | None:
    """The one time that a text tells; nothing else may stand there but a short word before it."""
    from cogmem_core.text.time.find import find_times

    mentions = find_times(text, now)
    if len(mentions) != 1 or mentions[0].end != len(text):
        return None
    return mentions[0] if _LEADING.fullmatch(text[: mentions[0].start]) else None

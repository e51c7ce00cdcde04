"""What a forecast returns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

__all__ = ["Forecast", "ForecastEvent", "ForecastKind"]

ForecastKind = Literal["endangered", "fading", "dormant", "demoted", "expires"]


@dataclass(frozen=True, slots=True)
class ForecastEvent:
    """What will become of a memory that nobody uses.

    Attributes:
        what: `endangered` (about to fade), `fading` (a dream cycle may consolidate it with others),
            `dormant` or `demoted` (it leaves recall and can be restored), `expires` (its time is
            over).
        when: from when on; the present if only the next dream cycle is missing.
        why: in a few words.
    """

    memory_id: str
    content: str
    what: ForecastKind
    when: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """What will become of the memories of a namespace if nobody uses them.

    Attributes:
        since: the start of the time that it looks at.
        until: the end of that time.
        events: the earliest first.
        more: how many later ones were left out by the limit.
    """

    since: datetime
    until: datetime
    events: tuple[ForecastEvent, ...] = ()
    more: int = 0

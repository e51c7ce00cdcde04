"""What a forecast returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cogmem_core.base.html_tables import NOTEBOOK_ROWS, html_table
from cogmem_core.base.reprs import brief

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

    @property
    def counts(self) -> dict[str, int]:
        """How many of the events there are of each kind, the most frequent first."""
        return dict(Counter[str](event.what for event in self.events).most_common())

    def __repr__(self) -> str:
        return brief(self, "since", "until", "counts", events=len(self.events) + self.more)

    def _repr_html_(self) -> str:
        rows = [(event.when, event.what, event.content, event.why) for event in self.events]
        caption = f"What becomes of memories until {self.until:%Y-%m-%d} if nobody uses them"
        headings = ("when", "what", "memory", "why")
        return html_table(caption, headings, rows, most=NOTEBOOK_ROWS, more=self.more)

"""What a search for memories on the tip of the tongue returns."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief
from cogmem_core.values.models import Memory


@dataclass(frozen=True, slots=True)
class Tip:
    """A memory that is stored deeply and hardly retrievable.

    Attributes:
        retention: what is left of it, 0..1; of a dormant one, what would be if it were not frozen.
        label: when it was said, relative to now ("3 months ago").
    """

    memory: Memory
    retention: float
    label: str


@dataclass(frozen=True, slots=True)
class TipOfTongue:
    """What a query has on the tip of its tongue, the most relevant first.

    Attributes:
        empty_reason: why there is nothing; empty if there is something.
        degraded: what failed ("vector: ...").
    """

    query: str
    tips: tuple[Tip, ...] = ()
    empty_reason: str = ""
    degraded: tuple[str, ...] = ()

    def __repr__(self) -> str:
        texts = [tip.memory.content for tip in self.tips]
        return brief(self, "query", "empty_reason", "degraded", tips=texts)

    def _repr_html_(self) -> str:
        rows = [(tip.label, tip.retention, tip.memory.content) for tip in self.tips]
        caption = f"{self.query}: {self.empty_reason}" if self.empty_reason else self.query
        return html_table(caption, ("said", "retention", "memory"), rows)

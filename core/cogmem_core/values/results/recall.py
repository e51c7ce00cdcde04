"""One recalled memory, and what a model reads of a recall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from cogmem_core.base.html_tables import html_card
from cogmem_core.base.reprs import brief
from cogmem_core.values.models import Memory, Standing

InjectionTier = Literal["full", "abbreviated", "withheld"]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One recalled memory.

    Attributes:
        score: the composite score; comparable within one recall only.
        confidence: 0..1, how likely the memory is relevant to the query.
        signals: raw value per signal.
        contributions: what each signal and each boost added (a boost below 1 takes away); they sum
            to `score`.
        found_by: rank (1 = best) in each list that found it: `vector`, `lexical`; of the others it
            is that of the memory it was reached from: `beside` (the turn before or after), `linked`
            (a relation), `entity`.
        label: when it was said, relative to now ("yesterday", "3 weeks ago").
        tier: how it is shown in a prompt: `full`, `abbreviated` or `withheld` (not at all).
        prior: the confidence before the namespace's own feedback corrected it.
        asked: the question that a short memory answers ("Rex."); empty if it tells enough by
            itself.
        earlier: a newer version of it is known (see `MemoryBank.versions`); it stands before this
            one.
        standing: in a shared namespace, `witnessed` (one agent's word) or `held` (others stand for
            it, too); else "". See `MemoryBank.hold`.
    """

    memory: Memory
    score: float
    confidence: float
    signals: Mapping[str, float]
    contributions: Mapping[str, float]
    found_by: Mapping[str, int]
    label: str
    tier: InjectionTier = "full"
    prior: float = 0.0
    asked: str = ""
    earlier: bool = False
    standing: Standing = ""

    @property
    def content(self) -> str:
        """The memory's text."""
        return self.memory.content

    @property
    def text(self) -> str:
        """What a model reads of it: the memory's text and, of a short answer, the question."""
        return f"{self.memory.text} (asked: {self.asked})" if self.asked else self.memory.text

    @property
    def refs(self) -> tuple[str, ...]:
        """The callers' own ids of the source turns, best first."""
        return self.memory.refs

    def __repr__(self) -> str:
        return brief(self, "text", "confidence", "score", "label", "tier", id=self.memory.id)

    def _repr_html_(self) -> str:
        names = ("text", "label", "confidence", "score", "found_by", "contributions", "refs")
        return html_card(self, *names, id=self.memory.id)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the user: which of two versions that both stand holds.

    Attributes:
        id: names it for `MemoryBank.asked`.
        question: one sentence.
        language: its code.
        older: what was said first, as the question has it.
        newer: what was said later, as the question has it.
        older_id: the memory of the first one.
        newer_id: the memory of the later one.
        older_at: when the first one was last said.
        newer_at: when the later one was last said.
    """

    id: str
    question: str
    language: str
    older: str
    newer: str
    older_id: str
    newer_id: str
    older_at: datetime
    newer_at: datetime


@dataclass(frozen=True, slots=True)
class Context:
    """What a model reads of a recall.

    Attributes:
        text: the block; empty if there is nothing to read.
        shown: the memories that found room in it, by id, each as its line says it, without its
            date.
        due: ids of the intentions that found room in it.
        left_out: how many pieces tell, in whole or in part, what the audience is not to hear.
        ask: the question that it lets the model put.
    """

    text: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)
    due: tuple[str, ...] = ()
    left_out: int = 0
    ask: Ask | None = None

"""What a recall returns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cogmem_core.models import Memory, WorkingItem

__all__ = ["Context", "InjectionTier", "Recall", "Recalled"]

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

    @property
    def content(self) -> str:
        """The memory's text."""
        return self.memory.content

    @property
    def text(self) -> str:
        """What a model reads of it: the memory's text and, of a short answer, the question."""
        return f"{self.memory.content} (asked: {self.asked})" if self.asked else self.memory.content

    @property
    def refs(self) -> tuple[str, ...]:
        """The callers' own ids of the source turns, best first."""
        return self.memory.refs


@dataclass(frozen=True, slots=True)
class Context:
    """What a model reads of a recall.

    Attributes:
        text: the block; empty if there is nothing to read.
        shown: the memories that found room in it, by id, each as its line says it, without its
            date.
    """

    text: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a query.

    Attributes:
        id: names this recall in later feedback.
        results: best first.
        intent: what kind of question it was taken for.
        empty_reason: why there is no result; empty if there is one.
        degraded: what failed or was cut short ("vector: ...", "lexical: ...", "deadline: ...").
        withheld: what was found but is too unlikely to be relevant (confidence below the floor),
            best first.
        hot: what is always worth knowing (the hot tier), most useful first; part of `context`, not
            of the results.
        working: what is on the session's mind, most present first; part of `context` if a `Session`
            recalled.
        parts: the questions a compound query was split into; the query itself if it was not.
        weights: what a value of 1 of each signal adds.
        confidence: 0..1, how likely any of what was found is relevant.
    """

    id: str
    query: str
    results: tuple[Recalled, ...]
    intent: str = "general"
    empty_reason: str = ""
    degraded: tuple[str, ...] = ()
    withheld: tuple[Recalled, ...] = ()
    hot: tuple[Memory, ...] = ()
    working: tuple[WorkingItem, ...] = ()
    parts: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 0.0
    render: Callable[[Recall, int | None], Context] = field(
        repr=False, compare=False, default=lambda _recall, _budget: Context()
    )
    narrate: Callable[[Recall], str] = field(repr=False, compare=False, default=lambda _recall: "")
    probe: Callable[[str], str] = field(repr=False, compare=False, default=lambda _memory_id: "")

    def context(self, max_tokens: int | None = None) -> str:
        """Hot tier, working memory and results as one block for a model, fenced as untrusted data.

        Args:
            max_tokens: budget; the configured default (1,500) if None.
        """
        return self.block(max_tokens).text

    def block(self, max_tokens: int | None = None) -> Context:
        """The text of `context`, and which memories found room in it."""
        return self.render(self, max_tokens)

    def only(self, memory_ids: Collection[str]) -> Recall:
        """The recall with these memories only, for feedback on what a model really saw."""
        results = tuple(item for item in self.results if item.memory.id in memory_ids)
        hot = tuple(memory for memory in self.hot if memory.id in memory_ids)
        return replace(self, results=results, hot=hot, working=())

    def ticket(self) -> dict[str, Any]:
        """What feedback needs to know of this recall, as JSON values.

        `bank.redeem` makes a recall of it again.
        """
        return {
            "id": self.id,
            "query": self.query,
            "shown": {item.memory.id: item.prior for item in self.results},
            "hot": [memory.id for memory in self.hot],
        }

    def explain(self) -> str:
        """Why these results, in this order: signals, weights, ranks; one paragraph per result."""
        return self.narrate(self)

    def missed(self, memory_id: str) -> str:
        """Why a memory is not among the results: its state, its rank, its signals.

        Asks the question once more.
        """
        return self.probe(memory_id)

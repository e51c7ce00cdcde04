"""The answer to a query, as a plain value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cogmem_core.checks import fraction, identifier, positive
from cogmem_core.config import InjectionConfig
from cogmem_core.errors import BankClosed, InvalidInput
from cogmem_core.models import Memory, WorkingItem
from cogmem_core.registry import find_open
from cogmem_core.results import Context, Recalled
from cogmem_core.retrieval.context_block import ContextBuilder
from cogmem_core.retrieval.explain import paragraph
from cogmem_core.retrieval.explain_missing import explain_missing
from cogmem_core.retrieval.plan import Request

__all__ = ["Recall", "RecallOrigin"]


@dataclass(frozen=True, slots=True)
class RecallOrigin:
    """What a recall was made from, so that it can be shown and asked about later.

    Attributes:
        ledger: the name of the ledger.
        request: the question.
        now: when it was asked, in the time zone of the reader.
        intent: what the question was taken for; None if it was not searched for.
        max_tokens: budget of the context block.
        injection: how the context block is made.
    """

    ledger: str
    request: Request
    now: datetime
    intent: str | None
    max_tokens: int
    injection: InjectionConfig


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a query: a plain value that can be compared, pickled and written as JSON.

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
        origin: what it was made from; None if by hand: then `context` is empty.
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
    origin: RecallOrigin | None = field(default=None, repr=False)

    def context(self, max_tokens: int | None = None) -> str:
        """Hot tier, working memory and results as one block for a model, fenced as untrusted data.

        Args:
            max_tokens: budget; the configured default (1,500) if None.
        """
        return self.block(max_tokens).text

    def block(self, max_tokens: int | None = None) -> Context:
        """The text of `context`, and which memories found room in it."""
        if self.origin is None:
            return Context()
        budget = self.origin.max_tokens
        if max_tokens is not None:
            budget = positive("max_tokens", max_tokens)
        builder = ContextBuilder(self.origin.now, budget, self.origin.injection)
        return builder.build(self.hot, self.working, self.results)

    @property
    def memory_ids(self) -> list[str]:
        """The ids of its results and of the hot tier."""
        return [*(item.memory.id for item in self.results), *(memory.id for memory in self.hot)]

    def only(self, memory_ids: Collection[str]) -> Recall:
        """The recall with these memories only, for feedback on what a model really saw."""
        results = tuple(item for item in self.results if item.memory.id in memory_ids)
        hot = tuple(memory for memory in self.hot if memory.id in memory_ids)
        return replace(self, results=results, hot=hot, working=())

    def explain(self) -> str:
        """Why these results, in this order: signals, weights, ranks; one paragraph per result."""
        lines = [f"query: {self.query}", f"intent: {self.intent}"]
        lines += [f"searched as: {part}" for part in self.parts if part != self.query]
        lines += [f"degraded: {trouble}" for trouble in self.degraded]
        if not self.results:
            lines.append(f"no result: {self.empty_reason}")
        for rank, item in enumerate(self.results, 1):
            lines.append(paragraph(rank, item, self.weights))
        if self.withheld:
            lines.append(f"withheld, too unlikely to be relevant: {len(self.withheld)}")
        for item in self.withheld:
            confidence = f"confidence {item.confidence:.3f}"
            lines.append(f"   {item.content} [{item.memory.id}] {confidence}")
        return "\n".join(lines)

    def missed(self, memory_id: str) -> str:
        """Why a memory is not among the results: its state, its rank, its signals.

        Asks the question once more, of an engine on the same memories that is open in this process.

        Raises:
            BankClosed: there is no such engine.
        """
        if self.origin is None:
            return ""
        engine = find_open(self.origin.ledger)
        if engine is None:
            raise BankClosed(
                "the memories of this recall are not open in this process; open them with "
                "cogmem_core.open(...)"
            )
        origin = self.origin
        return explain_missing(
            engine.open_services, origin.request, origin.now, origin.intent, memory_id
        )

    def to_json(self) -> dict[str, Any]:
        """The recall as JSON values, for `from_json`."""
        values: dict[str, Any] = _adapter().dump_python(self, mode="json")
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Recall:
        """The recall that `to_json` wrote, as it was; good for feedback after a restart, too.

        Memories that were erased since learn nothing from it.

        Raises:
            InvalidInput: these are not the values of a recall.
        """
        try:
            recall = _adapter().validate_python(values)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, problem["loc"])) or "the whole"
            raise InvalidInput(
                f"values are not a valid recall ({place}: {problem['msg']}); give what "
                "Recall.to_json() returned"
            ) from None
        for memory_id in recall.memory_ids:
            identifier("values", memory_id)
        for item in recall.results:
            fraction("values", item.prior)
        return recall


@cache
def _adapter() -> TypeAdapter[Recall]:
    return TypeAdapter(Recall)

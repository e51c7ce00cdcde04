"""The answer to a query, as a plain value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, overload

from cogmem_core.access import allow
from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief
from cogmem_core.config import HotTierConfig, LimitsConfig
from cogmem_core.edge.checks import fraction, identifier, label, positive
from cogmem_core.errors import BankClosed, InvalidInput
from cogmem_core.process.registry import find_open
from cogmem_core.process.services import Services
from cogmem_core.retrieval.audience import Audience, audience_of
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.retrieval.context_block import HOT_SHARE, PROFILE_SHARE, ContextBuilder
from cogmem_core.retrieval.explain import paragraph
from cogmem_core.retrieval.explain_missing import explain_missing
from cogmem_core.retrieval.plan import Request
from cogmem_core.values.models import Intention, Memory, Procedure, WorkingItem
from cogmem_core.values.results import Ask, Context, Profile, ProfileLine, Recalled

_JSON_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "id": str,
    "query": str,
    "priors": Mapping,
    "hot": (list, tuple),
}


@dataclass(frozen=True, slots=True)
class RecallOrigin:
    """What a recall was made from, so that it can be shown and asked about later.

    Attributes:
        ledger: the name of the ledger.
        request: the question.
        now: when it was asked, in the time zone of the reader.
        intent: what the question was taken for; None if it was not searched for.
        max_tokens: budget of the context block.
        private: topics that an audience hears nothing of.
        hot: what of it is for what must always be shown.
        services: of the engine that recalled; None in a copy that was pickled.
        profile: makes the profile of the person whose memories were asked, of so many tokens; None in
            such a copy.
    """

    ledger: str
    request: Request
    now: datetime
    intent: str | None
    max_tokens: int
    private: tuple[str, ...] = ()
    hot: HotTierConfig = field(default_factory=HotTierConfig)
    services: Services | None = field(default=None, repr=False, compare=False)
    profile: Callable[..., Profile] | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[RecallOrigin], tuple[object, ...]]:
        """Without the engine's services: those stay in their process."""
        asked = (self.ledger, self.request, self.now, self.intent)
        return RecallOrigin, (*asked, self.max_tokens, self.private, self.hot)


@dataclass(frozen=True, slots=True)
class Recall(Sequence[Recalled]):
    """The answer to a query: a sequence of its results, best first, that can be compared and pickled.

    `to_json` writes its ids only, so that no copy of a text outlives a `forget(..., hard=True)`.

    Attributes:
        id: names this recall in later feedback.
        results: best first.
        intent: what kind of question it was taken for.
        empty_reason: why there is no result; empty if there is one.
        degraded: what failed or was cut short ("vector: ...", "lexical: ...", "deadline: ..."), or what
            is stored and not searched yet ("pending: ...").
        withheld: what was found but is too unlikely to be relevant (confidence below the floor),
            best first.
        hot: what must always be shown (guardian facts, pinned memories), what was said later of it, and
            what is always worth knowing (the hot tier), most useful first; part of `context`, not
            of the results.
        working: what is on the session's mind, most present first; part of `context` if a `Session`
            recalled.
        parts: the questions a compound query was split into; the query itself if it was not.
        weights: what a value of 1 of each signal adds.
        confidence: 0..1, how likely any of what was found is relevant.
        more: of a question for a list ("list all", "how many", "which ... have I"): how many
            memories are as relevant as those of the results and are not among them; else 0.
        origin: what it was made from; None if by hand: then `context` is empty.
        priors: of a recall that was read from JSON, instead of results: id of each → its prior
            confidence.
        hot_ids: of a recall that was read from JSON, instead of the hot tier.
        due: intentions that are due now, in this session, or for what was asked; part of `context`.
            `MemoryBank.due` hands them out; until then each recall tells of them.
        procedures: ways to do the task that was asked about, three at most, each once per task of a
            session; part of `context`.
        left_out: how many of these were left out, in whole or in part, for the audience.
        ask: one question to the user that may settle which of two versions holds, where both stand
            and bear on the query; at most one a day, and never twice (see `MemoryBank.asked`).
        incognito: nothing is learnt from it.
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
    more: int = 0
    origin: RecallOrigin | None = field(default=None, repr=False)
    priors: Mapping[str, float] = field(default_factory=dict)
    hot_ids: tuple[str, ...] = ()
    due: tuple[Intention, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    left_out: int = 0
    ask: Ask | None = None
    incognito: bool = False

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, index: int) -> Recalled: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Recalled, ...]: ...

    def __getitem__(self, index: int | slice) -> Recalled | tuple[Recalled, ...]:
        return self.results[index]

    def context(
        self,
        max_tokens: int | None = None,
        *,
        stable: bool | None = None,
        profile: bool = False,
        audience: str | None = None,
    ) -> str:
        """What must always be shown, hot tier, working memory and results, fenced as untrusted data.

        A provider's cache of a prompt holds as far as the prompt is the same to the byte. So what
        changes rarely can be had by itself, for the beginning of the prompt, and what changes with
        each question by itself, for its end, behind the history.

        Args:
            max_tokens: budget; the configured default (1,500) if None.
            stable: True = only what must always be shown or is always worth knowing (the hot tier),
                which all recalls of a session render alike; False = only the rest, which takes what the budget leaves;
                None = both in one block.
            profile: also what is known of the person (see `MemoryBank.profile`), in a third of the
                budget at most; with `stable`, in its stable part.
            audience: who hears the answer, see `for_audience`; None = as the recall was asked.
        """
        return self.block(max_tokens, stable=stable, profile=profile, audience=audience).text

    def for_audience(self, who: str | None) -> Recall:
        """The recall as somebody else may hear of it: without what tells of a private topic.

        What the query asks for stays: it names the topic, or the thing. So does what somebody told
        himself, and what a memory says that they know ("My boss knows about my surgery"). Which
        topics are private says `retrieval.private_topics`.

        Args:
            who: "my boss", "Katrin"; "me" and None = all of it.
        """
        if self.origin is None:
            return self
        heard = audience_of(who, self.query, self.origin.private)
        return self if heard is None else _heard(self, heard)

    def block(
        self,
        max_tokens: int | None = None,
        *,
        stable: bool | None = None,
        profile: bool = False,
        audience: str | None = None,
        ask: bool = False,
    ) -> Context:
        """The text of `context`, and which memories found room in it.

        `ask`: its last line lets the model put the question of `ask` (see `MemoryBank.asked`).
        """
        if self.origin is None:
            return Context()
        who = (
            self.origin.request.audience
            if audience is None
            else label("audience", audience, LimitsConfig())
        )
        told = self.for_audience(who)
        known = self._known(max_tokens, who) if profile else ()
        block = told._block(self.origin, max_tokens, stable, known, told.ask if ask else None)
        return replace(block, left_out=told.left_out)

    def _known(self, max_tokens: int | None, who: str | None) -> tuple[ProfileLine, ...]:
        """What the profile says that somebody may hear."""
        if self.origin is None or self.origin.profile is None:
            return ()
        share = int((max_tokens or self.origin.max_tokens) * PROFILE_SHARE)
        heard = audience_of(who, self.query, self.origin.private)
        lines = self.origin.profile(max_tokens=share).lines
        return tuple(line for line in lines if heard is None or heard.hears(str(line)))

    def _block(
        self,
        origin: RecallOrigin,
        max_tokens: int | None,
        stable: bool | None,
        known: tuple[ProfileLine, ...],
        ask: Ask | None,
    ) -> Context:
        budget = origin.max_tokens
        if max_tokens is not None:
            budget = positive("max_tokens", max_tokens)
        build = partial(ContextBuilder, origin.now, rules=origin.hot, deep=origin.request.deep)
        apart: Collection[str] = ()
        if stable is not None and (self.hot or known):
            builder = build(budget)
            lasting = builder.build_stable(self.hot, profile=known, results=self.results)
            if stable:
                return lasting
            apart = builder.whole
            budget -= max(int(budget * HOT_SHARE), count_tokens(lasting.text))
        elif stable:
            return Context()
        k = origin.request.k
        listed = self.more > 0 or (k is not None and len(self.results) > k)
        return build(budget).build(
            () if stable is False else self.hot,
            self.working,
            [item for item in self.results if item.memory.id not in apart],
            due=self.due,
            procedures=self.procedures,
            profile=() if stable is False else known,
            more=self.more,
            listed=listed,
            ask=ask,
        )

    @property
    def memory_ids(self) -> list[str]:
        """The ids of its results and of the hot tier."""
        result_ids = [item.memory.id for item in self.results]
        return [*result_ids, *self.priors, *(memory.id for memory in self.hot), *self.hot_ids]

    def only(self, memory_ids: Collection[str]) -> Recall:
        """The recall with these memories only, for feedback on what a model really saw."""
        results = [item for item in self.results if item.memory.id in memory_ids]
        hot = [memory for memory in self.hot if memory.id in memory_ids]
        priors = {key: self.priors[key] for key in self.priors if key in memory_ids}
        hot_ids = [memory_id for memory_id in self.hot_ids if memory_id in memory_ids]
        return replace(
            self,
            results=tuple(results),
            hot=tuple(hot),
            working=(),
            priors=priors,
            hot_ids=tuple(hot_ids),
        )

    def explain(self) -> str:
        """Why these results, in this order: signals, weights, ranks; one paragraph per result."""
        lines = [f"query: {self.query}", f"intent: {self.intent}"]
        lines += [f"searched as: {part}" for part in self.parts if part != self.query]
        lines += [f"degraded: {trouble}" for trouble in self.degraded]
        if self.more:
            lines.append(f"more of the same kind: {self.more}")
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

        Asks the question once more, of the engine that recalled, or of another one on the same
        memories that is open in this process.

        Raises:
            BankClosed: there is no such engine.
            NotAllowed: the principal may not read the namespace any more.
        """
        if self.origin is None:
            return ""
        origin = self.origin
        engine = find_open(origin.ledger, origin.services)
        if engine is None:
            raise BankClosed(
                "the bank of this recall is not open in this process; open it with "
                "cogmem_core.open(...), then call missed(...) again"
            )
        request = origin.request
        services = engine.open_services
        services = services.incognito() if self.incognito else services
        allow(services, request.principal, request.namespace, "read")
        return explain_missing(services, request, origin.now, origin.intent, memory_id)

    def to_json(self) -> dict[str, Any]:
        """What feedback needs to know of this recall, as JSON values, for `from_json`.

        Its memories are named by their ids: their texts stay in the bank alone.
        """
        priors = {item.memory.id: item.prior for item in self.results}
        hot_ids = [memory.id for memory in self.hot]
        values = {
            "id": self.id,
            "query": self.query,
            "priors": {**priors, **self.priors},
            "hot": [*hot_ids, *self.hot_ids],
        }
        return {**values, "incognito": True} if self.incognito else values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Recall:
        """A recall made of what `to_json` returned, for feedback in another process or later.

        `MemoryBank.feedback` reads its memories anew; those erased since learn nothing from it. It
        has neither results nor a context.

        Raises:
            InvalidInput: these are not the values of a recall.
        """
        if not isinstance(values, Mapping) or any(
            not isinstance(values.get(key), kind) for key, kind in _JSON_TYPES.items()
        ):
            raise InvalidInput(
                "values are not those of a recall; give what Recall.to_json() returned"
            )
        priors = {
            identifier("values", memory_id): fraction("values", prior)
            for memory_id, prior in values["priors"].items()
        }
        return Recall(
            values["id"],
            values["query"],
            results=(),
            empty_reason="it was read from JSON, which names memories by their ids only",
            priors=priors,
            hot_ids=tuple(identifier("values", memory_id) for memory_id in values["hot"]),
            incognito=bool(values.get("incognito")),
        )

    def __repr__(self) -> str:
        return brief(
            self,
            "query",
            "results",
            "confidence",
            "empty_reason",
            "degraded",
            withheld=len(self.withheld),
        )

    def _repr_html_(self) -> str:
        rows = [
            (rank, item.label, item.text, f"{item.confidence:.0%}", item.score, item.found_by)
            for rank, item in enumerate(self.results, 1)
        ]
        parts = [f"confidence {self.confidence:.0%}" if rows else f"nothing: {self.empty_reason}"]
        parts += [f"{len(self.withheld)} withheld"] if self.withheld else []
        caption = f"{self.query}  ({', '.join((*parts, *self.degraded))})"
        headings = ("#", "said", "memory", "confidence", "score", "rank in")
        return html_table(caption, headings, rows, more=self.more)


def _heard(recall: Recall, audience: Audience) -> Recall:
    """A recall without what its audience is not to hear."""
    told = replace(
        recall,
        results=tuple(filter(None, (_part(item, audience) for item in recall.results))),
        withheld=tuple(filter(None, (_part(item, audience) for item in recall.withheld))),
        hot=tuple(filter(None, map(audience.part_of, recall.hot))),
        working=tuple(item for item in recall.working if audience.hears(item.text)),
        due=tuple(intention for intention in recall.due if audience.hears(intention.text)),
        procedures=tuple(way for way in recall.procedures if audience.hears(way.trigger)),
        ask=None,  # it is the user's to answer
    )
    return replace(told, left_out=recall.left_out + len(_shown(recall) - _shown(told)))


def _shown(recall: Recall) -> set[tuple[str, str]]:
    """Id and text of what a block may show."""
    memories = [*recall.hot, *(item.memory for item in recall.results)]
    others: tuple[WorkingItem | Intention, ...] = (*recall.working, *recall.due)
    return {
        *((memory.id, memory.content) for memory in memories),
        *((item.id, item.text) for item in others),
        *((way.id, way.trigger) for way in recall.procedures),
    }


def _part(item: Recalled, audience: Audience) -> Recalled | None:
    memory = audience.part_of(item.memory)
    if memory is None or (item.asked and not audience.hears(item.asked)):
        return None
    return item if memory is item.memory else replace(item, memory=memory)

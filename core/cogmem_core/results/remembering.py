"""What remembering, recalling, forgetting and observing return."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cogmem_core.models import (
    JournalEntry,
    Memory,
    MemoryVersion,
    ObservationNote,
    Relation,
    WorkingItem,
)

__all__ = [
    "AuditFinding",
    "AuditTrail",
    "Context",
    "FactReceipt",
    "ForgetReceipt",
    "History",
    "ImportReport",
    "InjectionTier",
    "LifeStory",
    "ObservationReport",
    "Page",
    "Recall",
    "Recalled",
    "Receipt",
    "ReflectionReport",
    "ReindexReport",
    "Status",
    "WriteReport",
]

InjectionTier = Literal["full", "abbreviated", "withheld"]
Status = Literal[
    "stored", "merged", "reinforced", "updated", "superseded", "quarantined", "queued", "skipped"
]


@dataclass(frozen=True, slots=True)
class FactReceipt:
    """What became of one fact of a turn.

    Attributes:
        text: the fact; empty where the turn was skipped.
        memory_id: the memory it became or changed; empty if none.
        reason: why, in a few words.
        by: who decided: `rules` or `model`.
        similarity: of the text of the memory it was measured against, -1..1; None if nothing was
            close.
        importance: of the new memory, 0..1; None if none was made.
    """

    status: Status
    text: str
    memory_id: str
    reason: str
    by: Literal["rules", "model"] = "rules"
    similarity: float | None = None
    importance: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one turn.

    Attributes:
        status: `stored` (new), `merged` / `updated` (an existing memory changed), `reinforced`
            (already known), `superseded` (replaced an older one), `quarantined` (kept out of recall
            until a person restores it), `queued` (durable, finished later) or `skipped`.
        memory_ids: the memories it created or touched.
        reason: why, in a few words.
        episode_id: where the turn is kept verbatim.
        facts: what became of each fact of it, in order.
    """

    status: Status
    memory_ids: tuple[str, ...]
    reason: str
    episode_id: str
    facts: tuple[FactReceipt, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteReport:
    """One receipt per turn, in order, and the memories that were created or touched.

    Attributes:
        llm_calls, prompt_tokens, completion_tokens: what the language model cost; tokens are 0 if
            it tells none.
        degraded: why the language model's answers were not used; the rules decided instead.
    """

    receipts: tuple[Receipt, ...]
    memories: tuple[Memory, ...] = ()
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    degraded: tuple[str, ...] = ()


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
        """What a model should read: hot tier, working memory and results as one block, fenced as untrusted data.

        Args:
            max_tokens: budget; the configured default (1,500) if None.
        """
        return self.block(max_tokens).text

    def block(self, max_tokens: int | None = None) -> Context:
        """As `context`, and which memories found room in it."""
        return self.render(self, max_tokens)

    def only(self, memory_ids: Collection[str]) -> Recall:
        """The recall as if it had found nothing but these memories: for feedback on what a model was really shown."""
        results = tuple(item for item in self.results if item.memory.id in memory_ids)
        hot = tuple(memory for memory in self.hot if memory.id in memory_ids)
        return replace(self, results=results, hot=hot, working=())

    def ticket(self) -> dict[str, Any]:
        """What feedback needs to know of this recall, as JSON values.

        `bank.redeem` makes a recall of it again.
        """
        shown = {item.memory.id: item.prior for item in self.results}
        return {
            "id": self.id,
            "query": self.query,
            "shown": shown,
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


@dataclass(frozen=True, slots=True)
class Page:
    """A slice of `bank.list`; pass `cursor` to get the next one, None = no more."""

    memories: tuple[Memory, ...]
    cursor: str | None = None

    def __iter__(self) -> Any:
        return iter(self.memories)

    def __len__(self) -> int:
        return len(self.memories)

    def __getitem__(self, index: int) -> Memory:
        return self.memories[index]


@dataclass(frozen=True, slots=True)
class History:
    """A memory's life: its former texts and every change, oldest first."""

    memory: Memory
    versions: tuple[MemoryVersion, ...]
    changes: tuple[JournalEntry, ...]


@dataclass(frozen=True, slots=True)
class LifeStory:
    """What `bank.explain` tells: the memory, what it came from, what happened to it, and how it stands today.

    `retention` is 0..1 at the moment of asking; `story` says it all in sentences, oldest first.
    """

    history: History
    relations: tuple[Relation, ...]
    retention: float
    story: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.story)


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What was forgotten.

    Attributes:
        memory_ids: the memories.
        hard: True if the text is gone from disk; False if they can be restored.
        episodes: how many verbatim turns were erased with them (hard only).
        files_scanned: files searched for what was erased (hard only).
        remaining: places in which a trace is left, with the reason; empty = none.
        erased: what was erased, and where, in sentences (hard only).
        operator: what only the operator of a server can do, so that its files hold nothing either
            (hard only).
    """

    memory_ids: tuple[str, ...]
    hard: bool
    episodes: int = 0
    files_scanned: int = 0
    remaining: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    operator: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many memories were read, stored, and left alone because they were there already.

    Attributes:
        edited: of those read, how many have a text that is not the one that was exported; it counts
            as it stands.
    """

    read: int
    stored: int
    known: int
    edited: int = 0


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something in the audit trail that is not as it was written.

    Attributes:
        seq: journal number of the entry or memory; 0 if it is about none.
        memory_id: the memory that it is about; empty if none.
        what: in words.
    """

    seq: int
    memory_id: str
    what: str


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """What a check of the audit trail came to.

    Attributes:
        entries: how many were checked.
        head: the hash of the last one, in which all others are; note it elsewhere, to be given as
            `anchor` later.
        findings: empty if all is as it was written.
    """

    entries: int
    head: str
    findings: tuple[AuditFinding, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """How many memories were embedded anew and how many vectors and documents were indexed again."""

    embedded: int
    indexed: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ObservationReport:
    """What became of observed turns.

    Attributes:
        notes: one per turn that was worth one, in order; those that are compressed now are among
            them.
        skipped: how many turns became no note, by reason ("trivial_greeting", "role", ...).
        compressed: how many notes, also older ones, were replaced by traces.
        traces: what they were replaced by.
        ratio: characters of conversation per character kept; 0.0 if nothing was compressed.
        source: who wrote the traces: `llm` if the model wrote at least one of them; empty if
            nothing was compressed.
        error: why the model's answer, or a part of it, was not used, or why the disk refused the
            traces; else None. Either way no note is lost.
        llm_calls: requests to the model.
    """

    notes: tuple[ObservationNote, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    compressed: int = 0
    traces: tuple[ObservationNote, ...] = ()
    ratio: float = 0.0
    source: Literal["llm", "heuristic", ""] = ""
    error: str | None = None
    llm_calls: int = 0


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """What became of the traces of a conversation.

    Attributes:
        memory_ids: the memories that were created or touched.
        traces: how many traces were reflected on.
        ratio: characters of conversation per character of the reflections; 0.0 if there was nothing
            to reflect on.
        source: who wrote the reflections: `llm` if the model wrote at least one of them; empty if
            there is none.
        error: why the model's answer, or a part of it, was not used, or why the disk kept the
            traces; else None.
        llm_calls: requests to the model, those of the compression before included.
    """

    memory_ids: tuple[str, ...] = ()
    traces: int = 0
    ratio: float = 0.0
    source: Literal["llm", "heuristic", ""] = ""
    error: str | None = None
    llm_calls: int = 0

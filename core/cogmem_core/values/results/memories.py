"""What remembering, listing, explaining, forgetting and observing return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from cogmem_core.base.html_tables import NOTEBOOK_ROWS, html_card, html_table
from cogmem_core.base.reprs import brief
from cogmem_core.values.models import (
    Episode,
    JournalEntry,
    Memory,
    MemoryVersion,
    ObservationNote,
    Relation,
)

Status = Literal[
    "stored",
    "merged",
    "reinforced",
    "updated",
    "superseded",
    "quarantined",
    "queued",
    "known",
    "skipped",
    "forgotten",
]

NamedBy = Literal["id", "identifier", "quoted", "statement", "slot", "name", "words", "near"]
"""How a query names a memory: by its id; by an identifier (mail address, number, handle, URL) or a
quoted name that stands in it as a whole; because it says what the query says; because it tells what
the query names ("my salary"); because the query stands in it word for word; because all words of
the query are in it. `near` names none: it is only shown."""


@dataclass(frozen=True, slots=True)
class ForgetCandidate:
    """A memory that a query to forget may mean.

    Attributes:
        memory_id: the memory.
        text: what it says.
        reason: how the query names it.
        meant: whether it is forgotten; False for what is only near, or named less closely than
            others.
    """

    memory_id: str
    text: str
    reason: NamedBy
    meant: bool


@dataclass(frozen=True, slots=True)
class FactReceipt:
    """The result of one fact of a turn.

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
    """The result of one turn.

    Attributes:
        status: `stored` (new), `merged` / `updated` (an existing memory changed), `reinforced`
            (already known), `superseded` (replaced an older one), `quarantined` (kept out of recall
            until a person restores it), `queued` (durable, finished later), `known` (a turn with this
            `ref` and these words was there; nothing changed), `forgotten` (the turn asked for that;
            `restore` brings the memories back) or `skipped`.
        memory_ids: the memories it created or touched.
        reason: why, in a few words.
        episode_id: where the turn is kept verbatim; of a known one, where it was kept first.
        facts: what became of each fact of it, in order.
        candidates: what a turn may mean that wants something forgotten.
        reading: what was understood, in words: "kept: I live in Lisbon (home); not kept: a question".
    """

    status: Status
    memory_ids: tuple[str, ...]
    reason: str
    episode_id: str
    facts: tuple[FactReceipt, ...] = ()
    candidates: tuple[ForgetCandidate, ...] = ()
    reading: str = ""

    def __repr__(self) -> str:
        return brief(self, "status", "reason", "memory_ids", "episode_id")


@dataclass(frozen=True, slots=True)
class WriteReport:
    """One receipt per turn, in order, and the memories that were created or touched.

    Attributes:
        receipts: one per turn.
        memories: the memories that were created or touched.
        llm_calls: calls of the language model.
        prompt_tokens: tokens of its prompts; 0 if the model reports none.
        completion_tokens: tokens of its answers; 0 if the model reports none.
        degraded: why the language model's answers were not used; the rules decided instead.
    """

    receipts: tuple[Receipt, ...]
    memories: tuple[Memory, ...] = ()
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    degraded: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return brief(self, "receipts", "llm_calls", "degraded", memories=len(self.memories))

    def _repr_html_(self) -> str:
        rows: list[tuple[str, str, str, str]] = []
        for receipt in self.receipts:
            facts = receipt.facts or (FactReceipt(receipt.status, "", "", receipt.reason),)
            rows += [(fact.status, fact.text, fact.reason, fact.memory_id) for fact in facts]
        headings = ("status", "fact", "why", "memory")
        return html_table("WriteReport", headings, rows, most=NOTEBOOK_ROWS)


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

    def __repr__(self) -> str:
        return brief(self, "memories", "cursor")

    def _repr_html_(self) -> str:
        rows = [
            (memory.recorded_at, memory.category, memory.state, memory.content, memory.id)
            for memory in self.memories
        ]
        headings = ("said", "category", "state", "memory", "id")
        caption = "Page" if self.cursor is None else "Page, not the last one"
        return html_table(caption, headings, rows, most=NOTEBOOK_ROWS)


@dataclass(frozen=True, slots=True)
class History:
    """A memory's life: its former texts and every change, oldest first."""

    memory: Memory
    versions: tuple[MemoryVersion, ...]
    changes: tuple[JournalEntry, ...]

    def __repr__(self) -> str:
        return brief(self, "memory", versions=len(self.versions), changes=len(self.changes))

    def _repr_html_(self) -> str:
        rows = [(entry.at, entry.kind, entry.actor, entry.reason) for entry in self.changes]
        headings = ("when", "what", "by", "why")
        return html_table(self.memory.content, headings, rows, most=NOTEBOOK_ROWS)


@dataclass(frozen=True, slots=True)
class LifeStory:
    """What `bank.explain` tells: a memory, its sources, what happened to it, and its present state.

    Attributes:
        history: its former texts and every change.
        relations: to other memories.
        retention: 0..1 at the moment of asking.
        story: all of it in sentences, oldest first.
        sources: the turns it came from, as they were said; those erased since are missing.
        outlook: days from now, and the retention (0..1) then if nobody uses it; from 0 days on.
    """

    history: History
    relations: tuple[Relation, ...]
    retention: float
    story: tuple[str, ...]
    sources: tuple[Episode, ...] = ()
    outlook: tuple[tuple[float, float], ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.story)

    def __repr__(self) -> str:
        return brief(self, "story", memory=self.history.memory)

    def _repr_html_(self) -> str:
        return html_table(
            self.history.memory.content, ("its life",), [(part,) for part in self.story]
        )


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
        candidates: what the query may have meant, and how it names it, the closest way first.
        dry_run: True if nothing was forgotten: `memory_ids` are those that would be.
        others: how many other records went, by kind: intentions that were cancelled and procedures
            that were retired; hard: erased documents, intentions, procedures, runs.
        shortened: the memories that say more than what was erased, and stay with the rest (hard only).
    """

    memory_ids: tuple[str, ...]
    hard: bool
    episodes: int = 0
    files_scanned: int = 0
    remaining: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    operator: tuple[str, ...] = ()
    candidates: tuple[ForgetCandidate, ...] = ()
    dry_run: bool = False
    others: Mapping[str, int] = field(default_factory=dict)
    shortened: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return brief(
            self,
            "memory_ids",
            "hard",
            "shortened",
            "remaining",
            "dry_run",
            "others",
            candidates=len(self.candidates),
        )

    def _repr_html_(self) -> str:
        return html_card(
            self,
            "dry_run",
            "hard",
            "memory_ids",
            "episodes",
            "files_scanned",
            "remaining",
            "erased",
            "operator",
            "others",
            "shortened",
            candidates=[f"{item.text} ({item.reason})" for item in self.candidates],
        )


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many memories were read, stored, and left alone because they were there already.

    Attributes:
        rejected: of those read, how many say what a person rejected here (forgot, edited, corrected):
            they are not stored.
        edited: of those not known, how many have a text that is not the one that was exported; it
            counts as it stands. Of Markdown files, how many were edited, and so their memories are.
        format: what was read: "cogmem", "chatgpt", ...; of several files the formats with commas.
        passed: how many entries of another tool's file became nothing, by reason ("system", "tool",
            "no text", "broken", ...), and how many turns had nothing to remember; of any file, how
            many turns, documents and other records were "erased here".
        problems: what is wrong with entries, and where they stand; the first 20.
        removed: paths of Markdown files that are gone, but whose memories are here.
        dry_run: nothing was written; `stored` is how many would be new.
        others: of a cogmem file, how many other records are here now, by kind: documents,
            intentions, procedures, runs.
    """

    _SHOWN: ClassVar = (
        "format",
        "read",
        "stored",
        "known",
        "edited",
        "rejected",
        "removed",
        "passed",
        "problems",
        "others",
    )

    read: int
    stored: int
    known: int
    edited: int = 0
    rejected: int = 0
    format: str = field(default="cogmem", compare=False)
    passed: Mapping[str, int] = field(default_factory=dict, compare=False)
    problems: tuple[str, ...] = field(default=(), compare=False)
    removed: tuple[str, ...] = field(default=(), compare=False)
    dry_run: bool = field(default=False, compare=False)
    others: Mapping[str, int] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return brief(self, *self._SHOWN)

    def _repr_html_(self) -> str:
        return html_card(
            self,
            *self._SHOWN,
            "dry_run",
        )


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """How many memories were embedded anew, and how many vectors and documents were indexed."""

    embedded: int
    indexed: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ObservationReport:
    """The result of observed turns.

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

    def __repr__(self) -> str:
        return brief(self, "notes", "skipped", "compressed", "error", traces=len(self.traces))

    def _repr_html_(self) -> str:
        rows = [(note.level, note.role, note.content) for note in (*self.notes, *self.traces)]
        headings = ("level", "role", "note")
        return html_table("ObservationReport", headings, rows, most=NOTEBOOK_ROWS)


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """The result of a reflection on the traces of a conversation.

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

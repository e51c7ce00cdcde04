"""The records cogmem keeps: frozen values without I/O.

All times are timezone-aware UTC. A `Memory` is the unit that is recalled; an `Episode` is a turn as
it was said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from cogmem_core.base.html_tables import html_card
from cogmem_core.base.reprs import brief
from cogmem_core.values.access_records import (
    AccessEntry,
    Decision,
    Effect,
    Grant,
    Principal,
    PrincipalKind,
    Right,
    Standing,
)
from cogmem_core.values.agent_records import (
    REVIEW_KINDS,
    Intention,
    IntentionKind,
    IntentionState,
    Outcomes,
    Procedure,
    ProcedureState,
    Review,
    ReviewKind,
    ReviewState,
    TaskRun,
    ToolCall,
)
from cogmem_core.values.readings import ClauseState, Reading, marked

__all__ = [
    "ALWAYS",
    "CATEGORIES",
    "REVIEW_KINDS",
    "STATED",
    "STATES",
    "TIERS",
    "UNMEANT",
    "AccessEntry",
    "Category",
    "ClauseState",
    "ConsolidationRun",
    "DataSource",
    "Decision",
    "Effect",
    "Episode",
    "EpisodeStatus",
    "Feedback",
    "FeedbackSignal",
    "Grant",
    "Intention",
    "IntentionKind",
    "IntentionState",
    "JournalEntry",
    "Memory",
    "MemoryVersion",
    "Message",
    "NoteLevel",
    "ObservationNote",
    "Outcomes",
    "Principal",
    "PrincipalKind",
    "Priority",
    "Procedure",
    "ProcedureState",
    "Relation",
    "RelationType",
    "Review",
    "ReviewKind",
    "ReviewState",
    "Right",
    "Role",
    "ShortTerm",
    "Source",
    "Standing",
    "State",
    "Stated",
    "SynapticTag",
    "TaskRun",
    "Tier",
    "ToolCall",
    "Turn",
    "WorkingItem",
    "WriteSource",
]

Role = Literal["user", "assistant", "system", "tool"]
Message = Mapping[str, Any]
"""A message as chat clients hold it: `{"role": "user", "content": "..."}`; with any other field of a
`Turn`."""
Stated = Literal[
    "preference",
    "fact",
    "decision",
    "correction",
    "entity",
    "plan",
    "pattern",
    "procedure",
    "summary",
    "other",
]
"""Categories of what a person may say or state."""
Category = Literal[Stated, "item"]
"""The text of a document (see `Items`) is an item, and nothing else is."""
Tier = Literal["episodic", "semantic"]
State = Literal["active", "dormant", "superseded", "quarantined", "forgotten"]
WriteSource = Literal["observer", "formation", "dream", "manual", "import"]
DataSource = Literal["user_message", "assistant_message", "system", "federation"]
EpisodeStatus = Literal["queued", "done", "skipped"]
RelationType = Literal[
    "supersedes",
    "contradicts",
    "revises",
    "causes",
    "elaborates",
    "same_entity",
    "related_to",
    "co_activated",
    "schema_instance",
    "summarizes",
]

NoteLevel = Literal["note", "trace"]
FeedbackSignal = Literal["used", "ignored", "unjudged"]
Priority = Literal["critical", "important", "informational"]

STATED_END = "cogmem_valid_until"
"""In the metadata of a turn and of its memories: until when these are true, as the caller says."""
KEPT_ONLY = "kept only"
"""`Episode.reason` of a turn that only a transcript keeps: no memory is made of it."""
ALWAYS = 1.0
"""`Feedback.prior` of a memory that is shown whatever the question is."""
UNMEANT = "unmeant"
"""Tag of what was said in jest, in a story or in a game: it changes nothing, and answers behind what is meant."""
STATED: tuple[Stated, ...] = get_args(Stated)
CATEGORIES: tuple[Category, ...] = (*STATED, "item")
TIERS: tuple[Tier, ...] = ("episodic", "semantic")
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation, as the caller hands it in.

    Attributes:
        content: what was said, 1 character to 1 MB.
        role: who said it, as chat models name it.
        speaker: the person's name, if known; it becomes part of what is searched.
        at: when it was said (timezone-aware); the engine's clock if None.
        session_id: the conversation it belongs to.
        ref: the caller's own id of the turn; comes back in `Recalled.refs`. Sent again with the
            same session, role and words the turn is known and changes nothing.
        metadata: JSON values kept verbatim.
        asked: what somebody else said just before, if that is no turn of the same session here; a
            short turn is also found by the question that it ends with.
        tags: labels of what is remembered of it, which a recall can ask for.
        valid_until: until when what is remembered of it is true (timezone-aware); as its words say
            if None.
    """

    content: str
    role: Role = "user"
    speaker: str | None = None
    at: datetime | None = None
    session_id: str | None = None
    ref: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    asked: str = ""
    tags: tuple[str, ...] = ()
    valid_until: datetime | None = None

    def __repr__(self) -> str:
        return brief(self, "content", "role", "speaker", "at", "session_id", "ref", "tags")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from: a span of an episode.

    Attributes:
        episode_id: the turn it was taken from.
        start: first character of the span in the turn's content.
        end: the character after the span; 0, as is `start`, for the whole turn.
        ref: the caller's own id of the turn.
        at: when the turn was said; None if another tool's file did not tell.
    """

    episode_id: str
    start: int = 0
    end: int = 0
    ref: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """A turn as it was said: verbatim, durable before anything else is tried.

    Attributes:
        zone: the time zone of the person who said it (`""` = UTC): it decides what "today" is.
        position: its place in the transcript of its conversation, 1 or more; None for a turn that
            stands in no transcript.
    """

    id: str
    namespace: str
    content: str
    role: Role
    speaker: str | None
    at: datetime
    recorded_at: datetime
    session_id: str | None = None
    ref: str | None = None
    mode: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    status: EpisodeStatus = "queued"
    reason: str = ""
    zone: str = ""
    position: int | None = None

    def __repr__(self) -> str:
        return brief(
            self, "id", "content", "role", "speaker", "at", "session_id", "ref", "status", "reason"
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing remembered.

    Attributes:
        id: UUIDv7, unique over all namespaces.
        content_hash: SHA-256 of the whitespace- and case-normalised text.
        recorded_at: when it was said.
        stability: days until retrievability falls to 0.9 (FSRS-6), before tier multipliers.
        difficulty: 1 (easy) .. 10.
        storage_strength: 1 .. 10, never decays.
        reinforcement_interval: days.
        importance: 0 .. 1.
        channels: the four parts of importance (novelty, arousal, reward, attention), each 0 .. 1.
        utility: 0 .. 1.
        valence: -1 .. 1.
        arousal: 0 .. 1.
        intensity: 0 .. 1.
        source_confidence: 0 .. 1.
        trust: 0 .. 1.
        referenced_at: when the event it speaks of happened.
        valid_from: from when on it is true in the world; None = open.
        valid_until: until when it is true in the world; None = open.
        superseded_by: the id of the memory that replaced it.
        sources: the turns it came from.
        support: for derived memories, the ids it was derived from.
        version: 1 for a new memory, +1 for each change of its content.
        seq: position in the journal of its shard; larger = changed later.
        clause_states: how those clauses stand that do not simply hold, by their numbers.
        reading: the text taken apart into clauses; None = not done yet.
    """

    id: str
    namespace: str
    content: str
    content_hash: str
    recorded_at: datetime
    created_at: datetime
    updated_at: datetime
    session_id: str | None = None
    speaker: str | None = None
    category: Category = "fact"
    tier: Tier = "episodic"
    state: State = "active"
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    stability: float = 5.0
    initial_stability: float = 5.0
    difficulty: float = 5.0
    storage_strength: float = 1.0
    last_reinforced_at: datetime | None = None
    access_count: int = 0
    used_count: int = 0
    ignored_streak: int = 0
    retrieval_count: int = 0
    last_retrieved_at: datetime | None = None
    reinforcement_interval: float = 1.0
    next_reinforcement_at: datetime | None = None
    importance: float = 0.5
    channels: Mapping[str, float] = field(default_factory=dict)
    utility: float = 0.5
    valence: float = 0.0
    arousal: float = 0.0
    intensity: float = 0.0
    emotion: str = "neutral"
    flashbulb: bool = False
    pinned: bool = False
    immutable: bool = False
    source_confidence: float = 1.0
    trust: float = 1.0
    write_source: WriteSource = "manual"
    data_source: DataSource = "user_message"
    referenced_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    temporal_type: Literal["persistent", "time_bounded"] = "persistent"
    superseded_by: str | None = None
    sources: tuple[Source, ...] = ()
    support: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    seq: int = 0
    clause_states: tuple[ClauseState, ...] = ()
    reading: Reading | None = field(default=None, repr=False, compare=False)

    @property
    def text(self) -> str:
        """What it says; of what holds no more it says so: "[until 12 May 2026: I live in Berlin] ..."."""
        if not self.clause_states or self.reading is None:
            return self.content
        return marked(self.content, self.reading.clauses, self.clause_states)

    @property
    def refs(self) -> tuple[str, ...]:
        """The callers' own ids of the turns it came from, in the order they were said."""
        return tuple(dict.fromkeys(source.ref for source in self.sources if source.ref is not None))

    @property
    def last_said_at(self) -> datetime:
        """When it was said most recently: `recorded_at`, or later if it was said again."""
        return max([self.recorded_at, *(source.at for source in self.sources if source.at)])

    @property
    def is_told_again(self) -> bool:
        """Whether it was said in several turns."""
        return len(self.sources) > 1

    @property
    def is_undated(self) -> bool:
        """Whether nobody knows when it was said: `recorded_at` is when a file was imported."""
        return bool(self.sources) and self.sources[0].at is None and bool(self.sources[0].ref)

    @property
    def audit_state(self) -> str:
        """Text, state, rank and trust as JSON, and how clauses stand: what the audit trail watches over."""
        rank = [self.category, self.tier, self.state, bool(self.pinned), bool(self.immutable)]
        clauses = [[state.number, state.state] for state in self.clause_states]
        return json.dumps(
            [self.content, *rank, float(self.trust), self.data_source, *clauses], ensure_ascii=False
        )

    @property
    def protected(self) -> bool:
        """Whether no later turn may change it: it is pinned, immutable, or a document's text."""
        return self.pinned or self.immutable or self.category == "item"

    def __repr__(self) -> str:
        return brief(
            self,
            "id",
            "content",
            "category",
            "state",
            "speaker",
            "recorded_at",
            "valid_until",
            "tags",
        )

    def _repr_html_(self) -> str:
        return html_card(
            self,
            "content",
            "category",
            "tier",
            "state",
            "speaker",
            "recorded_at",
            "valid_until",
            "session_id",
            "tags",
            "entities",
            "metadata",
            "importance",
            "utility",
            "stability",
            "pinned",
            "immutable",
            "superseded_by",
            "version",
            "id",
        )


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed link between two memories of one namespace; unique per (source, target, type).

    `weight` and `confidence` are 0 .. 1; the weight of `co_activated` decays lazily when it is
    read.
    """

    namespace: str
    source_id: str
    target_id: str
    type: RelationType
    weight: float = 1.0
    confidence: float = 1.0
    created_at: datetime | None = None
    last_activated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WorkingItem:
    """One item of a session's working memory.

    Attributes:
        importance: 0..1.
        access_count: accesses after the first one.
        origin: where it comes from, if it is not a person's own words.
    """

    id: str
    text: str
    importance: float
    access_count: int
    added_at: datetime
    last_accessed_at: datetime
    origin: str = ""


@dataclass(frozen=True, slots=True)
class SynapticTag:
    """A weak memory that a strong event of the same session stabilises, if it comes in time.

    Source: Frey and Morris 1997, synaptic tagging and capture.
    """

    memory_id: str
    session_id: str
    tagged_at: datetime
    expires_at: datetime
    captured: bool = False


@dataclass(frozen=True, slots=True)
class ShortTerm:
    """A memory on probation: until it expires, the dream cycle promotes it or lets it go."""

    memory_id: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an answer made of one recalled memory.

    Attributes:
        signal: `used`, `ignored`, or `unjudged` where the answer shows neither.
        ratio: how far the answer made use of the memory, by its words or by a similarity function;
            0..1.
        prior: how likely relevant it had been taken to be, before the namespace's own feedback;
            0..1. `ALWAYS` for what stood in the hot tier: it is shown whatever the question, and
            was not estimated.
        evidence: what shows it: `quotation`, `own words`, `tool argument`, `confirmation`,
            `nearness`, `rival used`, ...; kept in the memory's history, not with the judgement.
    """

    memory_id: str
    recall_id: str
    signal: FeedbackSignal
    ratio: float
    prior: float
    query: str
    at: datetime
    evidence: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ObservationNote:
    """What was observed of a conversation and has not become memories yet.

    Attributes:
        level: `note` (one turn as it was said) or `trace` (1 to 3 sentences that stand for several
            notes).
        role: who said it; `system` for a trace of several voices, because nobody said it so.
        speaker: None if unknown, or if its notes differ.
        session_id: None if unknown, or if its notes differ.
        entities: as in `Memory`, at most 8.
        confidence: 0..1, how sure the speaker seemed.
        observed_at: when it was said; of a trace, the newest of its notes.
        referenced_at: when the event it speaks of happened, if it says so.
        refs: the callers' own ids of the turns, in the order they were said.
        characters: of conversation that it stands for.
    """

    id: str
    namespace: str
    level: NoteLevel
    content: str
    observed_at: datetime
    created_at: datetime
    priority: Priority = "informational"
    role: Role = "user"
    speaker: str | None = None
    session_id: str | None = None
    entities: tuple[str, ...] = ()
    confidence: float = 1.0
    referenced_at: datetime | None = None
    refs: tuple[str, ...] = ()
    characters: int = 0

    def __repr__(self) -> str:
        return brief(self, "id", "level", "content", "priority", "role", "speaker")


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A former text of a memory, and who replaced it and why."""

    memory_id: str
    version: int
    content: str
    replaced_at: datetime
    replaced_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One change of one memory.

    `before` holds the former values of what changed, so that it can be undone.
    """

    seq: int
    memory_id: str
    kind: str
    actor: str
    reason: str
    at: datetime
    run_id: str | None = None
    before: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConsolidationRun:
    """One dream cycle on record.

    Attributes:
        cause: `manual`, `tick`, `fan-out`, `interval`, `turns` or `ingestions`.
        state: `running`, `done`, `undone`, or `interrupted` (stopped, or its process died; its
            whole steps stand).
        marks: when steps that run at most once in a while ran last, as it was before this cycle.
        report: counts per step, duration in milliseconds and calls of the language model, as JSON
            values.
    """

    id: str
    namespace: str
    cause: str
    state: str
    started_at: datetime
    marks: Mapping[str, str] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)

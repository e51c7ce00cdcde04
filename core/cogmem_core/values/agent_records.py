"""What an agent is to do and how, and what waits for a person: records beside its memories.

Read them from `cogmem_core.models`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from cogmem_core.base.html_tables import html_card
from cogmem_core.base.reprs import brief

IntentionState = Literal[
    "proposed",
    "open",
    "due",
    "fired",
    "done",
    "cancelled",
    "expired",
    "missed",
    "rejected",
]
IntentionKind = Literal["declared", "inferred"]


@dataclass(frozen=True, slots=True)
class Intention:
    """Something that is to come up later: at a moment, when something is said, or in a session.

    Exactly one of `at`, `when` and `on_session` was given as its trigger.

    Attributes:
        text: what is to come up.
        state: `proposed` (inferred, or an agent's: fires only once a person confirmed it), `open`, `due` (its
            moment has come), `fired` (handed out), and how it ended: `done`, `cancelled`, `expired`
            (`until` is over), `missed` (nobody asked within its window), `rejected`.
        kind: `declared` by `intend`, or `inferred` from what somebody said.
        at: when it is due, in UTC; of what recurs, the next time. Of a recurring `when`, the moment
            from which it may fire again.
        window: seconds after `at` during which it is due; later it is missed.
        when: what must be said for it to fire.
        on_session: the session in which it fires; True = any later one.
        every: how it recurs: an RRULE (RFC 5545), `session`, or "" = once.
        zone: the time zone of its recurrence, by name; "" = UTC.
        starts_at: from when its recurrence counts.
        times: fires at most so often; 0 = no such bound.
        until: its end; afterwards it expires.
        session_id: where it was stated.
        fires: how often it fired.
        fired_at: when it fired last.
        fired_in: the session in which it fired last.
        memory_ids: what it was inferred from.
        metadata: the caller's own JSON values.
        seq: journal number of its last change.
    """

    id: str
    namespace: str
    text: str
    created_at: datetime
    updated_at: datetime
    state: IntentionState = "open"
    kind: IntentionKind = "declared"
    at: datetime | None = None
    window: float = 86_400.0
    when: str | None = None
    on_session: bool | str = False
    every: str = ""
    zone: str = ""
    starts_at: datetime | None = None
    times: int = 0
    until: datetime | None = None
    session_id: str | None = None
    fires: int = 0
    fired_at: datetime | None = None
    fired_in: str | None = None
    memory_ids: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0

    def __repr__(self) -> str:
        return brief(self, "id", "text", "state", "at", "when", "on_session", "every")

    def _repr_html_(self) -> str:
        names = ("text", "state", "kind", "at", "when", "on_session", "every", "until", "fires")
        return html_card(self, *names, "fired_at", "metadata", "id")

    @property
    def by_time(self) -> bool:
        """Whether it is due at a moment, and not when something is said or in a session."""
        return self.when is None and self.on_session is False

    @property
    def is_live(self) -> bool:
        """Whether it may still fire by itself: it is open or due, or fired and will come again."""
        if self.state != "fired":
            return self.state in ("open", "due")
        comes_again = self.every != "" and (self.times == 0 or self.fires < self.times)
        return comes_again and (self.at is not None or not self.by_time)


ProcedureState = Literal["candidate", "canary", "active", "retired", "quarantined"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        tool: its name.
        arguments: what it was given, as JSON values.
        ok: whether it worked; None if nobody knows.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One attempt at a task: what was wanted, what was called, how it ended.

    Attributes:
        task: what was wanted, in words.
        session_id: the conversation that it belongs to.
        calls: the calls of tools, in order.
        ok: whether the task was done; None if nobody knows.
        shown: ids of the procedures that were to be shown for it.
        hidden: ids of those that fitted as well, and were kept back to compare.
    """

    id: str
    namespace: str
    task: str
    session_id: str
    at: datetime
    calls: tuple[ToolCall, ...] = ()
    ok: bool | None = None
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How tasks ended for which a procedure was shown, and for which it was kept back."""

    shown_ok: int = 0
    shown_failed: int = 0
    hidden_ok: int = 0
    hidden_failed: int = 0

    @property
    def shown(self) -> int:
        """For how many tasks with a known end it was shown."""
        return self.shown_ok + self.shown_failed

    @property
    def hidden(self) -> int:
        """For how many tasks with a known end it was kept back."""
        return self.hidden_ok + self.hidden_failed


@dataclass(frozen=True, slots=True)
class Procedure:
    """A way to do a kind of task, with what became of it.

    Attributes:
        trigger: the kind of task, in words.
        steps: what to do, in order; of a mined one `tool(argument: kind, ...)`.
        avoid: what was done where such tasks failed, and never where they were done.
        preconditions: what it needs, such as the tools that it calls.
        outcomes: how tasks ended with it and without it.
        provenance: where it comes from: `run:ID` of the runs it was mined from, `file:NAME`.
        state: `candidate` (not tried yet), `canary` (shown in half of the sessions), `active`
            (shown to have helped), `retired`, `quarantined` (holds orders to the model).
        reason: why it is in this state.
        name: a short name.
        seq: journal number of its last change.
    """

    id: str
    namespace: str
    trigger: str
    steps: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    avoid: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    outcomes: Outcomes = Outcomes()
    provenance: tuple[str, ...] = ()
    state: ProcedureState = "candidate"
    reason: str = ""
    name: str = ""
    seq: int = 0

    def __repr__(self) -> str:
        return brief(self, "id", "trigger", "steps", "state", "reason")

    def _repr_html_(self) -> str:
        names = ("trigger", "steps", "avoid", "preconditions", "state", "reason", "provenance")
        return html_card(self, *names, "id")

    @property
    def is_live(self) -> bool:
        """Whether it may be shown."""
        return self.state in ("candidate", "canary", "active")


ReviewKind = Literal["erased", "shared", "untrusted", "contradicting", "procedure"]
REVIEW_KINDS: tuple[ReviewKind, ...] = get_args(ReviewKind)
ReviewState = Literal["waiting", "approved", "rejected", "expired"]


@dataclass(frozen=True, slots=True)
class Review:
    """A write that waits for somebody to look at it; what is proposed stands in quarantine.

    Attributes:
        kind: why it waits: it was written by another principal (`shared`), no person said it and
            its source is not fully trusted (`untrusted`), it would take the place of what is known
            (`contradicting`), or it is a way to do a task (`procedure`).
        target_id: the memory, procedure or intention that is proposed.
        until: when `guard.review_default` decides, in UTC.
        state: `waiting`, `approved`, `rejected` (it does not come back by itself), or `expired`
            (nobody decided; it stays in quarantine, and may be proposed again).
        replaces: ids of the memories that it takes the place of once it is approved.
        proposal: a keyed digest by which the same proposal is known again.
        reason: why it is in this state.
        content: the text that is proposed; empty once it is erased. It is read from the target,
            and not kept here.
        seq: journal number of its last change.
    """

    id: str
    namespace: str
    kind: ReviewKind
    target_id: str
    created_at: datetime
    updated_at: datetime
    until: datetime
    state: ReviewState = "waiting"
    replaces: tuple[str, ...] = ()
    proposal: str = ""
    reason: str = ""
    content: str = ""
    seq: int = 0

    @property
    def is_live(self) -> bool:
        """Whether it waits."""
        return self.state == "waiting"

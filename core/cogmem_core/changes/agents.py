"""Changes of what an agent is to do and how, and of what waits for a person, and which moves there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cogmem_core.changes.batch import Batch, Record
from cogmem_core.changes.proposed import Change, Values
from cogmem_core.text.keys import plain
from cogmem_core.values.models import Intention, Procedure, Review

CHANGED_MEANWHILE = "changed by someone else meanwhile"
"""Why a move is refused that another process was faster with."""

_INTENTION_MOVES: Mapping[str, frozenset[str]] = {
    "proposed": frozenset(("open", "rejected", "expired", "cancelled")),
    "open": frozenset(("open", "due", "fired", "done", "cancelled", "expired", "missed")),
    "due": frozenset(("open", "fired", "done", "cancelled", "expired", "missed")),
    "fired": frozenset(("open", "fired", "done", "cancelled", "expired", "missed")),
}
_PROCEDURE_MOVES: Mapping[str, frozenset[str]] = {
    "quarantined": frozenset(("candidate", "retired")),
    "candidate": frozenset(("candidate", "canary", "retired")),
    "canary": frozenset(("canary", "active", "retired")),
    "active": frozenset(("active", "retired")),
}
_REVIEW_MOVES: Mapping[str, frozenset[str]] = {
    "waiting": frozenset(("approved", "rejected", "expired")),
    "expired": frozenset(("approved", "rejected")),
}
_MOVES: Mapping[type, Mapping[str, frozenset[str]]] = {
    Intention: _INTENTION_MOVES,
    Procedure: _PROCEDURE_MOVES,
    Review: _REVIEW_MOVES,
}
_REJECTING = ("rejected", "retired")


def claim_of(record: Record) -> frozenset[str]:
    """What a record says, in the form in which it is rejected and recognised."""
    if isinstance(record, Procedure):
        return frozenset((f"procedure\x00{chr(10).join(record.steps)}",))
    if isinstance(record, Review):  # what it proposes has claims of its own
        return frozenset()
    day = record.at.date().isoformat() if record.at else ""
    return frozenset((f"intention\x00{day}\x00{plain(record.text).strip(' .!?…')}",))


@dataclass(frozen=True, slots=True)
class AgentChange(Change):
    """A change of an intention, a procedure or a review; no memory is touched."""

    changes_row = False
    record: Record
    reason: str

    @property
    def target(self) -> str:
        """The intention, procedure or review."""
        return self.record.id

    @property
    def touches(self) -> tuple[str, ...]:
        """No memory."""
        return ()


class Keep(AgentChange):
    """A new intention, procedure or review."""

    __slots__ = ()
    kind = "keep"

    def refusal(self, batch: Batch) -> str:
        """There may be one of each id."""
        return "known already" if self.target in batch.records else ""

    def do(self, batch: Batch, seq: int) -> Values:
        """Add it."""
        batch.keep(replace(self.record, seq=seq))
        return {}


class Move(AgentChange):
    """An intention, procedure or review as it shall be; `record.seq` says which state of it was read.

    What changed since is not moved: so of two processes that fire an intention one does.
    """

    __slots__ = ()
    kind = "move"

    @property
    def rejects(self) -> bool:
        """Whether it is not to be proposed again."""
        return self.record.state in _REJECTING and not isinstance(self.record, Review)

    def refusal(self, batch: Batch) -> str:
        """Only along the moves that there are."""
        former = batch.records.get(self.target)
        if former is None:
            return "not found"
        if former.seq != self.record.seq:
            return CHANGED_MEANWHILE
        moves = _MOVES[type(former)]
        if self.record.state not in moves.get(former.state, ()):
            return f"what is {former.state} cannot become {self.record.state}"
        return ""

    def do(self, batch: Batch, seq: int) -> Values:
        """Set it."""
        former = batch.records[self.target]
        batch.keep(replace(self.record, seq=seq, updated_at=batch.now))
        return {"state": former.state}

"""What an audit of the memories, and a check of the audit trail, return."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief


@dataclass(frozen=True, slots=True)
class Finding:
    """How many memories something is true of, and the ids of the first of them (20 at most)."""

    count: int = 0
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What a person should look at in a namespace; `dataclasses.asdict` of it is JSON.

    Attributes:
        duplicates: active memories that say word for word what an older active one says.
        contradictions: active memories linked by `contradicts` to another active one.
        junk: active memories that say nothing: no word in them, fewer than 3 characters, or a mere
            courtesy.
        orphans: memories with a relation to, or a source in, something that is not there. If both
            ends of a relation are missing, the id is that of the missing source.
        stale_derived: active derived memories that rest on something forgotten, erased, or refuted
            since.
        secrets: memories, in whatever state, whose text holds a password, a key or the like.
        quarantined: memories in that state: set aside, neither recalled nor forgotten.
        index_lag: journal numbers that the vector index of the whole bank is behind.
        queued: turns of the namespace that wait to be encoded.
    """

    duplicates: Finding = field(default_factory=Finding)
    contradictions: Finding = field(default_factory=Finding)
    junk: Finding = field(default_factory=Finding)
    orphans: Finding = field(default_factory=Finding)
    stale_derived: Finding = field(default_factory=Finding)
    secrets: Finding = field(default_factory=Finding)
    quarantined: Finding = field(default_factory=Finding)
    index_lag: int = 0
    queued: int = 0

    def __repr__(self) -> str:
        counts = {name: count for name, count, _ in self._found()}
        return brief(self, "index_lag", "queued", **counts)

    def _repr_html_(self) -> str:
        return html_table("Audit", ("what", "how many", "ids"), self._found())

    def _found(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """(what, how many, ids) of what there is."""
        values = [(item.name, getattr(self, item.name)) for item in fields(self)]
        findings = [(name, value) for name, value in values if isinstance(value, Finding)]
        return [(name, finding.count, finding.ids) for name, finding in findings if finding.count]


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
    """The result of a check of the audit trail.

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

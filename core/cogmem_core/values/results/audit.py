"""What an audit of the memories, and a check of the audit trail, return."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime

from cogmem_core.base.html_tables import NOTEBOOK_ROWS, html_table
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


@dataclass(frozen=True, slots=True)
class Returned:
    """Something that says what was erased.

    Attributes:
        kind: of record, as receipts call it ("memories", "turns", ...), or "file".
        id: of the record; of a document its path and key; of a file where it is.
        how: "same words", "same claim" (however it is worded), "nearly the same" (most of its words
            that tell something) or "found by recall" (for a probe; whether it is that, you say).
        since: since when it is there; None = unknown.
        erased_at: when it was erased; None where only a probe found it.
        confidence: of what was found by recall, 0..1, how likely it bears on the probe.
    """

    kind: str
    id: str
    how: str
    since: datetime | None
    erased_at: datetime | None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class ErasureCheck:
    """Whether anything that was erased is there again; `dataclasses.asdict` of it is JSON but for moments.

    Attributes:
        erased: texts and statements that are known to be erased.
        records: how many records were looked at.
        files: how many files were.
        returned: what is there again, by kind of record, files last.
        backups: files of backups that still hold what was erased after them; restored they bring it back.
        unchecked: what could not be looked at, or compared, and why, in sentences.
    """

    erased: int = 0
    records: int = 0
    files: int = 0
    returned: tuple[Returned, ...] = ()
    backups: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is known to be there again; what a probe found is for you to judge."""
        return all(item.confidence is not None for item in self.returned)

    def __repr__(self) -> str:
        return brief(self, "erased", "records", "files", "returned", "backups", "unchecked")

    def _repr_html_(self) -> str:
        rows = [(x.kind, x.id, x.how, x.since, x.erased_at) for x in self.returned]
        headings = ("kind", "id", "how", "since", "erased at")
        return html_table("Erased, and there again", headings, rows, most=NOTEBOOK_ROWS)

"""The audit trail: the journal of a namespace as a chain of hashes. Nobody alters, drops, adds or moves a row unseen.

Each row has its place in the chain, the hash of all before it, and two salted digests: of why it
happened and what the former values were (`detail`), and of how the memory stood afterwards
(`standing`: text, state, rank, trust). Erasure takes reason, former values and salt away, so that
nothing can be told from the digests; a later entry vouches for it. Who can write the whole database
can also write a new chain: note the head elsewhere (`AuditTrail.head`), and give it as the anchor.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam

from cogmem_core.base.digests import text_digest
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_memory
from cogmem_core.storage.ledger.memories import MEMORY
from cogmem_core.storage.ledger.table import Table, select_in
from cogmem_core.values.models import Memory
from cogmem_core.values.results import AuditFinding, AuditTrail

BLANKED = "erased"
"""The reason of a row whose words were erased."""
VOUCHING = ("erase", "blank")
"""Kinds of entries that say so."""
_N = schema.namespaces.c
_J = schema.journal.c
_M = schema.memories.c
_HEAD = select_in(schema.namespaces, _N.position, _N.chain)
_CHAIN_AT = select_in(schema.journal, _J.chain).where(_J.position == bindparam("at"))
_ENTRIES = select_in(schema.journal).order_by(_J.seq)
_LINKED = (
    "position",
    "seq",
    "namespace",
    "memory_id",
    "kind",
    "actor",
    "at",
    "run_id",
    "detail",
    "standing",
)
_PAGE = 1_000
_SALT_BYTES = 8


def _sealed(salt: str, *parts: str) -> str:
    """128 bits of a digest; without the salt nobody can tell a guess from the truth."""
    return text_digest("\x00".join((salt, *parts)), 32)


def _link(previous: str, row: Mapping[str, Any]) -> str:
    linked = json.dumps([previous, *(row[name] for name in _LINKED)], ensure_ascii=False)
    return hashlib.sha256(linked.encode()).hexdigest()


def chained(
    rows: Sequence[Mapping[str, Any]], states: Mapping[int, str], head: tuple[int, str]
) -> tuple[list[dict[str, Any]], tuple[int, str]]:
    """Rows of the journal with their places in the chain, and its new head.

    Args:
        rows: in order.
        states: how the memory stood after a row (see `Memory.audit_state`), by journal number.
        head: place and hash of the last row before them; (0, "") at the beginning.
    """
    position, chain = head
    linked_rows: list[dict[str, Any]] = []
    for row in rows:
        position = position + 1
        salt = secrets.token_hex(_SALT_BYTES)
        state = states.get(row["seq"])
        digests = {
            "detail": _sealed(salt, row["reason"], row["before"]),
            "standing": "" if state is None else _sealed(salt, state),
        }
        new = {**row, "position": position, "salt": salt, **digests}
        chain = _link(chain, new)
        linked_rows.append({**new, "chain": chain})
    return linked_rows, (position, chain)


class AuditTable(Table):
    """The chain of a namespace's journal."""

    def head(self) -> tuple[int, str]:
        """Place and hash of the last row; (0, "") of an empty journal."""
        row = self._execute(_HEAD).first()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def chain_at(self, position: int) -> str | None:
        """The hash of the row at a place; None if there is no such row."""
        digest: str | None = self._scalar(_CHAIN_AT, at=position)
        return digest

    def trail(self, *, anchor: str | None = None) -> AuditTrail:
        """Check every row of the chain, and how the memories stand, against what the rows say.

        Args:
            anchor: the head as it was noted at another time.
        """
        check = _Check(anchor)
        for row in self._entries():
            check.take(row)
        check.end(self.head())
        for memory_row in self._execute(select_in(schema.memories, *MEMORY).order_by(_M.id)):
            check.stands(decode_memory(memory_row))
        return check.report()

    def _entries(self) -> Iterator[Mapping[str, Any]]:
        last_seq = -(2**62)
        while page := self._rows(_ENTRIES.where(_J.seq > last_seq).limit(_PAGE)):
            yield from page
            last_seq = page[-1]["seq"]


@dataclass(slots=True)
class _Check:
    """Walks along a chain.

    Attributes:
        expected: place of the next row.
        previous: hash of the last row.
        blanked: rows without words, by memory.
        vouched: memories of which an entry says that their words were erased.
        digests: how each memory stood last: (salt, digest), None once it is deleted.
        memory_ids: of the memories that exist.
    """

    anchor: str | None
    expected: int = 1
    previous: str = ""
    entries: int = 0
    anchored: bool = False
    findings: list[AuditFinding] = field(default_factory=list)
    blanked: dict[str, list[int]] = field(default_factory=dict)
    vouched: set[str] = field(default_factory=set)
    digests: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    memory_ids: set[str] = field(default_factory=set)

    def take(self, row: Mapping[str, Any]) -> None:
        """The next row, by its journal number."""
        self.entries += 1
        position = row["position"]
        memory_id = row["memory_id"]
        if position > self.expected:
            missing = position - self.expected
            self._find(row, f"{missing} entries before it are missing (from place {self.expected})")
        elif position < self.expected:
            self._find(row, "was added or moved: its place in the chain is taken")
        if _link(self.previous, row) != row["chain"] and position == self.expected:
            self._find(row, "was altered")
        self._detail(row)
        if position >= self.expected:
            self.expected = position + 1
            self.previous = row["chain"]
        self.anchored |= row["chain"] == self.anchor
        if row["kind"] in VOUCHING:
            self.vouched.add(memory_id)
        if row["kind"] in ("erase", "drop"):
            self.digests[memory_id] = None
        elif row["standing"]:
            self.digests[memory_id] = (row["salt"], row["standing"])

    def _detail(self, row: Mapping[str, Any]) -> None:
        if row["salt"]:
            if _sealed(row["salt"], row["reason"], row["before"]) != row["detail"]:
                self._find(row, "its reason or its former values were altered")
        elif row["reason"] == BLANKED:
            self.blanked.setdefault(row["memory_id"], []).append(row["seq"])
        else:
            self._find(row, "lost its salt, but not its words")

    def end(self, head: tuple[int, str]) -> None:
        """No row is left; what the ledger says of the chain's end must hold."""
        if (self.expected - 1, self.previous) != head:
            missing = head[0] - self.expected + 1
            problem = "the end of the chain was altered"
            if missing > 0:
                problem = f"the last {missing} entries are missing"
            self.findings.append(AuditFinding(self.expected, "", problem))
        if self.anchor is not None and not self.anchored:
            problem = "the head that was noted is not in the chain: it was written anew, or its end cut off"
            self.findings.append(AuditFinding(0, "", problem))
        for memory_id in sorted(self.blanked.keys() - self.vouched):
            problem = "its words were erased, and no entry tells of that"
            self.findings.append(AuditFinding(self.blanked[memory_id][0], memory_id, problem))

    def stands(self, memory: Memory) -> None:
        """A memory as it is now."""
        self.memory_ids.add(memory.id)
        digest = self.digests.get(memory.id)
        if digest is None:
            self.findings.append(
                AuditFinding(memory.seq, memory.id, "a memory that no entry tells of")
            )
        elif digest[0] and _sealed(digest[0], memory.audit_state) != digest[1]:
            problem = "the memory was altered: its text, state, rank or trust is not what the last entry left"
            self.findings.append(AuditFinding(memory.seq, memory.id, problem))

    def report(self) -> AuditTrail:
        """Everything that was found."""
        problem = "the memory is missing, and no entry tells of that"
        for memory_id in sorted(self.digests.keys() - self.memory_ids):
            if self.digests[memory_id] is not None:
                self.findings.append(AuditFinding(0, memory_id, problem))
        return AuditTrail(self.entries, self.previous, tuple(self.findings))

    def _find(self, row: Mapping[str, Any], problem: str) -> None:
        problem = f"entry {row['position']} ({row['kind']}): {problem}"
        self.findings.append(AuditFinding(row["seq"], row["memory_id"], problem))

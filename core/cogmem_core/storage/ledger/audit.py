"""The audit trail: the journal of a namespace as a chain of hashes. Nobody alters, drops, adds or moves a row unseen.

Each row has its place in the chain, the hash of all before it, and two salted digests: of why it happened and what the
former values were (`detail`), and of how the memory stood afterwards (`standing`: text, state, rank, trust). Erasure
takes reason, former values and salt away, so that nothing can be told from the digests; a later entry vouches for it.
Who can write the whole database can also write a new chain: note the head elsewhere (`AuditTrail.head`), and give it
as the anchor.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from cogmem_core.models import Memory
from cogmem_core.results import AuditFinding, AuditTrail
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import MEMORY_COLUMNS, decode_memory
from cogmem_core.storage.ledger.schema import shard_of

__all__ = ["BLANKED", "VOUCHING", "ChainQueries", "ChainWrites", "build_chains", "chained"]

BLANKED = "erased"
"""The reason of a row whose words were erased."""
VOUCHING = ("erase", "blank")
"""Kinds of entries that say so."""
_N, _J, _M = schema.namespaces.c, schema.journal.c, schema.memories.c
_HEAD = select(_N.position, _N.chain).where(_N.shard == bindparam("shard"), _N.namespace == bindparam("namespace"))
_SET_HEAD = (
    update(schema.namespaces)
    .where(_N.shard == bindparam("in_shard"), _N.namespace == bindparam("in_namespace"))
    .values(position=bindparam("at"), chain=bindparam("head"))
)
_LINKED = ("position", "seq", "namespace", "memory_id", "kind", "actor", "at", "run_id", "detail", "standing")
_PAGE = 1_000
_SALT_BYTES = 8


def _sealed(salt: str, *parts: str) -> str:
    """128 bits of a digest; without the salt nobody can tell a guess from the truth."""
    return hashlib.sha256("\x00".join((salt, *parts)).encode()).hexdigest()[:32]


def _link(previous: str, row: Mapping[str, Any]) -> str:
    told = json.dumps([previous, *(row[name] for name in _LINKED)], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()


def chained(
    rows: Sequence[Mapping[str, Any]], states: Mapping[int, str], head: tuple[int, str]
) -> tuple[list[dict[str, Any]], tuple[int, str]]:
    """Rows of the journal with their places in the chain, and its new head.

    Args:
        rows: in order. states: how the memory stood after a row (see `Memory.audit_state`), by journal number.
        head: place and hash of the last row before them; (0, "") at the beginning.
    """
    position, chain = head
    found: list[dict[str, Any]] = []
    for row in rows:
        position, salt = position + 1, secrets.token_hex(_SALT_BYTES)
        known = states.get(row["seq"])
        digests = {
            "detail": _sealed(salt, row["reason"], row["before"]),
            "standing": "" if known is None else _sealed(salt, known),
        }
        new = {**row, "position": position, "salt": salt, **digests}
        chain = _link(chain, new)
        found.append({**new, "chain": chain})
    return found, (position, chain)


class ChainWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection
    _heads: dict[str, tuple[int, str]]

    def prolong(
        self, namespace: str, rows: Sequence[Mapping[str, Any]], states: Mapping[int, str]
    ) -> list[dict[str, Any]]:
        """Rows with their places in the namespace's chain, which goes on behind them."""
        shard, head = shard_of(namespace), self._heads.pop(namespace, None)
        found, (position, chain) = chained(rows, states, head or _head(self._connection, shard, namespace))
        given = {"in_shard": shard, "in_namespace": namespace, "at": position, "head": chain}
        self._connection.execute(_SET_HEAD, given)
        return found


class ChainQueries:
    """Reads; mixed into `Reader`."""

    _connection: Connection

    def audit_trail(self, namespace: str, *, anchor: str | None = None) -> AuditTrail:
        """Check every row of the namespace's chain, and how its memories stand, against what it says.

        Args:
            namespace: whose chain.
            anchor: the head as it was noted at another time.
        """
        shard = shard_of(namespace)
        check = _Check(anchor)
        for row in _rows(self._connection, shard, namespace):
            check.take(row)
        check.end(_head(self._connection, shard, namespace))
        columns = [_M[name] for name in MEMORY_COLUMNS]
        query = select(*columns).where(_M.shard == shard, _M.namespace == namespace).order_by(_M.id)
        for found in self._connection.execute(query):
            check.stands(decode_memory(found))
        return check.report()


def _head(connection: Connection, shard: int, namespace: str) -> tuple[int, str]:
    row = connection.execute(_HEAD, {"shard": shard, "namespace": namespace}).first()
    return (row[0], row[1]) if row else (0, "")


def _rows(connection: Connection, shard: int, namespace: str) -> Iterator[Mapping[str, Any]]:
    after = -(2**62)
    query = select(schema.journal).where(_J.shard == shard, _J.namespace == namespace).order_by(_J.seq).limit(_PAGE)
    while page := connection.execute(query.where(_J.seq > after)).mappings().all():
        yield from page  # type: ignore[misc]
        after = page[-1]["seq"]


@dataclass(slots=True)
class _Check:
    """Walks along a chain.

    Attributes:
        expected: place of the next row; previous: hash of the one before.
        blanked: rows without words, by memory; vouched: memories that an entry says so of.
        known: how each memory stood last: (salt, digest), None once it is gone.
    """

    anchor: str | None
    expected: int = 1
    previous: str = ""
    entries: int = 0
    anchored: bool = False
    findings: list[AuditFinding] = field(default_factory=list)
    blanked: dict[str, list[int]] = field(default_factory=dict)
    vouched: set[str] = field(default_factory=set)
    known: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def take(self, row: Mapping[str, Any]) -> None:
        """The next row, by its journal number."""
        self.entries += 1
        position, memory_id = row["position"], row["memory_id"]
        if position > self.expected:
            gone = position - self.expected
            self._find(row, f"{gone} entries before it are missing (from place {self.expected})")
        elif position < self.expected:
            self._find(row, "was added or moved: its place in the chain is taken")
        if _link(self.previous, row) != row["chain"] and position == self.expected:
            self._find(row, "was altered")
        self._detail(row)
        if position >= self.expected:
            self.expected, self.previous = position + 1, row["chain"]
        self.anchored |= row["chain"] == self.anchor
        if row["kind"] in VOUCHING:
            self.vouched.add(memory_id)
        if row["kind"] in ("erase", "drop"):
            self.known[memory_id] = None
        elif row["standing"]:
            self.known[memory_id] = (row["salt"], row["standing"])

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
            gone = head[0] - self.expected + 1
            what = f"the last {gone} entries are missing" if gone > 0 else "the end of the chain was altered"
            self.findings.append(AuditFinding(self.expected, "", what))
        if self.anchor and not self.anchored:
            what = "the head that was noted is not in the chain: it was written anew, or its end cut off"
            self.findings.append(AuditFinding(0, "", what))
        for memory_id in sorted(self.blanked.keys() - self.vouched):
            what = "its words were erased, and no entry tells of that"
            self.findings.append(AuditFinding(self.blanked[memory_id][0], memory_id, what))

    def stands(self, memory: Memory) -> None:
        """A memory as it is now."""
        self.seen.add(memory.id)
        known = self.known.get(memory.id)
        if known is None:
            self.findings.append(AuditFinding(memory.seq, memory.id, "a memory that no entry tells of"))
        elif known[0] and _sealed(known[0], memory.audit_state) != known[1]:
            what = "the memory was altered: its text, state, rank or trust is not what the last entry left"
            self.findings.append(AuditFinding(memory.seq, memory.id, what))

    def report(self) -> AuditTrail:
        """Everything that was found."""
        for memory_id in sorted(i for i, known in self.known.items() if known is not None and i not in self.seen):
            self.findings.append(AuditFinding(0, memory_id, "the memory is missing, and no entry tells of that"))
        return AuditTrail(self.entries, self.previous, tuple(self.findings))

    def _find(self, row: Mapping[str, Any], what: str) -> None:
        self.findings.append(
            AuditFinding(row["seq"], row["memory_id"], f"entry {row['position']} ({row['kind']}): {what}")
        )


def build_chains(connection: Connection) -> None:
    """Chain what an older ledger holds, as it is now; what happened to it before cannot be told."""
    for shard, namespace in connection.execute(select(_N.shard, _N.namespace)).all():
        columns = [_M[name] for name in MEMORY_COLUMNS]
        query = select(*columns).where(_M.shard == shard, _M.namespace == namespace)
        memories = {row[0]: decode_memory(row) for row in connection.execute(query)}
        last: dict[str, int] = {}
        rows = [dict(row) for row in _rows(connection, shard, namespace)]
        for row in rows:
            last[row["memory_id"]] = row["seq"]
        states = {seq: memories[i].audit_state for i, seq in last.items() if i in memories}
        made, (position, chain) = chained(rows, states, (0, ""))
        names = ("position", "salt", "detail", "standing", "chain")
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
        setting = update(schema.journal).where(_J.shard == bindparam("in_shard"), _J.seq == bindparam("in_seq"))
        given = [
            {"in_shard": shard, "in_seq": row["seq"], **{f"new_{name}": row[name] for name in names}} for row in made
        ]
        for start in range(0, len(given), _PAGE):
            connection.execute(setting.values(**values), given[start : start + _PAGE])
        head = {"in_shard": shard, "in_namespace": namespace, "at": position, "head": chain}
        connection.execute(_SET_HEAD, head)

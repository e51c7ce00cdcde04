"""Who may do what where, what was decided, and which memories rest on memories of other namespaces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from cogmem_core.base.grouping import grouped
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_row, encode_row, encode_time
from cogmem_core.storage.ledger.meta import ACCESS_KEY, MetaTable
from cogmem_core.storage.ledger.table import (
    Table,
    inserting,
    select_in,
    update_in,
    upserting,
)
from cogmem_core.values.access_records import COMPARTMENT, AccessEntry, Grant, Principal

_P = schema.principals
_G = schema.grants
_L = schema.access_log
_D = schema.derivations
_RESTING = (_D.c.memory_id, _D.c.source_namespace, _D.c.source_id)
Sources = dict[str, list[tuple[str, str]]]
"""By memory: (namespace, memory) of what it rests on."""


class Resting(NamedTuple):
    """A memory that rests on one of another namespace."""

    namespace: str
    memory_id: str
    source_namespace: str
    source_id: str


class AccessTables:
    """Principals, grants and the access log of the whole ledger.

    Args:
        connection: the transaction's connection.
        meta: its settings: one counts the changes.
    """

    def __init__(self, connection: Connection, meta: MetaTable) -> None:
        self._connection = connection
        self._meta = meta

    def seq(self) -> int:
        """The number of the newest change of principals, grants or compartments; 0 = none yet."""
        return int(self._meta.get(ACCESS_KEY) or 0)

    def changed(self) -> None:
        """Count a change."""
        self._meta.set(ACCESS_KEY, str(self.seq() + 1))

    def principals(self) -> list[Principal]:
        """All principals, by name."""
        rows = self._connection.execute(select(_P).order_by(_P.c.name)).mappings()
        return [decode_row(Principal, row) for row in rows]

    def put_principal(self, principal: Principal) -> None:
        """Add a principal, or set its kind and its owner."""
        query = upserting(self._connection.dialect.name, _P, ("kind", "owner"))
        self._connection.execute(query, encode_row(principal))
        self.changed()

    def grants(self, *, revoked: bool = False) -> list[Grant]:
        """All grants, oldest first.

        Args:
            revoked: also those that were revoked.
        """
        query = select(_G).order_by(_G.c.id)
        if not revoked:
            query = query.where(_G.c.revoked_at.is_(None))
        return [decode_row(Grant, row) for row in self._connection.execute(query).mappings()]

    def add_grant(self, grant: Grant) -> None:
        """Add a grant."""
        self._connection.execute(inserting(_G), encode_row(grant))
        self.changed()

    def revoke(self, grant_id: str, at: datetime, by: str) -> None:
        """Revoke a grant; it stays on record."""
        values = {"revoked_at": encode_time(at), "revoked_by": by}
        self._connection.execute(update(_G).where(_G.c.id == grant_id).values(values))
        self.changed()

    def compartments(self) -> list[str]:
        """The compartments that hold memories, sorted."""
        names = self._connection.scalars(select(_D.c.namespace).distinct())
        return sorted(name for name in names if COMPARTMENT in name)

    def resting_on(self, namespace: str) -> list[Resting]:
        """What rests on memories of a namespace."""
        query = select(_D.c.namespace, *_RESTING)
        rows = self._connection.execute(query.where(_D.c.source_namespace.in_([namespace])))
        return [Resting(*row) for row in rows]

    def record(self, entry: AccessEntry) -> None:
        """Append to the access log."""
        self._connection.execute(inserting(_L), encode_row(entry))

    def log(self, limit: int, principal: str | None) -> list[AccessEntry]:
        """The newest entries of the access log, oldest first; of one principal if it is given."""
        query = select(_L).order_by(_L.c.id.desc()).limit(limit)
        if principal is not None:
            query = query.where(_L.c.principal == principal)
        rows = self._connection.execute(query).mappings().all()
        return [decode_row(AccessEntry, row) for row in reversed(rows)]


class DerivationTable(Table):
    """Which memories of a namespace rest on memories of others."""

    def add(self, sources: Mapping[str, Collection[tuple[str, str]]]) -> None:
        """Tell what new memories rest on: memory → (namespace, memory) of its sources."""
        rows = [
            {"memory_id": memory_id, "source_namespace": name, "source_id": source_id}
            for memory_id, sources_of_memory in sources.items()
            for name, source_id in sorted(sources_of_memory)
        ]
        self._upsert(_D, rows)

    def of(self, memory_ids: Sequence[str]) -> Sources:
        """What memories rest on: memory → (namespace, memory) of its sources."""
        rows = self._among(_D, "memory_id", memory_ids, *_RESTING, keyed=False)
        return _by_memory(sorted(tuple(row.values()) for row in rows))

    def all(self) -> Sources:
        """As `of`, for all memories of the namespace that rest on others."""
        return _by_memory(self._execute(select_in(_D, *_RESTING)))

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Forget what memories rest on that are erased."""
        self._drop_among(_D, "memory_id", memory_ids, keyed=False)

    def open_compartments(self) -> None:
        """Tell that memories of the namespace are kept in compartments."""
        row = {"last_seq": 0, "created_at": encode_time(self._now)}
        self._upsert(schema.namespaces, [row])
        self._change(update_in(schema.namespaces).values(compartments=1))


def _by_memory(rows: Iterable[Sequence[str]]) -> Sources:
    return grouped((memory_id, (name, source_id)) for memory_id, name, source_id in rows)

"""The relations between the memories of a namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, union_all

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_row, decode_time, encode_row
from cogmem_core.storage.ledger.schema import unindexed
from cogmem_core.storage.ledger.table import Table, delete_in, select_in
from cogmem_core.values.models import Relation

_R = schema.relations.c
_NEVER = datetime.min.replace(tzinfo=timezone.utc)


def _ending_at(end: ColumnElement[str]) -> Select[Any]:
    columns = (_R.namespace, _R.source_id, _R.target_id, _R.type, _R.weight, _R.confidence)
    times = (_R.created_at, _R.last_activated_at)
    among = end.in_(bindparam("ids", expanding=True))
    return select_in(schema.relations, *columns, *times, keyed=True).where(among)


# Built once: composing a statement costs more than running it.
_COUNT = select_in(schema.relations, func.count())
_ENDS = select_in(schema.relations, _R.source_id, _R.target_id, _R.type)
# One query per end: for "source or target" SQLite would use no key.
_BY_END = union_all(_ending_at(_R.source_id), _ending_at(_R.target_id))


class RelationTable(Table):
    """Relations by their ends and by type."""

    def all(self) -> Iterator[Relation]:
        """Every relation of the namespace, by type, source and target."""
        query = select_in(schema.relations).order_by(_R.type, _R.source_id, _R.target_id)
        for row in self._execute(query).mappings():
            yield decode_row(Relation, row)

    def of_memory(self, memory_id: str) -> list[Relation]:
        """Relations in which the memory is source or target."""
        ends = or_(_R.source_id == memory_id, _R.target_id == memory_id)
        return _sorted(self._records(Relation, select_in(schema.relations).where(ends)))

    def of_memories(self, ids: Sequence[str]) -> list[Relation]:
        """Relations in which one of the memories is source or target, each once."""
        rows = self._by_ids(_BY_END, ids)
        return _sorted({Relation(*row[:6], *map(decode_time, row[6:])) for row in rows})

    def of_types(self, kinds: Sequence[str], *, activated: bool = False) -> list[Relation]:
        """Relations of some types, those activated last first; `activated`: no others."""
        query = select_in(schema.relations).where(unindexed(_R.type).in_(kinds))
        if activated:
            query = query.where(_R.last_activated_at.is_not(None))
        found = self._records(Relation, query)
        return sorted(found, key=lambda link: link.last_activated_at or _NEVER, reverse=True)

    def ends(self) -> dict[str, set[str]]:
        """The memories at either end of the relations of each type."""
        ids: dict[str, set[str]] = {}
        for source, target, kind in self._execute(_ENDS).all():
            ids.setdefault(kind, set()).update((source, target))
        return ids

    def count(self) -> int:
        """How many relations the namespace has."""
        return int(self._scalar(_COUNT) or 0)

    def weakest(self, order: Sequence[str], limit: int) -> list[Relation]:
        """Relations of these types: the first type first, the least confident and oldest of each first."""
        relations: list[Relation] = []
        for kind in order:
            query = select_in(schema.relations).where(unindexed(_R.type) == kind)
            query = query.order_by(_R.confidence, _R.created_at).limit(limit - len(relations))
            relations += self._records(Relation, query)
            if len(relations) >= limit:
                break
        return relations

    def change(self, add: Sequence[Relation], drop: Sequence[Relation]) -> None:
        """Upsert and delete relations."""
        for relation in drop:
            query = delete_in(schema.relations, keyed=True).where(
                _R.source_id == relation.source_id,
                _R.target_id == relation.target_id,
                _R.type == relation.type,
            )
            self._change(query)
        rows = {(x.source_id, x.target_id, x.type): encode_row(x) for x in add}
        changed = ("weight", "confidence", "last_activated_at")
        self._upsert(schema.relations, list(rows.values()), *changed)

    def opponents(self, ids: Sequence[str]) -> set[str]:
        """Other memories that these superseded or contradicted, or that did so to these."""
        opponents: set[str] = set()
        for near, far in ((_R.source_id, _R.target_id), (_R.target_id, _R.source_id)):
            query = select_in(schema.relations, far, keyed=True)
            kinds = _R.type.in_(("supersedes", "contradicts"))
            opponents.update(self._scalars(query.where(near.in_(ids), kinds)))
        return opponents - set(ids)

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Delete all relations of some memories."""
        query = delete_in(schema.relations, keyed=True)
        self._change(query.where(_R.source_id.in_(memory_ids) | _R.target_id.in_(memory_ids)))


def _sorted(relations: Iterable[Relation]) -> list[Relation]:
    return sorted(relations, key=lambda link: (link.type, link.source_id, link.target_id))

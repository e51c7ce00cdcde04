"""Documents by path and key.

A path is stored as compact JSON, so that the documents below a folder are one range of the key: behind a label stands
either the comma before the next one or the bracket that ends the list.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select

from cogmem_core.results import Item
from cogmem_core.storage.files.erased_text import strings
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_moment, dump, encode_time
from cogmem_core.storage.ledger.schema import adding, shard_of

__all__ = ["ITEM", "Head", "ItemKey", "ItemQueries", "ItemWrites", "parts", "written"]

ITEM = "item"
"""The category of a document's memories, and the field of their metadata that tells its path and key."""
ItemKey = tuple[tuple[str, ...], str]
"""Path and key of a document."""
_I = schema.items.c
_ONE = (
    _I.shard == bindparam("in_shard"),
    _I.namespace == bindparam("in_namespace"),
    _I.path == bindparam("in_path"),
    _I.key == bindparam("in_key"),
)
_AT, _DROP = select(schema.items).where(*_ONE), delete(schema.items).where(*_ONE)


class Head(NamedTuple):
    """A document without its value."""

    at: ItemKey
    memory_ids: tuple[str, ...]


def written(value: Mapping[str, Any]) -> str:
    """A value as it stands in its row."""
    return json.dumps(dict(value), allow_nan=False, ensure_ascii=False)


def parts(value: Mapping[str, Any]) -> Iterator[str]:
    """What of a value must not be found in a file any more: all of it, and its sentences, as they stand in its row.

    Single words stand in a ledger for other reasons.
    """
    yield written(value)
    for text in strings(value):
        if " " in text.strip():
            yield json.dumps(text, ensure_ascii=False)[1:-1]


@lru_cache(maxsize=1_024)
def _path(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _ids(text: str) -> tuple[str, ...]:
    """Of a list of ids as `dump` writes it; there are none that JSON would escape."""
    return tuple(text[2:-2].split('","')) if len(text) > 2 else ()


def _item(row: Mapping[str, Any]) -> Item:
    return Item(
        path=_path(row["path"]),
        key=row["key"],
        value=json.loads(row["value"]),
        created_at=decode_moment(row["created_at"]),
        updated_at=decode_moment(row["updated_at"]),
        memory_ids=_ids(row["memory_ids"]),
    )


def _below(namespace: str, prefix: Sequence[str]) -> list[ColumnElement[bool]]:
    """In a folder or below it; below nothing is everything."""
    where: list[ColumnElement[bool]] = [_I.shard == shard_of(namespace), _I.namespace == namespace]
    if prefix:
        opened = dump(list(prefix))[:-1]
        where += [_I.path >= f"{opened},", _I.path <= f"{opened}]"]
    return where


def _given(namespace: str, at: ItemKey) -> dict[str, Any]:
    path, key = at
    return {"in_shard": shard_of(namespace), "in_namespace": namespace, "in_path": dump(list(path)), "in_key": key}


class ItemQueries:
    """Reads; mixed into `Reader`. What was written last comes first."""

    _connection: Connection

    def items_at(self, namespace: str, keys: Iterable[ItemKey]) -> dict[ItemKey, Item]:
        """Documents by path and key; those that there are not are left out."""
        rows = ((at, self._connection.execute(_AT, _given(namespace, at)).mappings().first()) for at in keys)
        return {at: _item(row) for at, row in rows if row is not None}  # type: ignore[arg-type]

    def items_below(
        self,
        namespace: str,
        prefix: Sequence[str] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
        oldest_first: bool = False,
    ) -> Iterator[Item]:
        """Documents in a folder and below it."""
        order = _I.revision if oldest_first else _I.revision.desc()
        query = select(schema.items).where(*_below(namespace, prefix)).order_by(order)
        for row in self._connection.execute(query.limit(limit).offset(offset)).mappings():
            yield _item(row)  # type: ignore[arg-type]

    def item_heads(self, namespace: str, prefix: Sequence[str] = ()) -> list[Head]:
        """As `items_below`, without the values."""
        query = select(_I.path, _I.key, _I.memory_ids).where(*_below(namespace, prefix)).order_by(_I.revision.desc())
        rows = self._connection.execute(query)
        return [Head((_path(path), key), _ids(ids)) for path, key, ids in rows]

    def item_paths(self, namespace: str) -> list[tuple[str, ...]]:
        """The folders that hold documents, sorted."""
        query = select(_I.path).where(*_below(namespace, ())).distinct()
        return sorted(_path(path) for path in self._connection.scalars(query))

    def items_of(self, namespace: str, memory_ids: Collection[str]) -> list[Item]:
        """Documents that one of the memories is a text of."""
        wanted = set(memory_ids)
        keys = [head.at for head in self.item_heads(namespace) if not wanted.isdisjoint(head.memory_ids)]
        return list(self.items_at(namespace, keys).values())

    def item_texts(self, namespace: str, memory_ids: Collection[str]) -> set[str]:
        """The memories, former ones too, of the documents that some of these memories are or were texts of."""
        m = schema.memories.c
        where = (m.shard == shard_of(namespace), m.namespace == namespace, m.category == ITEM)
        rows = self._connection.execute(select(m.id, m.metadata).where(*where))
        told = {memory_id: dump(json.loads(metadata).get(ITEM)) for memory_id, metadata in rows}
        wanted = {told[memory_id] for memory_id in memory_ids if memory_id in told} - {dump(None)}
        present = {memory_id for item in self.items_of(namespace, memory_ids) for memory_id in item.memory_ids}
        return {memory_id for memory_id, at in told.items() if at in wanted} | present

    def holds_item(self, text: str) -> bool:
        """True if the value of a document, as it is stored, contains the text, in any namespace."""
        within = func.instr if self._connection.dialect.name == "sqlite" else func.strpos
        return bool(self._connection.scalar(select(1).where(within(_I.value, text) > 0).limit(1)))


class ItemWrites:
    """Writes; mixed into `Writer`."""

    _connection: Connection

    def put_items(self, namespace: str, rows: Sequence[tuple[Item, str]]) -> None:
        """Write documents, each with an id that is larger than that of what was written before."""
        encoded = [
            {
                "shard": shard_of(namespace),
                "namespace": namespace,
                "path": dump(list(item.path)),
                "key": item.key,
                "value": written(item.value),
                "memory_ids": dump(list(item.memory_ids)),
                "created_at": encode_time(item.created_at),
                "updated_at": encode_time(item.updated_at),
                "revision": revision,
            }
            for item, revision in rows
        ]
        if encoded:
            self.drop_items(namespace, [(item.path, item.key) for item, _ in rows])
            self._connection.execute(adding(schema.items), encoded)

    def drop_items(self, namespace: str, keys: Iterable[ItemKey]) -> None:
        """Delete documents; those that there are not are passed over."""
        given = [_given(namespace, at) for at in keys]
        if given:
            self._connection.execute(_DROP, given)

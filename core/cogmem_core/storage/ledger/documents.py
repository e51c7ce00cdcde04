"""Documents by path and key.

A path is stored as compact JSON, so that the documents below a folder are one range of the key:
behind a label stands either the comma before the next one or the bracket that ends the list.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, null, or_

from cogmem_core.ports import FloatArray
from cogmem_core.storage.files.erased_text import strings
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import (
    decode_moment,
    decode_time,
    decode_vector,
    dump,
    encode_time,
    encode_vector,
)
from cogmem_core.storage.ledger.table import Table, delete_in, select_beside, select_in, update_in
from cogmem_core.values.results import Item

ITEM = "item"
"""The category of a document's memories, and the field of their metadata that tells its path and key."""
ItemKey = tuple[tuple[str, ...], str]
"""Path and key of a document."""
_I = schema.items.c
_M = schema.memories.c
_KEY = (_I.path == bindparam("in_path"), _I.key == bindparam("in_key"))
# Built once: composing a statement costs more than running it.
_AT = select_in(schema.items).where(*_KEY)
_DROP = delete_in(schema.items).where(*_KEY)
_LIVES = or_(_I.expires_at.is_(None), _I.expires_at > bindparam("in_now"))
_AT_ALIVE = _AT.where(_LIVES)
_REFRESH = (
    update_in(schema.items)
    .where(*_KEY, _I.ttl.is_not(None), _I.expires_at > bindparam("in_now"))
    .values(expires_at=bindparam("in_now") + _I.ttl)
)
# Few are over; an index of the namespace would walk through all of it.
_ENDED = select_beside(schema.items).where(_I.expires_at <= bindparam("in_now"))
_MICROSECONDS = 1_000_000


class Head(NamedTuple):
    """A document without its value."""

    at: ItemKey
    memory_ids: tuple[str, ...]
    vector: FloatArray | None


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
        ttl=None if row["ttl"] is None else row["ttl"] / _MICROSECONDS,
        expires_at=decode_time(row["expires_at"]),
        vector=_vector(row["vector"]),
    )


def _vector(blob: bytes | None) -> FloatArray | None:
    return None if blob is None else decode_vector(blob)


def _below(*columns: Any, prefix: Sequence[str] = ()) -> Select[Any]:
    """Documents in a folder or below it; of the whole namespace if the prefix is empty."""
    query = select_in(schema.items, *columns)
    if not prefix:
        return query
    opened = dump(list(prefix))[:-1]
    return query.where(_I.path >= f"{opened},", _I.path <= f"{opened}]")


def _alive(now: datetime | None) -> tuple[list[ColumnElement[bool]], dict[str, Any]]:
    """The condition that a document lives at a moment, and its parameter; None = whether or not."""
    return ([], {}) if now is None else ([_LIVES], {"in_now": encode_time(now)})


def _address(key: ItemKey) -> dict[str, str]:
    path, name = key
    return {"in_path": dump(list(path)), "in_key": name}


class DocumentTable(Table):
    """Documents by path and key; the last written ones come first.

    With `now`, documents that have ended by then are left out.
    """

    def at(self, keys: Iterable[ItemKey], *, now: datetime | None = None) -> dict[ItemKey, Item]:
        """Documents by path and key; those that do not exist are left out."""
        items = {}
        query, values = (_AT, {}) if now is None else (_AT_ALIVE, {"in_now": encode_time(now)})
        for key in keys:
            row = self._execute(query, **values, **_address(key)).mappings().first()
            if row is not None:
                items[key] = _item(row)
        return items

    def below(
        self,
        prefix: Sequence[str] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
        oldest_first: bool = False,
        now: datetime | None = None,
    ) -> Iterator[Item]:
        """Documents in a folder and below it."""
        order = _I.revision if oldest_first else _I.revision.desc()
        conditions, values = _alive(now)
        query = _below(prefix=prefix).where(*conditions)
        query = query.order_by(order).limit(limit).offset(offset)
        for row in self._execute(query, **values).mappings():
            yield _item(row)

    def heads(
        self,
        prefix: Sequence[str] = (),
        *,
        now: datetime | None = None,
        vectors: bool = False,
    ) -> list[Head]:
        """As `below`, without the values, and without the vectors unless they are asked for."""
        conditions, values = _alive(now)
        vector = _I.vector if vectors else null()
        query = _below(_I.path, _I.key, _I.memory_ids, vector, prefix=prefix)
        rows = self._execute(query.where(*conditions).order_by(_I.revision.desc()), **values)
        return [Head((_path(path), key), _ids(ids), _vector(blob)) for path, key, ids, blob in rows]

    def paths(self, *, now: datetime | None = None) -> list[tuple[str, ...]]:
        """The folders that hold documents, sorted."""
        conditions, values = _alive(now)
        query = _below(_I.path).where(*conditions).distinct()
        return sorted(map(_path, self._scalars(query, **values)))

    def ended(self, now: datetime) -> list[Item]:
        """Documents whose time is over."""
        return list(map(_item, self._rows(_ENDED, in_now=encode_time(now))))

    def ended_texts(self, now: datetime) -> frozenset[str]:
        """The memories of documents whose time is over; read once a second while nobody writes."""
        second = int(now.timestamp())
        known = self._fact("ended texts", dict[int, frozenset[str]])
        if second not in known:
            known.clear()
            texts = chain.from_iterable(item.memory_ids for item in self.ended(now))
            known[second] = frozenset(texts)
        return known[second]

    def refresh(self, keys: Iterable[ItemKey], now: datetime) -> None:
        """Let documents live as long again as when they were written; those without an end stay as they are."""
        moment = {"in_now": encode_time(now)}
        self._change_each(_REFRESH, [{**moment, **_address(key)} for key in keys])

    def of_memories(self, memory_ids: Collection[str]) -> list[Item]:
        """Documents that one of the memories is a text of."""
        wanted_ids = set(memory_ids)
        keys = [head.at for head in self.heads() if not wanted_ids.isdisjoint(head.memory_ids)]
        return list(self.at(keys).values())

    def texts_of(self, memory_ids: Collection[str]) -> set[str]:
        """The present and former memories of those documents that some of these memories are or were texts of."""
        query = select_in(schema.memories, _M.id, _M.metadata).where(_M.category == ITEM)
        addresses = {
            memory_id: dump(json.loads(metadata).get(ITEM))
            for memory_id, metadata in self._execute(query)
        }
        common_addresses = set(map(addresses.get, memory_ids))
        common_addresses -= {None, dump(None)}
        texts = {
            memory_id for memory_id, address in addresses.items() if address in common_addresses
        }
        for item in self.of_memories(memory_ids):
            texts.update(item.memory_ids)
        return texts

    def put(self, rows: Sequence[tuple[Item, str]]) -> None:
        """Write documents, each with a revision: an id that is larger than any that was written before."""
        encoded_rows = [
            {
                "path": dump(list(item.path)),
                "key": item.key,
                "value": written(item.value),
                "memory_ids": dump(list(item.memory_ids)),
                "created_at": encode_time(item.created_at),
                "updated_at": encode_time(item.updated_at),
                "revision": revision,
                "vector": None if item.vector is None else encode_vector(item.vector),
                "ttl": None if item.ttl is None else round(item.ttl * _MICROSECONDS),
                "expires_at": encode_time(item.expires_at),
            }
            for item, revision in rows
        ]
        self.drop([(item.path, item.key) for item, _ in rows])
        self._insert(schema.items, encoded_rows)

    def drop(self, keys: Iterable[ItemKey]) -> None:
        """Delete documents; keys that do not exist are passed over."""
        self._change_each(_DROP, list(map(_address, keys)))

"""Documents by path and key: kept as they are, and found by meaning through the memories of their texts.

A document lives as long as nobody deletes it. Its memories live like any other: what a dream cycle
puts away leaves recall, but the document is still there, and is still found by them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

from cogmem_core import checks
from cogmem_core.changes import Actor, Change, Put, Retire, Revive, Touch, apply
from cogmem_core.config import Config
from cogmem_core.encoding.add_memory import Statement, memory_of
from cogmem_core.encoding.sanitize import (
    REDACTED,
    sanitize,
    sanitize_address,
    sanitize_labels,
    sanitize_value,
)
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.results import Item, ItemWrite
from cogmem_core.services import Services
from cogmem_core.storage.ledger.documents import ITEM, Head, ItemKey, written
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.trust import screened_memory

__all__ = ["DocumentQuery", "Where", "get", "paths", "search", "write"]

Where = Callable[[Mapping[str, Any]], bool]
"""Whether a document with this value is wanted."""
_PERSON = Actor("user")


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """A search, checked; see `Items.search`."""

    prefix: tuple[str, ...]
    query: str | None
    where: Where | None
    limit: int
    offset: int

    @classmethod
    def checked(cls, values: Mapping[str, Any], config: Config) -> DocumentQuery:
        """Check every field.

        Raises:
            InvalidInput: names the first field that is unusable.
        """
        query = values["query"]
        where = values["where"]
        if where is not None and not callable(where):
            raise InvalidInput(
                f"where is {where!r}; give a function that says of a value whether it is wanted"
            )
        return cls(
            prefix=sanitize_labels(
                "prefix", checks.folder("prefix", values["prefix"]), config.encoding
            ),
            query=None if query is None else checks.text("query", query, config.limits.query_bytes),
            where=where,
            limit=checks.whole("limit", values["limit"]),
            offset=checks.whole("offset", values["offset"]),
        )


def get(services: Services, namespace: str, path: Sequence[str], key: str) -> Item | None:
    """The document, if there is one.

    Raises:
        InvalidInput: path or key is unusable.
    """
    at = sanitize_address(checks.address(path, key), services.config.encoding)
    with services.ledger.reading(namespace) as ns:
        return ns.documents.at([at]).get(at)


def paths(services: Services, namespace: str) -> list[tuple[str, ...]]:
    """The folders that hold documents, sorted."""
    with services.ledger.reading(namespace) as ns:
        return ns.documents.paths()


def search(services: Services, namespace: str, query: DocumentQuery) -> list[Item]:
    """With a query the best first, then those without texts; without one those that were written last first.

    Raises:
        EmbedderUnavailable: there is no vector of the query.
    """
    vector = None if query.query is None else services.embedder.embed_query(query.query)
    with services.ledger.whole() as reader:
        if vector is None:
            return _newest(reader, namespace, query)
        ranked = _ranked(services, reader, namespace, (_heads(reader, namespace, query), vector))
        page = ranked[query.offset : query.offset + query.limit]
        items = reader.at(namespace).documents.at([address for address, _ in page])
    return [replace(items[address], score=score) for address, score in page]


def _newest(reader: Transaction, namespace: str, query: DocumentQuery) -> list[Item]:
    where = query.where
    limit = query.limit
    offset = query.offset
    if where is None:
        return list(reader.at(namespace).documents.below(query.prefix, limit=limit, offset=offset))
    matches = (
        item for item in reader.at(namespace).documents.below(query.prefix) if where(item.value)
    )
    return list(islice(matches, offset, offset + limit))


def _heads(reader: Transaction, namespace: str, query: DocumentQuery) -> list[Head]:
    where = query.where
    if where is None:
        return reader.at(namespace).documents.heads(query.prefix)
    matches = (
        item for item in reader.at(namespace).documents.below(query.prefix) if where(item.value)
    )
    return [Head((item.path, item.key), item.memory_ids) for item in matches]


def _ranked(
    services: Services,
    reader: Transaction,
    namespace: str,
    heads_and_vector: tuple[Sequence[Head], FloatArray],
) -> list[tuple[ItemKey, float | None]]:
    """All of them, by the text of each that is most similar."""
    heads, vector = heads_and_vector
    owner: dict[str, int] = {}
    for index, head in enumerate(heads):
        owner |= dict.fromkeys(head.memory_ids, index)
    best: dict[int, float] = {}
    if owner:
        view = services.searcher.view(reader, namespace)
        for hit in services.searcher.among(reader, view, owner, vector, len(owner)).hits:
            best.setdefault(owner[hit.id], hit.score)
    order = sorted(
        range(len(heads)), key=lambda index: (index not in best, -best.get(index, 0.0), index)
    )
    return [(heads[index].at, best.get(index)) for index in order]


def write(services: Services, namespace: str, writes: Sequence[ItemWrite]) -> list[Item | None]:
    """Put and delete documents in one transaction; of several writes of one document the last one counts.

    Returns:
        For each write the document as it is now; None if it was deleted.

    Raises:
        InvalidInput: a write is unusable.
        EmbedderUnavailable: there is no vector of a text. Nothing was written.
    """
    checked_writes = [
        _draft(index, item_write, services.config) for index, item_write in enumerate(writes)
    ]
    drafts: dict[ItemKey, _Draft] = {}
    for draft in checked_writes:
        drafts.pop(draft.at, None)
        drafts[draft.at] = draft
    if not drafts:
        return []
    vectors = _vectors(services, namespace, list(drafts.values()))
    now = services.runtime.now()
    with services.ledger.writing(namespace) as writer:
        if vectors:
            services.guard_embedder(writer)
        # First of all: where two databases' sessions write one document, the second one waits here
        # for the first.
        _, previous = writer.at(namespace).journal.allocate(0)
        existing = writer.at(namespace).documents.at(drafts)
        rows = writer.at(namespace).memories.by_ids(
            list(chain.from_iterable(item.memory_ids for item in existing.values()))
        )
        plan = _DocumentPlan(services, namespace, now, vectors, existing, rows)
        for draft in drafts.values():
            plan.add(draft)
        applied = apply(writer, namespace, plan.changes, now=now, actor=_PERSON)
        writer.at(namespace).documents.put(
            [(item, services.runtime.new_id()) for item in plan.put.values()]
        )
        writer.at(namespace).documents.drop(plan.dropped)
    services.update_indexes(namespace, replace(applied, previous_seq=previous))
    return [plan.put.get(draft.at) for draft in checked_writes]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A write, checked and without secrets; `texts`: what each of its distinct texts states."""

    at: ItemKey
    value: Mapping[str, Any] | None
    texts: Mapping[str, Statement]


def _draft(index: int, item_write: ItemWrite, config: Config) -> _Draft:
    limits = config.limits
    screening = config.encoding
    if not isinstance(item_write, ItemWrite):
        raise InvalidInput(
            f"writes[{index}] is a {type(item_write).__name__}; give a cogmem_core.results.ItemWrite"
        )
    address = sanitize_address(checks.address(item_write.path, item_write.key), screening)
    if item_write.value is None:
        return _Draft(address, None, {})
    value = json.loads(checks.json_object("value", item_write.value))
    value = sanitize_value("value", value, screening)
    size = len(written(value).encode())
    if size > limits.content_bytes:
        raise InvalidInput(
            f"value has {size:,} bytes as JSON, the limit is {limits.content_bytes:,}; split it"
        )
    texts = checks.listed("texts", item_write.texts)
    if len(texts) > limits.batch_items:
        raise InvalidInput(
            f"texts has {len(texts):,} entries, the limit is {limits.batch_items:,}; give fewer"
        )
    statements = [_statement(f"texts[{i}]", text, address, config) for i, text in enumerate(texts)]
    return _Draft(address, value, {statement.content: statement for statement in statements})


def _statement(name: str, value: object, address: ItemKey, config: Config) -> Statement:
    text, kinds = sanitize(
        name, checks.text(name, value, config.limits.content_bytes), config.encoding
    )
    metadata: dict[str, Any] = {ITEM: {"path": list(address[0]), "key": address[1]}}
    return Statement(
        content=text,
        category="item",
        importance=0.5,
        pinned=False,
        immutable=False,
        tags=(),
        valid_from=None,
        valid_until=None,
        tier="semantic",
        speaker=None,
        at=None,
        session_id=None,
        ref=None,
        metadata=metadata | {REDACTED: list(kinds)} if kinds else metadata,
    )


def _vectors(services: Services, namespace: str, drafts: Sequence[_Draft]) -> dict[str, FloatArray]:
    """By text; what a document says already is not embedded again."""
    texts = list(dict.fromkeys(chain.from_iterable(draft.texts for draft in drafts)))
    if not texts:
        return {}
    with services.ledger.reading(namespace) as ns:
        items = ns.documents.at([draft.at for draft in drafts])
        rows = ns.memories.stored(
            list(chain.from_iterable(item.memory_ids for item in items.values()))
        )
    fingerprint = services.embedder.fingerprint
    stored_vectors = {
        stored.memory.content: stored.vector
        for stored in rows.values()
        if stored.fingerprint == fingerprint
    }
    missing = [text for text in texts if text not in stored_vectors]
    new_vectors = services.embedder.embed_documents(missing) if missing else ()
    return stored_vectors | dict(zip(missing, new_vectors, strict=True))


@dataclass(slots=True)
class _DocumentPlan:
    """Turns writes into changes of memories and of documents.

    Attributes:
        vectors: by text.
        known: the documents as they are; rows: their memories.
        put, dropped: the documents to write and to delete.
    """

    services: Services
    namespace: str
    now: datetime
    vectors: Mapping[str, FloatArray]
    existing: Mapping[ItemKey, Item]
    rows: Mapping[str, Memory]
    changes: list[Change] = field(default_factory=list)
    put: dict[ItemKey, Item] = field(default_factory=dict)
    dropped: list[ItemKey] = field(default_factory=list)

    def add(self, draft: _Draft) -> None:
        """One write: a text that stays keeps its memory, the others make room."""
        existing = self.existing.get(draft.at)
        memories = [self.rows[i] for i in existing.memory_ids if i in self.rows] if existing else []
        former_by_text = {memory.content: memory for memory in memories}
        new_memories = list[Memory]()
        ids = list[str]()
        for text, statement in draft.texts.items():
            memory = former_by_text.pop(text, None)
            if memory is None:
                memory = self._new_memory(statement)
                new_memories.append(memory)
            elif memory.state not in ("active", "quarantined"):
                restored_fields = {
                    "superseded_by": None,
                    "valid_until": None,
                    "last_reinforced_at": self.now,
                }
                self.changes.append(
                    Revive(memory.id, "its document was written again", restored_fields)
                )
            ids.append(memory.id)
        for memory in former_by_text.values():
            self._remove_memory(memory, new_memories[0] if new_memories else None)
        if draft.value is None:
            self.dropped.append(draft.at)
        else:
            (path, key), born = draft.at, existing.created_at if existing else self.now
            self.put[draft.at] = Item(path, key, draft.value, born, self.now, tuple(ids))

    def _new_memory(self, statement: Statement) -> Memory:
        config = self.services.config
        trust = config.encoding.trusted("document")
        memory = replace(
            memory_of(self.services, self.namespace, statement), data_source="system", trust=trust
        )
        # An application may keep what the user wants in documents: only plain orders count.
        memory = screened_memory(memory, config.guard, claims=False)
        text = memory.content
        fingerprint = self.services.embedder.fingerprint
        self.changes.append(
            Put(Stored(memory, text, self.vectors[text], fingerprint), "put into a document")
        )
        return memory

    def _remove_memory(self, memory: Memory, successor: Memory | None) -> None:
        """What somebody said besides stays: it is no document's any more."""
        if memory.sources:
            self.changes.append(
                Touch(memory.id, {"category": "fact", "metadata": {}}, "its document changed")
            )
        elif memory.state != "forgotten" and successor is not None:
            self.changes += superseding(memory, successor, "its document was replaced", self.now)
        elif memory.state != "forgotten":
            self.changes.append(
                Retire(memory.id, "forgotten", "its document changed or was deleted")
            )

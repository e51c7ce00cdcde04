"""Puts and deletes documents, with the memories of their texts, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from cogmem_core.changes import (
    REJECTED,
    Actor,
    Change,
    Put,
    Retire,
    Revive,
    Touch,
    apply,
)
from cogmem_core.config import Config
from cogmem_core.documents.search import checked_vector
from cogmem_core.edge import checks
from cogmem_core.edge.trust import screened_memory
from cogmem_core.encoding.add_memory import Statement, memory_of
from cogmem_core.encoding.sanitize import (
    REDACTED,
    sanitize,
    sanitize_address,
    sanitize_value,
)
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.errors import InvalidInput, Protected
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.documents import ITEM, ItemKey, written
from cogmem_core.values.models import Memory
from cogmem_core.values.results import Item, ItemWrite

_LONGEST_SECONDS = 36_500 * 86_400


def write(
    services: Services, namespace: str, writes: Sequence[ItemWrite], *, author: str = ""
) -> list[Item | None]:
    """Put and delete documents in one transaction; of several writes of one document the last one counts.

    Args:
        services: the parts of the engine.
        namespace: where.
        writes: what to put and to delete.
        author: the principal whose texts wait for a person; "" = they do not wait.

    Returns:
        For each write the document as it is now; None if it was deleted.

    Raises:
        InvalidInput: a write is unusable.
        EmbedderUnavailable: there is no vector of a text. Nothing was written.
        Protected: a person rejected what the author's text says. Nothing was written.
    """
    config = services.sealed(namespace).config
    checked_writes: list[_Draft] = []
    for index, item_write in enumerate(writes):
        place = f"writes[{index}]." if len(writes) > 1 else ""
        if not isinstance(item_write, ItemWrite):
            raise InvalidInput(
                f"writes[{index}] is a {type(item_write).__name__}; give a "
                "cogmem_core.results.ItemWrite"
            )
        checked_writes.append(_draft(place, item_write, config))
    drafts: dict[ItemKey, _Draft] = {}
    for draft in checked_writes:
        drafts.pop(draft.at, None)
        drafts[draft.at] = draft
    if not drafts:
        return []
    vectors = _vectors(services, namespace, list(drafts.values()))
    plan = _carry_out(services, namespace, drafts, vectors, author)
    return [plan.put.get(draft.at) for draft in checked_writes]


def drop_ended(services: Services, namespace: str) -> int:
    """Delete the documents whose time is over; returns how many there were."""
    return len(_carry_out(services, namespace, {}, {}).dropped)


def drop_all_ended(services: Services) -> int:
    """As `drop_ended`, in all namespaces."""
    with services.ledger.whole() as reader:
        names = reader.namespaces.with_ended_documents(services.runtime.now())
    return sum(drop_ended(services, name) for name in names)


def refresh(services: Services, namespace: str, items: Sequence[Item]) -> list[Item]:
    """Let documents live as long again as when they were written; returns them as they are now."""
    now = services.runtime.now()
    ending = [(item.path, item.key) for item in items if item.ttl is not None]
    if ending:
        with services.ledger.writing(namespace) as writer:
            writer.at(namespace).documents.refresh(ending, now)
    return [replace(item, expires_at=_end(now, item.ttl)) for item in items]


def _end(now: datetime, ttl: float | None) -> datetime | None:
    return None if ttl is None else now + timedelta(seconds=ttl)


def _carry_out(
    services: Services,
    namespace: str,
    drafts: Mapping[ItemKey, _Draft],
    vectors: Mapping[str, FloatArray],
    author: str = "",
) -> _DocumentPlan:
    """Write what the drafts say; documents whose time is over go at this opportunity."""
    now = services.runtime.now()
    with services.ledger.writing(namespace) as writer:
        ns = writer.at(namespace)
        if vectors:
            services.guard_embedder(writer)
        # First of all: where two databases' sessions write one document, the second one waits here
        # for the first.
        _, previous = ns.journal.allocate(0)
        ended = {(item.path, item.key): item for item in ns.documents.ended(now)}
        existing = ns.documents.at(drafts) | ended
        rows = ns.memories.by_ids(
            list(chain.from_iterable(item.memory_ids for item in existing.values()))
        )
        plan = _DocumentPlan(services, namespace, now, vectors, existing, rows, author)
        for at in ended.keys() - drafts.keys():
            plan.add(_Draft(at, None, {}))
        for draft in drafts.values():
            plan.add(draft)
        actor = Actor("user", principal=author)
        guard = services.config.guard if author else None
        applied = apply(writer, namespace, plan.changes, now=now, actor=actor, guard=guard)
        if any(refusal.reason == REJECTED for refusal in applied.refused):
            raise Protected(
                "texts hold what a person rejected, which no agent brings back; a person may put it "
                "there"
            )
        ns.documents.put([(item, services.runtime.new_id()) for item in plan.put.values()])
        ns.documents.drop(plan.dropped)
    services.update_indexes(namespace, replace(applied, previous_seq=previous))
    return plan


@dataclass(frozen=True, slots=True)
class _Draft:
    """A write, checked and without secrets; `texts`: what each of its distinct texts states."""

    at: ItemKey
    value: Mapping[str, Any] | None
    texts: Mapping[str, Statement]
    ttl: float | None = None
    vector: FloatArray | None = None


def _draft(place: str, item_write: ItemWrite, config: Config) -> _Draft:
    """A write, checked; `place`: which of several it is, for errors."""
    limits = config.limits
    screening = config.encoding
    address = sanitize_address(checks.address(item_write.path, item_write.key), screening)
    if item_write.value is None:
        return _Draft(address, None, {})
    name = f"{place}value"
    value = json.loads(checks.json_object(name, item_write.value))
    value = sanitize_value(name, value, screening)
    size = len(written(value).encode())
    if size > limits.content_bytes:
        raise InvalidInput(
            f"{name} has {size:,} bytes as JSON, the limit is {limits.content_bytes:,}; split it"
        )
    texts = checks.listed(f"{place}texts", item_write.texts)
    if len(texts) > limits.batch_items:
        raise InvalidInput(
            f"{place}texts has {len(texts):,} entries, the limit is {limits.batch_items:,}; give fewer"
        )
    statements = [
        _statement(f"{place}texts[{i}]", text, address, config) for i, text in enumerate(texts)
    ]
    return _Draft(
        address,
        value,
        {each.content: each for each in statements if each.content != NOT_KEPT},
        _ttl(item_write.ttl),
        None if item_write.vector is None else checked_vector(item_write.vector),
    )


def _ttl(value: object) -> float | None:
    if value is None:
        return None
    wanted = f"a number of seconds above 0 and at most {_LONGEST_SECONDS:,}, or None"
    return float(
        checks.between("ttl", value, checks.ABOVE_ZERO, _LONGEST_SECONDS, wanted, int, float)
    )


def _statement(name: str, value: object, address: ItemKey, config: Config) -> Statement:
    text, kinds = sanitize(
        name, checks.text(name, value, config.limits.content_bytes), config.encoding
    )
    metadata: dict[str, Any] = {ITEM: {"path": list(address[0]), "key": address[1]}}
    return Statement(
        content=text,
        category="item",
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
        existing: the documents as they are.
        rows: their memories.
        author: the principal whose texts wait; "" = they do not.
        put: the documents to write.
        dropped: the documents to delete.
    """

    services: Services
    namespace: str
    now: datetime
    vectors: Mapping[str, FloatArray]
    existing: Mapping[ItemKey, Item]
    rows: Mapping[str, Memory]
    author: str = ""
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
        # What waits takes no memory's place: what left the document leaves recall.
        successor = new_memories[0] if new_memories and not self.author else None
        for memory in former_by_text.values():
            self._remove_memory(memory, successor)
        if draft.value is None:
            self.dropped.append(draft.at)
        else:
            path, key = draft.at
            is_over = existing and existing.expires_at and existing.expires_at <= self.now
            born = existing.created_at if existing and not is_over else self.now
            self.put[draft.at] = Item(
                path,
                key,
                draft.value,
                born,
                self.now,
                tuple(ids),
                ttl=draft.ttl,
                expires_at=_end(self.now, draft.ttl),
                vector=draft.vector,
            )

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

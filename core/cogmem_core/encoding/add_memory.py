"""Memories that a caller states as they are: no observer, no gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, get_args

from cogmem_core.changes import Actor, Applied, Put, carry_out
from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.edge.strength import initial_stability
from cogmem_core.edge.trust import screened_memory, without_rank
from cogmem_core.encoding.facts import data_source_of
from cogmem_core.encoding.sanitize import (
    add_redactions,
    checked_label,
    sanitize_labels,
    sanitize_value,
    sanitize_wording,
)
from cogmem_core.errors import InvalidInput, Protected
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.keys import content_hash, index_key
from cogmem_core.text.observe.entities import entities
from cogmem_core.values.models import STATED, TIERS, Category, Memory, Role, Source, Tier

_AS_STATED = (
    "content",
    "category",
    "metadata",
    "importance",
    "pinned",
    "immutable",
    "tags",
    "valid_from",
    "valid_until",
    "tier",
    "speaker",
    "session_id",
)
"""What a memory takes over from a statement as it is."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory as the caller states it, checked.

    Attributes:
        is_undated: nobody knows since when it was so.
        rests_on: (namespace, id) of the memories that it was derived from.
    """

    content: str
    category: Category
    metadata: Mapping[str, Any]
    importance: float = 0.5
    pinned: bool = False
    immutable: bool = False
    tags: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    tier: Tier = "semantic"
    speaker: str | None = None
    at: datetime | None = None
    session_id: str | None = None
    ref: str | None = None
    role: Role = "user"
    is_undated: bool = False
    rests_on: tuple[tuple[str, str], ...] = ()

    @classmethod
    def checked(cls, fields: Mapping[str, Any], config: Config) -> Statement:
        """Check every field.

        Args:
            fields: the caller's arguments by name.
            config: all settings.

        Raises:
            InvalidInput: names the first field that is unusable.
        """
        limits = config.limits
        settings = config.encoding
        times: dict[str, Any] = {}
        for name in ("valid_from", "valid_until", "at"):
            value = fields[name]
            times[name] = None if value is None else checks.moment(name, value)
        begin = times["valid_from"]
        end = times["valid_until"]
        if begin and end and end <= begin:
            raise InvalidInput("valid_until is not after valid_from; swap them or leave one out")
        content = checks.text("content", fields["content"], limits.content_bytes)
        content, content_kinds = sanitize_wording("content", content, settings)
        kinds = set(content_kinds)
        labels: dict[str, Any] = {
            name: checked_label(name, fields[name], config, kinds)
            for name in ("speaker", "session_id", "ref")
        }
        tags = checks.labels("tags", fields["tags"], limits)
        tags = sanitize_labels("tags", tags, settings, kinds)
        metadata = checks.metadata(fields["metadata"], limits)
        metadata = sanitize_value("metadata", metadata, settings, kinds=kinds)
        return cls(
            content=content,
            category=checks.choice("category", fields["category"], STATED),  # type: ignore[arg-type]
            importance=checks.fraction("importance", fields["importance"]),
            pinned=checks.flag("pinned", fields["pinned"]),
            immutable=checks.flag("immutable", fields["immutable"]),
            tags=tags,
            tier=checks.choice("tier", fields["tier"], TIERS),  # type: ignore[arg-type]
            metadata=add_redactions(metadata, sorted(kinds)),
            role=checks.choice("role", fields.get("role", "user"), get_args(Role)),  # type: ignore[arg-type]
            **labels,
            **times,
        )


def state_memory(services: Services, namespace: str, statement: Statement) -> Memory:
    """Embed and store what a person states; what orders the model about is set aside.

    Raises:
        EmbedderUnavailable: there is no vector; nothing was stored.
        Protected: a person rejected it, and an agent states it where others read; nothing was stored.
    """
    memory = memory_of(services, namespace, statement)
    applied = _store(services, memory, statement, Actor("user"))
    if memory.id in applied.memories:
        return applied.memories[memory.id]
    if memory.id not in applied.waiting:
        raise Protected(
            f"content is {memory.content[:80]!r}, what a person rejected, which no agent brings back; "
            "a person may say it"
        )
    waiting_id = applied.waiting[memory.id].target_id
    with services.ledger.reading(namespace) as ns:
        return ns.memories.by_ids([waiting_id])[waiting_id]


def add_memory(
    services: Services, namespace: str, statement: Statement, actor: Actor
) -> tuple[str, Memory | None]:
    """Embed and store a statement of another tool.

    Returns:
        What came of it ("stored"; "rejected": a person rejected it before, and does not state it
        now; "known": a memory with the same words has its ref), and the memory if it is stored.

    Raises:
        EmbedderUnavailable: there is no vector; nothing was stored.
    """
    memory = memory_of(services, namespace, statement)
    applied = _store(services, memory, statement, actor, once=True)
    if memory.id in applied.memories:
        return "stored", applied.memories[memory.id]
    is_new = applied.refused or applied.waiting
    return ("rejected" if is_new else "known"), None


def _store(
    services: Services,
    stated: Memory,
    statement: Statement,
    actor: Actor,
    *,
    once: bool = False,
) -> Applied:
    """Embed and store it; `once`: unless a memory with these words has its ref already."""
    namespace = stated.namespace
    guard = services.config.guard
    source = data_source_of(statement.role)
    trust = services.config.encoding.trusted(statement.role)
    memory = without_rank(replace(stated, data_source=source, trust=trust), guard)
    memory = screened_memory(memory, guard)
    key = index_key(memory.content, speaker=memory.speaker, at=statement.at)
    (stored,) = services.embedded([memory], [key])
    put = Put(stored, "stated", rests_on=statement.rests_on)

    def puts(writer: Transaction) -> list[Put]:
        services.guard_embedder(writer, namespace)
        if statement.rests_on:
            # Other processes learn of the compartment.
            writer.access.changed()
        same: list[Memory] = []
        if once and statement.ref:
            same = writer.at(namespace).memories.same_content([memory.content_hash])
        refs = {source.ref for duplicate in same for source in duplicate.sources}
        return [] if statement.ref in refs else [put]

    return carry_out(services, namespace, puts, actor=actor, guard=guard)


def memory_of(services: Services, namespace: str, statement: Statement) -> Memory:
    """The memory that a statement becomes, not stored yet."""
    now = services.runtime.now()
    stability = initial_stability(
        statement.category,
        importance=statement.importance,
        intensity=0.0,
        config=services.config.strength,
    )
    recorded_at = statement.at or now
    sources: tuple[Source, ...] = ()
    if statement.ref:
        said_at = None if statement.is_undated else recorded_at
        sources = (Source("", 0, 0, statement.ref, said_at),)
    is_bounded = statement.valid_until is not None
    return Memory(
        id=services.runtime.new_id(),
        namespace=namespace,
        content_hash=content_hash(statement.content),
        recorded_at=recorded_at,
        created_at=now,
        updated_at=now,
        stability=stability,
        initial_stability=stability,
        last_reinforced_at=now,
        write_source="manual",
        temporal_type="time_bounded" if is_bounded else "persistent",
        sources=sources,
        entities=tuple(dict.fromkeys(entity.uri for entity in entities(statement.content))),
        **{name: getattr(statement, name) for name in _AS_STATED},
    )

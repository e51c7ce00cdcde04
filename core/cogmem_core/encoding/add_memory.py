"""Memories that are stated as they are: no observer, no gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cogmem_core import checks
from cogmem_core.changes import Actor, Applied, Put, apply
from cogmem_core.config import LimitsConfig
from cogmem_core.encoding.sanitize import marked, screen, screen_label, screen_labels, screen_value
from cogmem_core.errors import InvalidInput
from cogmem_core.models import STATED, TIERS, Category, Memory, Source, Tier
from cogmem_core.ports import Stored
from cogmem_core.services import Services
from cogmem_core.storage.ledger.compat import Writer
from cogmem_core.strength import initial_stability
from cogmem_core.text.keys import content_hash, index_key

__all__ = ["Statement", "state", "stated"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory as the caller states it, checked."""

    content: str
    category: Category
    importance: float
    pinned: bool
    immutable: bool
    tags: tuple[str, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    tier: Tier
    speaker: str | None
    at: datetime | None
    session_id: str | None
    ref: str | None
    metadata: Mapping[str, Any]

    @classmethod
    def checked(cls, given: Mapping[str, Any], limits: LimitsConfig) -> Statement:
        """Check every field.

        Raises:
            InvalidInput: names the first field that is unusable.
        """
        times: dict[str, Any] = {
            name: None if given[name] is None else checks.moment(name, given[name])
            for name in ("valid_from", "valid_until", "at")
        }
        if times["valid_from"] and times["valid_until"] and times["valid_until"] <= times["valid_from"]:
            raise InvalidInput("valid_until is not after valid_from; swap them or leave one out")
        content = checks.text("content", given["content"], limits.content_bytes)
        content, kinds = screen("content", content, given["screening"])
        found, settings = set[str](kinds), given["screening"]
        labels = {name: checks.label(name, given[name], limits) for name in ("speaker", "session_id", "ref")}
        named: dict[str, Any] = {
            name: None if label is None else screen_label(name, label, settings, found)
            for name, label in labels.items()
        }
        tags = screen_labels("tags", checks.labels("tags", given["tags"], limits), settings, found)
        metadata = screen_value("metadata", checks.metadata(given["metadata"], limits), settings, found=found)
        return cls(
            content=content,
            category=checks.choice("category", given["category"], STATED),  # type: ignore[arg-type]
            importance=checks.fraction("importance", given["importance"]),
            pinned=checks.flag("pinned", given["pinned"]),
            immutable=checks.flag("immutable", given["immutable"]),
            tags=tags,
            tier=checks.choice("tier", given["tier"], TIERS),  # type: ignore[arg-type]
            metadata=marked(metadata, sorted(found)),
            **named,
            **times,
        )


def state(services: Services, namespace: str, statement: Statement) -> Memory:
    """Embed and store a statement.

    Raises:
        EmbedderUnavailable: there is no vector; nothing was stored.
    """
    memory = stated(services, namespace, statement)
    key = index_key(memory.content, speaker=memory.speaker, at=statement.at)
    vector = services.embedder.embed_documents([key])[0]
    put = Put(Stored(memory, key, vector, services.embedder.fingerprint), "stated")

    def store(writer: Writer) -> Applied:
        services.guard_embedder(writer, namespace)
        return apply(writer, namespace, [put], now=memory.created_at, actor=Actor("user"))

    applied = services.ledger.write(namespace, store)
    services.update_indexes(namespace, applied)
    return applied.memories[memory.id]


def stated(services: Services, namespace: str, statement: Statement) -> Memory:
    """The memory that a statement becomes, not stored yet."""
    now, config = services.runtime.now(), services.config.strength
    stability = initial_stability(statement.category, importance=statement.importance, intensity=0.0, config=config)
    said = statement.at or now
    sources = (Source("", 0, 0, statement.ref, said),) if statement.ref else ()
    bounded = statement.valid_until is not None
    return Memory(
        id=services.runtime.new_id(),
        namespace=namespace,
        content=statement.content,
        content_hash=content_hash(statement.content),
        recorded_at=said,
        created_at=now,
        updated_at=now,
        session_id=statement.session_id,
        speaker=statement.speaker,
        category=statement.category,
        tier=statement.tier,
        tags=statement.tags,
        stability=stability,
        initial_stability=stability,
        last_reinforced_at=now,
        importance=statement.importance,
        pinned=statement.pinned,
        immutable=statement.immutable,
        write_source="manual",
        valid_from=statement.valid_from,
        valid_until=statement.valid_until,
        temporal_type="time_bounded" if bounded else "persistent",
        sources=sources,
        metadata=statement.metadata,
    )

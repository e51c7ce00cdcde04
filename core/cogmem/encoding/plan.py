"""What shall become of turns, as changes: pure, given what is known and the vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cogmem.changes import Change, Put, Touch
from cogmem.config import Config
from cogmem.encoding.screen import REDACTED
from cogmem.models import DataSource, Episode, Memory, Source
from cogmem.ports import FloatArray, Stored
from cogmem.results import Receipt
from cogmem.strength import initial_stability
from cogmem.text.keys import content_hash, index_key

__all__ = ["Draft", "Identity", "Plan", "draft", "identity_of", "identity_of_turn", "plan", "reinforcement"]

Identity = tuple[str, str]
_DATA_SOURCE: dict[str, DataSource] = {"user": "user_message", "assistant": "assistant_message"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn on its way to become a memory; `new_id` is used if it turns out to be new."""

    episode: Episode
    key: str
    identity: Identity
    new_id: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes to apply and one receipt per draft, in order."""

    changes: tuple[Change, ...]
    receipts: tuple[Receipt, ...]


def draft(episode: Episode, new_id: str, *, date_prefix: bool) -> Draft:
    """Prepare a turn for encoding as it was said."""
    key = index_key(episode.content, speaker=episode.speaker, at=episode.at if date_prefix else None)
    return Draft(episode, key, identity_of_turn(episode), new_id)


def identity_of_turn(episode: Episode) -> Identity:
    """That of the memory which the turn becomes."""
    return content_hash(episode.content), episode.speaker or _DATA_SOURCE.get(episode.role, "system")


def identity_of(memory: Memory) -> Identity:
    """Two memories are exact duplicates if the same voice says the same words."""
    return memory.content_hash, memory.speaker or memory.data_source


def plan(
    drafts: Sequence[Draft],
    known: Mapping[Identity, Memory],
    vectors: Mapping[Identity, tuple[FloatArray, str]],
    *,
    now: datetime,
    config: Config,
) -> Plan:
    """Decide per draft: reinforce what is known, store what is new, leave queued what has no vector.

    Args:
        known: active memories by identity.
        vectors: (vector, fingerprint of its embedder) by identity, for the new ones.
    """
    seen, changes, receipts = dict(known), list[Change](), list[Receipt]()
    for item in drafts:
        memory = seen.get(item.identity)
        if memory is not None:
            touch = reinforcement(memory, _source(item.episode), now=now, config=config)
            changes.append(touch)
            seen[item.identity] = replace(memory, **touch.fields)
            receipts.append(Receipt("reinforced", (memory.id,), "the same was said before", item.episode.id))
        elif item.identity in vectors:
            memory = _new_memory(item, now, config)
            changes.append(Put(Stored(memory, item.key, *vectors[item.identity]), "said"))
            seen[item.identity] = memory
            receipts.append(Receipt("stored", (memory.id,), _about(item.episode, "new"), item.episode.id))
        else:
            receipts.append(Receipt("queued", (), "waits for its vector", item.episode.id))
    return Plan(tuple(changes), tuple(receipts))


def reinforcement(memory: Memory, source: Source, *, now: datetime, config: Config) -> Touch:
    """The same thing was said again: a little stabler, one more source (seed 001: near-identical → REINFORCE)."""
    stability = min(memory.stability * config.encoding.reinforce_factor, config.strength.maximum_days)
    fields: dict[str, Any] = {
        "stability": max(stability, memory.stability),
        "last_reinforced_at": now,
        "access_count": memory.access_count + 1,
        "sources": _with_source(memory.sources, source, config.encoding.sources_kept),
    }
    return Touch(memory.id, fields, "said again")


def _with_source(sources: tuple[Source, ...], source: Source, limit: int) -> tuple[Source, ...]:
    united = (*sources, source)
    return united if len(united) <= limit else (united[0], *united[len(united) - limit + 1 :])


def _about(episode: Episode, reason: str) -> str:
    kinds = episode.metadata.get(REDACTED)
    return f"{reason}; redacted: {', '.join(kinds)}" if isinstance(kinds, list) and kinds else reason


def _source(episode: Episode) -> Source:
    return Source(episode.id, 0, len(episode.content), episode.ref, episode.at)


def _new_memory(item: Draft, now: datetime, config: Config) -> Memory:
    episode = item.episode
    stability = initial_stability("other", importance=0.5, intensity=0.0, config=config.strength)
    return Memory(
        id=item.new_id,
        namespace=episode.namespace,
        content=episode.content,
        content_hash=item.identity[0],
        recorded_at=episode.at,
        created_at=now,
        updated_at=now,
        session_id=episode.session_id,
        speaker=episode.speaker,
        category="other",
        stability=stability,
        initial_stability=stability,
        last_reinforced_at=now,
        write_source="observer",
        data_source=_DATA_SOURCE.get(episode.role, "system"),
        valid_from=episode.at,
        sources=(_source(episode),),
        metadata=episode.metadata,
    )

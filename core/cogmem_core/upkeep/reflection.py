"""Digests of traces become memories: what was observed reaches the bank through the one writer path.

Each sentence is new, or the same as a memory (which is reinforced), or contradicts memories; then
the settings of `ObservationConfig` decide which side is superseded. The loser stays, out of recall,
linked to the winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Literal

from cogmem_core import observation
from cogmem_core.changes import Actor, Change, Put, Touch, apply
from cogmem_core.config import Config
from cogmem_core.edge.clauses import exempt
from cogmem_core.edge.strength import initial_stability
from cogmem_core.edge.trust import outranks, screened_memory, without_rank
from cogmem_core.encoding.facts import (
    add_source,
    data_source_of,
    identity_of,
    on_different_days,
    voice_of,
)
from cogmem_core.encoding.neighbors import GATE_CANDIDATES
from cogmem_core.encoding.to_changes import linking, reinforcement, superseding
from cogmem_core.encoding.withdrawals import denied_clauses
from cogmem_core.observation.notes import entity_uris
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.reading import of, sentences_of
from cogmem_core.reading.between import change
from cogmem_core.reading.ends import foresees
from cogmem_core.skills.digest_notes import priority_of, voice
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import content_hash, index_key
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.time.find import first_time
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import Category, Memory, ObservationNote, Source
from cogmem_core.values.results import ReflectionReport

REFLECTION_IMPORTANCE: Mapping[str, float] = {
    "critical": 0.9,
    "important": 0.7,
    "informational": 0.5,
}
"""Of a reflection, by its priority."""

_SPEAKERS = {"user_message": "User", "assistant_message": "Assistant"}
_KINDS: tuple[Category, ...] = ("preference", "decision", "correction")


def reflect(services: Services, namespace: str, author: str = "") -> ReflectionReport:
    """Compress the notes that wait, and turn all traces into memories.

    Args:
        services: the parts of the engine.
        namespace: where.
        author: the principal whose words wait for a person; "" = they do not wait.

    Raises:
        EmbedderUnavailable: there are no vectors; the traces wait for the next call.
    """
    return observation.reflect(services, namespace, partial(place, services, author=author))


def place(
    services: Services, digests: Sequence[ObservationNote], *, author: str = ""
) -> tuple[str, ...]:
    """Store each sentence of digests; returns the ids of the memories that were created or touched.

    Raises:
        EmbedderUnavailable: there are no vectors; nothing was stored.
    """
    reflections = [one for digest in digests for one in _sentences(digest)]
    rows = [_drafted(services, one, author) for one in reflections]
    actor = Actor("encoding", principal=author)
    ids: list[str] = []
    for stored in services.embedded([memory for memory, _ in rows], [key for _, key in rows]):
        namespace = stored.memory.namespace
        with services.ledger.whole() as reader:
            view = services.searcher.view(reader, namespace)
            hits = services.searcher.nearest_many(
                reader, view, stored.vector[None], GATE_CANDIDATES, thorough=True
            )[0]
        with services.ledger.writing(namespace) as writer:
            services.guard_embedder(writer)
            now = services.runtime.now()
            near = {hit.id: hit.score for hit in hits}
            changes = _changes(writer.at(namespace), stored, near, now, services.config)
            guard = services.config.guard
            applied = apply(writer, namespace, changes, now=now, actor=actor, guard=guard)
        services.update_indexes(namespace, applied)
        ids += applied.memories
    return tuple(ids)


def _sentences(digest: ObservationNote) -> list[ObservationNote]:
    """Each sentence by itself, in the third person; what several said already names its speakers."""
    spans = sentences_of(digest.content)
    parts: list[ObservationNote] = []
    for start, end in spans:
        text = digest.content[start:end]
        if digest.role != "system":
            text = third_person(text, voice(digest))
        if len(spans) == 1:
            return [replace(digest, content=text)]
        one = replace(
            digest,
            content=text,
            priority=priority_of(text, digest.observed_at),
            entities=entity_uris(text),
            referenced_at=first_time(text, digest.observed_at),
        )
        parts.append(one)
    return parts


def _drafted(services: Services, note: ObservationNote, author: str) -> tuple[Memory, str]:
    """The memory that a sentence becomes, and its key."""
    now = services.runtime.now()
    config = services.config
    category = _category(note)
    importance = REFLECTION_IMPORTANCE[note.priority]
    days = initial_stability(category, importance=importance, intensity=0.0, config=config.strength)
    memory = Memory(
        id=services.runtime.new_id(),
        namespace=note.namespace,
        content=note.content,
        content_hash=content_hash(note.content),
        recorded_at=note.observed_at,
        created_at=now,
        updated_at=now,
        session_id=note.session_id,
        speaker=note.speaker,
        category=category,
        tier="semantic",
        entities=note.entities,
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        importance=importance,
        source_confidence=note.confidence,
        trust=config.encoding.trusted(note.role),
        write_source="observer",
        data_source=data_source_of(note.role),
        referenced_at=note.referenced_at,
        valid_from=note.observed_at,
        sources=_with_refs((), note.refs, note.observed_at),
        metadata={"reflection": True, **({WRITTEN_BY: author} if author else {})},
    )
    memory = without_rank(memory, config.guard)
    # Reflections tell of the user in the third person, so only plain orders count.
    memory = screened_memory(memory, config.guard, claims=False)
    at = note.observed_at if config.encoding.date_prefix else None
    return memory, index_key(note.content, speaker=note.speaker, at=at)


def _category(note: ObservationNote) -> Category:
    """What it plainly is, else a summary."""
    kind, _ = classify(read_signals(note.content), 0)
    if kind in _KINDS:
        return kind
    return "plan" if foresees(of(note.content), note.observed_at) else "summary"


def _with_refs(
    sources: tuple[Source, ...], refs: Sequence[str], at: datetime
) -> tuple[Source, ...]:
    """These sources, and the turns that are not among them."""
    for ref in refs:
        if ref not in {source.ref for source in sources}:
            sources = add_source(sources, Source("", ref=ref, at=at))
    return sources


def _changes(
    ns: Namespace, stored: Stored, near: Mapping[str, float], now: datetime, config: Config
) -> list[Change]:
    """What a reflection changes, given the rows as they are inside the transaction."""
    memory = stored.memory
    for same in ns.memories.same_content([memory.content_hash]):
        if identity_of(same) == identity_of(memory) and not on_different_days(
            same.referenced_at, memory.referenced_at
        ):
            touch = reinforcement(same, Source(""), now=now, config=config)
            refs = [source.ref for source in memory.sources if source.ref]
            sources = _with_refs(same.sources, refs, memory.recorded_at)
            return [Touch(same.id, {**touch.fields, "sources": sources}, touch.reason)]
    changes: list[Change] = [Put(stored, "reflected")]
    if memory.state != "active":
        return changes
    rows = ns.memories.by_ids(list(near))
    rivals = {
        old.id: (old, _verdict(memory, old, config))
        for old in map(rows.get, near)
        if old is not None and old.state == "active" and _contradicts(memory, old)
    }
    winners = [old for old, verdict in rivals.values() if verdict == "old"]
    for old, verdict in rivals.values():
        if verdict == "new" and not winners:
            changes += _giving_way(old, memory, now)
        elif old not in winners[:1]:
            changes.append(linking(memory, "contradicts", old.id, now))
    for winner in winners[:1]:
        changes += _giving_way(memory, winner, now)
    return changes


def _giving_way(old: Memory, new: Memory, now: datetime) -> list[Change]:
    same_speaker = voice_of(old) == voice_of(new)
    parts = denied_clauses(old, new.content, same_speaker=same_speaker, verbatim=False)
    return superseding(old, new, "contradicted by what was observed", now, parts=parts)


def _contradicts(new: Memory, old: Memory) -> bool:
    # In the third person, as reflections speak.
    text = third_person(old.content, old.speaker or _SPEAKERS.get(old.data_source))
    same_speaker = voice_of(old) == voice_of(new)
    return change(of(new.content), of(text), same_speaker=same_speaker) is not None


def _verdict(new: Memory, old: Memory, config: Config) -> Literal["new", "old", "both"]:
    """Which side prevails: an assistant retires nothing that a person said; a protected memory stays.

    The gate measures confidence otherwise, so only a reflection gives way to an older one that is
    surer.
    """
    is_later = new.recorded_at >= old.recorded_at
    later, earlier = (new, old) if is_later else (old, new)
    rules = config.observation
    side = observation.resolve(later.source_confidence, earlier.source_confidence, rules)
    if side == "both":
        return "both"
    if (side == "newer") is not is_later:
        return "old"
    outvoted = new.data_source == "assistant_message" and old.data_source == "user_message"
    outvoted |= outranks(old, new.data_source, new.trust, config.guard)
    stale = not is_later and not old.metadata.get("reflection")
    outvoted |= old.protected or exempt(old)
    return "both" if outvoted or stale else "new"

"""Reflections become memories: what was observed reaches the bank through the one writer path.

A reflection is new, or the same as a memory (which is reinforced), or contradicts memories; then
the settings of `ObservationConfig` decide which side is superseded. The loser stays, out of recall,
linked to the winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from cogmem_core import observation
from cogmem_core.access_records import WRITTEN_BY
from cogmem_core.changes import Actor, Change, Put, Touch, apply
from cogmem_core.config import Config
from cogmem_core.encoding.facts import (
    add_source,
    data_source_of,
    identity_of,
    on_different_days,
    voice_of,
)
from cogmem_core.encoding.neighbors import GATE_CANDIDATES
from cogmem_core.encoding.to_changes import SOURCES_KEPT, linking, reinforcement, superseding
from cogmem_core.models import Category, Memory, Source
from cogmem_core.observation import Reflection
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.results import ReflectionReport
from cogmem_core.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.strength import initial_stability
from cogmem_core.text.compare import contradicts
from cogmem_core.text.keys import content_hash, embedded_text, index_key
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.rewrite.foresight import foresee
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.trust import outranks, screened_memory, without_rank

__all__ = ["REFLECTION_IMPORTANCE", "place_reflections", "reflect"]

REFLECTION_IMPORTANCE: Mapping[str, float] = {
    "critical": 0.9,
    "important": 0.7,
    "informational": 0.5,
}
"""Of a reflection, by its priority; 0.5 for those that are not named."""

_SPEAKERS = {"user_message": "User", "assistant_message": "Assistant"}
_KINDS: tuple[Category, ...] = ("preference", "decision", "correction")
_DEFAULT_IMPORTANCE = 0.5
_Verdict = Literal["new", "old", "both"]
"""Which side of a contradiction prevails."""


def reflect(services: Services, namespace: str, author: str = "") -> ReflectionReport:
    """Compress the notes that wait, and turn all traces into memories.

    Args:
        services: the parts of the engine.
        namespace: where.
        author: the principal whose words wait for a person; "" = they do not wait.

    Raises:
        EmbedderUnavailable: there are no vectors; the traces wait for the next call.
    """
    place = partial(place_reflections, services, namespace, author=author)
    return observation.reflect(services, namespace, place)


def place_reflections(
    services: Services, namespace: str, reflections: Sequence[Reflection], *, author: str = ""
) -> tuple[str, ...]:
    """Store reflections; returns the ids of the memories that were created or touched.

    Raises:
        EmbedderUnavailable: there are no vectors; nothing was stored.
    """
    drafts = _drafts(services, namespace, reflections)
    if not drafts:
        return ()
    vectors = services.embedder.embed_documents([embedded_text(draft.key) for draft in drafts])
    hits_per_draft = _nearest(services, namespace, vectors[: len(reflections)])
    rows: list[Stored] = []
    for draft, vector in zip(drafts, vectors, strict=True):
        memory = draft.memory
        if author:
            memory = replace(memory, metadata={**memory.metadata, WRITTEN_BY: author})
        rows.append(Stored(memory, draft.key, vector, services.embedder.fingerprint))
    with services.ledger.writing(namespace) as writer:
        services.guard_embedder(writer)
        now = services.runtime.now()
        planner = _Planner(writer, namespace, rows, now=now, config=services.config)
        for draft, hits in zip(drafts, hits_per_draft, strict=False):
            planner.add(draft, hits)
        for reflection in reflections:
            planner.settle(reflection)
        guard = services.config.guard
        actor = Actor("encoding", principal=author)
        applied = apply(writer, namespace, planner.changes, now=now, actor=actor, guard=guard)
    services.update_indexes(namespace, applied)
    return tuple(applied.memories)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A reflection, or a statement that one names, as the memory that it may become."""

    reflection: Reflection
    memory: Memory
    key: str


def _drafts(services: Services, namespace: str, reflections: Sequence[Reflection]) -> list[_Draft]:
    """The reflections, then the statements that they name and that no reflection makes."""
    hashes = {content_hash(reflection.text) for reflection in reflections}
    statements: dict[str, Reflection] = {}
    for reflection in reflections:
        for text in (*reflection.supersedes, *reflection.differs_from):
            if content_hash(text) not in hashes:
                statements.setdefault(content_hash(text), _statement(reflection, text))
    drafts = (*reflections, *statements.values())
    return [_draft(services, namespace, reflection) for reflection in drafts]


def _statement(reflection: Reflection, text: str) -> Reflection:
    """A statement of which only the text is known; its speaker is not."""
    return replace(
        reflection,
        text=text,
        entities=tuple(entity.uri for entity in entities(text)),
        role="system",
        speaker=None,
        referenced_at=None,
        supersedes=(),
        differs_from=(),
    )


def _draft(services: Services, namespace: str, reflection: Reflection) -> _Draft:
    now = services.runtime.now()
    config = services.config
    category = _category(reflection)
    importance = REFLECTION_IMPORTANCE.get(reflection.priority, _DEFAULT_IMPORTANCE)
    days = initial_stability(category, importance=importance, intensity=0.0, config=config.strength)
    source = data_source_of(reflection.role)
    trust = config.encoding.trusted(reflection.role)
    memory = Memory(
        id=services.runtime.new_id(),
        namespace=namespace,
        content=reflection.text,
        content_hash=content_hash(reflection.text),
        recorded_at=reflection.observed_at,
        created_at=now,
        updated_at=now,
        session_id=reflection.session_id,
        speaker=reflection.speaker,
        category=category,
        tier="semantic",
        entities=reflection.entities,
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        importance=importance,
        source_confidence=reflection.confidence,
        trust=trust,
        write_source="observer",
        data_source=source,
        referenced_at=reflection.referenced_at,
        valid_from=reflection.observed_at,
        sources=_sources(reflection, (), SOURCES_KEPT),
        metadata={"reflection": True},
    )
    memory = without_rank(memory, config.guard)
    # Reflections tell of the user in the third person, so only plain orders count.
    memory = screened_memory(memory, config.guard, claims=False)
    at = reflection.observed_at if config.encoding.date_prefix else None
    key = index_key(reflection.text, speaker=reflection.speaker, at=at)
    return _Draft(reflection, memory, key)


def _category(reflection: Reflection) -> Category:
    """What it plainly is, else a summary."""
    kind, _ = classify(read_signals(reflection.text), 0)
    if kind in _KINDS:
        return kind
    return "plan" if foresee(reflection.text, reflection.observed_at) else "summary"


def _sources(reflection: Reflection, sources: tuple[Source, ...], limit: int) -> tuple[Source, ...]:
    """These sources, and the turns of the reflection that are not among them."""
    refs = {source.ref for source in sources}
    for ref in reflection.refs:
        if ref not in refs:
            source = Source("", ref=ref, at=reflection.observed_at)
            sources = add_source(sources, source, limit)
    return sources


def _nearest(services: Services, namespace: str, vectors: FloatArray) -> list[tuple[Hit, ...]]:
    """Per vector: the active memories that are nearest."""
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        if not len(view):
            return [()] * len(vectors)
        limit = GATE_CANDIDATES
        return services.searcher.nearest_many(reader, view, vectors, limit, thorough=True)


class _Planner:
    """Collects what reflections change, given the rows as they are inside the transaction.

    Attributes:
        changes: to apply, in order.
    """

    def __init__(
        self,
        writer: Transaction,
        namespace: str,
        rows: Sequence[Stored],
        *,
        now: datetime,
        config: Config,
    ) -> None:
        self.changes: list[Change] = []
        self._now = now
        self._writer = writer
        self._namespace = namespace
        self._config = config
        hashes = [row.memory.content_hash for row in rows]
        existing = writer.at(namespace).memories.same_content(hashes)
        self._rows = {row.memory.id: row for row in rows}
        self._drafts = {row.memory.content_hash: row.memory for row in rows}
        self._by_identity = {identity_of(memory): memory for memory in reversed(existing)}
        self._by_text = {memory.content_hash: memory for memory in reversed(existing)}
        self._retired_ids: set[str] = set()

    def add(self, draft: _Draft, hits: Sequence[Hit]) -> None:
        """A reflection becomes a memory, or strengthens the one that says the same."""
        memory = draft.memory
        same = self._by_identity.get(identity_of(memory))
        if same is not None and not on_different_days(same.referenced_at, memory.referenced_at):
            self._reinforce(same, draft.reflection)
            return
        self._put(memory)
        if memory.state != "active":
            return
        verdicts = self._verdicts(memory, hits)
        winner = None
        for old, verdict in verdicts:
            if verdict == "old":
                winner = old
                break
        for old, verdict in verdicts:
            if verdict == "new" and winner is None:
                self._retire(old, memory)
            elif old is not winner:
                self._link_contradiction(memory, old)
        if winner is not None:
            self._retire(memory, winner)

    def settle(self, reflection: Reflection) -> None:
        """The statements that contradicted the reflection are given up for it, or linked to it.

        A quarantined memory neither retires another one nor is retired or linked.
        """
        memory = self._by_text[content_hash(reflection.text)]
        guard = self._config.guard
        for text in reflection.supersedes:
            loser = self._memory_of(text)
            if not self._are_rivals(memory, loser) or loser.id in self._retired_ids:
                continue
            if not outranks(loser, memory.data_source, memory.trust, guard):
                self._retire(loser, memory)
        for text in reflection.differs_from:
            other = self._memory_of(text)
            if self._are_rivals(memory, other):
                self._link_contradiction(memory, other)

    def _are_rivals(self, first: Memory, second: Memory) -> bool:
        return first.id != second.id and first.state == second.state == "active"

    def _memory_of(self, text: str) -> Memory:
        existing = self._by_text.get(content_hash(text))
        return existing or self._put(self._drafts[content_hash(text)])

    def _put(self, memory: Memory) -> Memory:
        self.changes.append(Put(self._rows[memory.id], "reflected"))
        self._store(memory)
        return memory

    def _store(self, memory: Memory) -> None:
        self._by_identity[identity_of(memory)] = memory
        self._by_text[memory.content_hash] = memory

    def _reinforce(self, memory: Memory, reflection: Reflection) -> None:
        touch = reinforcement(memory, Source(""), now=self._now, config=self._config)
        limit = SOURCES_KEPT
        fields = {**touch.fields, "sources": _sources(reflection, memory.sources, limit)}
        self.changes.append(Touch(memory.id, fields, touch.reason))
        self._store(replace(memory, **fields))

    def _verdicts(self, new: Memory, hits: Sequence[Hit]) -> list[tuple[Memory, _Verdict]]:
        """Active memories that the reflection contradicts, each with the side that prevails."""
        rows = self._writer.at(self._namespace).memories.by_ids([hit.id for hit in hits])
        verdicts: list[tuple[Memory, _Verdict]] = []
        for hit in hits:
            old = rows.get(hit.id)
            if old is None or old.state != "active" or old.id in self._retired_ids:
                continue
            # In the third person, as reflections speak.
            text = third_person(old.content, old.speaker or _SPEAKERS.get(old.data_source))
            same_speaker = voice_of(old) == voice_of(new)
            if contradicts(new.content, text, same_speaker=same_speaker, similarity=hit.score):
                verdicts.append((old, self._verdict(new, old)))
        return verdicts

    def _verdict(self, new: Memory, old: Memory) -> _Verdict:
        """An assistant retires nothing that a person said; a protected memory stays.

        The gate measures confidence otherwise, so only a reflection gives way to an older one that
        is surer.
        """
        later = old
        earlier = new
        if new.recorded_at >= old.recorded_at:
            later = new
            earlier = old
        side = observation.resolve(
            later.source_confidence, earlier.source_confidence, self._config.observation
        )
        if side == "both":
            return "both"
        winner = later if side == "newer" else earlier
        if winner is old:
            return "old"
        by_assistant = new.data_source == "assistant_message"
        if old.protected or (by_assistant and old.data_source == "user_message"):
            return "both"
        if outranks(old, new.data_source, new.trust, self._config.guard):
            return "both"
        stale = winner is earlier and not old.metadata.get("reflection")
        return "both" if stale else "new"

    def _retire(self, old: Memory, new: Memory) -> None:
        if old.protected:
            self._link_contradiction(new, old)
            return
        reason = "contradicted by what was observed"
        self.changes += superseding(old, new, reason, self._now)
        self._retired_ids.add(old.id)
        self._by_identity.pop(identity_of(old), None)

    def _link_contradiction(self, memory: Memory, other: Memory) -> None:
        self.changes.append(linking(memory, "contradicts", other.id, self._now))

"""Reflections become memories: what was observed reaches the bank through the one writer path.

A reflection is new, or the same as a memory (which is reinforced), or contradicts memories; then the settings of
`ObservationConfig` decide which side is superseded. What lost stays, out of recall, linked to what won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from cogmem_core import observation
from cogmem_core.changes import Actor, Change, Put, Touch, apply
from cogmem_core.config import Config
from cogmem_core.encoding.facts import data_source_of, identity_of, other_day, sources_united, voice_of
from cogmem_core.encoding.to_changes import linking, reinforcement, superseding
from cogmem_core.models import Category, Memory, RelationType, Source
from cogmem_core.observation import Reflection
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.results import ReflectionReport
from cogmem_core.services import Services
from cogmem_core.storage.ledger.compat import Writer
from cogmem_core.strength import initial_stability
from cogmem_core.text.compare.contradiction import contradicts
from cogmem_core.text.keys import content_hash, index_key
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.rewrite.foresight import foresee
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.trust import outranks, quarantine, suspicion, without_rank

__all__ = ["place_reflections", "reflect"]

_ENCODING = Actor("encoding")
_NAMED = {"user_message": "User", "assistant_message": "Assistant"}
_KINDS: tuple[Category, ...] = ("preference", "decision", "correction")


def reflect(services: Services, namespace: str) -> ReflectionReport:
    """Compress the notes that wait, and turn all traces into memories.

    Raises:
        EmbedderUnavailable: there are no vectors; the traces wait for the next call.
    """
    return observation.reflect(services, namespace, partial(place_reflections, services, namespace))


def place_reflections(services: Services, namespace: str, reflections: Sequence[Reflection]) -> tuple[str, ...]:
    """Store reflections; returns the ids of the memories that were created or touched.

    Raises:
        EmbedderUnavailable: there are no vectors; nothing was stored.
    """
    drafts = _drafts(services, namespace, reflections)
    if not drafts:
        return ()
    vectors = services.embedder.embed_documents([draft.key for draft in drafts])
    near = _near(services, namespace, vectors[: len(reflections)])
    rows = [
        Stored(draft.memory, draft.key, vector, services.embedder.fingerprint)
        for draft, vector in zip(drafts, vectors, strict=True)
    ]
    with services.ledger.writing(namespace) as writer:
        services.guard_embedder(writer)
        desk = _Desk(writer, namespace, rows, now=services.runtime.now(), config=services.config)
        for draft, hits in zip(drafts, near, strict=False):
            desk.tell(draft, hits)
        for reflection in reflections:
            desk.settle(reflection)
        applied = apply(writer, namespace, desk.changes, now=desk.now, actor=_ENCODING)
    services.update_indexes(namespace, applied)
    return tuple(applied.memories)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A reflection, or a statement beside it, as the memory that it may become."""

    reflection: Reflection
    memory: Memory
    key: str


def _drafts(services: Services, namespace: str, reflections: Sequence[Reflection]) -> list[_Draft]:
    """The reflections, then the statements that they name and that are none of them."""
    told = {content_hash(one.text) for one in reflections}
    beside: dict[str, Reflection] = {}
    for one in reflections:
        for text in (*one.supersedes, *one.differs_from):
            if content_hash(text) not in told:
                beside.setdefault(content_hash(text), _statement(one, text))
    return [_draft(services, namespace, one) for one in (*reflections, *beside.values())]


def _statement(beside: Reflection, text: str) -> Reflection:
    """A statement that is known by its text only; who said it is not."""
    named = tuple(entity.uri for entity in entities(text))
    bare = replace(beside, text=text, entities=named, role="system", speaker=None, referenced_at=None)
    return replace(bare, supersedes=(), differs_from=())


def _draft(services: Services, namespace: str, one: Reflection) -> _Draft:
    now, config = services.runtime.now(), services.config
    category, importance = _category(one, config), config.observation.importance.get(one.priority, 0.5)
    days = initial_stability(category, importance=importance, intensity=0.0, config=config.strength)
    source, trust = data_source_of(one.role), config.encoding.trusted(one.role)
    memory = Memory(
        id=services.runtime.new_id(),
        namespace=namespace,
        content=one.text,
        content_hash=content_hash(one.text),
        recorded_at=one.observed_at,
        created_at=now,
        updated_at=now,
        session_id=one.session_id,
        speaker=one.speaker,
        category=category,
        tier="semantic",
        entities=one.entities,
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        importance=importance,
        source_confidence=one.confidence,
        trust=trust,
        write_source="observer",
        data_source=source,
        referenced_at=one.referenced_at,
        valid_from=one.observed_at,
        sources=_sources(one, (), config.encoding.sources_kept),
        metadata={"reflection": True},
    )
    memory = without_rank(memory, config.guard)
    # Reflections tell of the user in the third person, so only plain orders count.
    found = [sign for sign in signs(one.text) if sign in ("instruction", "markup")]
    if reason := suspicion(found, source, trust, config.guard):
        memory = quarantine(memory, reason)
    dated = one.observed_at if config.encoding.date_prefix else None
    return _Draft(one, memory, index_key(one.text, speaker=one.speaker, at=dated))


def _category(one: Reflection, config: Config) -> Category:
    """What it plainly is, else a summary."""
    kind, _ = classify(read_signals(one.text), 0, config.observer)
    if kind in _KINDS:
        return kind
    return "plan" if foresee(one.text, one.observed_at) else "summary"


def _sources(one: Reflection, known: tuple[Source, ...], limit: int) -> tuple[Source, ...]:
    """The sources that are known, and the turns of the reflection that are not among them."""
    refs = {source.ref for source in known}
    for ref in one.refs:
        if ref not in refs:
            known = sources_united(known, Source("", ref=ref, at=one.observed_at), limit)
    return known


def _near(services: Services, namespace: str, vectors: FloatArray) -> list[tuple[Hit, ...]]:
    """Per vector: the active memories that are nearest."""
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
        if not len(view):
            return [()] * len(vectors)
        return services.searcher.nearest_many(reader, view, vectors, services.config.gate.candidates, thorough=True)


class _Desk:
    """Collects the changes that reflections cause, given the rows as they are inside the transaction."""

    def __init__(self, writer: Writer, namespace: str, rows: Sequence[Stored], *, now: datetime, config: Config):
        self.changes: list[Change] = []
        self.now = now
        self._writer, self._namespace, self._config = writer, namespace, config
        self._rows = {row.memory.id: row for row in rows}
        known = writer.same_content(namespace, [row.memory.content_hash for row in rows])
        self._same = {identity_of(memory): memory for memory in reversed(known)}
        self._by_text = {memory.content_hash: memory for memory in reversed(known)}
        self._drafts = {row.memory.content_hash: row for row in rows}
        self._gone: set[str] = set()

    def tell(self, draft: _Draft, hits: Sequence[Hit]) -> None:
        """A reflection becomes a memory, or strengthens the one that says the same."""
        memory = draft.memory
        again = self._same.get(identity_of(memory))
        if again is not None and not other_day(again.referenced_at, memory.referenced_at):
            self._reinforce(again, draft.reflection)
            return
        self._put(memory)
        if memory.state != "active":
            return
        conflicts = list(self._conflicts(memory, hits))
        winner = next((old for old, verdict in conflicts if verdict == "old"), None)
        for old, verdict in conflicts:
            if verdict == "new" and winner is None:
                self._retire(old, memory)
            elif old is not winner:
                self._link(memory, "contradicts", old)
        if winner is not None:
            self._retire(memory, winner)

    def settle(self, one: Reflection) -> None:
        """What contradicted the reflection while it was made: given up for it, or kept beside it.

        What is in quarantine gives up nothing and is given up by nothing; what it was compared with is kept.
        """
        memory = self._by_text[content_hash(one.text)]
        for text in one.supersedes:
            lost = self._stated(text)
            if self._both_count(memory, lost) and lost.id not in self._gone and not self._above(lost, memory):
                self._retire(lost, memory)
        for text in one.differs_from:
            other = self._stated(text)
            if self._both_count(memory, other):
                self._link(memory, "contradicts", other)

    def _both_count(self, one: Memory, other: Memory) -> bool:
        return one.id != other.id and one.state == other.state == "active"

    def _above(self, old: Memory, new: Memory) -> bool:
        return outranks(old, new.data_source, new.trust, self._config.guard)

    def _stated(self, text: str) -> Memory:
        known = self._by_text.get(content_hash(text))
        return known if known is not None else self._put(self._drafts[content_hash(text)].memory)

    def _put(self, memory: Memory) -> Memory:
        self.changes.append(Put(self._rows[memory.id], "reflected"))
        self._same[identity_of(memory)] = self._by_text[memory.content_hash] = memory
        return memory

    def _reinforce(self, memory: Memory, one: Reflection) -> None:
        touch = reinforcement(memory, Source(""), now=self.now, config=self._config)
        sources = _sources(one, memory.sources, self._config.encoding.sources_kept)
        fields = {**touch.fields, "sources": sources}
        self.changes.append(Touch(memory.id, fields, touch.reason))
        self._same[identity_of(memory)] = self._by_text[memory.content_hash] = replace(memory, **fields)

    def _conflicts(self, new: Memory, hits: Sequence[Hit]) -> Iterator[tuple[Memory, str]]:
        """Active memories that the reflection contradicts, each with what prevails: `new`, `old` or `both`."""
        rows = self._writer.memories(self._namespace, [hit.id for hit in hits])
        for hit in hits:
            old = rows.get(hit.id)
            if old is None or old.state != "active" or old.id in self._gone:
                continue
            alike = voice_of(old) == voice_of(new)
            if contradicts(new.content, _told(old), same_speaker=alike, similarity=hit.score):
                yield old, self._verdict(new, old)

    def _verdict(self, new: Memory, old: Memory) -> str:
        """What an assistant says retires nothing that a person said; what is protected stays.

        The gate measures confidence otherwise, so only a reflection gives way to an older one that is surer.
        """
        later, earlier = (new, old) if new.recorded_at >= old.recorded_at else (old, new)
        decided = observation.resolve(later.source_confidence, earlier.source_confidence, self._config.observation)
        if decided == "both":
            return "both"
        winner = later if decided == "newer" else earlier
        if winner is old:
            return "old"
        outranked = new.data_source == "assistant_message" and old.data_source == "user_message"
        outranked |= self._above(old, new)
        stale = winner is earlier and not old.metadata.get("reflection")
        return "both" if outranked or stale or old.protected else "new"

    def _retire(self, old: Memory, new: Memory) -> None:
        if old.protected:
            self._link(new, "contradicts", old)
            return
        self.changes += superseding(old, new, "contradicted by what was observed", self.now)
        self._gone.add(old.id)
        self._same.pop(identity_of(old), None)

    def _link(self, memory: Memory, kind: RelationType, other: Memory) -> None:
        self.changes.append(linking(memory, kind, other.id, self.now))


def _told(memory: Memory) -> str:
    """What a memory says, in the third person as reflections do."""
    return third_person(memory.content, memory.speaker or _NAMED.get(memory.data_source))

"""TEMPORARY: the old `Reader` and `Writer`, one line per method, until every caller uses `transaction`.

Each method names its namespace and forwards to the tables of that namespace. Nothing new belongs
here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from cogmem_core.models import (
    ConsolidationRun,
    Episode,
    EpisodeStatus,
    Feedback,
    JournalEntry,
    Memory,
    MemoryVersion,
    NoteLevel,
    ObservationNote,
    Relation,
    ShortTerm,
    Source,
    SynapticTag,
)
from cogmem_core.ports import Archived, FloatArray, Hit, Stored
from cogmem_core.results import AuditTrail, Item
from cogmem_core.storage.ledger.codec import decode_vector
from cogmem_core.storage.ledger.documents import Head, ItemKey
from cogmem_core.storage.ledger.journal import TailRow
from cogmem_core.storage.ledger.memories import Candidate, Filter
from cogmem_core.storage.ledger.runs import DreamState
from cogmem_core.storage.ledger.transaction import Namespace, Transaction

__all__ = ["Reader", "Writer", "tables_of"]


class Reader:
    """The old form of a snapshot."""

    def __init__(self, connection: Connection, now: datetime | None = None) -> None:
        self._connection = connection
        self.wide = Transaction(connection, now)
        self.at = self.wide.at

    def stored(self, namespace: str, ids: Sequence[str]) -> dict[str, Stored]:
        """`memories.stored`."""
        return self.at(namespace).memories.stored(ids)

    def memories(self, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
        """`memories.by_ids`."""
        return self.at(namespace).memories.by_ids(ids)

    def keys(self, namespace: str, ids: Sequence[str]) -> dict[str, str]:
        """`memories.keys`."""
        return self.at(namespace).memories.keys(ids)

    def candidates(self, namespace: str, ids: Sequence[str]) -> dict[str, Candidate]:
        """`memories.candidates`."""
        return self.at(namespace).memories.candidates(ids)

    def same_content(self, namespace: str, hashes: Sequence[str], *, state: str = "active") -> list[Memory]:
        """`memories.same_content`."""
        return self.at(namespace).memories.same_content(hashes, state=state)

    def page(self, namespace: str, wanted: Filter, *, limit: int, after: str | None = None) -> list[Memory]:
        """`memories.page`."""
        return self.at(namespace).memories.page(wanted, limit=limit, after=after)

    def pages(self, namespace: str, wanted: Filter, *, limit: int) -> Iterator[list[Memory]]:
        """`memories.pages`."""
        return self.at(namespace).memories.pages(wanted, limit=limit)

    def ids(self, namespace: str, wanted: Filter) -> list[str]:
        """`memories.ids`."""
        return self.at(namespace).memories.ids(wanted)

    def count(self, namespace: str, wanted: Filter) -> int:
        """`memories.count`."""
        return self.at(namespace).memories.count(wanted)

    def holds(self, namespace: str, state: str) -> bool:
        """`overview.holds`."""
        return self.at(namespace).overview.holds(state)

    def census(self, namespace: str) -> list[tuple[str, str, str, int]]:
        """`overview.counts`."""
        return self.at(namespace).overview.counts()

    def active_strengths(self, namespace: str) -> list[Candidate]:
        """`overview.active_strengths`."""
        return self.at(namespace).overview.active_strengths()

    def holds_elsewhere(self, text: str, memory_ids: Sequence[str], episode_ids: Sequence[str]) -> bool:
        """`texts.outside`."""
        return self.wide.texts.outside(text, memory_ids, episode_ids)

    def vectors(self, namespace: str, ids: Sequence[str]) -> dict[str, FloatArray]:
        """`memories.vectors`."""
        return self.at(namespace).memories.vectors(ids)

    def rank_exactly(self, namespace: str, ids: Sequence[str], vector: FloatArray, k: int) -> list[Hit]:
        """`memories.rank_exactly`."""
        return self.at(namespace).memories.rank_exactly(ids, vector, k)

    def former(self, namespace: str, at: datetime) -> dict[str, Stored]:
        """`history.former`."""
        return self.at(namespace).history.former(at)

    def turning_points(self, namespace: str, ids: Sequence[str]) -> dict[str, list[JournalEntry]]:
        """`history.turning_points`."""
        return self.at(namespace).history.turning_points(ids)

    def relations_of(self, namespace: str, ids: Sequence[str]) -> list[Relation]:
        """`relations.of_memories`."""
        return self.at(namespace).relations.of_memories(ids)

    def most_useful(self, namespace: str, *, utility: float, accesses: int, since: datetime, limit: int) -> list[str]:
        """`overview.most_useful`."""
        return self.at(namespace).overview.most_useful(utility=utility, accesses=accesses, since=since, limit=limit)

    def tail(self, namespace: str, after: int, limit: int, *, states: tuple[str, ...] | None = None) -> list[TailRow]:
        """`journal.tail`."""
        return self.at(namespace).journal.tail(after, limit, states=states)

    def last_seq(self, namespace: str) -> int:
        """`journal.last_seq`."""
        return self.at(namespace).journal.last_seq()

    def larger_than(self, size: int) -> list[str]:
        """`namespaces.larger_than`."""
        return self.wide.namespaces.larger_than(size)

    def namespaces(self) -> list[str]:
        """`namespaces.names`."""
        return self.wide.namespaces.names()

    def everywhere(self) -> list[str]:
        """`namespaces.everywhere`."""
        return self.wide.namespaces.everywhere()

    def get_meta(self, key: str) -> str | None:
        """`meta.get`."""
        return self.wide.meta.get(key)

    def foreign(self, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        """`embeddings.foreign`."""
        return self.wide.embeddings.foreign(fingerprint, limit)

    def count_foreign(self, fingerprint: str) -> int:
        """`embeddings.count_foreign`."""
        return self.wide.embeddings.count_foreign(fingerprint)

    def count_embedded(self, fingerprint: str) -> int:
        """`embeddings.count`."""
        return self.wide.embeddings.count(fingerprint)

    def episodes(self, namespace: str, ids: Sequence[str]) -> dict[str, Episode]:
        """`turns.by_ids`."""
        return self.at(namespace).turns.by_ids(ids)

    def turns_before(
        self, namespace: str, session_id: str, episode_id: str, limit: int, *, listed: bool = False
    ) -> list[Episode]:
        """`turns.before`."""
        return self.at(namespace).turns.before(session_id, episode_id, limit, listed=listed)

    def answers(self, namespace: str, sessions: Collection[str | None]) -> list[str]:
        """`overview.answers`."""
        return self.at(namespace).overview.answers(sessions)

    def refs(self, namespace: str) -> set[str]:
        """`turns.refs`."""
        return self.at(namespace).turns.refs()

    def turns_of_session(self, namespace: str, session_id: str, limit: int) -> list[Episode]:
        """`turns.of_session`."""
        return self.at(namespace).turns.of_session(session_id, limit)

    def turns_page(self, namespace: str, *, limit: int, after: str | None = None) -> list[Episode]:
        """`turns.page`."""
        return self.at(namespace).turns.page(limit=limit, after=after)

    def turn_ids(self, namespace: str) -> list[str]:
        """`turns.ids`."""
        return self.at(namespace).turns.ids()

    def episode_census(self, namespace: str) -> dict[str, int]:
        """`turns.counts`."""
        return self.at(namespace).turns.counts()

    def origins(self, namespace: str) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """`overview.sources`."""
        return self.at(namespace).overview.sources()

    def holds_key(self, text: str) -> bool:
        """`texts.in_keys`."""
        return self.wide.texts.in_keys(text)

    def holds_vector(self, vector: bytes) -> bool:
        """`texts.has_vector`."""
        return self.wide.texts.has_vector(vector)

    def versions(self, namespace: str, memory_id: str) -> list[MemoryVersion]:
        """`history.versions`."""
        return self.at(namespace).history.versions(memory_id)

    def archived(self, namespace: str, current: Stored) -> list[Archived]:
        """`history.archived`."""
        return self.at(namespace).history.archived(current)

    def all_relations(self, namespace: str) -> Iterator[Relation]:
        """`relations.all`."""
        return self.at(namespace).relations.all()

    def journal(self, namespace: str, memory_id: str) -> list[JournalEntry]:
        """`journal.of_memory`."""
        return self.at(namespace).journal.of_memory(memory_id)

    def relations(self, namespace: str, memory_id: str) -> list[Relation]:
        """`relations.of_memory`."""
        return self.at(namespace).relations.of_memory(memory_id)

    def dream_state(self, namespace: str) -> DreamState:
        """`runs.state`."""
        return self.at(namespace).runs.state()

    def runs(self, namespace: str, limit: int) -> list[ConsolidationRun]:
        """`runs.newest`."""
        return self.at(namespace).runs.newest(limit)

    def cycles(self, namespaces: Sequence[str]) -> dict[str, int]:
        """`namespaces.cycles`."""
        return self.wide.namespaces.cycles(namespaces)

    def run(self, namespace: str, run_id: str) -> ConsolidationRun | None:
        """`runs.by_id`."""
        return self.at(namespace).runs.by_id(run_id)

    def undone_runs(self, namespace: str) -> set[str]:
        """`runs.undone`."""
        return self.at(namespace).runs.undone()

    def changes_of_run(self, namespace: str, run_id: str) -> list[JournalEntry]:
        """`journal.of_run`."""
        return self.at(namespace).journal.of_run(run_id)

    def changes_after(self, namespace: str, seq: int, memory_ids: Collection[str]) -> list[JournalEntry]:
        """`journal.after`."""
        return self.at(namespace).journal.after(seq, memory_ids)

    def brought_back(self, namespace: str, since: datetime) -> set[str]:
        """`journal.restored_since`."""
        return self.at(namespace).journal.restored_since(since)

    def dreamt(self, namespace: str) -> list[Memory]:
        """`overview.derived`."""
        return self.at(namespace).overview.derived()

    def due_namespaces(self, *, written_before: datetime, idle_before: datetime) -> list[str]:
        """`namespaces.due`."""
        return self.wide.namespaces.due(written_before=written_before, idle_before=idle_before)

    def undreamt(self) -> list[tuple[str, str]]:
        """`namespaces.unconsolidated`."""
        return self.wide.namespaces.unconsolidated()

    def turns_since(self, namespace: str, turn: str) -> tuple[int, int]:
        """`turns.count_since`."""
        return self.at(namespace).turns.count_since(turn)

    def newest_turn(self, namespace: str) -> str:
        """`turns.newest`."""
        return self.at(namespace).turns.newest()

    def items_at(self, namespace: str, keys: Iterable[ItemKey]) -> dict[ItemKey, Item]:
        """`documents.at`."""
        return self.at(namespace).documents.at(keys)

    def items_below(
        self,
        namespace: str,
        prefix: Sequence[str] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
        oldest_first: bool = False,
    ) -> Iterator[Item]:
        """`documents.below`."""
        return self.at(namespace).documents.below(prefix, limit=limit, offset=offset, oldest_first=oldest_first)

    def item_heads(self, namespace: str, prefix: Sequence[str] = ()) -> list[Head]:
        """`documents.heads`."""
        return self.at(namespace).documents.heads(prefix)

    def item_paths(self, namespace: str) -> list[tuple[str, ...]]:
        """`documents.paths`."""
        return self.at(namespace).documents.paths()

    def items_of(self, namespace: str, memory_ids: Collection[str]) -> list[Item]:
        """`documents.of_memories`."""
        return self.at(namespace).documents.of_memories(memory_ids)

    def item_texts(self, namespace: str, memory_ids: Collection[str]) -> set[str]:
        """`documents.texts_of`."""
        return self.at(namespace).documents.texts_of(memory_ids)

    def holds_item(self, text: str) -> bool:
        """`texts.in_documents`."""
        return self.wide.texts.in_documents(text)

    def notes(self, namespace: str, level: NoteLevel, limit: int | None = None) -> list[ObservationNote]:
        """`notes.of_level`."""
        return self.at(namespace).notes.of_level(level, limit)

    def known_notes(self, namespace: str, ids: Sequence[str]) -> set[str]:
        """`notes.existing`."""
        return self.at(namespace).notes.existing(ids)

    def holds_note(self, text: str) -> bool:
        """`texts.in_notes`."""
        return self.wide.texts.in_notes(text)

    def count_notes(self, namespace: str, level: NoteLevel) -> tuple[int, int]:
        """`notes.count`."""
        return self.at(namespace).notes.count(level)

    def judged(self, namespace: str, recall_id: str, memory_ids: Collection[str]) -> set[str]:
        """`feedback.judged`."""
        return self.at(namespace).feedback.judged(recall_id, memory_ids)

    def recalls_of(self, namespace: str, memory_ids: Collection[str]) -> list[str]:
        """`feedback.recalls_of`."""
        return self.at(namespace).feedback.recalls_of(memory_ids)

    def feedback(self, namespace: str, *, limit: int, memory_id: str | None = None) -> list[Feedback]:
        """`feedback.newest`."""
        return self.at(namespace).feedback.newest(limit=limit, memory_id=memory_id)

    def all_feedback(self, namespace: str, *, since: datetime | None = None) -> list[Feedback]:
        """`feedback.all`."""
        return self.at(namespace).feedback.all(since=since)

    def rivals(self, namespace: str, memory_ids: Collection[str]) -> list[tuple[str, str, int]]:
        """`feedback.rivals`."""
        return self.at(namespace).feedback.rivals(memory_ids)

    def signals(self, namespace: str, *, memory_id: str | None = None) -> dict[str, int]:
        """`feedback.signals`."""
        return self.at(namespace).feedback.signals(memory_id=memory_id)

    def questions(self, namespace: str) -> list[tuple[str, str]]:
        """`feedback.questions`."""
        return self.at(namespace).feedback.questions()

    def live_tags(self, namespace: str, sessions: Iterable[str], now: datetime) -> list[SynapticTag]:
        """`synaptic_tags.live`."""
        return self.at(namespace).synaptic_tags.live(sessions, now)

    def tags(self, namespace: str) -> list[SynapticTag]:
        """`synaptic_tags.all`."""
        return self.at(namespace).synaptic_tags.all()

    def short_term(self, namespace: str) -> list[ShortTerm]:
        """`synaptic_tags.short_term`."""
        return self.at(namespace).synaptic_tags.short_term()

    def count_relations(self, namespace: str) -> int:
        """`relations.count`."""
        return self.at(namespace).relations.count()

    def weakest_relations(self, namespace: str, order: Sequence[str], limit: int) -> list[Relation]:
        """`relations.weakest`."""
        return self.at(namespace).relations.weakest(order, limit)

    def transcript(self, namespace: str, session_id: str) -> list[Episode]:
        """`transcripts.of_session`."""
        return self.at(namespace).transcripts.of_session(session_id)

    def audit_trail(self, namespace: str, *, anchor: str | None = None) -> AuditTrail:
        """`audit.trail`."""
        return self.at(namespace).audit.trail(anchor=anchor)

    def queued(self, namespace: str | None, limit: int, *, before: str | None = None) -> list[Episode]:
        """`turns.queued`, or of all namespaces."""
        source = self.wide if namespace is None else self.at(namespace).turns
        return source.queued(limit, before=before)

    def count_applied(self, fingerprint: str, namespace: str, upto: int) -> int:
        """`overview.count_applied`."""
        return self.at(namespace).overview.count_applied(fingerprint, upto)


class Writer(Reader):
    """The old form of a writing transaction; implements `ports.RunWriter`."""

    @property
    def connection(self) -> Connection:
        """The transaction's connection."""
        return self._connection

    def take_lease(self, namespace: str, owner: str, *, now: datetime, seconds: float) -> int | None:
        """`runs.take_lease`."""
        return self.at(namespace).runs.take_lease(owner, now=now, seconds=seconds)

    def renew_lease(self, namespace: str, fence: int, *, now: datetime, seconds: float) -> bool:
        """`runs.renew_lease`."""
        return self.at(namespace).runs.renew_lease(fence, now=now, seconds=seconds)

    def end_lease(self, namespace: str, fence: int, progress: Mapping[str, Any]) -> bool:
        """`runs.end_lease`."""
        return self.at(namespace).runs.end_lease(fence, progress)

    def set_marks(self, namespace: str, marks: Mapping[str, str]) -> None:
        """`runs.set_marks`."""
        self.at(namespace).runs.set_marks(marks)

    def interrupt_runs(self, namespace: str) -> None:
        """`runs.interrupt`."""
        self.at(namespace).runs.interrupt()

    def drop_memories(self, namespace: str, rows: Sequence[tuple[str, int]]) -> None:
        """`memories.drop`."""
        self.at(namespace).memories.drop(rows)

    def drop_versions(self, namespace: str, memory_id: str, first: int) -> None:
        """`history.drop_versions`."""
        self.at(namespace).history.drop_versions(memory_id, first)

    def put_items(self, namespace: str, rows: Sequence[tuple[Item, str]]) -> None:
        """`documents.put`."""
        self.at(namespace).documents.put(rows)

    def drop_items(self, namespace: str, keys: Iterable[ItemKey]) -> None:
        """`documents.drop`."""
        self.at(namespace).documents.drop(keys)

    def drop_notes(self, namespace: str, ids: Sequence[str]) -> int:
        """`notes.drop`."""
        return self.at(namespace).notes.drop(ids)

    def judge(self, namespace: str, rows: Sequence[Feedback]) -> None:
        """`feedback.add`."""
        self.at(namespace).feedback.add(rows)

    def blank_questions(self, namespace: str, recall_ids: Sequence[str]) -> None:
        """`feedback.blank_questions`."""
        self.at(namespace).feedback.blank_questions(recall_ids)

    def tag(self, namespace: str, tags: Sequence[SynapticTag]) -> None:
        """`synaptic_tags.add`."""
        self.at(namespace).synaptic_tags.add(tags)

    def capture(self, namespace: str, memory_ids: Sequence[str]) -> None:
        """`synaptic_tags.capture`."""
        self.at(namespace).synaptic_tags.capture(memory_ids)

    def unmark(self, namespace: str, marks: Sequence[SynapticTag | ShortTerm]) -> None:
        """`synaptic_tags.remove`."""
        self.at(namespace).synaptic_tags.remove(marks)

    def keep_short(self, namespace: str, facts: Sequence[ShortTerm]) -> None:
        """`synaptic_tags.add_short_term`."""
        self.at(namespace).synaptic_tags.add_short_term(facts)

    def next_position(self, namespace: str, session_id: str) -> int:
        """`transcripts.next_position`."""
        return self.at(namespace).transcripts.next_position(session_id)

    def clear_transcript(self, namespace: str, session_id: str) -> int:
        """`transcripts.clear`."""
        return self.at(namespace).transcripts.clear(session_id)

    def unlist(self, namespace: str, ids: Sequence[str]) -> None:
        """`transcripts.unlist`."""
        self.at(namespace).transcripts.unlist(ids)

    def allocate(self, namespace: str, count: int) -> tuple[int, int]:
        """`journal.allocate`."""
        return self.at(namespace).journal.allocate(count)

    def update(self, namespace: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """`memories.update`."""
        self.at(namespace).memories.update(rows)

    def record(
        self,
        namespace: str,
        entries: Sequence[JournalEntry],
        states: Mapping[int, str] | None = None,
    ) -> None:
        """`journal.record`."""
        self.at(namespace).journal.record(entries, states)

    def still_queued(self, namespace: str, ids: Sequence[str]) -> set[str]:
        """`turns.still_queued`."""
        return self.at(namespace).turns.still_queued(ids)

    def finish_episodes(self, namespace: str, ids: Sequence[str], status: EpisodeStatus, reason: str = "") -> None:
        """`turns.finish`."""
        self.at(namespace).turns.finish(ids, status, reason)

    def set_meta(self, key: str, value: str) -> None:
        """`meta.set`."""
        self.wide.meta.set(key, value)

    def insert(self, rows: Sequence[Stored]) -> None:
        """`memories.insert`."""
        for namespace, part in _by_namespace(rows, [row.memory.namespace for row in rows]):
            self.at(namespace).memories.insert(part)

    def archive(self, former: Sequence[Archived]) -> None:
        """`history.archive`."""
        names = [row.stored.memory.namespace for row in former]
        for namespace, part in _by_namespace(former, names):
            self.at(namespace).history.archive(part)

    def relate(self, add: Sequence[Relation], drop: Sequence[Relation]) -> None:
        """`relations.change`."""
        for namespace, part in _by_namespace(drop, [row.namespace for row in drop]):
            self.at(namespace).relations.change((), part)
        for namespace, part in _by_namespace(add, [row.namespace for row in add]):
            self.at(namespace).relations.change(part, ())

    def add_episodes(self, episodes: Sequence[Episode]) -> None:
        """`turns.add`."""
        for namespace, part in _by_namespace(episodes, [turn.namespace for turn in episodes]):
            self.at(namespace).turns.add(part)

    def add_notes(self, notes: Sequence[ObservationNote]) -> None:
        """`notes.add`."""
        for namespace, part in _by_namespace(notes, [note.namespace for note in notes]):
            self.at(namespace).notes.add(part)

    def put_run(self, run: ConsolidationRun) -> None:
        """`runs.put`."""
        self.at(run.namespace).runs.put(run)

    def revector(self, rows: Sequence[tuple[str, str, bytes]], fingerprint: str) -> None:
        """`memories.update`, each with a journal number of its own."""
        for namespace, memory_id, vector in rows:
            seq, _ = self.at(namespace).journal.allocate(1)
            values = {"vector": decode_vector(vector), "fingerprint": fingerprint, "seq": seq}
            self.at(namespace).memories.update({memory_id: values})

    def claim_meta(self, key: str, value: str, *, beside: str | None = None) -> str:
        """`meta.claim`, or `journal.claim_setting`."""
        if beside is None:
            return self.wide.meta.claim(key, value)
        return self.at(beside).journal.claim_setting(key, value)


def _by_namespace(rows: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    groups: dict[str, list[Any]] = {}
    for namespace, row in zip(names, rows, strict=True):
        groups.setdefault(namespace, []).append(row)
    yield from groups.items()


def tables_of(source: Reader | Namespace, namespace: str) -> Namespace:
    """The tables of a namespace, of whichever form of transaction."""
    return source if isinstance(source, Namespace) else source.at(namespace)

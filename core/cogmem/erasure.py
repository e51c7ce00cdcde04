"""Hard forgetting: rows, versions, turns, notes, journal text, postings, vectors are gone from disk; a scan proves it.

With the memories that are named goes what else holds their words: the turns they came from, memories of those turns
that quote them, notes and traces, the questions of feedback, turns that wait or came to nothing. Other facts of those
turns stay, with a key of their own words. Whatever was derived from an erased memory goes, too; the others that it was
derived from stay, and are recalled again if they had left recall for it. With a text of a document goes the document,
and everything that it ever said. Chroma keeps a deleted vector on disk, so its whole generation is replaced. The job is
on record until all is done; a crash in between is finished at the next open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cogmem.changes import Actor, Revive, apply
from cogmem.encoding.facts import Identity, identity_of, voice_of
from cogmem.errors import EmbedderUnavailable
from cogmem.models import Episode, Memory, ObservationNote, Source
from cogmem.ports import Archived, Stored
from cogmem.results import ForgetReceipt, Item
from cogmem.services import Services
from cogmem.storage.backup import drop_backups
from cogmem.storage.codec import encode_vector
from cogmem.storage.items import parts
from cogmem.storage.ledger import Beside
from cogmem.storage.reader import Reader
from cogmem.storage.scan import SHORTEST, files, held
from cogmem.storage.sync import ChromaFollower
from cogmem.storage.words import Words, folded, strings
from cogmem.text.keys import content_hash, index_key
from cogmem.text.rewrite import third_person
from cogmem.text.split import sentence_spans

__all__ = ["erase", "finish_pending"]

_PAGE = 500


def erase(
    services: Services,
    follower: ChromaFollower,
    namespace: str,
    memories: Sequence[Memory],
    *,
    folder: Path | None,
    whole: bool,
) -> ForgetReceipt:
    """Erase memories and what else holds their words; returns what a scan of the folder still finds.

    `whole`: erase every turn and note of the namespace, also those that no memory came from.

    Raises:
        EmbedderUnavailable: memories that stay need new vectors, and there are none; nothing was erased.
    """
    with services.ledger.reading() as reader:
        scope = _everything(reader, namespace, memories) if whole else _Search(reader, namespace, memories).scope()
    beside = _rekeyed(services, scope)
    ids, episodes = list(scope.memories), list(scope.turns)
    traces = _traces(services, namespace, scope)
    if not whole:
        _bring_back(services, namespace, scope)
    job = services.runtime.new_id()
    services.ledger.erase(job, namespace, ids, episodes, whole=whole, beside=beside)
    services.searcher.views.clear()
    services.recent.forget(namespace)
    services.sources.forget(namespace)
    services.hot.forget(namespace)
    services.tuning.forget(namespace)
    services.log.hide()
    remaining = _clean(services, follower, [job])
    searched = files(folder)
    remaining += [found for path in searched if (found := _trace_in(services, path, traces))]
    counts = {"memories": ids, "turns": episodes, "notes": beside.notes, "documents": beside.items}
    erased = [f"from the ledger: {', '.join(f'{len(gone)} {name}' for name, gone in counts.items())}"]
    erased += [] if services.ledger.pending_erasures() else ["from the index: everything; it is made anew"]
    left = (*services.ledger.left_to_operator, *follower.left_to_operator)
    return ForgetReceipt(tuple(ids), True, len(episodes), len(searched), tuple(remaining), tuple(erased), left)


def _bring_back(services: Services, namespace: str, scope: _Scope) -> None:
    """What left recall for a derived memory that is erased is recalled again, as if it had been used today."""
    gone = {memory_id: stored.memory.support for memory_id, stored in scope.memories.items()}
    listed = sorted({i for support in gone.values() for i in support} - gone.keys())
    with services.ledger.writing(namespace) as writer:
        rows = writer.memories(namespace, listed).values()
        now = services.runtime.now()
        fields = {"superseded_by": None, "last_reinforced_at": now}
        away = [m.id for m in rows if m.state == "superseded" and m.superseded_by in gone]
        back = [Revive(memory_id, "the summary that stood for it was erased", fields) for memory_id in away]
        if not back:
            return
        applied = apply(writer, namespace, back, now=now, actor=Actor("user"))
    seqs = (applied.previous_seq, applied.last_seq)
    services.searcher.absorb(namespace, seqs, applied.indexed, applied.dropped)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What an erasure takes in.

    Attributes:
        memories, turns, notes: to be deleted, by id; the memories that were named come first.
        items: documents that a memory to be deleted is a text of.
        asked: ids of recalls whose question holds what is erased.
        spans: the parts of turns that the named memories came from.
        rekeyed, former: memories that stay, and former versions of such, whose keys quote what is erased.
        unlisted: ids of turns that leave their transcript, because metadata there quote what is erased.
    """

    memories: Mapping[str, Stored]
    turns: Mapping[str, Episode]
    notes: Mapping[str, ObservationNote]
    items: Sequence[Item] = ()
    asked: Sequence[str] = ()
    spans: Sequence[str] = ()
    rekeyed: Sequence[Stored] = ()
    former: Sequence[Archived] = ()
    unlisted: Sequence[str] = ()


def _everything(reader: Reader, namespace: str, memories: Sequence[Memory]) -> _Scope:
    stored = _stored(reader, namespace, [memory.id for memory in memories])
    turns = reader.episodes(namespace, reader.turn_ids(namespace))
    notes = {note.id: note for note in _notes(reader, namespace)}
    return _Scope(stored, turns, notes, list(reader.items_below(namespace)))


def _stored(reader: Reader, namespace: str, ids: Sequence[str]) -> dict[str, Stored]:
    """In the given order."""
    found = reader.stored(namespace, ids)
    return {memory_id: found[memory_id] for memory_id in ids if memory_id in found}


def _notes(reader: Reader, namespace: str) -> Iterator[ObservationNote]:
    yield from reader.notes(namespace, "note")
    yield from reader.notes(namespace, "trace")


def _turns(reader: Reader, namespace: str) -> Iterator[Episode]:
    after: str | None = None
    while page := reader.turns_page(namespace, limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


@dataclass(slots=True)
class _Search:
    """Finds what goes with the memories that are named.

    Attributes:
        words: of the named memories, their former versions, and all turns that go.
        said: of the named memories alone, sentence by sentence: what notes may hold.
        spans: by turn, the characters that the named memories quote as they were said.
    """

    reader: Reader
    namespace: str
    named: Sequence[Memory]
    words: Words = field(default_factory=Words)
    said: Words = field(default_factory=Words)
    memories: dict[str, Memory] = field(default_factory=dict)
    turns: dict[str, Episode] = field(default_factory=dict)
    identities: set[Identity] = field(default_factory=set)
    spans: list[str] = field(default_factory=list)
    quoted: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    origins: dict[str, tuple[Source, ...]] = field(default_factory=dict)
    derived: dict[str, Memory] = field(default_factory=dict)

    def scope(self) -> _Scope:
        """Memories lead to turns and turns to memories, until nothing is added; derived ones lead to nothing."""
        self.derived = {memory.id: memory for memory in self.reader.dreamt(self.namespace)}
        origins = self.reader.origins(self.namespace)
        self.origins = {memory_id: sources for memory_id, sources in origins if memory_id not in self.derived}
        self.memories = {memory.id: memory for memory in self.named}
        self.memories |= self._documents()
        fresh = first = [memory for memory in self.memories.values() if memory.id not in self.derived]
        while fresh:
            self._take(fresh, named=fresh is first)
            self._take_turns()
            fresh = list(({one.id: one for one in self._quoting()} | self._documents()).values())
        self._take_derived()
        rekeyed, former = self._unclean()
        return _Scope(
            _stored(self.reader, self.namespace, list(self.memories)),
            self.turns,
            {note.id: note for note in _notes(self.reader, self.namespace) if self._noted(note)},
            self.reader.items_of(self.namespace, self.memories),
            [recall_id for recall_id, text in self.reader.questions(self.namespace) if self._told(text)],
            self.spans,
            rekeyed,
            former,
            [turn.id for turn in _turns(self.reader, self.namespace) if self._listed(turn)],
        )

    def _take(self, memories: Sequence[Memory], *, named: bool) -> None:
        self.memories |= {memory.id: memory for memory in memories}
        listed = [source.episode_id for memory in memories for source in memory.sources if source.episode_id]
        turns = self.reader.episodes(self.namespace, listed)
        self._add_turns(turns.values())
        for memory in memories:
            texts = (memory.content, *self._versions(memory))
            self.identities |= {identity_of(replace(memory, content_hash=content_hash(text))) for text in texts}
            if named:
                self._add_words(memory, texts, turns)

    def _documents(self) -> dict[str, Memory]:
        """What else the documents say, or once said, that these memories are texts of."""
        ids = self.reader.item_texts(self.namespace, self.memories) - self.memories.keys()
        return self.reader.memories(self.namespace, sorted(ids))

    def _take_derived(self) -> None:
        """What rests, or once rested, on an erased memory: its text or a former one may hold erased words."""
        rests = {memory_id: set(memory.support) for memory_id, memory in self.derived.items()}
        for entry in self.reader.changes_after(self.namespace, 0, self.derived):
            rests[entry.memory_id].update(entry.before.get("support", ()))
        while fresh := [i for i in rests.keys() - self.memories.keys() if not rests[i].isdisjoint(self.memories)]:
            self.memories |= {memory_id: self.derived[memory_id] for memory_id in sorted(fresh)}

    def _add_words(self, memory: Memory, texts: Sequence[str], turns: Mapping[str, Episode]) -> None:
        spans = [(s, turns[s.episode_id]) for s in memory.sources if s.episode_id in turns]
        parts = [turn.content[source.start : source.end or None] for source, turn in spans]
        self.spans += parts
        self.words.add(*texts, *parts)
        for text in (*texts, *parts):
            for start, end in sentence_spans(text):
                sentence = text[start:end].rstrip(" .!?…")
                self.said.add(sentence, third_person(sentence, memory.speaker))
        for (source, turn), part in zip(spans, parts, strict=True):
            if folded(part) in map(folded, texts):
                self.quoted.setdefault(turn.id, []).append((source.start, source.end or len(turn.content)))

    def _add_turns(self, turns: Iterable[Episode]) -> None:
        for turn in turns:
            self.turns[turn.id] = turn
            self.words.add(turn.content)
            self.identities.add((content_hash(turn.content), voice_of(turn)))

    def _take_turns(self) -> None:
        """Turns that no memory which stays lists: the same words once more, or nothing came of them."""
        kept = {s.episode_id for i, sources in self.origins.items() if i not in self.memories for s in sources}
        loose = (t for t in _turns(self.reader, self.namespace) if t.id not in kept and t.id not in self.turns)
        self._add_turns([turn for turn in loose if self._repeats(turn)])

    def _repeats(self, turn: Episode) -> bool:
        """A turn that waits may say something else besides; it goes only if it says nothing else."""
        same = (content_hash(turn.content), voice_of(turn)) in self.identities
        return same or (turn.status != "queued" and self.words.held(turn.content))

    def _listed(self, turn: Episode) -> bool:
        """Whether only what a transcript needs of a turn holds erased words: a call of a tool, a train of thought."""
        listed = turn.position is not None and turn.id not in self.turns
        return listed and any(map(self._told, strings(turn.metadata)))

    def _beside(self) -> list[str]:
        """Ids of the other memories of these turns; a reflection knows its turns by their refs."""
        refs = {source.ref for memory in self.memories.values() for source in memory.sources if source.ref}
        return [
            memory_id
            for memory_id, sources in self.origins.items()
            if memory_id not in self.memories
            and any(s.episode_id in self.turns if s.episode_id else s.ref in refs for s in sources)
        ]

    def _quoting(self) -> list[Memory]:
        beside = self.reader.memories(self.namespace, self._beside())
        return [memory for memory in beside.values() if self._quotes(memory)]

    def _quotes(self, memory: Memory) -> bool:
        """Whether a memory beside holds erased words, or says nothing but what the named ones quote."""
        texts = (memory.content, *self._versions(memory))
        if all(not source.episode_id for source in memory.sources):
            return any(self.words.held(text) or self.said.held(text) for text in texts)
        return any(map(self.words.quoted, texts)) or all(map(self._covered, memory.sources))

    def _covered(self, source: Source) -> bool:
        turn = self.turns.get(source.episode_id)
        end = source.end or (len(turn.content) if turn else 0)
        return any(first <= source.start and end <= last for first, last in self.quoted.get(source.episode_id, ()))

    def _versions(self, memory: Memory) -> list[str]:
        return [version.content for version in self.reader.versions(self.namespace, memory.id)]

    def _unclean(self) -> tuple[list[Stored], list[Archived]]:
        beside = self.reader.stored(self.namespace, self._beside())
        archived = [one for stored in beside.values() for one in self.reader.archived(self.namespace, stored)]
        return [s for s in beside.values() if self._keyed(s)], [one for one in archived if self._keyed(one.stored)]

    def _keyed(self, stored: Stored) -> bool:
        """Whether a key holds, besides its memory's own words, some that are erased."""
        own = _own_key(stored)
        more = stored.key.removeprefix(own).strip()
        lines = [line for line in more.splitlines() if line.strip()]
        return stored.key != own and (
            self.words.quoted(more) or any(self.words.quoted(line) or self.words.part(line) for line in lines)
        )

    def _told(self, text: str) -> bool:
        return self.words.held(text) or self.said.held(text)

    def _noted(self, note: ObservationNote) -> bool:
        """A note may be the head of a long turn."""
        return self._told(note.content) or (
            note.level == "note" and any(_begins(turn, note) for turn in self.turns.values())
        )


def _begins(turn: Episode, note: ObservationNote) -> bool:
    return len(note.content) >= SHORTEST and turn.content.strip().startswith(note.content)


def _own_key(stored: Stored) -> str:
    """The key of a memory's own words, dated if it is dated now."""
    memory = stored.memory
    dated = index_key("", speaker=memory.speaker, at=memory.recorded_at)
    at = memory.recorded_at if stored.key.startswith(dated) else None
    return index_key(memory.content, speaker=memory.speaker, at=at)


def _rekeyed(services: Services, scope: _Scope) -> Beside:
    """Memories that stay get keys of their own words, and vectors of those."""
    former = [archived.stored for archived in scope.former]
    rows = [*scope.rekeyed, *former]
    keys = [_own_key(stored) for stored in rows]
    fresh: list[Stored] = []
    if rows:
        try:
            vectors = services.embedder.embed_documents(keys)
        except EmbedderUnavailable as error:
            raise EmbedderUnavailable(
                f"nothing was erased: {len(scope.rekeyed)} other memories of the same turns stay and need new vectors, "
                f"but {error}"
            ) from error
        with services.ledger.writing() as writer:
            services.guard_embedder(writer)
        mine = services.embedder.fingerprint
        fresh = [Stored(s.memory, k, v, mine) for s, k, v in zip(rows, keys, vectors, strict=True)]
    stay, former_keys = fresh[: len(scope.rekeyed)], fresh[len(scope.rekeyed) :]
    items = [(item.path, item.key) for item in scope.items]
    return Beside(list(scope.notes), items, scope.asked, stay, former_keys, scope.unlisted)


def finish_pending(services: Services, follower: ChromaFollower) -> bool:
    """Finish erasures that a crash interrupted; False, because nothing is ever left to do afterwards."""
    jobs = services.ledger.pending_erasures()
    if jobs:
        _clean(services, follower, jobs)
    return False


def _clean(services: Services, follower: ChromaFollower, jobs: Sequence[str]) -> list[str]:
    emptied, kept = follower.rebuild(), drop_backups(services.ledger.database)
    remaining = list(kept)
    if not emptied:
        remaining.append(
            f"the vectors stay in the index for now ({follower.index.refusal or follower.trouble}); the engine that "
            "holds it erases them at its next flush() or write, or the next one that opens it does"
        )
    if not services.ledger.database.checkpoint():
        remaining.append("the write-ahead log is in use by another process; it is emptied when that process ends")
    for job in jobs if emptied and not kept else ():
        services.ledger.finish_erasure(job)
    return remaining


def _traces(services: Services, namespace: str, scope: _Scope) -> dict[bytes, str | None]:
    """What must not be found afterwards, unless something that stays holds it too: texts, and vectors (None)."""
    with services.ledger.reading() as reader:
        texts = {stored.memory.content for stored in scope.memories.values()} | set(scope.spans)
        texts |= {turn.content for turn in scope.turns.values()} | {note.content for note in scope.notes.values()}
        texts |= {version.content for memory_id in scope.memories for version in reader.versions(namespace, memory_id)}
        texts |= {part for item in scope.items for part in parts(item.value)}
    old = (*scope.memories.values(), *scope.rekeyed, *(one.stored for one in scope.former))
    found = {encode_vector(stored.vector): None for stored in old} | {text.encode(): text for text in texts}
    return {trace: text for trace, text in found.items() if len(trace) >= SHORTEST}


def _trace_in(services: Services, path: Path, traces: Mapping[bytes, str | None]) -> str:
    """What is wrong with a file, or nothing; a file that vanished meanwhile holds nothing."""
    try:
        left = any(not _stays(services, trace, traces[trace]) for trace in held(path, traces))
        return f"{path.name} still holds erased text" if left else ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path.name} could not be searched: {error}"


def _stays(services: Services, trace: bytes, text: str | None) -> bool:
    """Whether something that was not erased says the same: then it is no trace."""
    with services.ledger.reading() as reader:
        if text is None:
            return reader.holds_vector(trace)
        elsewhere = reader.holds_elsewhere(text, (), ()) or reader.holds_note(text)
        return elsewhere or reader.holds_key(text) or reader.holds_item(text)

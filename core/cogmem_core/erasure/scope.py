"""What an erasure takes in: the memories that are named, and whatever else holds their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.question_context import ANSWERING
from cogmem_core.models import Episode, Memory, ObservationNote, Source
from cogmem_core.ports import Archived, Stored
from cogmem_core.results import Item
from cogmem_core.storage.files.erased_text import Words, strings
from cogmem_core.storage.files.scan import SHORTEST
from cogmem_core.storage.ledger.reader import Filter, Reader
from cogmem_core.text.keys import ASKED, asked_in, content_hash, own_key, plain
from cogmem_core.text.query.questions import last_question
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.sentences import sentence_spans

__all__ = ["Scope", "Search", "everything", "keyed_by_itself"]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Scope:
    """What an erasure takes in.

    Attributes:
        memories, turns, notes: to be deleted, by id; the memories that were named come first.
        items: documents that a memory to be deleted is a text of.
        asked: ids of recalls whose question holds what is erased.
        spans: the parts of turns that the named memories came from.
        rekeyed, former: memories that stay, and former versions of such, whose keys quote what is
            erased.
        unlisted: ids of turns that lose their metadata, and leave their transcript, because those
            quote what is erased.
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


def everything(reader: Reader, namespace: str) -> Scope:
    """All that a namespace holds."""
    stored = _stored(reader, namespace, reader.ids(namespace, Filter(states=None)))
    turns = reader.episodes(namespace, reader.turn_ids(namespace))
    notes = {note.id: note for note in _notes(reader, namespace)}
    return Scope(stored, turns, notes, list(reader.items_below(namespace)))


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
class Search:
    """Finds what goes with the memories that are named.

    Attributes:
        words: of the named memories, their former versions, and all turns that go.
        said: of the named memories alone, sentence by sentence: what notes may hold.
        said_by: the same as hashes, each with the voice that said it.
        spans: by turn, the characters that the named memories quote as they were said.
        answered: the questions that the named memories answer, with their sessions.
    """

    reader: Reader
    namespace: str
    named: Sequence[Memory]
    words: Words = field(default_factory=Words)
    said: Words = field(default_factory=Words)
    memories: dict[str, Memory] = field(default_factory=dict)
    turns: dict[str, Episode] = field(default_factory=dict)
    said_by: set[tuple[str, str]] = field(default_factory=set)
    spans: list[str] = field(default_factory=list)
    quoted: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    answered: set[tuple[str | None, str]] = field(default_factory=set)
    origins: dict[str, tuple[Source, ...]] = field(default_factory=dict)
    derived: dict[str, Memory] = field(default_factory=dict)

    def scope(self) -> Scope:
        """Memories lead to turns and turns to memories, until nothing is added.

        Derived ones lead to nothing.
        """
        self.derived = {memory.id: memory for memory in self.reader.dreamt(self.namespace)}
        origins = self.reader.origins(self.namespace)
        self.origins = {
            memory_id: sources for memory_id, sources in origins if memory_id not in self.derived
        }
        self.memories = {memory.id: memory for memory in self.named}
        self.memories |= self._documents()
        fresh = first = [
            memory for memory in self.memories.values() if memory.id not in self.derived
        ]
        while fresh:
            self._take(fresh, named=fresh is first)
            self._take_turns()
            fresh = list(({one.id: one for one in self._quoting()} | self._documents()).values())
        self._take_derived()
        rekeyed, former = self._unclean()
        return Scope(
            _stored(self.reader, self.namespace, list(self.memories)),
            self.turns,
            {note.id: note for note in _notes(self.reader, self.namespace) if self._noted(note)},
            self.reader.items_of(self.namespace, self.memories),
            [
                recall_id
                for recall_id, text in self.reader.questions(self.namespace)
                if self._told(text)
            ],
            self.spans,
            rekeyed,
            former,
            [turn.id for turn in _turns(self.reader, self.namespace) if self._listed(turn)],
        )

    def _take(self, memories: Sequence[Memory], *, named: bool) -> None:
        self.memories |= {memory.id: memory for memory in memories}
        listed = [
            source.episode_id
            for memory in memories
            for source in memory.sources
            if source.episode_id
        ]
        turns = self.reader.episodes(self.namespace, listed)
        self._add_turns(turns.values())
        for memory in memories:
            texts = (memory.content, *self._versions(memory))
            self.said_by |= {(content_hash(text), voice_of(memory)) for text in texts}
            if named:
                self._add_words(memory, texts, turns)
        if named:
            keys = self.reader.keys(self.namespace, list(self.memories))
            told = (
                (m.session_id, asked_in(keys[m.id], m.content)) for m in memories if m.id in keys
            )
            self.answered = {(session, asked) for session, asked in told if asked}

    def _documents(self) -> dict[str, Memory]:
        """What else the documents say, or once said, that these memories are texts of."""
        ids = self.reader.item_texts(self.namespace, self.memories) - self.memories.keys()
        return self.reader.memories(self.namespace, sorted(ids))

    def _take_derived(self) -> None:
        """What rests, or once rested, on an erased memory: its text or a former one may hold erased words."""
        rests = {memory_id: set(memory.support) for memory_id, memory in self.derived.items()}
        for entry in self.reader.changes_after(self.namespace, 0, self.derived):
            rests[entry.memory_id].update(entry.before.get("support", ()))
        while fresh := [
            i for i in rests.keys() - self.memories.keys() if not rests[i].isdisjoint(self.memories)
        ]:
            self.memories |= {memory_id: self.derived[memory_id] for memory_id in sorted(fresh)}

    def _add_words(
        self, memory: Memory, texts: Sequence[str], turns: Mapping[str, Episode]
    ) -> None:
        spans = [(s, turns[s.episode_id]) for s in memory.sources if s.episode_id in turns]
        parts = [turn.content[source.start : source.end or None] for source, turn in spans]
        self.spans += parts
        self.words.add(*texts, *parts)
        for text in (*texts, *parts):
            for start, end in sentence_spans(text):
                sentence = text[start:end].rstrip(" .!?…")
                self.said.add(sentence, third_person(sentence, memory.speaker))
        for (source, turn), part in zip(spans, parts, strict=True):
            self.said_by.add((content_hash(part), voice_of(turn)))
            if plain(part) in map(plain, texts):
                self.quoted.setdefault(turn.id, []).append(
                    (source.start, source.end or len(turn.content))
                )

    def _add_turns(self, turns: Iterable[Episode]) -> None:
        for turn in turns:
            self.turns[turn.id] = turn
            self.words.add(turn.content)
            self.said_by.add((content_hash(turn.content), voice_of(turn)))

    def _take_turns(self) -> None:
        """Turns that no memory which stays lists: the same words once more, or nothing came of them."""
        kept = {
            s.episode_id
            for i, sources in self.origins.items()
            if i not in self.memories
            for s in sources
        }
        loose = (
            t
            for t in _turns(self.reader, self.namespace)
            if t.id not in kept and t.id not in self.turns
        )
        self._add_turns([turn for turn in loose if self._repeats(turn)])

    def _repeats(self, turn: Episode) -> bool:
        """A turn that waits may say something else besides.

        It goes only if it says nothing else.
        """
        same = (content_hash(turn.content), voice_of(turn)) in self.said_by
        if same or turn.status == "queued":
            return same
        asked = (
            turn.reason == "question"
            and (turn.session_id, last_question(turn.content)) in self.answered
        )
        return asked or self.words.held(turn.content)

    def _listed(self, turn: Episode) -> bool:
        """Whether only what stands beside a turn holds erased words: the call of a tool, a thought, a question."""
        more = turn.position is not None or ANSWERING in turn.metadata
        return more and turn.id not in self.turns and any(map(self._told, strings(turn.metadata)))

    def _beside(self) -> list[str]:
        """Ids of the other memories of these turns; a reflection knows its turns by their refs."""
        refs = {
            source.ref
            for memory in self.memories.values()
            for source in memory.sources
            if source.ref
        }
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
        return any(
            first <= source.start and end <= last
            for first, last in self.quoted.get(source.episode_id, ())
        )

    def _versions(self, memory: Memory) -> list[str]:
        return [version.content for version in self.reader.versions(self.namespace, memory.id)]

    def _unclean(self) -> tuple[list[Stored], list[Archived]]:
        sessions = {turn.session_id for turn in self.turns.values()}
        quoting = (
            i for i in self.reader.answers(self.namespace, sessions) if i not in self.memories
        )
        beside = self.reader.stored(self.namespace, [*self._beside(), *quoting])
        archived = [
            one
            for stored in beside.values()
            for one in self.reader.archived(self.namespace, stored)
        ]
        return [s for s in beside.values() if self._keyed(s)], [
            one for one in archived if self._keyed(one.stored)
        ]

    def _keyed(self, stored: Stored) -> bool:
        """Whether a key holds, besides its memory's own words, some that are erased."""
        own = keyed_by_itself(stored)
        more = stored.key.removeprefix(own).strip()
        lines = [line.removeprefix(ASKED.lstrip()) for line in more.splitlines() if line.strip()]
        return stored.key != own and (
            self.words.quoted(more)
            or any(self.words.quoted(line) or self.words.part(line) for line in lines)
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


def keyed_by_itself(stored: Stored) -> str:
    """The key of a memory's own words, dated if it is dated now."""
    memory = stored.memory
    return own_key(stored.key, memory.content, speaker=memory.speaker, at=memory.recorded_at)

"""What an erasure takes in: the memories that are named, and whatever else holds their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.observe_turn import ANSWERING
from cogmem_core.models import Episode, Memory, ObservationNote, Source
from cogmem_core.ports import Archived, Stored
from cogmem_core.results import Item
from cogmem_core.storage.files.erased_text import Words, strings
from cogmem_core.storage.files.scan import SHORTEST
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
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
    recall_ids: Sequence[str] = ()
    spans: Sequence[str] = ()
    rekeyed: Sequence[Stored] = ()
    former: Sequence[Archived] = ()
    unlisted: Sequence[str] = ()


def everything(reader: Transaction, namespace: str) -> Scope:
    """All that a namespace holds."""
    stored = _stored(reader, namespace, reader.at(namespace).memories.ids(Filter(states=None)))
    turns = reader.at(namespace).turns.by_ids(reader.at(namespace).turns.ids())
    notes = {note.id: note for note in _notes(reader, namespace)}
    return Scope(stored, turns, notes, list(reader.at(namespace).documents.below()))


def _stored(reader: Transaction, namespace: str, ids: Sequence[str]) -> dict[str, Stored]:
    """In the given order."""
    rows = reader.at(namespace).memories.stored(ids)
    return {memory_id: rows[memory_id] for memory_id in ids if memory_id in rows}


def _notes(reader: Transaction, namespace: str) -> Iterator[ObservationNote]:
    yield from reader.at(namespace).notes.of_level("note")
    yield from reader.at(namespace).notes.of_level("trace")


def _turns(reader: Transaction, namespace: str) -> Iterator[Episode]:
    cursor: str | None = None
    while page := reader.at(namespace).turns.page(limit=_PAGE, after_id=cursor):
        yield from page
        cursor = page[-1].id


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

    reader: Transaction
    namespace: str
    requested: Sequence[Memory]
    words: Words = field(default_factory=Words)
    requested_words: Words = field(default_factory=Words)
    memories: dict[str, Memory] = field(default_factory=dict)
    turns: dict[str, Episode] = field(default_factory=dict)
    statements: set[tuple[str, str]] = field(default_factory=set)
    quoted_parts: list[str] = field(default_factory=list)
    quoted: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    answered: set[tuple[str | None, str]] = field(default_factory=set)
    origins: dict[str, tuple[Source, ...]] = field(default_factory=dict)
    derived: dict[str, Memory] = field(default_factory=dict)

    def scope(self) -> Scope:
        """Memories lead to turns and turns to memories, until nothing is added.

        Derived ones lead to nothing.
        """
        self.derived = {
            memory.id: memory for memory in self.reader.at(self.namespace).overview.derived()
        }
        origins = self.reader.at(self.namespace).overview.sources()
        self.origins = {
            memory_id: sources for memory_id, sources in origins if memory_id not in self.derived
        }
        self.memories = {memory.id: memory for memory in self.requested}
        self.memories |= self._documents()
        fresh = first = [
            memory for memory in self.memories.values() if memory.id not in self.derived
        ]
        while fresh:
            self._add_memories(fresh, requested=fresh is first)
            self._add_unclaimed_turns()
            fresh = list(
                ({memory.id: memory for memory in self._quoting()} | self._documents()).values()
            )
        self._add_derived()
        rekeyed, former = self._kept_with_erased_keys()
        return Scope(
            _stored(self.reader, self.namespace, list(self.memories)),
            self.turns,
            {
                note.id: note
                for note in _notes(self.reader, self.namespace)
                if self._note_goes(note)
            },
            self.reader.at(self.namespace).documents.of_memories(self.memories),
            [
                recall_id
                for recall_id, text in self.reader.at(self.namespace).feedback.questions()
                if self._holds_erased_words(text)
            ],
            self.quoted_parts,
            rekeyed,
            former,
            [turn.id for turn in _turns(self.reader, self.namespace) if self._metadata_goes(turn)],
        )

    def _add_memories(self, memories: Sequence[Memory], *, requested: bool) -> None:
        self.memories |= {memory.id: memory for memory in memories}
        listed = [
            source.episode_id
            for memory in memories
            for source in memory.sources
            if source.episode_id
        ]
        turns = self.reader.at(self.namespace).turns.by_ids(listed)
        self._add_turns(turns.values())
        for memory in memories:
            texts = (memory.content, *self._versions(memory))
            self.statements |= {(content_hash(text), voice_of(memory)) for text in texts}
            if requested:
                self._add_words(memory, texts, turns)
        if requested:
            keys = self.reader.at(self.namespace).memories.keys(list(self.memories))
            questions = (
                (memory.session_id, asked_in(keys[memory.id], memory.content))
                for memory in memories
                if memory.id in keys
            )
            self.answered = {(session, question) for session, question in questions if question}

    def _documents(self) -> dict[str, Memory]:
        """What else the documents say, or once said, that these memories are texts of."""
        ids = (
            self.reader.at(self.namespace).documents.texts_of(self.memories) - self.memories.keys()
        )
        return self.reader.at(self.namespace).memories.by_ids(sorted(ids))

    def _add_derived(self) -> None:
        """What rests, or once rested, on an erased memory: its text or a former one may hold erased words."""
        rests = {memory_id: set(memory.support) for memory_id, memory in self.derived.items()}
        for entry in self.reader.at(self.namespace).journal.after(0, self.derived):
            rests[entry.memory_id].update(entry.before.get("support", ()))
        while fresh := [
            i for i in rests.keys() - self.memories.keys() if not rests[i].isdisjoint(self.memories)
        ]:
            self.memories |= {memory_id: self.derived[memory_id] for memory_id in sorted(fresh)}

    def _add_words(
        self, memory: Memory, texts: Sequence[str], turns: Mapping[str, Episode]
    ) -> None:
        quoted_parts = [(s, turns[s.episode_id]) for s in memory.sources if s.episode_id in turns]
        parts = [turn.content[source.start : source.end or None] for source, turn in quoted_parts]
        self.quoted_parts += parts
        self.words.add(*texts, *parts)
        for text in (*texts, *parts):
            for start, end in sentence_spans(text):
                sentence = text[start:end].rstrip(" .!?…")
                self.requested_words.add(sentence, third_person(sentence, memory.speaker))
        for (source, turn), part in zip(quoted_parts, parts, strict=True):
            self.statements.add((content_hash(part), voice_of(turn)))
            if plain(part) in map(plain, texts):
                self.quoted.setdefault(turn.id, []).append(
                    (source.start, source.end or len(turn.content))
                )

    def _add_turns(self, turns: Iterable[Episode]) -> None:
        for turn in turns:
            self.turns[turn.id] = turn
            self.words.add(turn.content)
            self.statements.add((content_hash(turn.content), voice_of(turn)))

    def _add_unclaimed_turns(self) -> None:
        """Turns that no memory which stays lists: the same words once more, or nothing came of them."""
        still_cited = {
            source.episode_id
            for memory_id, sources in self.origins.items()
            if memory_id not in self.memories
            for source in sources
        }
        unclaimed = (
            turn
            for turn in _turns(self.reader, self.namespace)
            if turn.id not in still_cited and turn.id not in self.turns
        )
        self._add_turns([turn for turn in unclaimed if self._repeats(turn)])

    def _repeats(self, turn: Episode) -> bool:
        """A turn that waits may say something else besides.

        It goes only if it says nothing else.
        """
        same = (content_hash(turn.content), voice_of(turn)) in self.statements
        if same or turn.status == "queued":
            return same
        is_question = (
            turn.reason == "question"
            and (turn.session_id, last_question(turn.content)) in self.answered
        )
        return is_question or self.words.held(turn.content)

    def _metadata_goes(self, turn: Episode) -> bool:
        """Whether only what stands beside a turn holds erased words: the call of a tool, a thought, a question."""
        more = turn.position is not None or ANSWERING in turn.metadata
        return (
            more
            and turn.id not in self.turns
            and any(map(self._holds_erased_words, strings(turn.metadata)))
        )

    def _related_ids(self) -> list[str]:
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
        related = self.reader.at(self.namespace).memories.by_ids(self._related_ids())
        return [memory for memory in related.values() if self._quotes(memory)]

    def _quotes(self, memory: Memory) -> bool:
        """Whether a memory beside holds erased words, or says nothing but what the named ones quote."""
        texts = (memory.content, *self._versions(memory))
        if all(not source.episode_id for source in memory.sources):
            return any(self.words.held(text) or self.requested_words.held(text) for text in texts)
        return any(map(self.words.quoted, texts)) or all(map(self._covered, memory.sources))

    def _covered(self, source: Source) -> bool:
        turn = self.turns.get(source.episode_id)
        end = source.end or (len(turn.content) if turn else 0)
        return any(
            first <= source.start and end <= last
            for first, last in self.quoted.get(source.episode_id, ())
        )

    def _versions(self, memory: Memory) -> list[str]:
        return [
            version.content
            for version in self.reader.at(self.namespace).history.versions(memory.id)
        ]

    def _kept_with_erased_keys(self) -> tuple[list[Stored], list[Archived]]:
        sessions = {turn.session_id for turn in self.turns.values()}
        quoting = (
            memory_id
            for memory_id in self.reader.at(self.namespace).overview.answers(sessions)
            if memory_id not in self.memories
        )
        related = self.reader.at(self.namespace).memories.stored([*self._related_ids(), *quoting])
        archived = [
            archive
            for stored in related.values()
            for archive in self.reader.at(self.namespace).history.archived(stored)
        ]
        return [stored for stored in related.values() if self._key_goes(stored)], [
            archive for archive in archived if self._key_goes(archive.stored)
        ]

    def _key_goes(self, stored: Stored) -> bool:
        """Whether a key holds, besides its memory's own words, some that are erased."""
        own = keyed_by_itself(stored)
        more = stored.key.removeprefix(own).strip()
        lines = [line.removeprefix(ASKED.lstrip()) for line in more.splitlines() if line.strip()]
        return stored.key != own and (
            self.words.quoted(more)
            or any(self.words.quoted(line) or self.words.part(line) for line in lines)
        )

    def _holds_erased_words(self, text: str) -> bool:
        return self.words.held(text) or self.requested_words.held(text)

    def _note_goes(self, note: ObservationNote) -> bool:
        """A note may be the head of a long turn."""
        return self._holds_erased_words(note.content) or (
            note.level == "note" and any(_begins(turn, note) for turn in self.turns.values())
        )


def _begins(turn: Episode, note: ObservationNote) -> bool:
    return len(note.content) >= SHORTEST and turn.content.strip().startswith(note.content)


def keyed_by_itself(stored: Stored) -> str:
    """The key of a memory's own words, dated if it is dated now."""
    memory = stored.memory
    return own_key(stored.key, memory.content, speaker=memory.speaker, at=memory.recorded_at)

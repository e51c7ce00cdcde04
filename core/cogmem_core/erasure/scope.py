"""What an erasure takes in: the memories that are named, and whatever else holds their words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

from cogmem_core.edge.clauses import blanked, reading_of, said
from cogmem_core.encoding.facts import by_id, voice_of
from cogmem_core.encoding.forgetting import retold
from cogmem_core.encoding.observe_turn import ANSWERING
from cogmem_core.erasure.asked import ANYTHING, Asked, Found
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.files.erased_text import Words, strings
from cogmem_core.storage.files.scan import SHORTEST
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.record_kinds import AGENTS, KINDS, MEMORIES
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import ASKED, asked_in, content_hash, own_key, plain
from cogmem_core.text.query.questions import last_question
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.values.models import (
    Episode,
    Intention,
    Memory,
    ObservationNote,
    Procedure,
    Source,
    TaskRun,
)

_KINDS = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What an erasure takes in.

    Attributes:
        memories: to be deleted, by id; those that were named come first.
        rows: other records to be deleted, by the name of their kind and by key.
        spans: the parts of turns that the named memories came from.
        rekeyed: memories that stay, but whose keys quote what is erased, or that lose a telling.
        former: the same of former versions.
        unlisted: ids of turns that lose their metadata, and leave their transcript, because those
            quote what is erased.
        left: what stays though it may be meant, and why, in sentences.
        blanked: of memories that say more than what is erased, by id, what is erased; they are among
            `rekeyed`, without it.
        staying: memories that stay and come from the same turns, or were told by others, too.
    """

    memories: Mapping[str, Stored]
    rows: Mapping[str, Mapping[Any, Any]]
    spans: Sequence[str] = ()
    rekeyed: Sequence[Stored] = ()
    former: Sequence[Archived] = ()
    unlisted: Sequence[str] = ()
    left: Sequence[str] = ()
    blanked: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    staying: Sequence[Memory] = ()


def everything(ns: Namespace) -> Scope:
    """All that a namespace holds."""
    others = [kind for kind in KINDS if kind.name != MEMORIES]
    rows = {kind.name: {kind.key(row): row for row in kind.rows(ns)} for kind in others}
    return Scope(memories=_stored(ns, ns.memories.ids(Filter(states=None))), rows=rows)


def _stored(ns: Namespace, ids: Sequence[str]) -> dict[str, Stored]:
    """In the given order."""
    rows = ns.memories.stored(ids)
    return {memory_id: rows[memory_id] for memory_id in ids if memory_id in rows}


@dataclass(slots=True)
class Search:
    """Finds what goes with the memories that are named.

    Attributes:
        requested: the memories that are named.
        records: ids of the intentions and procedures that are named.
        asked: words and a filter that any kind of record may answer to.
        found: what answers to them.
        words: of the named memories, their former versions, and all turns that are deleted.
        requested_words: of the named memories alone, sentence by sentence: what notes may hold.
        memories: to be deleted, by id.
        turns: to be deleted, by id.
        statements: hashes of the texts that are deleted, each with the voice that said it.
        quoted_parts: the parts of turns that the named memories came from.
        quoted: by turn, the characters that the named memories quote as they were said.
        answered: the questions that the named memories answer, with their sessions.
        origins: the sources of all memories that are not derived.
        derived: the derived memories, by id.
        halves: by the id of a memory that says more, each clause of it that is erased, as a memory.
    """

    ns: Namespace
    requested: Sequence[Memory]
    records: Collection[str] = ()
    asked: Asked = ANYTHING
    found: Found = field(init=False)
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
    halves: dict[str, list[Memory]] = field(default_factory=dict)

    def scope(self) -> Scope:
        """Memories lead to turns and turns to memories, until nothing is added.

        Derived ones lead to nothing.
        """
        self.derived = by_id(self.ns.overview.derived())
        self.origins = dict(self.ns.overview.sources())
        for memory_id in self.derived:
            self.origins.pop(memory_id, None)
        self.found = self.asked.found(self.ns)
        # Found as they are, they say nothing of what else is meant: "Yes, please." stands elsewhere, too.
        self.turns |= self.found.rows["turns"]
        texts = chain.from_iterable(
            item.memory_ids for item in self.found.rows["documents"].values()
        )
        self.memories = by_id(self.requested) | self.found.rows[MEMORIES]
        self.memories |= self.ns.memories.by_ids(list(texts))
        self.memories |= self._documents()
        self._part()
        fresh = first = [
            memory for memory in self.memories.values() if memory.id not in self.derived
        ]
        for halves in self.halves.values():
            first += halves
        while fresh:
            self._add_memories(fresh, requested=fresh is first)
            self._add_unclaimed_turns()
            fresh = list((by_id(self._quoting()) | self._documents()).values())
        self._add_derived()
        related = self._related_rows()
        for memory_id in self.halves:
            self.memories.pop(memory_id, None)
        blanked = list(self._blanked())
        kept = self.ns.memories.stored([i for i in self.found.kept if i not in self.memories])
        return Scope(
            memories=_stored(self.ns, list(self.memories)),
            rows=self._rows(),
            spans=self.quoted_parts,
            rekeyed=[*self._rekeyed(related, kept), *blanked],
            blanked=self.halves,
            former=[
                version
                for version in self.ns.history.archived(related)
                if self._key_goes(version.stored)
            ],
            unlisted=[
                turn.id for turn in self.ns.turns.with_metadata() if self._metadata_goes(turn)
            ],
            left=self.found.left,
            staying=[stored.memory for stored in (*kept.values(), *related, *blanked)],
        )

    def _part(self) -> None:
        """Memories that say more than what is erased lose that, and stay."""
        for memory in list(self.memories.values()):
            if memory.id in self.derived or memory.category == "item":
                continue
            parted, numbers = self.asked.clauses_of(memory)
            if numbers:
                clauses = reading_of(parted).clauses
                self.halves[memory.id] = [
                    replace(memory, content=said(memory, clauses[number])) for number in numbers
                ]
                self.quoted_parts.append(memory.content)
                del self.memories[memory.id]

    def _blanked(self) -> Iterator[Stored]:
        """The memories that stay without a clause; their keys and vectors are those of before."""
        for stored in self.ns.memories.stored(list(self.halves)).values():
            yield replace(stored, memory=blanked(*self.asked.clauses_of(stored.memory)))

    def _rows(self) -> dict[str, dict[Any, Any]]:
        """The other records that go."""
        rows = {name: dict(found) for name, found in self.found.rows.items() if name != MEMORIES}
        rows["turns"] = dict(self.turns)
        for item in self.ns.documents.of_memories(self.memories):
            rows["documents"][item.path, item.key] = item
        tests: dict[str, Callable[[Any], bool]] = {
            "notes": self._note_goes,
            "questions": lambda question: self._holds_erased_words(question.query),
        }
        for name in (*AGENTS, *tests):
            kind = _KINDS[name]
            goes = tests.get(name, partial(self._record_goes, kind.words))
            rows[name].update((kind.key(row), row) for row in kind.rows(self.ns) if goes(row))
        return rows

    def _rekeyed(self, related: Collection[Stored], kept: Mapping[str, Stored]) -> Iterator[Stored]:
        """Memories that stay with another key, or with fewer tellings."""
        for memory_id, stored in kept.items():
            fields = retold(stored.memory, self.found.kept[memory_id])
            yield replace(stored, memory=replace(stored.memory, **fields))
        for stored in related:
            if stored.memory.id not in kept and self._key_goes(stored):
                yield stored

    def _add_memories(self, memories: Sequence[Memory], *, requested: bool) -> None:
        self.memories |= by_id(memories)
        sources = chain.from_iterable(memory.sources for memory in memories)
        turns = self.ns.turns.by_ids([s.episode_id for s in sources if s.episode_id])
        self._add_turns(turns.values())
        for memory in memories:
            texts = (memory.content, *self._versions(memory))
            self.statements |= {(content_hash(text), voice_of(memory)) for text in texts}
            if requested:
                self._add_words(memory, texts, turns)
        if requested:
            keys = self.ns.memories.keys(list(self.memories))
            for memory in memories:
                question = asked_in(keys.get(memory.id, ""), memory.content)
                if question:
                    self.answered.add((memory.session_id, question))

    def _documents(self) -> dict[str, Memory]:
        """What else the documents say, or once said, that these memories are texts of."""
        ids = self.ns.documents.texts_of(self.memories) - self.memories.keys()
        return self.ns.memories.by_ids(sorted(ids))

    def _add_derived(self) -> None:
        """What rests, or once rested, on an erased memory: its text or a former one may hold erased words."""
        support = {memory_id: set(memory.support) for memory_id, memory in self.derived.items()}
        for entry in self.ns.journal.after(0, self.derived):
            support[entry.memory_id].update(entry.before.get("support", ()))
        while fresh := self._resting_on_erased(support):
            self.memories |= {memory_id: self.derived[memory_id] for memory_id in fresh}

    def _resting_on_erased(self, support: Mapping[str, set[str]]) -> list[str]:
        remaining = sorted(support.keys() - self.memories.keys())
        return [i for i in remaining if not support[i].isdisjoint(self.memories)]

    def _add_words(
        self, memory: Memory, texts: Sequence[str], turns: Mapping[str, Episode]
    ) -> None:
        sources = [source for source in memory.sources if source.episode_id in turns]
        parts = [turns[s.episode_id].content[s.start : s.end or None] for s in sources]
        self.quoted_parts += parts
        self.words.add(*texts, *parts)
        for text in (*texts, *parts):
            for start, end in sentence_spans(text):
                sentence = text[start:end].rstrip(" .!?…")
                self.requested_words.add(sentence, third_person(sentence, memory.speaker))
        for source, part in zip(sources, parts, strict=True):
            turn = turns[source.episode_id]
            self.statements.add((content_hash(part), voice_of(turn)))
            if plain(part) in map(plain, texts):
                span = (source.start, source.end or len(turn.content))
                self.quoted.setdefault(turn.id, []).append(span)

    def _add_turns(self, turns: Iterable[Episode]) -> None:
        for turn in turns:
            self.turns[turn.id] = turn
            self.words.add(turn.content)
            self.statements.add((content_hash(turn.content), voice_of(turn)))

    def _add_unclaimed_turns(self) -> None:
        """Turns that no memory which stays lists: the same words once more, or nothing came of them."""
        cited = set(self.turns)
        for memory_id, sources in self.origins.items():
            if memory_id not in self.memories:
                cited.update(source.episode_id for source in sources)
        unclaimed = self.ns.turns.by_ids([i for i in self.ns.turns.ids() if i not in cited])
        self._add_turns(list(filter(self._repeats, unclaimed.values())))

    def _repeats(self, turn: Episode) -> bool:
        """A turn that waits may say something else besides.

        It goes only if it says nothing else.
        """
        if self._is_told_by_another(turn):
            return False
        same = (content_hash(turn.content), voice_of(turn)) in self.statements
        if same or turn.status == "queued":
            return same
        is_question = (
            turn.reason == "question"
            and (turn.session_id, last_question(turn.content)) in self.answered
        )
        return is_question or self.words.held(turn.content)

    def _is_told_by_another(self, record: Episode | ObservationNote) -> bool:
        """Whether a person said it whom, or when, a filter leaves out: it goes by none of its words."""
        return self.asked.within.of_telling and record.role == "user"

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
        cited = chain.from_iterable(memory.sources for memory in self.memories.values())
        refs = {source.ref for source in cited if source.ref}
        return [
            memory_id
            for memory_id, sources in self.origins.items()
            if memory_id not in self.memories and self._comes_from(sources, refs)
        ]

    def _comes_from(self, sources: Sequence[Source], refs: Collection[str]) -> bool:
        return any(
            source.episode_id in self.turns or (not source.episode_id and source.ref in refs)
            for source in sources
        )

    def _quoting(self) -> list[Memory]:
        ids = [i for i in self._related_ids() if i not in self.found.kept]
        related = self.ns.memories.by_ids(ids)
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
        spans = self.quoted.get(source.episode_id, ())
        return any(first <= source.start and end <= last for first, last in spans)

    def _versions(self, memory: Memory) -> list[str]:
        return [version.content for version in self.ns.history.versions(memory.id)]

    def _related_rows(self) -> Collection[Stored]:
        """Memories that stay, and whose keys may quote what is erased."""
        sessions = {turn.session_id for turn in self.turns.values()}
        answers = self.ns.overview.answers(sessions)
        ids = [memory_id for memory_id in answers if memory_id not in self.memories]
        return self.ns.memories.stored([*self._related_ids(), *ids]).values()

    def _key_goes(self, stored: Stored) -> bool:
        """Whether a key holds, besides its memory's own words, some that are erased."""
        own = keyed_by_itself(stored)
        more = stored.key.removeprefix(own).strip()
        lines = [line.removeprefix(ASKED.lstrip()) for line in more.splitlines() if line.strip()]
        return stored.key != own and (
            self.words.quoted(more)
            or self.asked.names([more])
            or any(self.words.quoted(line) or self.words.part(line) for line in lines)
        )

    def _holds_erased_words(self, text: str) -> bool:
        held = self.words.held(text) or self.requested_words.held(text)
        return held or (not self.asked.within.narrows and self.asked.names([text]))

    def _record_goes(
        self, words: Callable[[Any], Iterable[str]], record: Intention | Procedure | TaskRun
    ) -> bool:
        """Whether it is named, was inferred from what is erased, or holds words of it."""
        if record.id in self.records:
            return True
        if isinstance(record, Intention) and not self.memories.keys().isdisjoint(record.memory_ids):
            return True
        return any(map(self._holds_erased_words, filter(None, words(record))))

    def _note_goes(self, note: ObservationNote) -> bool:
        """A note may be the head of a long turn."""
        if self._is_told_by_another(note):
            return False
        return self._holds_erased_words(note.content) or (
            note.level == "note" and any(_begins(turn, note) for turn in self.turns.values())
        )


def _begins(turn: Episode, note: ObservationNote) -> bool:
    return len(note.content) >= SHORTEST and turn.content.strip().startswith(note.content)


def keyed_by_itself(stored: Stored) -> str:
    """The key of a memory's own words, dated if it is dated now."""
    memory = stored.memory
    return own_key(stored.key, memory.content, speaker=memory.speaker, at=memory.recorded_at)

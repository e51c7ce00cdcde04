"""The values of the write path: `ObservedTurn`, then `Fact`, then `Decision`, which names a `Neighbor`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from cogmem_core.reading.pieces import is_fragment
from cogmem_core.reading.replies import Choice
from cogmem_core.retrieval.doubts import Doubted
from cogmem_core.text.keys import content_hash
from cogmem_core.text.observe.emotion import NEUTRAL, Emotion
from cogmem_core.values.models import (
    Category,
    DataSource,
    Episode,
    Memory,
    RelationType,
    Role,
    Source,
)

Action = Literal["create", "reinforce", "supersede", "update", "elaborate", "skip", "echo"]
"""What happens to a fact: as in `maths.gate`; `echo` = a repetition that changes nothing at all."""

Identity = tuple[str, str, str]
"""Content hash, voice, and question.

Exact duplicates are the same words of the same voice to the same question. The last part is empty
where the words say enough by themselves, see `answers_to`.
"""

WeightedLink = tuple[RelationType, str, float]
"""Type, id of the memory that the link points to, confidence 0..1."""

UNDATED = "cogmem_undated"
"""In the metadata of an imported turn: nobody knows when it was said."""

ANSWERS = "cogmem_answers_to"
"""In the metadata of a memory: which question gives its words their meaning, see `answers_to`."""

_DATA_SOURCE: dict[str, DataSource] = {"user": "user_message", "assistant": "assistant_message"}


class Settled(NamedTuple):
    """What a person's answer says of versions of one thing.

    Attributes:
        choice: which of two, "both" or "neither".
        pair: the two about which he was asked.
        alone: the answer says nothing else.
    """

    choice: Choice
    pair: Doubted
    alone: bool

    @property
    def kept(self) -> Memory | None:
        """The one that holds; None if both or neither do."""
        return {"older": self.pair.older, "newer": self.pair.newer}.get(self.choice)


@dataclass(frozen=True, slots=True)
class ObservedTurn:
    """A turn after the observer.

    Attributes:
        episode: the turn as it was said.
        text: what is new in it: the turn without what had been injected from memory.
        start: where that text begins in the turn; -1 if it does not stand there in one piece.
        skipped: why nothing comes of it; empty if something does.
        weak: why it is kept as a weak memory only; empty for a solid one.
        category: see `text.observe.observer.Observation`.
        confidence: see `text.observe.observer.Observation`.
        entities: what it names, as URIs.
        emotion: see `text.observe.observer.Observation`.
        referenced_at: the first time that it speaks of, UTC; see `text.time.find.first_time`.
        quarantine: why its facts are quarantined; empty if they are not.
        flags: what the words of a trusted person look like, such as an instruction.
        question: the question that it answers; empty if it says enough by itself or answers none.
        corrected: what the assistant had just said, if the turn corrects it with a piece of a
            sentence; else empty.
        unmeant: whether it, or a turn before it in its session, says that it is a joke, a story or a
            game, so that it may change nothing for certain.
        settled: which of two versions holds, if it answers that.
    """

    episode: Episode
    text: str
    start: int = 0
    skipped: str = ""
    weak: str = ""
    category: Category = "other"
    confidence: float = 0.0
    entities: tuple[str, ...] = ()
    emotion: Emotion = NEUTRAL
    referenced_at: datetime | None = None
    quarantine: str = ""
    flags: tuple[str, ...] = ()
    question: str = ""
    corrected: str = ""
    unmeant: bool = False
    settled: Settled | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the turn.

        (0, 0), the whole turn, if that is unknown.
        """
        if not end or self.start < 0:
            return 0, 0
        return self.start + start, self.start + end


@dataclass(frozen=True, slots=True)
class Fact:
    """What may become a memory.

    Attributes:
        turn: the turn it comes from.
        content: the text of the memory.
        key: what is embedded and tokenised.
        new_id: the id of the memory if the fact turns out to be new.
        category: of the memory.
        entities: what it names, as URIs.
        start: where its span begins in the turn's content.
        end: where its span ends; the whole turn if both are 0.
        referenced_at: the time it speaks of, if that is known.
        valid_from: from when it is true, if it says so; None = from when it was said or happened.
        valid_until: None = open.
        ephemeral: of no use after a few hours or days: short-term.
        verbatim: these are the turn's own words; else they were rewritten.
        exact: only an exact duplicate counts as known: documents, and verbatim turns in `raw` and
            `hybrid` mode.
        answers: a mark of the question that gives its words their meaning, see `answers_to`.
    """

    turn: ObservedTurn
    content: str
    key: str
    new_id: str
    category: Category
    entities: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    referenced_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    ephemeral: bool = False
    verbatim: bool = True
    exact: bool = False
    answers: str = ""

    @property
    def episode(self) -> Episode:
        """The turn as it was said."""
        return self.turn.episode

    @property
    def identity(self) -> Identity:
        """Identity of the memory that it becomes."""
        return content_hash(self.content), self.voice, self.answers

    @property
    def voice(self) -> str:
        """Who says it, see `voice_of`."""
        return voice_of(self.episode)

    @property
    def source(self) -> Source:
        """The turn and the span that it comes from."""
        episode = self.episode
        end = self.end or len(episode.content)
        at = None if episode.metadata.get(UNDATED) is True else episode.at
        return Source(episode.id, self.start, end, episode.ref, at)


class Neighbor(NamedTuple):
    """A memory that resembles a fact.

    Attributes:
        memory: as it was when the two were compared.
        similarity: cosine of the two texts, -1..1; None if the texts were not compared.
        key_similarity: cosine of the two index keys, -1..1; 0.0 if only shared words found it.
    """

    memory: Memory
    similarity: float | None = None
    key_similarity: float = 0.0

    @property
    def nearness(self) -> float:
        """The best estimate of how alike the texts are."""
        return self.key_similarity if self.similarity is None else self.similarity


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a fact.

    Attributes:
        fact: the fact.
        action: see `Action`.
        reason: a few words for the receipt and the journal.
        neighbor: the memory that the action is about; None if it is about none.
        memory: the new memory, for `create`, `elaborate` and `supersede`.
        text: the neighbor's new text, for `update`; empty if it is still to be merged.
        conflicts: further memories that the fact contradicts.
        links: relations of the new memory.
        by_model: whether the language model decided.
        neighbors: all that the fact was compared with, the most similar first.
    """

    fact: Fact
    action: Action
    reason: str
    neighbor: Neighbor | None = None
    memory: Memory | None = None
    text: str = ""
    conflicts: tuple[Memory, ...] = ()
    links: tuple[WeightedLink, ...] = ()
    by_model: bool = False
    neighbors: tuple[Neighbor, ...] = ()

    @property
    def target(self) -> Memory | None:
        """The neighbor's memory."""
        return None if self.neighbor is None else self.neighbor.memory


def data_source_of(role: Role) -> DataSource:
    """The data source of what that role says."""
    return _DATA_SOURCE.get(role, "system")


def voice_of(item: Episode | Memory) -> str:
    """The speaker's name, else the data source."""
    if isinstance(item, Memory):
        return item.speaker or item.data_source
    return item.speaker or data_source_of(item.role)


def same_voice(voice: str, memory: Memory) -> bool | None:
    """Whether a memory is of a voice; None = an assistant said it, to whoever speaks without a name."""
    heard = memory.data_source == "assistant_message" and not memory.speaker
    return None if heard and voice == "user_message" else voice == voice_of(memory)


def identity_of(memory: Memory) -> Identity:
    """Identity of a stored memory."""
    return memory.content_hash, voice_of(memory), answers_of(memory)


def by_id(memories: Iterable[Memory]) -> dict[str, Memory]:
    """Memories by their ids."""
    return {memory.id: memory for memory in memories}


def hashes_of(facts: Iterable[Fact]) -> list[str]:
    """The content hashes of facts."""
    return [fact.identity[0] for fact in facts]


def answers_to(text: str, question: str) -> str:
    """A mark of the question without which a short answer says nothing.

    Returns:
        16 hex digits of the question's hash: who erases the question leaves none of its words
        here. Empty if the text says enough by itself or answers no question.
    """
    return content_hash(question)[:16] if question and is_fragment(text) else ""


def answers_of(memory: Memory) -> str:
    """As `answers_to`, of a stored memory; after an edit it may say enough by itself."""
    mark = memory.metadata.get(ANSWERS, "")
    return mark if isinstance(mark, str) and mark and is_fragment(memory.content) else ""


def on_different_days(first: datetime | None, second: datetime | None) -> bool:
    """Whether both times are known and lie on two days: the same words are another event then."""
    return first is not None and second is not None and first.date() != second.date()


SOURCES_KEPT = 64


def add_source(sources: Sequence[Source], source: Source) -> tuple[Source, ...]:
    """One more source; of more than `SOURCES_KEPT` sources the first and the newest ones stay."""
    united = (*sources, source)
    return united if len(united) <= SOURCES_KEPT else (united[0], *united[1 - SOURCES_KEPT :])

"""The values that travel along the write path: a turn as it was heard, and what may become a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cogmem_core.models import Category, DataSource, Episode, Memory, Role, Source
from cogmem_core.text.keys import content_hash
from cogmem_core.text.observe.emotion import NEUTRAL, Emotion
from cogmem_core.text.query.questions import is_fragment

__all__ = [
    "ANSWERS",
    "Fact",
    "Heard",
    "Identity",
    "answers_of",
    "answers_to",
    "data_source_of",
    "identity_of",
    "other_day",
    "sources_united",
    "voice_of",
]

Identity = tuple[str, str, str]
"""Content hash, voice, and what it answers: exact duplicates are the same words of the same voice to the same question.

The last part is empty where the words say enough by themselves, see `answers_to`.
"""

ANSWERS = "cogmem_answers_to"
"""In the metadata of a memory: which question gives its words their meaning, see `answers_to`."""

_DATA_SOURCE: dict[str, DataSource] = {"user": "user_message", "assistant": "assistant_message"}


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn after the observer.

    Attributes:
        text: what is new in it: the turn without what had been injected from memory.
        start: where that text begins in the turn; -1 if it does not stand there in one piece.
        skipped: why nothing comes of it; empty if something does.
        weak: why it is kept as a weak memory only; empty for a solid one.
        category, confidence, entities, emotion: see `text.observe.Observation`; entities as URIs.
        referenced_at: the first time that it speaks of, UTC; see `text.when.first_time`.
        aside: why what comes of it is quarantined; empty if it is not. flagged: what a person's words look like.
        asked: the question that it answers; empty if it says enough by itself, or answers none.
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
    aside: str = ""
    flagged: tuple[str, ...] = ()
    asked: str = ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch `text[start:end]` stands in the turn; (0, 0), the whole turn, if that is not to be told."""
        return (self.start + start, self.start + end) if end and self.start >= 0 else (0, 0)


@dataclass(frozen=True, slots=True)
class Fact:
    """What may become a memory.

    Attributes:
        heard: the turn it comes from.
        key: what is embedded and tokenised.
        new_id: used if it turns out to be new.
        start, end: its span in the turn's content; the whole turn if both are 0.
        valid_until: None = open.
        passing: of no use after a few hours or days: short-term.
        verbatim: these are the turn's own words; else they were rewritten.
        exact: only an exact duplicate counts as known: documents, and verbatim turns in `raw` and `hybrid` mode.
        answers: a mark of the question that gives its words their meaning, see `answers_to`.
    """

    heard: Heard
    content: str
    key: str
    new_id: str
    category: Category
    entities: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    referenced_at: datetime | None = None
    valid_until: datetime | None = None
    passing: bool = False
    verbatim: bool = True
    exact: bool = False
    answers: str = ""

    @property
    def episode(self) -> Episode:
        """The turn as it was said."""
        return self.heard.episode

    @property
    def identity(self) -> Identity:
        """Of the memory that it becomes."""
        return content_hash(self.content), voice_of(self.episode), self.answers

    @property
    def source(self) -> Source:
        """Where it comes from."""
        turn = self.episode
        return Source(turn.id, self.start, self.end or len(turn.content), turn.ref, turn.at)


def data_source_of(role: Role) -> DataSource:
    """Who it comes from if that role says it."""
    return _DATA_SOURCE.get(role, "system")


def voice_of(said: Episode | Memory) -> str:
    """The speaker's name, else the role that speaks."""
    if isinstance(said, Memory):
        return said.speaker or said.data_source
    return said.speaker or data_source_of(said.role)


def identity_of(memory: Memory) -> Identity:
    """Of a stored memory."""
    return memory.content_hash, voice_of(memory), answers_of(memory)


def answers_to(text: str, question: str) -> str:
    """A mark of the question without which a short answer says nothing; "" if the text says enough, or answers none.

    16 hex digits of its hash: who erases the question leaves none of its words here.
    """
    return content_hash(question)[:16] if question and is_fragment(text) else ""


def answers_of(memory: Memory) -> str:
    """As `answers_to`, of a stored memory; an edited one may say enough by now."""
    mark = memory.metadata.get(ANSWERS, "")
    return mark if isinstance(mark, str) and mark and is_fragment(memory.content) else ""


def other_day(mine: datetime | None, other: datetime | None) -> bool:
    """Whether two known times lie on two days: the same words about another day are another event."""
    return mine is not None and other is not None and mine.date() != other.date()


def sources_united(known: Sequence[Source], source: Source, limit: int) -> tuple[Source, ...]:
    """One more source: the first and the newest ones stay."""
    united = (*known, source)
    return united if len(united) <= limit else (united[0], *united[len(united) - limit + 1 :])

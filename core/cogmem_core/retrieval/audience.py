"""What somebody else may hear: what tells of a private topic is left out unless it is asked for. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cogmem_core import reading
from cogmem_core.edge.clauses import blanked, reading_of
from cogmem_core.reading.model import KEPT, Clause, Reading
from cogmem_core.reading.question import asked
from cogmem_core.reading.topics import is_self, shares_words, tells_who_knows, topics_of
from cogmem_core.values.models import Memory


@dataclass(frozen=True, slots=True)
class Audience:
    """Who hears an answer.

    Attributes:
        who: as the caller names them: "my boss", "Katrin".
        query: what was asked.
        private: the topics that they hear nothing of.
    """

    who: str
    query: str
    private: frozenset[str]

    def hears(self, text: str) -> bool:
        """Whether nothing of a text is private."""
        return not self.hidden(reading.of(text))

    def part_of(self, memory: Memory) -> Memory | None:
        """A memory without what is private; None if nothing is left."""
        told = reading_of(memory)
        hidden = self.hidden(told)
        if not hidden or _is_by(memory, self.who):
            return memory
        left = [
            number
            for number, clause in enumerate(told.clauses)
            if clause.kind in KEPT and number not in hidden
        ]
        return blanked(memory, hidden) if left else None

    def hidden(self, told: Reading) -> Collection[int]:
        """The numbers of the clauses that they do not hear."""
        return [
            number for number, clause in enumerate(told.clauses) if self._is_hidden(told, clause)
        ]

    def _is_hidden(self, told: Reading, clause: Clause) -> bool:
        private = topics_of(told, clause) & self.private
        return bool(private) and not (
            private & self.asked
            or shares_words(told, clause, self.query)
            or tells_who_knows(told, clause, self.who)
        )

    @property
    def asked(self) -> frozenset[str]:
        """The topics that the query asks for."""
        query = reading.of(self.query)
        said = frozenset().union(*(topics_of(query, clause) for clause in query.clauses))
        return said | {asked(self.query).topic}


def _is_by(memory: Memory, who: str) -> bool:
    return bool(memory.speaker) and memory.speaker.casefold() in who.casefold().split()


def audience_of(who: str | None, query: str, private: Collection[str]) -> Audience | None:
    """Who hears an answer; None if it is the speaker, or nobody is named."""
    return None if who is None or is_self(who) else Audience(who, query, frozenset(private))

"""What somebody else may hear: what tells of a private topic is left out unless it is asked for. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cogmem_core import reading
from cogmem_core.edge.clauses import blanked, reading_of
from cogmem_core.reading.model import KEPT, Clause, Reading
from cogmem_core.reading.topics import (
    NAMES,
    asked_topics,
    asks_for,
    is_self,
    is_stranger,
    knows,
    names_one,
    topics_of,
)
from cogmem_core.values.models import Memory

_WHEREABOUTS = "location"
"""What a stranger hears nothing of."""


class Audience(NamedTuple):
    """Who hears an answer.

    Attributes:
        who: as the caller names them: "my boss", "Katrin".
        query: what was asked.
        private: the topics, and words of one's own, that they hear nothing of.
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
        """The numbers of the clauses that they do not hear: all, where one says that they are not to know."""
        if any(knows(told, clause, self.who) is False for clause in told.clauses):
            return range(len(told.clauses))
        return [
            number for number, clause in enumerate(told.clauses) if self._is_hidden(told, clause)
        ]

    def _is_hidden(self, told: Reading, clause: Clause) -> bool:
        private = topics_of(told, clause) & self.private
        own = any(names_one(told, clause, words) for words in self.private.difference(NAMES))
        return (bool(private) or own) and not (
            asks_for(self.query, told, clause, private) or knows(told, clause, self.who)
        )


def _is_by(memory: Memory, who: str) -> bool:
    """Whether somebody said it himself."""
    return bool(memory.speaker) and str(memory.speaker).casefold() in who.casefold().split()


def audience_of(who: str | None, query: str, private: Collection[str]) -> Audience | None:
    """Who hears an answer; None if it is the speaker, or nobody is named.

    A topic is open that the query names, and one that the audience is of: a recruiter may hear of
    applications.
    """
    asked = reading.of(query)
    if who is None or is_self(who, asked.language):
        return None
    named = reading.of(who)
    about = frozenset().union(*(topics_of(named, clause) for clause in named.clauses))
    closed = {_WHEREABOUTS} if is_stranger(who, asked.language) else set()
    return Audience(who, query, frozenset(private) - asked_topics(asked) - about | closed)

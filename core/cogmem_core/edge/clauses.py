"""Which clauses of a memory hold, and what becomes of their states when the text is read anew. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cogmem_core import reading
from cogmem_core.text.keys import plain
from cogmem_core.values.models import ClauseState, Memory
from cogmem_core.values.readings import VERSION, Clause, Reading

_ENDS = " .,;:!?\u2026"


def reading_of(memory: Memory) -> Reading:
    """The text of a memory taken apart; made now if it is not stored, or by an older reader."""
    stored = memory.reading
    return stored if stored and stored.version == VERSION else reading.of(memory.content)


def states_of(memory: Memory) -> Mapping[int, ClauseState]:
    """How clauses stand, by number."""
    return {state.number: state for state in memory.clause_states}


def read_anew(memory: Memory, former: Memory | None = None) -> Memory:
    """A memory with the reading of its text; how clauses stand is carried over by their words.

    Args:
        memory: its text may be a new one.
        former: the memory whose clauses its states count; None = itself.
    """
    fresh = reading.of(memory.content)
    old = former or memory
    if not old.clause_states or (old.content == memory.content and old.reading in (None, fresh)):
        return replace(memory, reading=fresh)
    states = tuple(_carried(old, memory.content, fresh))
    return replace(memory, reading=fresh, clause_states=states)


def _carried(old: Memory, content: str, fresh: Reading) -> Iterator[ClauseState]:
    """The states for the clauses of a new text: each says what one of the old said, or a part of it."""
    clauses = reading_of(old).clauses if old.reading is None else old.reading.clauses
    for number, clause in enumerate(fresh.clauses):
        words = _words(content, clause)
        for state in old.clause_states:
            if state.number >= len(clauses):
                continue
            former = _words(old.content, clauses[state.number])
            if words in former or (former in words and 2 * len(former) >= len(words)):
                yield replace(state, number=number)
                break


def _words(content: str, clause: Clause) -> str:
    return plain(content[clause.start : clause.end]).strip(_ENDS)

"""Memories that say nearly the same: who lies near whom, and whether one of the two can stand for the other.

Steps that look for pairs ask the vector index about those memories that changed since they looked
last, never about all pairs. Nearness alone decides nothing: what says something else, was said by
somebody else or holds a number or a name of its own is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from operator import attrgetter

from cogmem_core.consolidation.dream import Dream
from cogmem_core.edge.clauses import exempt, standing, withdrawn
from cogmem_core.edge.trust import outranks
from cogmem_core.encoding.facts import answers_of, voice_of
from cogmem_core.reading.between import change, likeness
from cogmem_core.reading.facts import denies
from cogmem_core.skills.merge_texts import lost
from cogmem_core.values.models import Memory
from cogmem_core.values.readings import Reading

DUPLICATE_SIMILARITY = 0.95
"""Cosine from which on two memories are duplicates, where the vectors alone decide."""
DUPLICATE_QUANTILE = 0.999
"""Share of all pairs that duplicates are nearer than, where their words must say so, too."""
NEIGHBOURS = 8
"""Neighbours of each memory that are looked at."""
REDUNDANT_SIMILARITY = 0.9
"""Cosine above which one of two memories is redundant, where the vectors alone decide."""
REDUNDANT_QUANTILE = 0.998
"""Share of all pairs that such a pair is nearer than, where their words must say so, too."""
REVISED_SIMILARITY = 0.5
"""Cosine from which on two statements may give two values of one thing, if their words say so."""

LONGEST_FACT = 2_000
"""Characters: a longer text is only one with what plainly says as much."""
SLACK = 1e-6
"""Cosines are compared with so much tolerance: vectors are float32."""
_AS_MUCH = ("same", "refines")


def newness(memory: Memory) -> tuple[datetime, datetime, str]:
    """Sorts memories by when they were said, then stored."""
    return memory.recorded_at, memory.created_at, memory.id


def statement_key(memory: Memory) -> tuple[str, date | None, date | None, str]:
    """Whose statement it is, about which day, until when it holds, and which question gives it its meaning."""
    about = memory.referenced_at
    until = memory.valid_until
    return (
        voice_of(memory),
        about.date() if about else None,
        until.date() if until else None,
        answers_of(memory),
    )


def changed(dream: Dream, mark: str) -> list[Memory]:
    """What changed since the journal number in a mark, in order.

    As many as may be looked up in one cycle.
    """
    last_seq = int(dream.checkpoints.get(mark, "0"))
    changed_memories = [memory for memory in dream.memories.values() if memory.seq > last_seq]
    changed_memories.sort(key=attrgetter("seq"))
    return changed_memories[: dream.settings.duplicates.lookups]


def near(
    dream: Dream, memories: Sequence[Memory]
) -> Iterator[tuple[Memory, list[tuple[Memory, float]]]]:
    """Each memory with those neighbours that some step may pair it with, and their cosines, best first."""
    levels = [duplicate_level(dream), redundant_level(dream)]
    minimum = min(*levels, REVISED_SIMILARITY) - SLACK
    neighbors = dream.neighbours_of
    missing = [
        memory.id for memory in memories if memory.id not in neighbors and dream.free(memory)
    ]
    for memory_id, hits in dream.neighbours(missing, NEIGHBOURS, minimum=minimum):
        neighbors[memory_id] = [(hit.id, hit.score) for hit in hits]
    for memory in dream.with_pauses(memories):
        pairs = [
            (dream.memories[memory_id], score)
            for memory_id, score in neighbors.get(memory.id, ())
            if memory_id in dream.memories
        ]
        yield memory, pairs


def duplicate_level(dream: Dream) -> float:
    """The least cosine of duplicates."""
    if not dream.settings.careful:
        return DUPLICATE_SIMILARITY
    return dream.nearness(DUPLICATE_QUANTILE, otherwise=DUPLICATE_SIMILARITY)


def redundant_level(dream: Dream) -> float:
    """The cosine above which one of two memories is redundant."""
    if not dream.settings.careful:
        return REDUNDANT_SIMILARITY
    return dream.nearness(REDUNDANT_QUANTILE, otherwise=REDUNDANT_SIMILARITY)


def can_stand_for(dream: Dream, survivor: Memory, loser: Memory) -> bool:
    """Whether nothing is lost if `loser` leaves recall for the sake of `survivor`, and nothing forbids it.

    Both must be one voice's, about the same days and, if they are mere pieces of a sentence, answer
    one question; what is too long for a fact is only the same as itself;
    where the settings say `careful`, `survivor` must plainly say as much, clause by clause;
    else it must hold every number, date and capitalised word of `loser`, deny what it denies, and not
    change it.
    Neither may be immutable or on probation, and `loser` neither pinned, nor a guardian fact, nor
    trusted more. A pair that is linked as a contradiction, or that was merged before and taken apart
    by a person, stays as it is.
    """
    if exempt(loser) or not (dream.free(survivor) and dream.free(loser)):
        return False
    if outranks(loser, survivor.data_source, survivor.trust, dream.config.guard):
        return False
    if statement_key(survivor) != statement_key(loser) or _linked(dream, survivor, loser):
        return False
    if survivor.content_hash == loser.content_hash:
        return withdrawn(survivor).keys() == withdrawn(loser).keys()
    new = standing(survivor)
    old = standing(loser)
    if max(len(new.text), len(old.text)) > LONGEST_FACT:
        return new.text == old.text
    careful = dream.settings.careful
    return likeness(new, old) in _AS_MUCH if careful else _agree(new, old)


def _linked(dream: Dream, survivor: Memory, loser: Memory) -> bool:
    """Whether they contradict each other, or one was the successor of the other once."""
    superseded = (survivor.id, loser.id, "supersedes") in dream.relations
    return superseded or dream.contradict(survivor.id, loser.id)


def _agree(new: Reading, old: Reading) -> bool:
    """Whether a text that is near to another one holds its names and figures, and neither changes the other."""
    if denies(new.text) != denies(old.text) or lost(new.text, old.text):
        return False
    return change(new, old) is None and change(old, new) is None

"""Memories that say nearly the same: who lies near whom, and whether one of the two can stand for the other.

Steps that look for pairs ask the vector index about those memories that changed since they looked
last, never about all pairs. Nearness alone decides nothing: what says something else, was said by
somebody else or holds a number or a name of its own is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from weakref import WeakKeyDictionary

from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.encoding.facts import answers_of, voice_of
from cogmem_core.models import Memory
from cogmem_core.skills.merge_texts import lost, negates
from cogmem_core.text.compare import NUMBER_WORDS, contradicts, entailment
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, WEEKDAYS
from cogmem_core.trust import outranks

__all__ = ["SLACK", "can_stand_for", "changed", "free", "near", "newness", "said"]

SLACK = 1e-6
"""Cosines are compared with so much tolerance: vectors are float32."""
_AS_MUCH = ("same", "refines")
_WORD = re.compile(r"[a-z]+")
# What is a number or a date in small letters; those left out are more often something else.
_SPELT = {*NUMBER_WORDS, *NUMBERS, *MONTHS, *WEEKDAYS} - {"a", "an", "may", "no", "on"}
_Near = dict[str, list[tuple[str, float]]]

# Two steps of a cycle look at the same memories; the index is asked once.
_ASKED: WeakKeyDictionary[Snapshot, _Near] = WeakKeyDictionary()


def newness(memory: Memory) -> tuple[datetime, datetime, str]:
    """Sorts memories by when they were said, then stored."""
    return memory.recorded_at, memory.created_at, memory.id


def said(memory: Memory) -> tuple[str, date | None, date | None, str]:
    """Whose statement it is, about which day, until when it holds, and which question gives it its meaning."""
    about = memory.referenced_at
    until = memory.valid_until
    return (
        voice_of(memory),
        about.date() if about else None,
        until.date() if until else None,
        answers_of(memory),
    )


def free(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether a memory may be paired at all: not if it is immutable, still on probation, or derived from others."""
    return not (memory.immutable or memory.support) and memory.id not in snapshot.short_term


def changed(snapshot: Snapshot, mark: str) -> list[Memory]:
    """What changed since the journal number in a mark, in order.

    As many as may be looked up in one cycle.
    """
    after = int(snapshot.checkpoints.get(mark, "0"))
    found = sorted(
        (memory for memory in snapshot.memories.values() if memory.seq > after),
        key=lambda one: one.seq,
    )
    return found[: snapshot.config.consolidation.duplicates.lookups]


def near(
    snapshot: Snapshot, context: StepContext, memories: Sequence[Memory]
) -> Iterator[tuple[Memory, list[tuple[Memory, float]]]]:
    """Each memory with those neighbours that some step may pair it with, and their cosines, best first."""
    rules = snapshot.config.consolidation
    least = min(rules.duplicates.similarity, rules.redundancy.similarity) - SLACK
    known = _ASKED.setdefault(snapshot, {})
    missing = [
        memory.id for memory in memories if memory.id not in known and free(snapshot, memory)
    ]
    for memory_id, hits in context.neighbours(
        snapshot, missing, rules.duplicates.neighbours, least=least
    ):
        known[memory_id] = [(hit.id, hit.score) for hit in hits]
    for memory in with_pauses(context, memories):
        beside = known.get(memory.id, [])
        yield (
            memory,
            [(snapshot.memories[i], score) for i, score in beside if i in snapshot.memories],
        )


def can_stand_for(snapshot: Snapshot, kept: Memory, gone: Memory) -> bool:
    """Whether nothing is lost if `gone` leaves recall for the sake of `kept`, and nothing forbids it.

    Both must be one voice's, about the same days and, if they are mere pieces of a sentence, answer
    one question; `kept` must hold every number, date and capitalised word of `gone`, deny what it
    denies, and not contradict it; where the settings say `careful`, it must plainly say as much.
    Neither may be immutable or on probation, and `gone` neither pinned nor trusted more. A pair
    that is linked as a contradiction, or that was merged before and taken apart by a person, stays
    as it is.
    """
    if gone.pinned or not (free(snapshot, kept) and free(snapshot, gone)):
        return False
    if outranks(gone, kept.data_source, kept.trust, snapshot.config.guard):
        return False
    if said(kept) != said(gone) or _linked(snapshot, kept, gone):
        return False
    if kept.content_hash == gone.content_hash:
        return True
    careful = snapshot.config.consolidation.careful
    return _says_as_much(kept, gone) and (
        not careful or entailment(kept.content, gone.content) in _AS_MUCH
    )


def _linked(snapshot: Snapshot, kept: Memory, gone: Memory) -> bool:
    """Whether they contradict each other, or one was the successor of the other once."""
    known = snapshot.relations
    opposed = (kept.id, gone.id, "contradicts") in known or (
        gone.id,
        kept.id,
        "contradicts",
    ) in known
    return opposed or (kept.id, gone.id, "supersedes") in known


def _says_as_much(kept: Memory, gone: Memory) -> bool:
    if negates(kept.content) != negates(gone.content) or lost(kept.content, gone.content):
        return False
    if not _spelt(gone.content) <= _spelt(kept.content):
        return False
    old, new = sorted((kept, gone), key=newness)
    return contradicts(new.content, old.content, same_speaker=True, similarity=1.0) is None


def _spelt(text: str) -> set[str]:
    """The numbers, weekdays and months that a text writes as words."""
    return _SPELT.intersection(_WORD.findall(fold_letters(text[:MAX_INPUT])))

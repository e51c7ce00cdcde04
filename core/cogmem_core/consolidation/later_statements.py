"""Which statements a later one may have made former ones, where nothing compared them when they were said.

Turns that are kept as they were said, stated memories and imports are compared with nothing; and
"the Juniper app is done" is too far from "I spend most of my week on the Juniper app" to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from cogmem_core.consolidation.competition import may_revise
from cogmem_core.consolidation.dream import Dream
from cogmem_core.consolidation.near_duplicates import (
    REVISED_SIMILARITY,
    changed,
    near,
    newness,
)
from cogmem_core.edge.clauses import standing
from cogmem_core.reading.between import change, over, tells_of
from cogmem_core.values.models import Memory

LONGEST = 160
"""Characters: a longer text tells of many things, of which one being over says little."""
PAIRS = 100
"""Pairs that are laid side by side in one cycle, a millisecond each; the rest waits for the next one."""
SHARE = 0.025
"""Of a large namespace so many pairs for each memory: a small part of what its cycle costs."""
RESTATED = "restated"
"""The mark up to which memories were laid beside their neighbours."""


def given_up_later(dream: Dream, since: int) -> Iterator[tuple[Memory, Memory]]:
    """(older, newer): a later statement of the same voice names what the older one states, and says that it is over.

    Args:
        since: journal number; only later statements that changed after it are looked at.
    """
    later = (memory for memory in dream.each_memory() if memory.seq > since)
    endings = [
        (memory, things)
        for memory in later
        if _states(memory) and (things := over(standing(memory)))
    ]
    if not endings:
        return
    for older in dream.each_memory():
        if not _states(older):
            continue
        told = tells_of(standing(older))
        for newer, things in endings:
            if any(thing <= told for thing in things) and may_revise(dream, older, newer):
                yield older, newer


def restated_later(dream: Dream) -> tuple[list[tuple[Memory, Memory]], dict[str, str]]:
    """Pairs near to each other, of which the newer one gives another value of what the older one states.

    Returns:
        (older, newer) of each, and the mark up to which memories were looked at.
    """
    pairs: list[tuple[Memory, Memory]] = []
    compared: set[tuple[str, str]] = set()
    marks: dict[str, str] = {}
    pair_limit = max(PAIRS, round(SHARE * len(dream.memories)))
    for memory, neighbors in near(dream, changed(dream, RESTATED)[: 2 * pair_limit]):
        for neighbor, score in neighbors:
            older, newer = sorted((memory, neighbor), key=newness)
            near_enough = score >= REVISED_SIMILARITY and _states(older) and _states(newer)
            if (older.id, newer.id) in compared or not (
                near_enough and may_revise(dream, older, newer)
            ):
                continue
            compared.add((older.id, newer.id))
            if change(standing(newer), standing(older)) is not None:
                pairs.append((older, newer))
        marks[RESTATED] = str(memory.seq)
        if len(compared) >= pair_limit:
            break
    return pairs, marks


def _states(memory: Memory) -> bool:
    """Whether it is short enough to tell of one thing, and derived from no other."""
    return not memory.support and len(memory.content) <= LONGEST

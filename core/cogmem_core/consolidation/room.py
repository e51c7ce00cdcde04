"""Forgetting is for room, not for tidiness: whether there is too much, and what of it is worth least.

As long as a namespace has room (`forgetting.roomy`), nothing leaves recall because nobody asked for
it. Above that the least valuable goes first, and never what use, a person or its own slot vouches for.
"""

from __future__ import annotations

from collections.abc import Iterable

from cogmem_core.consolidation.dream import Dream
from cogmem_core.consolidation.near_duplicates import newness
from cogmem_core.edge.clauses import standing
from cogmem_core.edge.strength import stands
from cogmem_core.encoding.facts import voice_of
from cogmem_core.maths.utility import upper_bound, utility_of
from cogmem_core.reading.between import states
from cogmem_core.storage.ledger.documents import ITEM
from cogmem_core.values.models import UNMEANT, Memory

EXPOSURES = 10
"""Times that a memory must have been examined and passed over before it may be called useless."""
SESSIONS = 4
"""Days on which that must have happened, at least: one long evening proves nothing."""
EXAMINED = 0.5
"""Confidence from which on a memory that was shown counts as examined."""


def surplus(dream: Dream) -> int:
    """Active memories above the mark; 0 = there is room. Derived memories do not count."""
    roomy = dream.settings.forgetting.roomy
    active = sum(
        not memory.support and counts_for_room(memory.category, roomy)
        for memory in dream.memories.values()
    )
    return max(0, active - roomy)


def counts_for_room(category: str, roomy: int) -> bool:
    """Whether memories of a category count for the mark, and go when it is passed.

    Texts of documents do not: a handbook in a person's bank must not crowd out what the person
    said. Without a mark (0), a document's rules hold for all alike.
    """
    return roomy == 0 or category != ITEM


def vouched_for(dream: Dream) -> set[str]:
    """Memories that no lack of use takes out of recall.

    What an answer ever used, what a person says of how things stand, what is pinned, immutable, a
    guardian fact, a flashbulb, permanent or on probation, and the newest statement of each attribute.
    """
    settings = dream.settings
    ids = set(dream.short_term)
    for memory in dream.each_memory():
        used = memory.used_count > 0 and settings.spare_used
        if used or dream.lasts(memory) or (settings.forgetting.standing and stands(memory)):
            ids.add(memory.id)
    if settings.forgetting.standing:
        for statements in by_attribute(dream).values():
            ids.add(max(statements, key=newness).id)
    return ids


def by_attribute(dream: Dream) -> dict[tuple[str, str, str], list[Memory]]:
    """What states something of which there is one at a time, by voice, subject and slot."""
    statements: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in dream.each_memory():
        if memory.support or UNMEANT in memory.tags:
            continue
        for subject, slot in states(standing(memory)):
            statements.setdefault((voice_of(memory), subject, slot), []).append(memory)
    return statements


def proved_useless(dream: Dream, memories: Iterable[Memory]) -> dict[str, float]:
    """Of memories that were never used, the upper bound of the utility of those that are plainly useless.

    They were examined and passed over often enough, on enough days, for even the upper bound to lie
    below what everything starts with.
    """
    ids = [memory.id for memory in memories if not memory.used_count]
    with dream.reading() as ns:
        passed_over = ns.feedback.passed_over(ids, confidence=EXAMINED)
    prior = utility_of(0.0, 0.0)
    bounds: dict[str, float] = {}
    for memory_id, (times, days, expected) in passed_over.items():
        bound = upper_bound(0.0, expected)
        if times >= EXPOSURES and days >= SESSIONS and bound < prior:
            bounds[memory_id] = bound
    return bounds

"""Which statements a later one may have made former ones, where nothing compared them when they were said.

Turns that are kept as they were said, stated memories and imports are compared with nothing; and
"the Juniper app is done" is too far from "I spend most of my week on the Juniper app" to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cogmem_core.consolidation.competition import may_revise
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.near_duplicates import REVISED_SIMILARITY, near, newness
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.models import Memory
from cogmem_core.text.compare import (
    entailment,
    given_up_words,
    own_values,
    revision,
    tells_what_is,
)
from cogmem_core.text.tokens import tokens

__all__ = ["LONGEST", "PAIRS", "given_up_later", "restated_later"]

LONGEST = 160
"""Characters: a longer text tells of many things, of which one being over says little."""
PAIRS = 2_000
"""Pairs that are laid side by side in one cycle."""


def given_up_later(
    snapshot: Snapshot, context: StepContext, since: int
) -> Iterator[tuple[Memory, Memory]]:
    """(older, newer): a later statement of the same voice names what the older one states, and says that it is over.

    Args:
        since: journal number; only later statements that changed after it are looked at.
    """
    endings: list[tuple[Memory, frozenset[str]]] = []
    for memory in with_pauses(context, snapshot.memories.values()):
        if memory.seq > since and _states(memory):
            words = given_up_words(memory.content)
            if words and tells_what_is(memory.content):
                endings.append((memory, words))
    if not endings:
        return
    named = frozenset[str]().union(*(words for _, words in endings))
    for older in with_pauses(context, snapshot.memories.values()):
        if not _states(older) or named.isdisjoint(tokens(older.content)):
            continue
        values = own_values(older.content) & named
        if not values or not tells_what_is(older.content):
            continue
        for newer, words in endings:
            if not values.isdisjoint(words) and may_revise(snapshot, older, newer):
                yield older, newer


def restated_later(
    snapshot: Snapshot, context: StepContext, since: int
) -> Iterator[tuple[Memory, Memory]]:
    """(older, newer): near to each other, and the newer one gives another value of what the older one states.

    Args:
        since: journal number; at least one of the two changed after it.
    """
    changed = [memory for memory in snapshot.memories.values() if memory.seq > since]
    changed = changed[: snapshot.config.consolidation.duplicates.lookups]
    for older, newer, score in islice(_near_pairs(snapshot, context, changed), PAIRS):
        if _gives_another_value(newer.content, older.content, round(score, 2)):
            yield older, newer


@lru_cache(maxsize=8_192)  # the same pairs every night
def _gives_another_value(new: str, old: str, nearness: float) -> bool:
    if entailment(new, old) != "different":
        return False
    found = revision(new, old, same_speaker=True, nearness=nearness)
    return found is not None and not found.retold


def _near_pairs(
    snapshot: Snapshot, context: StepContext, memories: list[Memory]
) -> Iterator[tuple[Memory, Memory, float]]:
    for memory, neighbors in near(snapshot, context, memories):
        for neighbor, score in neighbors:
            older, newer = sorted((memory, neighbor), key=newness)
            if score < REVISED_SIMILARITY or not (_states(older) and _states(newer)):
                continue
            if may_revise(snapshot, older, newer):
                yield older, newer, score


def _states(memory: Memory) -> bool:
    """Whether it is short enough to tell of one thing, and derived from no other."""
    return not memory.support and len(memory.content) <= LONGEST

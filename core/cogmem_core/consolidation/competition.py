"""Who loses to whom in use: memories that answers ignore again and again for the sake of a newer one of the same thing.

Recalling one of several memories that compete for a cue makes the others harder to recall
(retrieval-induced forgetting: Anderson, Bjork & Bjork 1994). Here it tells former values from
present ones where no rule and no model saw the contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator

from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.near_duplicates import newness, statement_key
from cogmem_core.consolidation.room import surplus
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.models import Memory
from cogmem_core.text.compare import attribute_of
from cogmem_core.trust import outranks

__all__ = ["RIVAL_SIMILARITY", "RIVAL_TIMES", "losing_to_rivals"]

RIVAL_TIMES = 3
"""A memory is outdone when it was ignored so often in a row, and the same newer memory was used
instead as often."""
RIVAL_SIMILARITY = 0.6
"""Least cosine of a memory and the one that outdoes it."""


def losing_to_rivals(
    snapshot: Snapshot, context: StepContext
) -> Iterator[tuple[Memory, Memory, int]]:
    """(loser, winner, how often), the loser's id first; protected memories never lose."""
    losing = [
        memory.id
        for memory in with_pauses(context, snapshot.memories.values())
        if _may_lose(snapshot, memory)
    ]
    if not losing:
        return
    with context.services.ledger.reading(snapshot.namespace) as ns:
        rivals = ns.feedback.rivals(losing)
    crowded = surplus(snapshot) > 0
    pairs: list[tuple[Memory, Memory, int]] = []
    ids: dict[str, None] = {}
    for loser_id, winner_id, times in rivals:
        if times < RIVAL_TIMES or winner_id not in snapshot.memories:
            continue
        loser = snapshot.memories[loser_id]
        winner = snapshot.memories[winner_id]
        if _same_thing(loser, winner, crowded=crowded) and not outranks(
            loser, winner.data_source, winner.trust, snapshot.config.guard
        ):
            pairs.append((loser, winner, times))
            ids |= dict.fromkeys((loser_id, winner_id))
    vectors = context.vectors(snapshot, list(ids))
    done: set[str] = set()
    for loser, winner, times in pairs:
        if loser.id in done or not vectors.keys() >= {loser.id, winner.id}:
            continue
        if float(vectors[loser.id] @ vectors[winner.id]) >= RIVAL_SIMILARITY:
            done.add(loser.id)
            yield loser, winner, times


def _may_lose(snapshot: Snapshot, memory: Memory) -> bool:
    safe = (
        memory.pinned
        or memory.immutable
        or memory.flashbulb
        or memory.support
        or memory.id in snapshot.short_term
    )
    return not safe and memory.ignored_streak >= RIVAL_TIMES


def _same_thing(loser: Memory, winner: Memory, *, crowded: bool) -> bool:
    """One voice's, the winner newer, used and not losing itself, and about the same.

    Where there is room, both must state the same attribute: that two memories are near to each other
    does not make the one a former value of the other. Else it is enough if nothing says otherwise.
    """
    if (
        newness(winner) <= newness(loser)
        or winner.ignored_streak
        or statement_key(winner)[0] != statement_key(loser)[0]
    ):
        return False
    loser_attribute = attribute_of(loser.content)
    winner_attribute = attribute_of(winner.content)
    if loser_attribute is None or winner_attribute is None:
        return crowded
    return loser_attribute[:2] == winner_attribute[:2]

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
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.models import Memory
from cogmem_core.text.compare import attribute_of
from cogmem_core.trust import outranks

__all__ = ["losing_to_rivals"]


def losing_to_rivals(
    snapshot: Snapshot, context: StepContext
) -> Iterator[tuple[Memory, Memory, int]]:
    """(loser, winner, how often), the loser's id first; protected memories never lose."""
    rules = snapshot.config.consolidation.forgetting
    losing = [
        memory.id
        for memory in with_pauses(context, snapshot.memories.values())
        if _may_lose(snapshot, memory)
    ]
    if not losing:
        return
    with context.services.ledger.reading(snapshot.namespace) as ns:
        rivals = ns.feedback.rivals(losing)
    pairs: list[tuple[Memory, Memory, int]] = []
    ids: dict[str, None] = {}
    for loser_id, winner_id, times in rivals:
        if times < rules.rival_times or winner_id not in snapshot.memories:
            continue
        loser = snapshot.memories[loser_id]
        winner = snapshot.memories[winner_id]
        if _same_thing(loser, winner) and not outranks(
            loser, winner.data_source, winner.trust, snapshot.config.guard
        ):
            pairs.append((loser, winner, times))
            ids |= dict.fromkeys((loser_id, winner_id))
    vectors = context.vectors(snapshot, list(ids))
    done: set[str] = set()
    for loser, winner, times in pairs:
        if loser.id in done or not vectors.keys() >= {loser.id, winner.id}:
            continue
        if float(vectors[loser.id] @ vectors[winner.id]) >= rules.rival_similarity:
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
    return (
        not safe and memory.ignored_streak >= snapshot.config.consolidation.forgetting.rival_times
    )


def _same_thing(loser: Memory, winner: Memory) -> bool:
    """One voice's, the winner newer, used and not losing itself, and not plainly about something else."""
    if (
        newness(winner) <= newness(loser)
        or winner.ignored_streak
        or statement_key(winner)[0] != statement_key(loser)[0]
    ):
        return False
    loser_attribute = attribute_of(loser.content)
    winner_attribute = attribute_of(winner.content)
    return (
        loser_attribute is None
        or winner_attribute is None
        or loser_attribute[:2] == winner_attribute[:2]
    )

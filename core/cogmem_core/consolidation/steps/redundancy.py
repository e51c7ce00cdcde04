"""Step 9: of two memories that say nearly the same the less useful one goes dormant."""

from __future__ import annotations

from datetime import datetime

from cogmem_core.changes import Retire
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.near_duplicates import (
    SLACK,
    can_stand_for,
    changed,
    near,
    newness,
    redundant_level,
)
from cogmem_core.values.models import Memory

PAIRS = 50
"""Pairs per cycle."""

_CHECKPOINT = "redundancy"


def redundancy(dream: Dream) -> StepResult:
    """Lower utility goes, then lower importance, then the older one.

    So many pairs per cycle, and then it goes on.
    """
    proposals: list[Proposal] = []
    loser_ids: set[str] = set()
    winner_ids: set[str] = set()
    checkpoints: dict[str, str] = {}
    level = redundant_level(dream)
    todo = changed(dream, _CHECKPOINT)
    for memory, neighbors in near(dream, todo):
        for neighbor, score in neighbors:
            if score <= level + SLACK or not loser_ids.isdisjoint((memory.id, neighbor.id)):
                continue
            loser, winner = sorted((memory, neighbor), key=_worth)
            # What another one just made room for stays: nearness is not handed on from one to the
            # next.
            kept = loser.id in winner_ids or loser.flashbulb
            if kept or not can_stand_for(dream, winner, loser):
                continue
            if len(proposals) >= PAIRS:
                note = f"{len(proposals)} pairs are as many as one cycle takes; the next one goes on from there"
                return StepResult(proposals, note=note, checkpoints=checkpoints)
            loser_ids.add(loser.id)
            winner_ids.add(winner.id)
            proposals.append(_proposal(winner, loser, score))
        checkpoints[_CHECKPOINT] = str(memory.seq)
    return StepResult(proposals, checkpoints=checkpoints)


def _worth(memory: Memory) -> tuple[float, float, tuple[datetime, datetime, str]]:
    return memory.utility, memory.importance, newness(memory)


def _proposal(winner: Memory, loser: Memory, score: float) -> Proposal:
    reason = f"redundant: another memory says nearly the same (similarity {score:.2f})"
    retired = Retire(loser.id, "dormant", reason, {"superseded_by": winner.id})
    return Proposal((retired,), {"pruned": 1, "redundant": 1}, (winner.id,))

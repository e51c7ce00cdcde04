"""Step 2: facts on probation stay if they proved their worth, and leave when their time is over."""

from __future__ import annotations

from cogmem_core.changes import Retire, Touch, Unmark
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.values.models import ShortTerm

PROMOTE_ACCESSES = 2
"""Accesses that make an item worth keeping beyond the session."""
PROMOTE_IMPORTANCE = 0.6
"""Importance that makes an item worth keeping beyond the session."""


def short_term(dream: Dream) -> StepResult:
    """Promotes, retires or leaves each fact on probation; counts `kept`, `expired` and `released`.

    What is pinned, immutable or a guardian fact is promoted: a person vouches for it. What left
    recall, or has no end any more, is not on probation either; only its mark goes (`released`).
    """
    proposals = (_proposal(dream, fact) for fact in dream.short_term.values())
    return StepResult(list(filter(None, proposals)))


def _proposal(dream: Dream, fact: ShortTerm) -> Proposal | None:
    memory = dream.memories.get(fact.memory_id)
    if memory is None or memory.valid_until is None:
        return Proposal((Unmark(fact, "no longer on probation"),), {"released": 1})
    uses = max(memory.used_count, memory.access_count)
    proved = uses >= PROMOTE_ACCESSES or memory.importance >= PROMOTE_IMPORTANCE
    if memory.id in dream.kept or proved:
        lasting = {"valid_until": None, "temporal_type": "persistent"}
        touch = Touch(memory.id, lasting, "worth keeping for longer")
        return Proposal((touch, Unmark(fact, "kept for good")), {"kept": 1})
    # Saying it again moves the end of the memory, not that of its probation.
    if max(fact.expires_at, memory.valid_until) <= dream.now:
        over = Retire(memory.id, "superseded", "its time is over")
        return Proposal((over, Unmark(fact, "its time is over")), {"expired": 1})
    return None

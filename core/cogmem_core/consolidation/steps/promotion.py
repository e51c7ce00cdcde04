"""Step 16: proven episodic memories become knowledge, idle useless knowledge goes dormant (seeds 000 and 001)."""

from __future__ import annotations

from cogmem_core.changes import Retire, Touch
from cogmem_core.config import PromotionConfig
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.models import Memory
from cogmem_core.text.grouping import topic_of
from cogmem_core.trust import is_untrusted

__all__ = ["promotion"]


def promotion(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Episodic → semantic and semantic → dormant; counts `promoted`, `compacted` and `demoted`."""
    settings = snapshot.config.consolidation.promotion
    shared = (
        _shared(snapshot, context, settings.shared)
        if "entity" in settings.rules
        else frozenset[str]()
    )
    found = []
    for memory in with_pauses(context, snapshot.memories.values()):
        if memory.tier == "episodic":
            proposal = _promoted(memory, snapshot, bool(shared.intersection(memory.entities)))
        else:
            proposal = _demoted(memory, snapshot)
        if proposal is not None:
            found.append(proposal)
    left = len(found) - settings.limit
    return StepResult(
        found[: settings.limit], note=f"{left} more wait for the next cycle" if left > 0 else ""
    )


def _promoted(memory: Memory, snapshot: Snapshot, shares: bool) -> Proposal | None:
    # What would be demoted at once stays where it is, or two cycles in a row would not be one. What
    # nobody vouches for gains no rank by being repeated.
    if (
        memory.pinned
        or memory.immutable
        or _worn(memory, snapshot)
        or is_untrusted(memory, snapshot.config.guard)
    ):
        return None
    rules = _matching(memory, snapshot, shares)
    if not rules:
        return None
    counts = {"promoted": 1, "compacted": 1} if "old" in rules else {"promoted": 1}
    return Proposal((Touch(memory.id, {"tier": "semantic"}, next(iter(rules.values()))),), counts)


def _matching(memory: Memory, snapshot: Snapshot, shares: bool) -> dict[str, str]:
    """The rules that promote a memory, and what they say."""
    wanted = snapshot.config.consolidation.promotion
    age = snapshot.age_days(memory)
    holds = {
        "old": _asked(memory, snapshot) >= wanted.retrievals and age > wanted.days,
        "access": memory.access_count >= wanted.accesses,
        "utility": memory.utility >= wanted.utility and age >= wanted.days,
        "entity": shares,
    }
    return {
        name: _said(name, wanted) for name, held in holds.items() if held and name in wanted.rules
    }


def _asked(memory: Memory, snapshot: Snapshot) -> int:
    """How often it was of use.

    Being shown is a use only where retrieval alone reinforces, or a document says so.
    """
    by_retrieval = "retrieval" in (
        snapshot.config.retrieval.reinforce_on,
        snapshot.config.consolidation.promotion.counted,
    )
    return max(memory.retrieval_count, memory.used_count) if by_retrieval else memory.used_count


def _said(rule: str, wanted: PromotionConfig) -> str:
    asked = "retrieved" if wanted.counted == "retrieval" else "used"
    return {
        "old": f"older than {wanted.days:g} days and {asked} {wanted.retrievals} times or more",
        "access": f"used or said {wanted.accesses} times or more",
        "utility": f"still useful after {wanted.days:g} days",
        "entity": f"{wanted.shared} memories or more are about the same",
    }[rule]


def _shared(snapshot: Snapshot, context: StepContext, least: int) -> frozenset[str]:
    """Names, other than dates and numbers, that so many episodic memories have in common."""
    counts: dict[str, int] = {}
    for memory in with_pauses(context, snapshot.memories.values()):
        if memory.tier == "episodic" and memory.entities:
            for name in topic_of("", memory.entities).entities:
                counts[name] = counts.get(name, 0) + 1
    return frozenset(name for name, count in counts.items() if count >= least)


def _demoted(memory: Memory, snapshot: Snapshot) -> Proposal | None:
    if not _worn(memory, snapshot):
        return None
    days = snapshot.config.consolidation.promotion.demote_days
    return Proposal(
        (Retire(memory.id, "dormant", f"idle for {days:g} days and of little use"),), {"demoted": 1}
    )


def _worn(memory: Memory, snapshot: Snapshot) -> bool:
    """Idle and of little use, and nothing protects it, not even a single use."""
    wanted = snapshot.config.consolidation.promotion
    if memory.used_count and snapshot.config.consolidation.spare_used:
        return False
    if (
        memory.pinned
        or memory.immutable
        or memory.flashbulb
        or memory.category in snapshot.config.strength.permanent
    ):
        return False
    return (
        memory.utility < wanted.demote_utility and snapshot.idle_days(memory) >= wanted.demote_days
    )

"""Step 16: proven episodic memories become knowledge, idle useless knowledge goes dormant."""

from __future__ import annotations

from collections import Counter

from cogmem_core.changes import Retire, Touch
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.room import counts_for_room, surplus, vouched_for
from cogmem_core.edge.trust import is_untrusted
from cogmem_core.text.grouping import topic_of
from cogmem_core.values.models import Memory

RETRIEVALS = 3
"""Uses that the rule `old` asks for."""
DAYS = 7.0
"""Age that the rules `old` and `utility` ask for."""
ACCESSES = 3
"""Accesses that the rule `access` asks for."""
UTILITY = 0.7
"""Utility that the rule `utility` asks for."""
SHARED = 3
"""Episodic memories of one entity that the rule `entity` asks for."""
DEMOTE_UTILITY = 0.2
"""Utility under which an idle semantic memory goes dormant."""


def promotion(dream: Dream) -> StepResult:
    """Episodic → semantic and semantic → dormant; counts `promoted`, `compacted` and `demoted`."""
    settings = dream.settings.promotion
    shared = _shared(dream) if "entity" in settings.rules else frozenset[str]()
    proposals = []
    too_many = surplus(dream)
    roomy = dream.settings.forgetting.roomy
    vouched_ids = vouched_for(dream) if too_many else set[str]()
    for memory in dream.each_memory():
        if memory.tier == "episodic":
            proposal = _promoted(memory, dream, bool(shared.intersection(memory.entities)))
        else:
            spared = too_many <= 0 or memory.id in vouched_ids
            spared = spared or not counts_for_room(memory.category, roomy)
            proposal = None if spared else _demoted(memory, dream)
            too_many -= proposal is not None
        if proposal is not None:
            proposals.append(proposal)
    remaining = len(proposals) - settings.limit
    note = f"{remaining} more wait for the next cycle" if remaining > 0 else ""
    return StepResult(proposals[: settings.limit], note=note)


def _promoted(memory: Memory, dream: Dream, shares: bool) -> Proposal | None:
    # What would be demoted at once stays where it is, or two cycles in a row would not be one. What
    # nobody vouches for gains no rank by being repeated.
    if (
        memory.pinned
        or memory.immutable
        or _worn(memory, dream)
        or is_untrusted(memory, dream.config.guard)
    ):
        return None
    rules = _matching(memory, dream, shares)
    if not rules or not (memory.used_count or _counts_retrievals(dream)):
        return None
    counts = {"promoted": 1, "compacted": 1} if "old" in rules else {"promoted": 1}
    return Proposal((Touch(memory.id, {"tier": "semantic"}, next(iter(rules.values()))),), counts)


def _matching(memory: Memory, dream: Dream, shares: bool) -> dict[str, str]:
    """The rules that promote a memory, and what they say."""
    rules = dream.settings.promotion
    verb = "retrieved" if rules.counted == "retrieval" else "used"
    age = dream.age_days(memory)
    uses = memory.used_count
    if _counts_retrievals(dream):
        uses = max(memory.retrieval_count, uses)
    told = {
        "old": (
            uses >= RETRIEVALS and age > DAYS,
            f"older than {DAYS:g} days and {verb} {RETRIEVALS} times or more",
        ),
        "access": (
            memory.access_count >= ACCESSES,
            f"used or said {ACCESSES} times or more",
        ),
        "utility": (
            memory.utility >= UTILITY and age >= DAYS,
            f"still useful after {DAYS:g} days",
        ),
        "entity": (shares, f"{SHARED} memories or more are about the same"),
    }
    return {name: reason for name, (holds, reason) in told.items() if holds and name in rules.rules}


def _counts_retrievals(dream: Dream) -> bool:
    """Whether being shown is a use: where retrieval alone reinforces, or a document says so."""
    return "retrieval" in (
        dream.config.retrieval.reinforce_on,
        dream.settings.promotion.counted,
    )


def _shared(dream: Dream) -> frozenset[str]:
    """Names, other than dates and numbers, that so many episodic memories have in common."""
    counts = Counter[str]()
    for memory in dream.each_memory():
        if memory.tier == "episodic" and memory.entities:
            counts.update(topic_of("", memory.entities).entities)
    return frozenset(name for name, count in counts.items() if count >= SHARED)


def _demoted(memory: Memory, dream: Dream) -> Proposal | None:
    if not _worn(memory, dream):
        return None
    days = dream.settings.promotion.demote_days
    return Proposal(
        (Retire(memory.id, "dormant", f"idle for {days:g} days and of little use"),), {"demoted": 1}
    )


def _worn(memory: Memory, dream: Dream) -> bool:
    """Idle and of little use, and nothing protects it, not even a single use."""
    rules = dream.settings.promotion
    if dream.lasts(memory) or (memory.used_count and dream.settings.spare_used):
        return False
    return memory.utility < DEMOTE_UTILITY and dream.idle_days(memory) >= rules.demote_days

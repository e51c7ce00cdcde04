"""Step 10: what faded, was never of use, is seldom used or is too much goes dormant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, filterfalse
from statistics import fmean
from typing import NamedTuple

from cogmem_core.changes import Retire
from cogmem_core.consolidation.competition import losing_to_rivals
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.room import (
    counts_for_room,
    proved_useless,
    surplus,
    vouched_for,
)
from cogmem_core.edge.clauses import reading_of
from cogmem_core.edge.strength import stands
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.values.models import Memory

EMOTIONAL_INTENSITY = 0.3
"""Memories that are more emotional are spared by the rule `retention`."""

_PAGE = 500
_ALWAYS = 100
_PAST = Filter(states=("dormant", "superseded"))


class _Leaving(NamedTuple):
    """A memory that a rule takes out of recall, and why."""

    memory: Memory
    rule: str
    reason: str
    winner: str = ""

    @property
    def proposal(self) -> Proposal:
        fields = {"superseded_by": self.winner} if self.winner else {}
        counts = {"pruned": 1, self.rule: 1}
        about = (self.winner,) if self.winner else ()
        return Proposal((Retire(self.memory.id, "dormant", self.reason, fields),), counts, about)


def forgetting(dream: Dream) -> StepResult:
    """Five rules, each on or off; the first one that applies gives the reason.

    Where there is room, nothing leaves because it faded, was of no use or is seldom used. Pinned and
    immutable memories, guardian facts and flashbulbs always stay, as does what is on probation;
    permanent categories yield to nothing but the capacity, and to that one last.
    """
    retention = _retentions(dream)
    lost = _outdone(dream)
    retention_of_others = dict(retention)
    for leaver in lost:
        retention_of_others.pop(leaver.memory.id, None)
    aged = [*lost, *_aged(dream, retention_of_others)]
    rules = dream.settings.forgetting
    limit = min(rules.limit, max(_ALWAYS, int(rules.share * len(dream.memories))))
    leaving = aged[:limit]
    leaving += _over_capacity(dream, retention, {leaver.memory.id for leaver in leaving})
    remaining = len(aged) - limit
    note = f"left for the next cycle: {remaining}" if remaining > 0 else ""
    return StepResult([leaver.proposal for leaver in leaving], note=note)


def _outdone(dream: Dream) -> list[_Leaving]:
    if "outdone" not in dream.settings.forgetting.rules:
        return []
    leaving = []
    for loser, winner, times in losing_to_rivals(dream):
        reason = f"outdone: ignored {times} times for what was said later"
        leaving.append(_Leaving(loser, "outdone", reason, winner.id))
    return leaving


def _retentions(dream: Dream) -> dict[str, float]:
    """Of all memories that may be forgotten."""
    return {
        memory.id: dream.retention(memory)
        for memory in dream.each_memory()
        if not (memory.id in dream.kept or memory.flashbulb or memory.id in dream.short_term)
    }


def _aged(dream: Dream, retention: Mapping[str, float]) -> list[_Leaving]:
    """What time and disuse take, the most faded first.

    Where the configuration knows a mark, that is the least valuable first, as much of it as is above
    the mark; below it only small talk leaves.
    """
    settings = dream.settings.forgetting
    crowd = surplus(dream)
    applied = _rules(dream, retention)
    leaving: list[_Leaving] = []
    small_talk: list[_Leaving] = []
    for memory_id in dream.with_pauses(
        sorted(retention, key=lambda memory_id: (retention[memory_id], memory_id))
    ):
        memory = dream.memories[memory_id]
        if not counts_for_room(memory.category, settings.roomy):
            continue
        is_small_talk = settings.roomy > 0 and reading_of(memory).is_idle
        if memory.category in dream.config.strength.permanent or not (crowd or is_small_talk):
            continue
        for name, rule in applied:
            if reason := rule(memory):
                (small_talk if is_small_talk else leaving).append(_Leaving(memory, name, reason))
                break
    if settings.roomy:
        leaving.sort(key=lambda leaver: _worth(leaver.memory, retention))
    return [*small_talk, *leaving[: max(0, crowd - len(small_talk))]]


def _rules(
    dream: Dream, retention: Mapping[str, float]
) -> list[tuple[str, Callable[[Memory], str]]]:
    """The rules that apply; each tells why a memory leaves, "" if it stays."""
    settings = dream.settings
    names = settings.forgetting.rules
    mean = _mean_accesses(dream) if "bcm" in names else 0.0
    useless: Mapping[str, float] = {}
    if "utility" in names and settings.spare_used and surplus(dream):
        vouched_ids = vouched_for(dream)
        candidates = [dream.memories[i] for i in retention if i not in vouched_ids]
        useless = proved_useless(dream, candidates)
    rules: dict[str, Callable[[Memory], str]] = {
        "retention": lambda memory: _faded(dream, memory, retention[memory.id]),
        "utility": lambda memory: _useless(dream, memory, useless),
        "bcm": lambda memory: _seldom(dream, memory, mean),
    }
    return [(name, rule) for name, rule in rules.items() if name in names]


def _worth(memory: Memory, retention: Mapping[str, float]) -> tuple[float, float, float, str]:
    """Sorts memories by what would be missed least."""
    return memory.utility, retention[memory.id], memory.importance, memory.id


def _faded(dream: Dream, memory: Memory, retention: float) -> str:
    rules = dream.settings.forgetting
    if retention >= dream.threshold("prune", rules.below) or memory.intensity > EMOTIONAL_INTENSITY:
        return ""
    lasting = max(rules.idle_days, rules.used_days) if memory.used_count else rules.idle_days
    if dream.idle_days(memory) < lasting or (rules.standing and stands(memory)):
        return ""
    return f"faded: retention {retention:.2f}"


def _useless(dream: Dream, memory: Memory, useless: Mapping[str, float]) -> str:
    """`useless`: where uses are spared, the upper bound of the utility of what proved useless."""
    settings = dream.settings
    idle = dream.idle_days(memory)
    if idle < settings.forgetting.unused_days:
        return ""
    if settings.spare_used:
        bound = useless.get(memory.id)
        return "" if bound is None else f"never useful: utility {bound:.2f} at most, never used"
    if memory.utility < settings.forgetting.utility:
        return f"never useful: utility {memory.utility:.2f}, unused for {int(idle)} days"
    return ""


def _seldom(dream: Dream, memory: Memory, mean: float) -> str:
    minimum_days = dream.settings.forgetting.minimum_days.get(memory.category)
    age = dream.age_days(memory)
    if minimum_days is not None and age >= minimum_days and memory.access_count < mean:
        return f"seldom used: {memory.access_count} times in {int(age)} days, {mean:.2f} on average"
    return ""


def _mean_accesses(dream: Dream) -> float:
    """Of everything that was ever remembered, derived memories excepted; what lately went dormant counts as well.

    A mean over active memories alone would rise with each memory that it puts away, from cycle to
    cycle, until only the one that was used most is left.
    """
    past = filterfalse(lambda memory: dream.memory(memory.id), _past(dream))
    everything = chain(dream.memories.values(), dream.inactive.values(), past)
    accesses = [memory.access_count for memory in everything if not memory.support]
    return fmean(accesses) if accesses else 0.0


def _past(dream: Dream) -> Iterator[Memory]:
    """What left recall, page by page, each from a snapshot of its own."""
    last_id: str | None = None
    while True:
        with dream.reading() as ns:
            page = ns.memories.page(_PAST, limit=_PAGE, after_id=last_id)
        if not page:
            return
        yield from page
        last_id = page[-1].id
        dream.yield_now()


def _over_capacity(
    dream: Dream, retention: Mapping[str, float], leaving_ids: set[str]
) -> list[_Leaving]:
    """The least useful of what is left, if it is too much; permanent categories last.

    Derived memories neither count nor go: later steps of the same cycle make them, in place of
    others.
    """
    rules = dream.settings.forgetting
    permanent = dream.config.strength.permanent
    active = sum(
        not memory.support for memory in dream.memories.values() if memory.id not in leaving_ids
    )
    if "capacity" not in rules.rules or active <= rules.capacity:
        return []

    def worth(memory: Memory) -> tuple[bool, tuple[float, float, float, str]]:
        return memory.category in permanent, _worth(memory, retention)

    memories = (dream.memories[memory_id] for memory_id in retention.keys() - leaving_ids)
    free = sorted((memory for memory in memories if not memory.support), key=worth)
    excess = active - int(rules.trimmed_to * rules.capacity)
    why = f"over capacity: {active} active memories, {rules.capacity} allowed"
    return [
        _Leaving(memory, "capacity", f"{why}, utility {memory.utility:.2f}")
        for memory in free[:excess]
    ]

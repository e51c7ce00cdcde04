"""Step 10: what faded, was never of use, is seldom used or is too much goes dormant (seeds 000 and 001)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cogmem_core.changes import Retire
from cogmem_core.consolidation.competition import outdone
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult
from cogmem_core.models import Memory
from cogmem_core.storage.ledger.reader import Filter
from cogmem_core.strength import stands

__all__ = ["forgetting"]

_PAGE = 500
_ALWAYS = 100
_PAST = Filter(states=("dormant", "superseded"))


@dataclass(frozen=True, slots=True)
class _Leaving:
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


def forgetting(scene: Scene, tools: Tools) -> StepResult:
    """Five rules, each on or off; the first one that applies gives the reason.

    Pinned and immutable memories and flashbulbs always stay, as does what is on probation;
    permanent categories yield to nothing but the capacity, and to that one last.
    """
    retention = _retentions(scene, tools)
    lost = _outdone(scene, tools)
    rest = {i: left for i, left in retention.items() if i not in {one.memory.id for one in lost}}
    aged = [*lost, *_aged(scene, tools, rest)]
    rules = scene.config.consolidation.forgetting
    limit = min(rules.limit, max(_ALWAYS, int(rules.share * len(scene.memories))))
    leaving = aged[:limit]
    leaving += _over_capacity(scene, retention, {one.memory.id for one in leaving})
    left = len(aged) - limit
    note = f"left for the next cycle: {left}" if left > 0 else ""
    return StepResult([one.proposal for one in leaving], note=note)


def _outdone(scene: Scene, tools: Tools) -> list[_Leaving]:
    if "outdone" not in scene.config.consolidation.forgetting.rules:
        return []
    return [
        _Leaving(
            loser, "outdone", f"outdone: ignored {times} times for what was said later", winner.id
        )
        for loser, winner, times in outdone(scene, tools)
    ]


def _retentions(scene: Scene, tools: Tools) -> dict[str, float]:
    """Of all memories that may be forgotten."""
    return {
        memory.id: scene.retention(memory)
        for memory in paced(tools, scene.memories.values())
        if not (
            memory.pinned or memory.immutable or memory.flashbulb or memory.id in scene.short_term
        )
    }


def _aged(scene: Scene, tools: Tools, retention: Mapping[str, float]) -> list[_Leaving]:
    """What time and disuse take, the most faded first."""
    wanted = scene.config.consolidation.forgetting.rules
    mean = _mean_accesses(scene, tools) if "bcm" in wanted else 0.0
    rules: dict[str, Callable[[Memory], str]] = {
        "retention": lambda memory: _faded(scene, memory, retention[memory.id]),
        "utility": lambda memory: _useless(scene, memory),
        "bcm": lambda memory: _seldom(scene, memory, mean),
    }
    applied = [(name, rule) for name, rule in rules.items() if name in wanted]
    found: list[_Leaving] = []
    for memory_id in paced(tools, sorted(retention, key=lambda one: (retention[one], one))):
        memory = scene.memories[memory_id]
        if memory.category in scene.config.strength.permanent:
            continue
        for name, rule in applied:
            if reason := rule(memory):
                found.append(_Leaving(memory, name, reason))
                break
    return found


def _faded(scene: Scene, memory: Memory, left: float) -> str:
    rules = scene.config.consolidation.forgetting
    if left >= scene.threshold("prune", rules.below) or memory.intensity > rules.intensity:
        return ""
    lasting = max(rules.idle_days, rules.used_days) if memory.used_count else rules.idle_days
    if scene.idle_days(memory) < lasting or (rules.standing and stands(memory)):
        return ""
    return f"faded: retention {left:.2f}"


def _useless(scene: Scene, memory: Memory) -> str:
    rules = scene.config.consolidation.forgetting
    idle = scene.idle_days(memory)
    if memory.used_count and scene.config.consolidation.spare_used:
        return ""
    if memory.utility < rules.utility and idle >= rules.unused_days:
        return f"never useful: utility {memory.utility:.2f}, unused for {int(idle)} days"
    return ""


def _seldom(scene: Scene, memory: Memory, mean: float) -> str:
    least = scene.config.consolidation.forgetting.minimum_days.get(memory.category)
    age = scene.age_days(memory)
    if least is not None and age >= least and memory.access_count < mean:
        return f"seldom used: {memory.access_count} times in {int(age)} days, {mean:.2f} on average"
    return ""


def _mean_accesses(scene: Scene, tools: Tools) -> float:
    """Of everything that was ever remembered, derived memories excepted; what lately went dormant counts as well.

    A mean over active memories alone would rise with each memory that it puts away, from cycle to
    cycle, until only the one that was used most is left.
    """
    known = [
        memory
        for memory in (*scene.memories.values(), *scene.others.values())
        if not memory.support
    ]
    total = sum(memory.access_count for memory in known)
    count = len(known)
    for page in _pages(scene, tools):
        past = [memory for memory in page if not memory.support and scene.known(memory.id) is None]
        total = total + sum(memory.access_count for memory in past)
        count = count + len(past)
    return total / count if count else 0.0


def _pages(scene: Scene, tools: Tools) -> Iterator[list[Memory]]:
    """What left recall, page by page, each from a snapshot of its own."""
    after: str | None = None
    while True:
        with tools.services.ledger.reading() as reader:
            page = reader.page(scene.namespace, _PAST, limit=_PAGE, after=after)
        if not page:
            return
        yield page
        after = page[-1].id
        tools.breathe()


def _over_capacity(scene: Scene, retention: Mapping[str, float], gone: set[str]) -> list[_Leaving]:
    """The least useful of what is left, if it is too much; permanent categories last.

    Derived memories neither count nor go: later steps of the same cycle make them, in place of
        others.
    """
    rules = scene.config.consolidation.forgetting
    permanent = scene.config.strength.permanent
    active = sum(not memory.support for memory in scene.memories.values() if memory.id not in gone)
    if "capacity" not in rules.rules or active <= rules.capacity:
        return []

    def worth(memory: Memory) -> tuple[bool, float, float, float, str]:
        lasting = memory.category in permanent
        return lasting, memory.utility, retention[memory.id], memory.importance, memory.id

    known = (scene.memories[memory_id] for memory_id in retention.keys() - gone)
    free = sorted((memory for memory in known if not memory.support), key=worth)
    excess = active - int(rules.trimmed_to * rules.capacity)
    why = f"over capacity: {active} active memories, {rules.capacity} allowed"
    return [
        _Leaving(memory, "capacity", f"{why}, utility {memory.utility:.2f}")
        for memory in free[:excess]
    ]

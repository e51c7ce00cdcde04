"""Step 1: what was true for a time only, and is over, leaves recall."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from cogmem_core.changes import Retire
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.edge.clauses import exempt, standing
from cogmem_core.reading.ends import endings, is_appointment
from cogmem_core.text.folding import fold_letters
from cogmem_core.values.models import STATED_END, Memory
from cogmem_core.values.readings import Clause

_SOMEBODY = ("entity://person/", "entity://org/")


def expiry(dream: Dream) -> StepResult:
    """Time-bounded memories past their `valid_until` become superseded by nothing.

    Pinned ones and guardian facts stay, and so does what was over already when it was said: that
    tells of the past. What is no more than behind what holds once it is over (`stays_behind`) stays, too.
    """
    days = dream.config.encoding.foresight_days
    proposals = []
    for memory in dream.each_memory():
        end = memory.valid_until
        over = end is not None and memory.recorded_at < end <= dream.now
        protected = exempt(memory) or memory.id in dream.short_term
        if over and not protected and not stays_behind(memory, days):
            retired = Retire(memory.id, "superseded", "its time is over")
            proposals.append(Proposal((retired,), {"expired": 1}))
    return StepResult(proposals)


def stays_behind(memory: Memory, days: int) -> bool:
    """Whether a memory stays when its time is over, behind what holds.

    The end of a plan without a date is a guess. What follows from a plan ("we move to Hull on 1
    May", "her last day is 20 March") holds when its day has passed; from an appointment nothing
    does. A clause that has no end of its own keeps the whole. Who names somebody ("my sister Ana, a
    nurse, visits on 3 May") may have said who that is nowhere else. What the caller says of its end
    counts.

    Args:
        memory: with an end.
        days: after which a plan without a date is over.
    """
    undated = memory.category == "plan" and memory.referenced_at is None
    ends = memory.valid_until
    if undated and ends is not None and ends - memory.recorded_at == timedelta(days=days):
        return True  # it has the end that plans without a date are given
    if memory.write_source == "manual" or STATED_END in memory.metadata:
        return False
    found = standing(memory)
    told = endings(found, memory.recorded_at)
    over = bool(told) and all(ending.end is not None for _, ending in told)
    if memory.category == "plan":
        over = over and all(is_appointment(found.words(clause)) for clause, _ in told)
    return not over or _tells_of_somebody(memory, [clause for clause, _ in told])


def _tells_of_somebody(memory: Memory, clauses: Sequence[Clause]) -> bool:
    """Whether a memory names somebody else than its speaker, or tells something beside its claims."""
    named = [uri.rsplit("/", 1)[1] for uri in memory.entities if uri.startswith(_SOMEBODY)]
    speaker = set(fold_letters(memory.speaker or "").split())
    return any(not speaker.issuperset(fold_letters(name).split("-")) for name in named) or any(
        clause.doubt
        or (clause.kind == "fragment" and "," in memory.content[clause.start : clause.end])
        for clause in clauses
    )

"""How strong a memory is now.

Decay is computed from timestamps when it is asked for, never written back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cogmem_core.config import Config, StrengthConfig
from cogmem_core.edge.clauses import guards_of
from cogmem_core.maths.decay import retention, retentions
from cogmem_core.maths.fsrs import EASY, GOOD, LEAST_STABILITY, difficulty_after, stability_after
from cogmem_core.maths.fusion import Floats
from cogmem_core.maths.utility import utility_after
from cogmem_core.reading.lasting import is_lasting
from cogmem_core.values.models import Memory, Relation

ASSOCIATION_DAYS = 90.0
"""Time after which the weight of a `co_activated` relation is 1/e."""
SEMANTIC_MULTIPLIER = 1.0
"""Factor on elapsed time for semantic memories."""
STORAGE_RATE = 0.1
"""How far storage strength moves towards 10 with each use."""
INTERVAL_GROWTH = 2.0
"""Factor on the reinforcement interval with each use."""
IGNORED = 0.9
"""Factor on the stability of a memory that the answer ignored."""
IGNORED_OFTEN = 0.5
"""That factor from the `often`-th time in a row on."""
OFTEN = 3
"""Times in a row from which on `IGNORED_OFTEN` applies."""
FLOOR = 0.25
"""Being ignored never lowers stability below this share of the initial one."""
COACTIVATION = 0.1
"""What a common use adds to the weight of a pair's relation, up to 1."""
SPREADING = 1.02
"""Factor on the stability of what a used memory is related to (A-MEM), and the least one of what
was used together (Hebb)."""

_MICROSECONDS_PER_DAY = 86_400_000_000


def initial_stability(
    category: str, *, importance: float, intensity: float, config: StrengthConfig
) -> float:
    """Days: base of the category x (0.5 + importance) x (1 + emotional intensity), from FSRS's least to the ceiling."""
    days = (
        config.initial_days.get(category, config.default_days)
        * (0.5 + importance)
        * (1.0 + intensity)
    )
    return max(LEAST_STABILITY, min(days, config.maximum_days))


def retention_of(memory: Memory, now: datetime, config: StrengthConfig) -> float:
    """Retrievability of a memory now, 0..1; 1 for what never fades.

    Pinned memories, guardian facts, permanent categories and (unless configured otherwise) semantic procedures keep
    1; dormant memories are frozen at 1 (tier multiplier 0). No memory falls below the floor of its
    category.
    """
    permanent, multiplier, floor = _fading(
        memory.category, memory.tier, memory.state, memory.pinned or bool(guards_of(memory)), config
    )
    if permanent:
        return 1.0
    since = memory.last_reinforced_at or memory.created_at
    elapsed = int(now.timestamp() * 1e6) - int(since.timestamp() * 1e6)
    days = max(0.0, elapsed / _MICROSECONDS_PER_DAY) * multiplier
    return max(retention(days, memory.stability, config.curve), floor)


class DecayingColumns(NamedTuple):
    """What retention depends on, of many memories; one entry each.

    Attributes:
        categories: of the memories.
        tiers: of the memories.
        states: of the memories.
        pinned: whether each is pinned, or a guardian fact.
        stabilities: days, above 0.
        since: the last reinforcement, or else the creation, in microseconds since 1970 UTC.
    """

    categories: Sequence[str]
    tiers: Sequence[str]
    states: Sequence[str]
    pinned: Sequence[bool]
    stabilities: Floats
    since: NDArray[np.int64]


def retentions_at(memories: DecayingColumns, now: int, config: StrengthConfig) -> Floats:
    """`retention_of` of many memories at once, shape (n,)."""
    each = list(
        zip(memories.categories, memories.tiers, memories.states, memories.pinned, strict=True)
    )
    # There are many memories, of few kinds.
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(each))}
    table = np.array([_fading(*kind, config) for kind in kinds], dtype=np.float64).reshape(-1, 3)
    permanent, multipliers, floors = table[[kinds[kind] for kind in each]].T
    days = np.maximum(0.0, (now - memories.since) / _MICROSECONDS_PER_DAY) * multipliers
    retained = np.maximum(retentions(days, memories.stabilities, config.curve), floors)
    faded: Floats = np.where(permanent > 0.0, 1.0, retained)
    return faded


def _fading(
    category: str, tier: str, state: str, pinned: bool, config: StrengthConfig
) -> tuple[bool, float, float]:
    """Whether a kind of memory keeps 1, the factor on its elapsed time, and the floor of its retention."""
    semantic = tier == "semantic"
    permanent = (
        state == "dormant"
        or pinned
        or category in config.permanent
        or (config.permanent_procedures and semantic and category == "procedure")
    )
    multiplier = SEMANTIC_MULTIPLIER if semantic else config.episodic_multiplier
    return permanent, multiplier, min(1.0, config.retention_floors.get(category, 0.0))


def after_use(
    memory: Memory, now: datetime, *, easy: bool, config: Config, together: bool = False
) -> dict[str, Any]:
    """The fields that a use changes: FSRS-6 recall update, counters, utility; S never shrinks, at most the ceiling.

    Pinned memories have no ceiling.

    Args:
        easy: the answer leant on it (grade Easy instead of Good).
        together: other memories were used with it: S grows by 2 % at least (Hebbian co-activation).
    """
    grade = EASY if easy else GOOD
    since = memory.last_reinforced_at or memory.created_at
    retained = retention_of(memory, now, config.strength)
    same_day = now - since < timedelta(days=1)
    stability = stability_after(
        memory.stability, memory.difficulty, retained, grade, same_day=same_day
    )
    stability = max(stability, memory.stability * (SPREADING if together else 1.0))
    longest = config.strength.maximum_days
    interval = min(memory.reinforcement_interval * INTERVAL_GROWTH, longest)
    return {
        "stability": stability if memory.pinned else max(memory.stability, min(stability, longest)),
        "difficulty": difficulty_after(memory.difficulty, grade),
        "storage_strength": memory.storage_strength
        + STORAGE_RATE * (10.0 - memory.storage_strength),
        "last_reinforced_at": now,
        "last_retrieved_at": now,
        "access_count": memory.access_count + 1,
        "used_count": memory.used_count + 1,
        "retrieval_count": memory.retrieval_count + 1,
        "ignored_streak": 0,
        "reinforcement_interval": interval,
        "next_reinforcement_at": now + timedelta(days=interval),
        "utility": _utility_after(memory, 1.0, used=1, config=config),
    }


def after_retrieval(memory: Memory, now: datetime, *, times: int, config: Config) -> dict[str, Any]:
    """The fields that being retrieved changes where retrieval alone reinforces: S grows by 2 % each time."""
    longest = max(memory.stability, config.strength.maximum_days)
    return {
        "stability": min(longest, memory.stability * SPREADING**times),
        "access_count": memory.access_count + times,
        "retrieval_count": memory.retrieval_count + times,
        "last_retrieved_at": now,
        "last_reinforced_at": now,
    }


def after_ignoring(
    memory: Memory, now: datetime, *, config: Config, expected: float = 1.0
) -> dict[str, Any]:
    """The fields that being ignored changes: S · 0.9, from the third time in a row S · 0.5.

    The floor holds. That it was retrieved is counted, and is no use: nothing is promoted for it.

    Args:
        expected: how likely it was to be used, 0..1; utility falls the less, the less it was.
    """
    streak = memory.ignored_streak + 1
    factor = IGNORED_OFTEN if streak >= OFTEN else IGNORED
    lowest = min(memory.stability, max(LEAST_STABILITY, FLOOR * memory.initial_stability))
    return {
        "stability": max(lowest, memory.stability * factor),
        "ignored_streak": streak,
        "retrieval_count": memory.retrieval_count + 1,
        "last_retrieved_at": now,
        "utility": _utility_after(memory, expected, used=0, config=config),
    }


def _utility_after(memory: Memory, expected: float, *, used: int, config: Config) -> float:
    """Uses over expected uses; or, at a fixed rate, a part of the way to 1 (used) or 0 (ignored)."""
    rate = config.feedback.utility_rate
    if rate is not None:
        return memory.utility + rate * (used - memory.utility)
    return utility_after(memory.utility, memory.used_count, expected, was_used=used > 0)


def stands(memory: Memory) -> bool:
    """Whether it is a person's own statement of how things stand, and not of what happened once (Tulving 1972)."""
    return memory.data_source == "user_message" and is_lasting(memory.content)


def used_together(
    namespace: str, pair: tuple[str, str], existing: Relation | None, at: datetime
) -> Relation:
    """The `co_activated` relation of two memories after one more answer used both: it fades from then on.

    A row that came by an import may have the ends the other way round, and keeps them.
    """
    former = existing or Relation(namespace, *pair, "co_activated", weight=0.0, created_at=at)
    return Relation(
        namespace,
        former.source_id,
        former.target_id,
        "co_activated",
        weight=min(1.0, coactivation_now(former, at) + COACTIVATION),
        created_at=former.created_at,
        last_activated_at=at,
    )


def coactivation_now(relation: Relation, now: datetime) -> float:
    """The weight of a `co_activated` relation today: w · exp(-elapsed / `ASSOCIATION_DAYS`), 0..1.

    It fades while nobody uses it.
    """
    if relation.last_activated_at is None:
        return relation.weight
    return relation.weight * math.exp(
        -max(0.0, (now - relation.last_activated_at) / timedelta(days=ASSOCIATION_DAYS))
    )

"""Settings of `[strength]`: how long memories last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cogmem_core.config.bounds import choice, members, number, table
from cogmem_core.models import CATEGORIES

__all__ = ["StrengthConfig"]


@dataclass(frozen=True, slots=True)
class StrengthConfig:
    """How long memories last.

    Attributes:
        curve: name of the forgetting curve.
        initial_days: initial stability per category, in days.
        default_days: initial stability of every other category, in days.
        permanent: categories whose retention stays 1.
        permanent_procedures: that of procedures too, once they are semantic.
        retention_floors: retention below which memories of a category never fall, above 0 and at
            most 1.
        maximum_days: ceiling of stability for one memory's whole life.
        episodic_multiplier, semantic_multiplier: factors on elapsed time.
    """

    curve: str = choice("fsrs6", "fsrs6", "exponential", "power_v9")
    initial_days: Mapping[str, float] = table(
        {
            "fact": 5.0,
            "decision": 3.0,
            "plan": 3.0,
            "other": 1.0,
            "pattern": 30.0,
            "procedure": 30.0,
            "summary": 30.0,
        },
        *CATEGORIES,
        maximum=36_500.0,
    )
    default_days: float = number(5.0, 0.01, 36_500.0)
    permanent: tuple[str, ...] = members(("preference", "entity", "correction"), *CATEGORIES)
    permanent_procedures: bool = True
    retention_floors: Mapping[str, float] = table({}, *CATEGORIES, maximum=1.0)
    maximum_days: float = number(365.0, 1.0, 36_500.0)
    episodic_multiplier: float = number(3.0, 0.0, 100.0)
    semantic_multiplier: float = number(1.0, 0.0, 100.0)

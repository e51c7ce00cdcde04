"""Factors on a whole score: a literal table of pure functions over the candidate pool, 1 = no effect (seeds 001, 003).

What a factor adds or takes away is told like a signal's contribution, so that an explanation still
sums to the score. A score may be below 0: there, too, a factor above 1 lifts and one below 1
lowers, by as much of the score's size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from cogmem_core.config import BoostConfig
from cogmem_core.retrieval.signals import Pool, Values
from cogmem_core.storage.ledger.memories import Candidate

__all__ = ["BOOSTS", "sub_tier"]

_RULE = re.compile(r"\b(?:always|never|rule|her zaman|daima|asla|kural\w{0,6})\b", re.IGNORECASE)
_HOW_TO = re.compile(r"\b(?:how to|nas\u0131l yap\w{1,6})\b", re.IGNORECASE)


def sub_tier(row: Candidate) -> str:
    """Where it stands within its tier: `personal`, `observed`, `vicarious`.

    `schematic`, `procedural`, `factual`.
    """
    if row.tier == "semantic":
        if row.category == "pattern" or _RULE.search(row.content):
            return "schematic"
        return (
            "procedural"
            if row.category == "procedure" or _HOW_TO.search(row.content)
            else "factual"
        )
    return {"user_message": "personal", "federation": "vicarious"}.get(row.data_source, "observed")


def _cold(pool: Pool, config: BoostConfig) -> Values:
    none = [False] * len(pool.candidates)
    factors = np.where(np.array(pool.away or none, dtype=bool), config.again, 1.0)
    return np.where(np.array(pool.cold or none, dtype=bool), config.cold, factors)


def _sub_tier(pool: Pool, config: BoostConfig) -> Values:
    return np.array([float(getattr(config, sub_tier(row))) for row in pool.candidates])


def _mood(pool: Pool, config: BoostConfig) -> Values:
    """Mood-congruent memory: the sign of the valence agrees."""
    return np.array(
        [config.mood if pool.mood * row.valence > 0 else 1.0 for row in pool.candidates]
    )


def _doubt(pool: Pool, config: BoostConfig) -> Values:
    doubtful = (row.source_confidence < config.doubtful_below for row in pool.candidates)
    return np.array([config.doubtful if doubt else 1.0 for doubt in doubtful])


BOOSTS: Mapping[str, Callable[[Pool, BoostConfig], Values]] = {
    "sub_tier": _sub_tier,
    "mood": _mood,
    "doubt": _doubt,
    "cold": _cold,
}

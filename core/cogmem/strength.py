"""How strong a memory is now. Decay is computed from timestamps when it is asked for, never written back."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from cogmem.config import StrengthConfig
from cogmem.maths.decay import retention
from cogmem.models import Memory

__all__ = ["initial_stability", "retention_at", "retention_of"]

_MICROSECONDS_PER_DAY = 86_400_000_000


class _Decaying(Protocol):
    @property
    def category(self) -> str: ...
    @property
    def tier(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def pinned(self) -> bool: ...
    @property
    def stability(self) -> float: ...


def initial_stability(category: str, *, importance: float, intensity: float, config: StrengthConfig) -> float:
    """Days: the category's base x (0.5 + importance) x (1 + emotional intensity), at most the ceiling."""
    days = config.initial_days.get(category, config.default_days) * (0.5 + importance) * (1.0 + intensity)
    return min(days, config.maximum_days)


def retention_at(memory: _Decaying, since: int, now: int, config: StrengthConfig) -> float:
    """Retrievability 0..1 for moments in microseconds since 1970; 1 for what never fades.

    Pinned memories and permanent categories keep 1; dormant memories are frozen at 1 (tier multiplier 0).
    """
    if memory.pinned or memory.category in config.permanent or memory.state == "dormant":
        return 1.0
    multiplier = config.semantic_multiplier if memory.tier == "semantic" else config.episodic_multiplier
    days = max(0.0, (now - since) / _MICROSECONDS_PER_DAY) * multiplier
    return retention(days, memory.stability, config.curve)


def retention_of(memory: Memory, now: datetime, config: StrengthConfig) -> float:
    """Retrievability of a memory now, 0..1."""
    since = memory.last_reinforced_at or memory.created_at
    return retention_at(memory, int(since.timestamp() * 1e6), int(now.timestamp() * 1e6), config)

"""How much a new memory matters: four channels, one composite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cogmem_core.config import ImportanceConfig

__all__ = ["Channels", "Priority", "encoding_boost", "importance", "priority"]

Priority = Literal["critical", "high", "normal", "low"]


@dataclass(frozen=True, slots=True)
class Channels:
    """The four channels, each 0..1.

    Attributes:
        novelty: 1 - similarity to the closest memory.
        arousal: urgency and emotion.
        reward: mean utility of similar memories; 0.5 if there are none.
        attention: similarity to what the session is about.
    """

    novelty: float
    arousal: float
    reward: float
    attention: float


def importance(channels: Channels, *, boost: float, config: ImportanceConfig) -> float:
    """(0.25 novelty + 0.30 arousal + 0.25 reward + 0.20 attention) x boost, clamped to 0..1.

    All channels 1 and boost 1 give 1; all channels 0.5 give 0.5.
    """
    weighted = (
        config.novelty * _unit(channels.novelty)
        + config.arousal * _unit(channels.arousal)
        + config.reward * _unit(channels.reward)
        + config.attention * _unit(channels.attention)
    )
    return _unit(weighted * min(config.boost_high, max(config.boost_low, boost)))


def encoding_boost(evidence: float, config: ImportanceConfig) -> float:
    """From 0.7 (evidence 0: nothing says that it is worth keeping) to 1.3 (evidence 1), linear."""
    return config.boost_low + (config.boost_high - config.boost_low) * _unit(evidence)


def priority(value: float) -> Priority:
    """Critical from 0.8, high from 0.6, normal from 0.4, else low."""
    if value >= 0.8:
        return "critical"
    if value >= 0.6:
        return "high"
    return "normal" if value >= 0.4 else "low"


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))

"""How much a new memory matters: four channels, one composite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NOVELTY = 0.25
"""Weight of novelty."""
AROUSAL = 0.3
"""Weight of arousal."""
REWARD = 0.25
"""Weight of reward."""
ATTENTION = 0.2
"""Weight of attention."""
BOOST_LOW = 0.7
"""Least encoding boost."""
BOOST_HIGH = 1.3
"""Largest encoding boost."""
NEUTRAL_CHANNEL = 0.5
"""Reward and attention where nothing tells."""

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


def importance(channels: Channels, *, boost: float) -> float:
    """(0.25 novelty + 0.30 arousal + 0.25 reward + 0.20 attention) x boost, clamped to 0..1.

    All channels 1 and boost 1 give 1; all channels 0.5 give 0.5.
    """
    weighted = (
        NOVELTY * _unit(channels.novelty)
        + AROUSAL * _unit(channels.arousal)
        + REWARD * _unit(channels.reward)
        + ATTENTION * _unit(channels.attention)
    )
    return _unit(weighted * min(BOOST_HIGH, max(BOOST_LOW, boost)))


def encoding_boost(evidence: float) -> float:
    """From 0.7 (evidence 0: nothing says that it is worth keeping) to 1.3 (evidence 1), linear."""
    return BOOST_LOW + (BOOST_HIGH - BOOST_LOW) * _unit(evidence)


def priority(value: float) -> Priority:
    """Critical from 0.8, high from 0.6, normal from 0.4, else low."""
    if value >= 0.8:
        return "critical"
    if value >= 0.6:
        return "high"
    return "normal" if value >= 0.4 else "low"


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))

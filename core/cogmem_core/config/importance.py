"""Settings of `[importance]`: the channels of importance."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["ImportanceConfig"]


@dataclass(frozen=True, slots=True)
class ImportanceConfig:
    """Four channels of importance.

    Attributes:
        novelty, arousal, reward, attention: their weights.
        boost_low, boost_high: range of the encoding boost.
        flashbulb_arousal: from which on a memory becomes a flashbulb: pinned, with at least
            `flashbulb_importance`, and its stability multiplied by `flashbulb_stability`.
        evidence: for the boost, of a turn that no pattern matched; the observer's confidence is
            added.
        similar_from: memories at least so similar tell the reward.
        neutral: reward and attention where nothing tells.
        context_turns: turns that the session's attention is made of.
    """

    novelty: float = number(0.25, 0.0, 1.0)
    arousal: float = number(0.30, 0.0, 1.0)
    reward: float = number(0.25, 0.0, 1.0)
    attention: float = number(0.20, 0.0, 1.0)
    boost_low: float = number(0.7, 0.0, 10.0)
    boost_high: float = number(1.3, 0.0, 10.0)
    flashbulb_arousal: float = number(0.8, 0.0, 1.0)
    flashbulb_importance: float = number(0.9, 0.0, 1.0)
    flashbulb_stability: float = number(1.5, 1.0, 10.0)
    evidence: float = number(0.25, 0.0, 1.0)
    similar_from: float = number(0.5, -1.0, 1.0)
    neutral: float = number(0.5, 0.0, 1.0)
    context_turns: int = number(5, 1, 20)

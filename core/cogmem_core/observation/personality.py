"""What HEXACO traits decide: what a digest looks at, and which of two contradictory statements is right. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cogmem_core.config import ObservationConfig

_HIGH = 0.6  # a trait above it is high
_GAP = 0.2
"""Without a deciding trait the more confident side wins if the difference is larger."""
# Differences of confidence are compared with a little slack: 0.9 - 0.7 is no more than 0.2.
_SLACK = 1e-9

_EMPHASIS: Mapping[str, str] = {
    "emotionality": "emotional shifts, tone changes and sentiment transitions",
    "conscientiousness": "commitments, deadlines, action items and structured plans",
    "openness": "creative tangents, novel ideas and exploratory topics",
    "agreeableness": "user preferences, rapport cues and communication style",
    "honesty": "corrections, retractions and contradictions",
}
"""Extraversion has no emphasis."""
_CONFLICT = {
    "honesty": "the newer one is right: tell only what it says.",
    "agreeableness": "keep both, and say that they differ.",
    "": f"and their confidence differs by more than {_GAP}, tell only what the surer one says; else keep both.",
}


def orders(config: ObservationConfig) -> tuple[str, ...]:
    """What a model is told besides its task."""
    kinds = [kind for trait, kind in _EMPHASIS.items() if _is_high(trait, config)]
    emphasis = [f"Emphasise {kind}: they come first and are never left out." for kind in kinds]
    return (*emphasis, f"Where notes contradict each other, {_CONFLICT[_deciding(config)]}")


def resolve(
    newer_confidence: float, older_confidence: float, config: ObservationConfig
) -> Literal["newer", "older", "both"]:
    """Which of two contradictory statements is right.

    Args:
        newer_confidence: of the newer statement, 0..1. Confidences count only if neither honesty
            nor agreeableness is high, and if they differ by more than 0.2.
        older_confidence: of the older statement, 0..1.
        config: the traits.
    """
    if trait := _deciding(config):
        return "newer" if trait == "honesty" else "both"
    lead = newer_confidence - older_confidence
    if abs(lead) <= _GAP + _SLACK:
        return "both"
    return "newer" if lead > 0 else "older"


def _deciding(config: ObservationConfig) -> str:
    """The trait that decides contradictions; honesty goes before agreeableness."""
    return next((name for name in ("honesty", "agreeableness") if _is_high(name, config)), "")


def _is_high(trait: str, config: ObservationConfig) -> bool:
    return config.personality.get(trait, 0.0) > _HIGH

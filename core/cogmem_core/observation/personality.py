"""What HEXACO traits decide: which traits steer the emphasis, and how contradictions end. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from cogmem_core.config import ObservationConfig
from cogmem_core.observation.notes import Reflection
from cogmem_core.skills.digest_notes import EMPHASIS
from cogmem_core.skills.reflect import Policy
from cogmem_core.text.compare import contradicts
from cogmem_core.text.tokens import tokens

__all__ = ["CONFIDENCE_GAP", "TRAIT_FROM", "high_traits", "policy", "resolve", "settle"]

TRAIT_FROM = 0.6
"""A trait above it is high (0.6)."""
CONFIDENCE_GAP = 0.2
"""Without a deciding trait the more confident side wins if the difference is larger."""

# Differences of confidence are compared with a little slack: 0.9 - 0.7 is no more than 0.2.
_SLACK = 1e-9


def high_traits(config: ObservationConfig) -> tuple[str, ...]:
    """The traits above `TRAIT_FROM` that emphasise something, in a fixed order."""
    return tuple(trait for trait in EMPHASIS if _high(trait, config))


def policy(config: ObservationConfig) -> Policy:
    """How contradictions are resolved; honesty goes before agreeableness."""
    if _high("honesty", config):
        return "newer"
    return "both" if _high("agreeableness", config) else "surer"


def resolve(
    newer_confidence: float, older_confidence: float, config: ObservationConfig
) -> Literal["newer", "older", "both"]:
    """Which of two contradictory statements is right.

    Args:
        newer_confidence: of the newer statement, 0..1. Confidences count only if neither honesty
            nor agreeableness is high, and if they differ by more than `config.confidence_gap`.
        older_confidence: of the older statement, 0..1.
        config: the traits, and the thresholds.
    """
    rule = policy(config)
    if rule != "surer":
        return rule
    lead = newer_confidence - older_confidence
    if abs(lead) <= CONFIDENCE_GAP + _SLACK:
        return "both"
    return "newer" if lead > 0 else "older"


def settle(reflections: Sequence[Reflection], config: ObservationConfig) -> tuple[Reflection, ...]:
    """The reflections without those that lost a contradiction.

    The winner names the losers and has their refs. Where both stay valid, each names the other.
    """
    winners: list[Reflection] = []
    for reflection in sorted(reflections, key=lambda row: row.observed_at):
        winners = _add(reflection, winners, config)
    return tuple(winners)


def _add(
    new: Reflection, older: Sequence[Reflection], config: ObservationConfig
) -> list[Reflection]:
    """The older reflections and a newer one, after their contradictions are resolved."""
    words = set(tokens(new.text))
    remaining: list[Reflection] = []
    winner: int | None = None
    for old in older:
        verdict = None
        same_voice = new.role != "system" and (new.role, new.speaker) == (old.role, old.speaker)
        shared = words & set(tokens(old.text))
        if shared and contradicts(new.text, old.text, same_speaker=same_voice):
            verdict = resolve(new.confidence, old.confidence, config)
        if verdict == "newer":
            new = _absorb(new, old)
            continue
        if verdict == "both":
            new = replace(new, differs_from=(*new.differs_from, old.text))
            remaining.append(replace(old, differs_from=(*old.differs_from, new.text)))
            continue
        if verdict == "older" and winner is None:
            winner = len(remaining)
        remaining.append(old)
    if winner is None:
        return [*remaining, new]
    remaining[winner] = _absorb(remaining[winner], new)
    return remaining


def _absorb(winner: Reflection, loser: Reflection) -> Reflection:
    refs = tuple(dict.fromkeys((*loser.refs, *winner.refs)))
    supersedes = (*winner.supersedes, loser.text, *loser.supersedes)
    return replace(winner, refs=refs, supersedes=supersedes)


def _high(trait: str, config: ObservationConfig) -> bool:
    return config.personality.get(trait, 0.0) > TRAIT_FROM

"""What HEXACO traits decide (seed 000): which traits steer the emphasis, and what becomes of contradictions. Pure."""

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

__all__ = ["high_traits", "policy", "resolve", "settled"]

_CLEAR = 1e-9  # differences of confidence are compared with a little slack: 0.9 - 0.7 is no more than 0.2


def high_traits(config: ObservationConfig) -> tuple[str, ...]:
    """The traits above `trait_from` that emphasise something, in a fixed order."""
    return tuple(trait for trait in EMPHASIS if _high(trait, config))


def policy(config: ObservationConfig) -> Policy:
    """How contradictions are resolved; honesty goes before agreeableness, as in seed 000."""
    if _high("honesty", config):
        return "newer"
    return "both" if _high("agreeableness", config) else "surer"


def resolve(
    newer_confidence: float, older_confidence: float, config: ObservationConfig
) -> Literal["newer", "older", "both"]:
    """Which of two contradictory statements is right.

    Args:
        newer_confidence, older_confidence: 0..1; they count only if neither honesty nor agreeableness is high, and
            only if they differ by more than `config.confidence_gap`.
    """
    decided = policy(config)
    if decided != "surer":
        return decided
    lead = newer_confidence - older_confidence
    if abs(lead) <= config.confidence_gap + _CLEAR:
        return "both"
    return "newer" if lead > 0 else "older"


def settled(reflections: Sequence[Reflection], config: ObservationConfig) -> tuple[Reflection, ...]:
    """The reflections without those that lost a contradiction; the winner names them and has their refs.

    Where both are kept, each names the other.
    """
    kept: list[Reflection] = []
    for new in sorted(reflections, key=lambda one: one.observed_at):
        kept = _met(new, kept, config)
    return tuple(kept)


def _met(new: Reflection, kept: Sequence[Reflection], config: ObservationConfig) -> list[Reflection]:
    """What was kept so far and a newer reflection, after their contradictions are resolved."""
    words = set(tokens(new.text))
    remaining: list[Reflection] = []
    winner: int | None = None
    for old in kept:
        verdict = None
        if words & set(tokens(old.text)) and contradicts(new.text, old.text, same_speaker=_same_voice(new, old)):
            verdict = resolve(new.confidence, old.confidence, config)
        if verdict == "newer":
            new = _over(new, old)
            continue
        if verdict == "both":
            new = replace(new, differs_from=(*new.differs_from, old.text))
            old = replace(old, differs_from=(*old.differs_from, new.text))  # noqa: PLW2901 - the same one, with a note
        elif verdict == "older" and winner is None:
            winner = len(remaining)
        remaining.append(old)
    if winner is None:
        return [*remaining, new]
    remaining[winner] = _over(remaining[winner], new)
    return remaining


def _over(winner: Reflection, loser: Reflection) -> Reflection:
    refs = tuple(dict.fromkeys((*loser.refs, *winner.refs)))
    return replace(winner, refs=refs, supersedes=(*winner.supersedes, loser.text, *loser.supersedes))


def _same_voice(new: Reflection, old: Reflection) -> bool:
    return new.role != "system" and (new.role, new.speaker) == (old.role, old.speaker)


def _high(trait: str, config: ObservationConfig) -> bool:
    return config.personality.get(trait, 0.0) > config.trait_from

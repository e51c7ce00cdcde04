"""Settings of `[importance]`: the channels of importance."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["ImportanceConfig"]


@section("importance")
class ImportanceConfig:
    """Four channels of importance."""

    novelty: Share = 0.25
    """Weight of novelty."""
    arousal: Share = 0.30
    """Weight of arousal."""
    reward: Share = 0.25
    """Weight of reward."""
    attention: Share = 0.20
    """Weight of attention."""
    boost_low: Annotated[StrictFloat, Field(ge=0.0, le=10.0)] = 0.7
    """Least encoding boost."""
    boost_high: Annotated[StrictFloat, Field(ge=0.0, le=10.0)] = 1.3
    """Largest encoding boost."""
    flashbulb_arousal: Share = 0.8
    """Arousal from which on a memory becomes a flashbulb, which is pinned."""
    flashbulb_importance: Share = 0.9
    """Least importance of a flashbulb."""
    flashbulb_stability: Annotated[StrictFloat, Field(ge=1.0, le=10.0)] = 1.5
    """Factor on the stability of a flashbulb."""
    evidence: Share = 0.25
    """For the boost, of a turn that no pattern matched; the observer's confidence is added."""
    similar_from: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.5
    """Memories at least so similar tell the reward."""
    neutral: Share = 0.5
    """Reward and attention where nothing tells."""
    context_turns: Annotated[StrictInt, Field(ge=1, le=20)] = 5
    """Turns that the session's attention is made of."""

    def __post_init__(self) -> None:
        in_order(self, "boost_low", "boost_high")

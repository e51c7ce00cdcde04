"""Settings of strength, ranking and working memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cogmem.config.bounds import choice, number

__all__ = ["RetrievalConfig", "SignalWeights", "StrengthConfig", "WorkingMemoryConfig"]


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """Weight of each ranking signal in the composite score; 0 switches one off.

    `similarity` and `lexical` carry relevance. What a conversation is made of comes next (weights measured on LoCoMo):
    who said it, the date that the question names, the turn before, the session. Strength only breaks ties, because
    forgetting hurts fast in ranking.
    """

    similarity: float = number(0.5, 0.0, 1.0)
    lexical: float = number(0.5, 0.0, 1.0)
    retention: float = number(0.02, 0.0, 0.1)
    importance: float = number(0.02, 0.0, 1.0)
    utility: float = number(0.02, 0.0, 1.0)
    speaker: float = number(0.3, 0.0, 1.0)
    date: float = number(0.3, 0.0, 1.0)
    when: float = number(0.1, 0.0, 1.0)
    length: float = number(0.1, 0.0, 1.0)
    statement: float = number(0.1, 0.0, 1.0)
    previous: float = number(0.3, 0.0, 1.0)
    session: float = number(0.6, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """The read path.

    Attributes:
        pool: candidates taken from each ranker; at least 3 k of them.
        weights: see `SignalWeights`.
        mmr_lambda: 1 = relevance only; seed 001: 0.7.
        frequent_share: words that stand in a larger share of the memories are left out of the embedded query.
        frequent_minimum: ... in namespaces of at least so many memories.
        neighbours: so many of each ranker's best hits bring the turns before and after them into the pool.
        session_best: turns of a session whose mean relevance counts for all of it. long_characters: a turn of so many
            says as much as a longer one (both measured on LoCoMo).
        max_k: the largest k accepted.
        deep_factor: score factor of dormant and superseded memories (seed 003).
        context_tokens: default budget of `Recall.context()`.
    """

    pool: int = number(64, 1, 10_000)
    weights: SignalWeights = field(default_factory=SignalWeights)
    mmr_lambda: float = number(0.7, 0.0, 1.0)
    frequent_share: float = number(0.3, 0.0, 1.0)
    frequent_minimum: int = number(20, 1, 1_000_000)
    neighbours: int = number(10, 0, 1_000)
    session_best: int = number(3, 1, 1_000)
    long_characters: int = number(200, 1, 1_000_000)
    max_k: int = number(1_000, 1, 100_000)
    deep_factor: float = number(0.5, 0.0, 1.0)
    context_tokens: int = number(1_500, 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class StrengthConfig:
    """How long memories last.

    Attributes:
        curve: name of the forgetting curve.
        initial_days: initial stability per category, in days.
        default_days: initial stability of every other category, in days.
        permanent: categories whose retention stays 1.
        maximum_days: ceiling of stability for one memory's whole life.
        episodic_multiplier, semantic_multiplier: factors on elapsed time.
    """

    curve: str = choice("fsrs6", "fsrs6", "exponential", "power_v9")
    initial_days: Mapping[str, float] = field(
        default_factory=lambda: {
            "fact": 5.0,
            "decision": 3.0,
            "plan": 3.0,
            "other": 1.0,
            "pattern": 30.0,
            "procedure": 30.0,
            "summary": 30.0,
        }
    )
    default_days: float = number(5.0, 0.01, 36_500.0)
    permanent: tuple[str, ...] = ("preference", "entity", "correction")
    maximum_days: float = number(365.0, 1.0, 36_500.0)
    episodic_multiplier: float = number(3.0, 0.0, 100.0)
    semantic_multiplier: float = number(1.0, 0.0, 100.0)


@dataclass(frozen=True, slots=True)
class WorkingMemoryConfig:
    """The session's buffer (seed 001).

    Attributes:
        capacity: items per session: Miller's seven plus or minus two, upper bound.
        recency_minutes: time after which an item that was not accessed counts 1/e.
        promote_accesses, promote_importance: either makes an item worth keeping beyond the session.
    """

    capacity: int = number(9, 1, 1_000)
    recency_minutes: float = number(30.0, 0.1, 10_000.0)
    promote_accesses: int = number(2, 1, 1_000)
    promote_importance: float = number(0.6, 0.0, 1.0)

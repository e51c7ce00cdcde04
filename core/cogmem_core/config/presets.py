"""Named configurations.

`default` wins the evaluation; each of the others reproduces the rules of an earlier memory system.
"""

from __future__ import annotations

from dataclasses import replace

from cogmem_core.config import (
    BoostConfig,
    Config,
    ConsolidationConfig,
    DuplicateConfig,
    FadingConfig,
    FeedbackConfig,
    ForgettingConfig,
    GuardConfig,
    InjectionConfig,
    InsightConfig,
    PromotionConfig,
    RehearsalConfig,
    RetrievalConfig,
    Route,
    RoutesConfig,
    SignalWeights,
    StrengthConfig,
    ThemeConfig,
)
from cogmem_core.errors import ConfigError

__all__ = ["PRESETS", "preset"]

_V9_ROUTES = RoutesConfig(
    factual=Route(0.6, 0.4, 10, utility=0.2),
    temporal=Route(0.4, 0.6, 15, order="newest", history=True),
    causal=Route(0.3, 0.3, 20, hops=2),
    entity_profile=Route(0.5, 0.5, 15, utility=0.3, order="utility", hub=True),
    preference=Route(0.5, 0.5, 10, order="utility", only=("preference", "correction")),
    general=Route(0.5, 0.5, 10, utility=0.2),
)
"""One route per kind of question."""

_NOTHING = dict.fromkeys(
    (
        "proven",
        "speaker",
        "date",
        "when",
        "length",
        "statement",
        "previous",
        "session",
        "linked",
        "kind",
    ),
    0.0,
)
_V9_WEIGHTS = SignalWeights(
    similarity=0.40,
    lexical=0.0,
    retention=0.0,
    activation=0.30,
    importance=0.15,
    utility=0.0,
    rrf=0.15,
    same_session=0.15,
    entity=0.1,
    coactivation=0.05,
    recency=0.0,
    **_NOTHING,
)
"""0.40 similarity + 0.30 activation + 0.15 importance + 0.15 RRF, and the boosts."""

_V9_RETRIEVAL = RetrievalConfig(
    weights=_V9_WEIGHTS,
    mmr_lambda=0.7,
    routes=_V9_ROUTES,
    boosts=BoostConfig(personal=1.1),
    injection=InjectionConfig(full_from=0.7, floor=0.4),
    hyde=True,
    activation="seed",
    second_look=0.0,
    source_share=1.0,
)

_V9_BATCH = 500
_V9_DREAM = ConsolidationConfig(
    steps=(
        *(
            "expiry",
            "short_term",
            "utility_drift",
            "emotional",
            "synaptic_replay",
            "rehearsal",
            "conflicts",
        ),
        *(
            "redundancy",
            "forgetting",
            "cascade",
            "themes",
            "abstraction",
            "category_summaries",
            "promotion",
        ),
        *("relation_trim", "reindex"),
    ),
    hours=24.0,
    rehearsal=RehearsalConfig(below=0.3, importance=0.0, utility=0.0),
    duplicates=DuplicateConfig(lookups=_V9_BATCH),
    forgetting=ForgettingConfig(
        rules=("utility", "bcm", "capacity"),
        minimum_days={"decision": 45.0, "fact": 14.0, "plan": 7.0, "other": 7.0},
        capacity=500,
        share=1.0,
        limit=_V9_BATCH,
    ),
    themes=ThemeConfig(similarity=0.0, supersede=True, candidates=_V9_BATCH),
    promotion=PromotionConfig(rules=("access", "utility", "entity"), limit=_V9_BATCH),
    conflict="newer",
    careful=False,
    spare_used=False,
)
"""Eight steps with strategic forgetting, BCM, promotion and demotion.

At most 500 memories a batch.
"""

_EBBINGHAUS = StrengthConfig(
    curve="exponential", permanent=(), episodic_multiplier=1.0, permanent_procedures=False
)
"""Agentos and cognitive know neither permanent categories nor tiers that decay faster."""

_TRUSTING = GuardConfig(on=False, quarantine=False)
"""The earlier systems know no trust: a statement counts, whoever makes it."""

_ONE_LOOK = RetrievalConfig(second_look=0.0, source_share=1.0)
"""Pruned and superseded memories are not retrieved, except by deep recall."""

_ALL_WORDS = FeedbackConfig(own_words=False, blame_from=0.0)
"""The earlier systems judge by the share of all keywords, and judge all memories that were shown."""

_AGENTOS_CYCLE = 500
_AGENTOS_DREAM = ConsolidationConfig(
    # What the write path keeps on probation has to be decided on in every preset.
    steps=(
        "short_term",
        "synaptic_replay",
        "duplicates",
        "forgetting",
        "cascade",
        "insights",
        "promotion",
        "reindex",
    ),
    careful=False,
    duplicates=DuplicateConfig(similarity=0.95, lookups=_AGENTOS_CYCLE),
    forgetting=ForgettingConfig(
        rules=("retention",),
        below=0.05,
        intensity=0.3,
        idle_days=0.0,
        used_days=0.0,
        standing=False,
        share=1.0,
        limit=_AGENTOS_CYCLE,
    ),
    insights=InsightConfig(least=5, limit=5),
    promotion=PromotionConfig(
        rules=("old",),
        retrievals=3,
        counted="retrieval",
        days=7.0,
        limit=_AGENTOS_CYCLE,
        demote_days=36_500.0,
    ),
)
"""Prune, merge, strengthen, derive, compact, re-index; every hour."""

_UNIFIED_DREAM = ConsolidationConfig(
    steps=("expiry", "short_term", "duplicates", "forgetting", "cascade", "reindex"),
    forgetting=ForgettingConfig(rules=("retention",), idle_days=0.0, used_days=0.0, standing=False),
)
"""Promotion of short-term facts, cold memories are archived, one hygiene pass."""

_COGNITIVE_DREAM = ConsolidationConfig(
    steps=("expiry", "short_term", "cascade", "fading", "reindex"),
    tick=("expiry", "short_term", "cascade", "fading", "reindex"),
    trigger="ingestions",
    every=5,
    automatic="tick",
    fading=FadingConfig(below=0.20, similarity=0.70, least=5, most=5, standing=False, rules=True),
)
"""`tick()` after every 5 ingestions consolidates what has faded below 0.20, in groups of 5."""

PRESETS: dict[str, Config] = {
    "default": Config(),
    "agentos": Config(
        strength=_EBBINGHAUS,
        retrieval=_ONE_LOOK,
        feedback=replace(_ALL_WORDS, bind_at_once=False),
        consolidation=_AGENTOS_DREAM,
        guard=_TRUSTING,
    ),
    "v9": Config(
        strength=StrengthConfig(curve="power_v9"),
        retrieval=_V9_RETRIEVAL,
        feedback=_ALL_WORDS,
        consolidation=_V9_DREAM,
        guard=_TRUSTING,
    ),
    "unified-update": Config(
        retrieval=RetrievalConfig(
            weights=SignalWeights(importance=1.0, recency=1.0),
            reinforce_on="retrieval",
            second_look=0.0,
            source_share=1.0,
        ),
        feedback=_ALL_WORDS,
        consolidation=_UNIFIED_DREAM,
        guard=_TRUSTING,
    ),
    "cognitive-memory": Config(
        strength=_EBBINGHAUS,
        retrieval=_ONE_LOOK,
        feedback=_ALL_WORDS,
        consolidation=_COGNITIVE_DREAM,
        guard=_TRUSTING,
    ),
}


def preset(name: str) -> Config:
    """The configuration of that name.

    Raises:
        ConfigError: unknown name; the message lists the known ones.
    """
    try:
        return PRESETS[name]
    except (KeyError, TypeError):
        raise ConfigError(f"there is no preset {name!r}; use one of {', '.join(PRESETS)}") from None

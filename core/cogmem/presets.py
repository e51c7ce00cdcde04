"""Named configurations. `default` wins the evaluation; the others reproduce one seed document each."""

from __future__ import annotations

from cogmem.config import (
    BoostConfig,
    Config,
    InjectionConfig,
    RetrievalConfig,
    Route,
    RoutesConfig,
    SignalWeights,
    StrengthConfig,
)
from cogmem.errors import ConfigError

__all__ = ["PRESETS", "preset"]

_V9_ROUTES = RoutesConfig(
    factual=Route(0.6, 0.4, 10, utility=0.2),
    temporal=Route(0.4, 0.6, 15, order="newest", history=True),
    causal=Route(0.3, 0.3, 20, hops=2),
    entity_profile=Route(0.5, 0.5, 15, utility=0.3, order="utility", hub=True),
    preference=Route(0.5, 0.5, 10, order="utility", only=("preference", "correction")),
    general=Route(0.5, 0.5, 10, utility=0.2),
)
"""Seed 001, "Retrieval Strategy Router"."""

_NOTHING = dict.fromkeys(
    ("speaker", "date", "when", "length", "statement", "previous", "session", "linked", "kind"), 0.0
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
"""Seed 001, "Hybrid search": 0.40 similarity + 0.30 activation + 0.15 importance + 0.15 RRF, and the boosts."""

_V9_RETRIEVAL = RetrievalConfig(
    weights=_V9_WEIGHTS,
    mmr_lambda=0.7,
    routes=_V9_ROUTES,
    boosts=BoostConfig(personal=1.1),
    injection=InjectionConfig(full_from=0.7, floor=0.4),
    hyde=True,
    activation="seed",
)

PRESETS: dict[str, Config] = {
    "default": Config(),
    "agentos": Config(strength=StrengthConfig(curve="exponential")),
    "v9": Config(strength=StrengthConfig(curve="power_v9"), retrieval=_V9_RETRIEVAL),
    "unified-update": Config(),
    "cognitive-memory": Config(strength=StrengthConfig(curve="exponential")),
}


def preset(name: str) -> Config:
    """The configuration of that name.

    Raises:
        ConfigError: unknown name; the message lists the known ones.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(f"there is no preset {name!r}; use one of {', '.join(PRESETS)}") from None

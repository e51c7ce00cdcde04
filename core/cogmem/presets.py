"""Named configurations. `default` wins the evaluation; the others reproduce one seed document each."""

from __future__ import annotations

from cogmem.config import Config, RetrievalConfig, StrengthConfig
from cogmem.errors import ConfigError

__all__ = ["PRESETS", "preset"]

PRESETS: dict[str, Config] = {
    "default": Config(),
    "agentos": Config(strength=StrengthConfig(curve="exponential")),
    "v9": Config(strength=StrengthConfig(curve="power_v9"), retrieval=RetrievalConfig(mmr_lambda=0.7)),
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

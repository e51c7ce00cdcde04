"""Named configurations, each a file in `data/presets`.

`default` wins the evaluation; each of the others reproduces the rules of an earlier memory system.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from cogmem_core.base.toml import tomllib
from cogmem_core.config import Config
from cogmem_core.config.settings import as_table, merged
from cogmem_core.errors import ConfigError

PRESETS = ("default", "agentos", "v9", "unified-update", "cognitive-memory")


def preset(name: str) -> Config:
    """The configuration of that name.

    Raises:
        ConfigError: unknown name; the message lists the known ones.
    """
    if name not in PRESETS:
        raise ConfigError(f"there is no preset {name!r}; use one of {', '.join(PRESETS)}")
    return _read(name)


@lru_cache
def _read(name: str) -> Config:
    if name == "default":
        return Config()
    text = files("cogmem_core").joinpath(f"data/presets/{name}.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = merged(as_table(Config()), tomllib.loads(text))
    return Config(**table)

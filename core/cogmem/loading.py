"""Settings from outside the code.

Precedence: code, then a TOML file (`COGMEM_CONFIG`, or `cogmem.toml` in the bank's folder), then `COGMEM_*` variables,
then a preset (`preset = "v9"` at the top of the file, or `COGMEM_PRESET`), then the defaults.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from cogmem.config import Config
from cogmem.errors import ConfigError
from cogmem.presets import preset
from cogmem.settings import flat

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["chosen_preset", "config_of", "load_config", "origins"]

_PRESET = "preset"


def load_config(folder: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Config:
    """Read the TOML file and the environment; a value in the file wins over a variable, and both over a preset.

    Args:
        folder: the bank's folder; its `cogmem.toml` is read unless `COGMEM_CONFIG` names another file.
        environ: variables such as `COGMEM_RETRIEVAL__POOL=50` (section, two underscores, field); `os.environ` if None.

    Raises:
        ConfigError: an unknown key or preset, a value out of bounds or an unreadable file; lists every violation.
    """
    environ = os.environ if environ is None else environ
    file = _from_file(folder, environ)
    problems: list[str] = []
    base = Config()
    try:
        base = preset(_chosen(file, environ) or "default")
    except ConfigError as error:
        problems.append(str(error))
    return _built(base, _merge(_from_environ(environ), _settings(file)), problems)


def config_of(table: Mapping[str, Any]) -> Config:
    """The configuration of nested tables, such as `settings.as_table` makes of one; the defaults fill it up.

    Raises:
        ConfigError: as `load_config`.
    """
    return _built(Config(), table, [])


def _built(base: Config, table: Mapping[str, Any], problems: list[str]) -> Config:
    config = _build(base, table, "", problems)
    if problems:
        raise ConfigError("; ".join(problems))
    return config  # type: ignore[no-any-return]


def chosen_preset(folder: Path | None = None, *, environ: Mapping[str, str] | None = None) -> str:
    """The preset that the file, or else `COGMEM_PRESET`, names; empty if neither does."""
    environ = os.environ if environ is None else environ
    return _chosen(_from_file(folder, environ), environ)


def origins(folder: Path | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each setting came from: `default`, `preset`, `environment` or `file`, by dotted name.

    A value that a preset leaves as it is by default is one of the defaults.
    """
    environ = os.environ if environ is None else environ
    file = _from_file(folder, environ)
    found = dict.fromkeys(flat(load_config(folder, environ=environ)), "default")
    default, base = flat(Config()), flat(preset(_chosen(file, environ) or "default"))
    found |= {name: _PRESET for name in found if base.get(name) != default.get(name)}
    for origin, table in (("environment", _from_environ(environ)), ("file", _settings(file))):
        found |= dict.fromkeys(found.keys() & flat(table).keys(), origin)
    return found


def _chosen(file: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    named = file.get(_PRESET, environ.get("COGMEM_PRESET", ""))
    return named if isinstance(named, str) else repr(named)


def _settings(file: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in file.items() if name != _PRESET}


def _from_file(folder: Path | None, environ: Mapping[str, str]) -> dict[str, Any]:
    named = environ.get("COGMEM_CONFIG")
    path = Path(named) if named else (folder / "cogmem.toml" if folder else None)
    if path is None or not (named or path.is_file()):
        return {}
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration file {path}: {error}; correct it or remove it") from error
    return table


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, text in environ.items():
        if name.startswith("COGMEM_") and "__" in name:
            *sections, last = name[len("COGMEM_") :].lower().split("__")
            target = table
            for section in sections:
                target = target.setdefault(section, {})
            target[last] = _parse(text)
    return table


def _parse(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        return text


def _merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _build(base: Any, table: Mapping[str, Any], prefix: str, problems: list[str]) -> Any:
    """A section with the values of a table in place of its own."""
    known, given = {item.name for item in fields(base)}, dict[str, Any]()
    for key, value in table.items():
        if key not in known:
            problems.append(f"{prefix}{key} is not a setting; the settings here are {', '.join(sorted(known))}")
        elif not dataclasses.is_dataclass(getattr(base, key)):
            given[key] = tuple(value) if isinstance(value, list) else value
        elif isinstance(value, Mapping):
            given[key] = _build(getattr(base, key), value, f"{prefix}{key}.", problems)
        else:
            problems.append(f"{prefix}{key} is {value!r}; it is a section: give its settings, each by its name")
    try:
        return replace(base, **given)
    except ConfigError as error:
        problems.append(str(error))
        return base

"""Settings from outside the code.

Precedence: code, then a TOML file (`COGMEM_CONFIG`, or `cogmem.toml` in the bank's folder), then `COGMEM_*` variables.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from cogmem.config import Config
from cogmem.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["load_config", "origins"]


def load_config(folder: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Config:
    """Read the TOML file and the environment; a value in the file wins over a variable.

    Args:
        folder: the bank's folder; its `cogmem.toml` is read unless `COGMEM_CONFIG` names another file.
        environ: variables such as `COGMEM_RETRIEVAL__POOL=50` (section, two underscores, field); `os.environ` if None.

    Raises:
        ConfigError: an unknown key, a value out of bounds or an unreadable file; lists every violation.
    """
    environ = os.environ if environ is None else environ
    merged = _merge(_from_environ(environ), _from_file(folder, environ))
    problems: list[str] = []
    config = _build(Config, merged, "", problems)
    if problems:
        raise ConfigError("; ".join(problems))
    return config  # type: ignore[no-any-return]


def origins(folder: Path | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each setting came from: `default`, `environment` or `file`, by dotted name."""
    environ = os.environ if environ is None else environ
    found = dict.fromkeys(_flat(dataclasses.asdict(load_config(folder, environ=environ))), "default")
    found.update(dict.fromkeys(_flat(_from_environ(environ)), "environment"))
    found.update(dict.fromkeys(_flat(_from_file(folder, environ)), "file"))
    return found


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key


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


def _build(kind: type, table: Mapping[str, Any], prefix: str, problems: list[str]) -> Any:
    hints, known, given = get_type_hints(kind), {item.name for item in fields(kind)}, {}
    for key, value in table.items():
        if key not in known:
            problems.append(f"{prefix}{key} is not a setting; the settings here are {', '.join(sorted(known))}")
        elif dataclasses.is_dataclass(hints[key]):
            section = hints[key]
            given[key] = _build(section, value if isinstance(value, Mapping) else {}, f"{prefix}{key}.", problems)
        else:
            given[key] = tuple(value) if isinstance(value, list) else value
    try:
        return kind(**given)
    except ConfigError as error:
        problems.append(str(error))
        return kind()

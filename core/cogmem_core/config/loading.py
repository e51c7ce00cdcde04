"""Settings from outside the code.

Precedence: a TOML file (`COGMEM_CONFIG`, or `cogmem.toml` in the bank's folder), then `COGMEM_*`
variables, then a preset (`preset = "v9"` at the top of the file, or `COGMEM_PRESET`), then the
defaults. A configuration from code replaces all of them. A table of numbers is merged entry by
entry, so that naming one entry leaves the others as they are.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cogmem_core.config import Config
from cogmem_core.config.bounds import kinds, optional
from cogmem_core.config.presets import preset
from cogmem_core.config.settings import as_table, flat
from cogmem_core.errors import ConfigError, InvalidInput

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["chosen_preset", "config_of", "given_config", "load_config", "origins"]

_PRESET = "preset"
_PREFIX = "COGMEM_"
# Variables of cogmem that are no settings; those that its tests and tools read resemble none of
# them.
_OWN = ("CONFIG", "EMBEDDER", "LLM", "MODELS", "NAMESPACE", "OFFLINE", "PATH", "PRESET")
_NEAR = 0.8  # difflib's likeness, 0..1: COGMEM_PRSET and COGMEM_RETRIEVAL_POOL have 0.91 and 0.97


def load_config(
    folder: str | os.PathLike[str] | None = None, *, environ: Mapping[str, str] | None = None
) -> Config:
    """Read the TOML file and the environment; a value in the file wins over a variable, and both over a preset.

    A configuration given to `cogmem_core.open(config=...)` replaces file and variables. To change
    single settings of theirs, give it `dataclasses.replace(cogmem_core.load_config(path), ...)`. In
    a table of numbers, such as `encoding.trust`, what is not named stays as it is, and "none" takes
    an entry out.

    Args:
        folder: the bank's folder; its `cogmem.toml` is read unless `COGMEM_CONFIG` names another
            file.
        environ: variables such as `COGMEM_RETRIEVAL__POOL=50` (section, two underscores, field);
            `os.environ` if None. Other names are left alone, unless they resemble one that cogmem
            reads: those are misspelt.

    Raises:
        ConfigError: an unknown key or preset, a misspelt variable, a value out of bounds, settings
            that contradict each other, or an unreadable file; lists every violation. Or the folder
            is no path, or the variables no mapping.
    """
    environ = os.environ if environ is None else environ
    if not isinstance(environ, Mapping) or not all(isinstance(name, str) for name in environ):
        raise ConfigError(
            "environ is no mapping of names to texts; give one such as os.environ, or leave it out"
        )
    file = _from_file(folder, environ)
    problems = [*_misspelled_variables(environ), *_overlapping_variables(environ)]
    base = Config()
    try:
        base = preset(_preset_name(file, environ) or "default")
    except ConfigError as error:
        problems.append(str(error))
    settings = _merged(_from_environ(environ), _settings(file))
    return _checked_config(base, _merged(as_table(base), settings), problems)


def given_config(config: object) -> Config | None:
    """The configuration that a program gave, or None.

    Raises:
        InvalidInput: it is neither.
    """
    if config is None or isinstance(config, Config):
        return config
    raise InvalidInput(
        f"config is of the type {type(config).__name__}; give a cogmem_core.Config, such as "
        "cogmem_core.Config(), "
        "cogmem_core.load_config(path) or cogmem_core.preset('v9'), or None to read cogmem.toml "
        "and the variables"
    )


def config_of(table: Mapping[str, Any]) -> Config:
    """The configuration of nested tables, such as `settings.as_table` makes of one.

    The defaults fill up its sections; a table of numbers is taken as it is.

    Raises:
        ConfigError: as `load_config`.
    """
    return _checked_config(Config(), table, [])


def _checked_config(base: Config, table: Mapping[str, Any], problems: list[str]) -> Config:
    config = _build_section(base, table, "", problems)
    if problems:
        raise ConfigError("; ".join(problems))
    return config  # type: ignore[no-any-return]


def chosen_preset(
    folder: str | os.PathLike[str] | None = None, *, environ: Mapping[str, str] | None = None
) -> str:
    """The preset that the file, or else `COGMEM_PRESET`, names; empty if neither does."""
    environ = os.environ if environ is None else environ
    return _preset_name(_from_file(folder, environ), environ)


def origins(
    folder: str | os.PathLike[str] | None = None, *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Where each setting came from: `default`, `preset`, `environment` or `file`, by dotted name.

    A value that a preset leaves as it is by default is one of the defaults.
    """
    environ = os.environ if environ is None else environ
    file = _from_file(folder, environ)
    origin_of = dict.fromkeys(flat(load_config(folder, environ=environ)), "default")
    default, base = flat(Config()), flat(preset(_preset_name(file, environ) or "default"))
    origin_of |= {name: _PRESET for name in origin_of if base.get(name) != default.get(name)}
    for origin, table in (("environment", _from_environ(environ)), ("file", _settings(file))):
        origin_of |= dict.fromkeys(origin_of.keys() & flat(table).keys(), origin)
    return origin_of


def _preset_name(file: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    name = file.get(_PRESET, environ.get("COGMEM_PRESET", ""))
    return name if isinstance(name, str) else repr(name)


def _settings(file: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in file.items() if name != _PRESET}


def _path(folder: object) -> Path:
    if not isinstance(folder, (str, os.PathLike)):
        raise ConfigError(
            f"folder is {folder!r} ({type(folder).__name__}); give the path of the bank's folder"
        )
    try:
        return Path(os.fsdecode(folder)).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"folder is {folder!r}: {error}; write the home folder out") from None


def _from_file(folder: str | os.PathLike[str] | None, environ: Mapping[str, str]) -> dict[str, Any]:
    configured_path = environ.get("COGMEM_CONFIG")
    if configured_path:
        path = Path(configured_path)
    elif folder is None:
        return {}
    else:
        path = _path(folder) / "cogmem.toml"
        if not path.is_file():
            return {}
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"cannot read the configuration file {path}: {error}; correct it or remove it"
        ) from error
    return table


def _misspelled_variables(environ: Mapping[str, str]) -> list[str]:
    """A sentence for every variable that is none of cogmem's, but nearly has the name of one."""
    unknown = [name for name in sorted(environ) if name.startswith(_PREFIX) and "__" not in name]
    unknown = [name for name in unknown if name.removeprefix(_PREFIX) not in _OWN]
    if not unknown:
        return []
    valid_names = [*_OWN, *(name.replace(".", "__").upper() for name in flat(Config()))]
    sentences = []
    for name in unknown:
        stem = name.removeprefix(_PREFIX).upper()
        near = difflib.get_close_matches(stem, valid_names, 1, _NEAR)
        if near:
            advice = f"the nearest one is {_PREFIX}{near[0]}: rename it, or unset it"
            sentences.append(f"{name} is no variable of cogmem; {advice}")
    return sentences


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    variables = _variables(environ)
    table = dict[str, Any]()
    for key_path, name in variables.items():
        if any(key_path[:depth] in variables for depth in range(1, len(key_path))):
            continue  # refused by `_overlapping`
        target = table
        for section in key_path[:-1]:
            target = target.setdefault(section, {})
        target[key_path[-1]] = _parse(environ[name])
    return table


def _variables(environ: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """The names of variables that are settings, by the place of the setting: ("retrieval", "pool")."""
    names = [name for name in environ if name.startswith(_PREFIX) and "__" in name]
    return {tuple(name.removeprefix(_PREFIX).lower().split("__")): name for name in names}


def _overlapping_variables(environ: Mapping[str, str]) -> list[str]:
    """A sentence for every variable that is a part of what another one gives as a whole."""
    variables = _variables(environ)
    sentences = []
    for key_path, name in sorted(variables.items()):
        for depth in range(1, len(key_path)):
            whole = variables.get(key_path[:depth])
            if whole:
                sentences.append(
                    f"{whole} and {name} are both set: the one gives all that the other gives a "
                    "part of; unset one of them"
                )
    return sentences


def _parse(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        return text


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def _build_section(base: Any, table: Mapping[str, Any], prefix: str, problems: list[str]) -> Any:
    """A section with the values of a table in place of its own."""
    types = kinds(base)
    values = dict[str, Any]()
    for key, value in table.items():
        if key not in types:
            problems.append(
                f"{prefix}{key} is not a setting; the settings here are {', '.join(sorted(types))}"
            )
        elif not dataclasses.is_dataclass(getattr(base, key)):
            values[key] = _read(value, types[key])
        elif isinstance(value, Mapping):
            values[key] = _build_section(getattr(base, key), value, f"{prefix}{key}.", problems)
        else:
            problems.append(
                f"{prefix}{key} is {value!r}; it is a section: give its settings, each by its name"
            )
    try:
        return replace(base, **values)
    except ConfigError as error:
        problems.append(str(error))
        return base


def _read(value: Any, kind: Any) -> Any:
    """A value as a setting of that type has it: neither TOML nor a variable can write None or a tuple."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, Mapping):
        return {name: number for name, number in value.items() if not _is_none(number)}
    return None if optional(kind) and _is_none(value) else value


def _is_none(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() == "none"

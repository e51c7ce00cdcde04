"""Settings from outside the code.

Precedence: a TOML file (`COGMEM_CONFIG`, or `cogmem.toml` in the bank's folder), then `COGMEM_*`
variables, then a preset (`preset = "v9"` at the top of the file, or `COGMEM_PRESET`), then the
defaults. A configuration from code replaces all of them. A table of numbers is merged entry by
entry, so that naming one entry leaves the others as they are.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cogmem_core.base.toml import tomllib
from cogmem_core.config import Config
from cogmem_core.config.presets import preset
from cogmem_core.config.settings import as_table, flat, merged
from cogmem_core.errors import ConfigError, InvalidInput

Folder = str | os.PathLike[str]
_PREFIX = "COGMEM_"
# Variables of cogmem that are no settings; those that its tests and tools read resemble none of
# them.
_OWN = ("CONFIG", "EMBEDDER", "LLM", "MODELS", "NAMESPACE", "OFFLINE", "PATH", "PRESET")
_NEAR = 0.8  # difflib's likeness, 0..1: COGMEM_PRSET and COGMEM_RETRIEVAL_POOL have 0.91 and 0.97


def load_config(
    folder: Folder | None = None, *, environ: Mapping[str, str] | None = None
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
    return _Sources.read(folder, environ).config()


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
    return Config(**table)


def config_with(text: str) -> Config:
    """The configuration as it is with that text in the file, to see whether it may be written.

    Raises:
        ConfigError: as `load_config`.
    """
    return _Sources(None, tomllib.loads(text), os.environ).config()


def config_file(folder: Folder) -> Path:
    """The file of settings that is read for a bank's folder, whether it is there yet or not."""
    return Path(os.environ.get("COGMEM_CONFIG") or Path(folder) / "cogmem.toml")


def chosen_preset(folder: Folder | None = None, *, environ: Mapping[str, str] | None = None) -> str:
    """The preset that the file, or else `COGMEM_PRESET`, names; empty if neither does."""
    return _Sources.read(folder, environ).preset_name


def origins(
    folder: Folder | None = None, *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Where each setting came from, by dotted name.

    `default`, `preset NAME`, `environment VARIABLE` or `file PATH`; a value that a preset leaves as
    it is by default is one of the defaults.
    """
    return _Sources.read(folder, environ).origins()


@dataclass(frozen=True)
class _Sources:
    """What file and variables say.

    Attributes:
        path: of the file, if there is one.
        file: its tables.
        environ: all variables.
    """

    path: Path | None
    file: Mapping[str, Any]
    environ: Mapping[str, str]

    @classmethod
    def read(cls, folder: Folder | None, environ: Mapping[str, str] | None) -> _Sources:
        environ = os.environ if environ is None else environ
        if not isinstance(environ, Mapping) or not all(isinstance(name, str) for name in environ):
            raise ConfigError(
                "environ is no mapping of names to texts; give one such as os.environ, or leave "
                "it out"
            )
        path = _config_file(folder, environ)
        return cls(path, {} if path is None else _parsed_file(path), environ)

    @property
    def preset_name(self) -> str:
        name = self.file.get("preset", self.environ.get("COGMEM_PRESET", ""))
        return name if isinstance(name, str) else repr(name)

    @property
    def settings_of_file(self) -> dict[str, Any]:
        return {name: _value(value) for name, value in self.file.items() if name != "preset"}

    def config(self) -> Config:
        problems = [*_misspelled_variables(self.environ), *_overlapping_variables(self.environ)]
        base = Config()
        try:
            base = preset(self.preset_name or "default")
        except ConfigError as error:
            problems.append(str(error))
        outside = merged(_from_environ(self.environ), self.settings_of_file)
        try:
            config = config_of(merged(as_table(base), outside)) if outside else base
        except ConfigError as error:
            problems.append(str(error))
        if problems:
            raise ConfigError("; ".join(problems))
        return config

    def origins(self) -> dict[str, str]:
        result = dict.fromkeys(flat(self.config()), "default")
        defaults = flat(Config())
        for name, value in flat(preset(self.preset_name or "default")).items():
            if name in result and value != defaults.get(name):
                result[name] = f"preset {self.preset_name}"
        for keys, variable in _variables(self.environ).items():
            for name in flat({".".join(keys): _parsed(self.environ[variable])}):
                if name in result:
                    result[name] = f"environment {variable}"
        for name in result.keys() & flat(self.settings_of_file).keys():
            result[name] = f"file {self.path}"
        return result


def _config_file(folder: object, environ: Mapping[str, str]) -> Path | None:
    """The file that `COGMEM_CONFIG` names, or the one in the folder if it is there."""
    if environ.get("COGMEM_CONFIG"):
        return Path(environ["COGMEM_CONFIG"])
    if folder is None:
        return None
    if not isinstance(folder, (str, os.PathLike)):
        raise ConfigError(
            f"folder is {folder!r} ({type(folder).__name__}); give the path of the bank's folder"
        )
    try:
        path = Path(os.fsdecode(folder)).expanduser() / "cogmem.toml"
    except RuntimeError as error:
        raise ConfigError(f"folder is {folder!r}: {error}; write the home folder out") from None
    return path if path.is_file() else None


def _parsed_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"cannot read the configuration file {path}: {error}; correct it or remove it"
        ) from error


def _variables(environ: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """The names of variables that are settings, by the place of the setting: ("retrieval", "pool")."""
    names = [name for name in environ if name.startswith(_PREFIX) and "__" in name]
    return {tuple(name.removeprefix(_PREFIX).lower().split("__")): name for name in names}


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    tables = dict[str, Any]()
    for keys, variable in sorted(_variables(environ).items(), reverse=True):
        table: Any = _parsed(environ[variable])
        for key in reversed(keys):
            table = {key: table}
        tables = merged(tables, table)
    return tables


def _parsed(text: str) -> Any:
    """A variable's value as in a TOML file, or else the text itself."""
    try:
        return _value(tomllib.loads(f"value = {text}")["value"])
    except ValueError:
        return _value(text)


def _value(value: Any) -> Any:
    """A value in which the text "none" is None: neither TOML nor a variable has a word for it."""
    if isinstance(value, Mapping):
        return {name: _value(entry) for name, entry in value.items()}
    return None if isinstance(value, str) and value.strip().lower() == "none" else value


def _misspelled_variables(environ: Mapping[str, str]) -> list[str]:
    """A sentence for every variable that is none of cogmem's, but nearly has the name of one."""
    unknown = [
        name
        for name in sorted(environ)
        if name.startswith(_PREFIX) and "__" not in name and name.removeprefix(_PREFIX) not in _OWN
    ]
    if not unknown:
        return []
    valid_names = [*_OWN, *(name.replace(".", "__").upper() for name in flat(Config()))]
    problems = []
    for name in unknown:
        nearest = difflib.get_close_matches(
            name.removeprefix(_PREFIX).upper(), valid_names, 1, _NEAR
        )
        if nearest:
            problems.append(
                f"{name} is no variable of cogmem; the nearest one is {_PREFIX}{nearest[0]}: "
                "rename it, or unset it"
            )
    return problems


def _overlapping_variables(environ: Mapping[str, str]) -> list[str]:
    """A sentence for every variable that is a part of what another one gives as a whole."""
    variables = _variables(environ)
    return [
        f"{whole} and {name} are both set: the one gives all that the other gives a part of; unset "
        "one of them"
        for keys, name in sorted(variables.items())
        for depth in range(1, len(keys))
        if (whole := variables.get(keys[:depth]))
    ]

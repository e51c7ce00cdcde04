"""Changes one setting in a file of settings, and leaves all else in it as a person wrote it."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

from cogmem_core.errors import ConfigError, InvalidInput

_PRESET = "preset"


class SettingChange(NamedTuple):
    """What a setting was and is now, whoever says so: the file, a variable, or the default."""

    path: Path
    name: str
    before: Any
    after: Any


def write_setting(folder: Path, name: str, value: str | None) -> SettingChange:
    """Write a setting into the file that is read for a bank's folder.

    The file appears whole, or stays as it was; comments, order and the file's mode are kept. It is
    made if it is not there.

    Args:
        folder: the bank's folder, which is made with the file.
        name: of the setting, dotted; "preset" is the preset.
        value: as in TOML, or else a text; None = taken out of the file.

    Raises:
        InvalidInput: there is no such setting, or it cannot be that; the file stays as it was.
        ConfigError: the file cannot be read, or is no TOML.
    """
    from tomlkit import document, parse
    from tomlkit.exceptions import TOMLKitError

    from cogmem_core.base.files import replacing
    from cogmem_core.config.loading import config_file, config_with

    path = config_file(folder)
    exists = path.exists()
    try:
        text = path.read_text(encoding="utf-8") if exists else ""
        content = parse(text) if exists else document()
    except (OSError, ValueError, TOMLKitError) as error:
        raise ConfigError(
            f"cannot read the configuration file {path}: {error}; correct it or remove it"
        ) from error
    former_value = _value_of(name, text)
    _put(content, name, value)
    new_text = content.as_string()
    try:
        config_with(new_text)
    except ConfigError as error:
        raise InvalidInput(f"{error}; the file was not changed") from None
    if new_text != text:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(path.resolve(), keeps_mode=True) as file:
            file.write(new_text)
    return SettingChange(path, name, former_value, _value_of(name, new_text))


def _put(content: MutableMapping[str, Any], name: str, value: str | None) -> None:
    """Set the value in the nested tables, or take it out; a table that is left empty stays."""
    from tomlkit import table

    *sections, last = name.split(".")
    place = content
    for section in sections:
        if section not in place:
            if value is None:
                return
            place[section] = table()
        place = place[section]
        if not isinstance(place, MutableMapping):
            raise InvalidInput(f"{name} is not a setting: {section} is one, and no section")
    if value is None:
        place.pop(last, None)
    else:
        place[last] = _toml(value)


def _toml(value: str) -> Any:
    """The value as TOML reads it, or else the text itself; "none" stays the text, TOML has no word for it."""
    from tomlkit import string
    from tomlkit import value as parsed
    from tomlkit.exceptions import TOMLKitError

    try:
        return parsed(value)
    except (TOMLKitError, ValueError):
        return string(value)


def _value_of(name: str, text: str) -> Any:
    """The value with that text in the file; None if the file does not hold together."""
    from tomlkit import parse

    from cogmem_core.config.loading import config_with
    from cogmem_core.config.settings import flat

    if name == _PRESET:
        return parse(text).unwrap().get(_PRESET)
    try:
        return flat(config_with(text)).get(name)
    except ConfigError:
        return None

"""The commands of the settings: config show, describe and set, which leaves the rest of the file as it is."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_core.errors import ConfigError, InvalidInput

# What may stand in a database's address: user:password@host, or ?password=...; the last @ ends a
# password that was not percent-encoded.
_PASSWORD = re.compile(r"^((?:[^:]*://)?[^:]*:)(?!//).*@", re.DOTALL)
_PARAMETER = re.compile(r"(?<=password=)[^&]*", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[;:.] | \(")
_LONGEST_NUMBER = 12  # characters; a third takes more, and is told with four digits
Section = Annotated[
    str | None,
    typer.Argument(metavar="SECTION", help="Only these, such as retrieval or retrieval.weights."),
]


def config_show(
    shell: Shell,
    section: Section = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only the settings that differ from the defaults.")
    ] = False,
) -> None:
    """Show each setting: its value, where it comes from, what it means.

    It comes from the defaults, a preset, a variable of the environment, or a file.
    """
    from cogmem_core.config.loading import chosen_preset

    settings = _settings(shell, section)
    if changed:
        settings = {name: told for name, told in settings.items() if told["changed"]}
    shown = ("value", "origin", "allowed", "meaning")
    answer = {
        "path": str(shell.folder),
        "preset": chosen_preset(shell.folder),
        "settings": {name: {key: told[key] for key in shown} for name, told in settings.items()},
    }
    lines = (
        (
            name,
            _display(told["value"]),
            told["origin"],
            _CLAUSE_END.split(told["meaning"], maxsplit=1)[0].rstrip("."),
        )
        for name, told in settings.items()
    )
    table = rows(("setting", "value", "from", "meaning"), lines, texts=("value", "from", "meaning"))
    shell.show(answer, table if settings else "every setting is as by default")


def config_describe(shell: Shell, section: Section = None) -> None:
    """Tell of each setting what it means, what it may be, its default, its value and where that is from."""
    settings = _settings(shell, section)
    for told in settings.values():
        del told["changed"]
    texts = [
        f"{name}\n"
        f"  {told['meaning']}\n"
        f"  may be    {told['allowed']}\n"
        f"  default   {_display(told['default'])}\n"
        f"  value     {_display(told['value'])} ({told['origin']})\n"
        f"  variable  {told['variable']}"
        for name, told in settings.items()
    ]
    shell.show({"path": str(shell.folder), "settings": settings}, "\n\n".join(texts))


def _settings(shell: Shell, section: str | None) -> dict[str, dict[str, Any]]:
    """All that is told of the settings of a section, by their names."""
    from cogmem_core.config import Config
    from cogmem_core.config.loading import origins
    from cogmem_core.config.settings import described, flat

    settings = described(shell.config())
    defaults = flat(Config())
    origin_of = origins(shell.folder)
    return {
        name: {
            "meaning": settings[name].meaning,
            "allowed": settings[name].allowed,
            "default": defaults.get(name),
            "value": _without_passwords(settings[name].value),
            "origin": origin_of[name],
            "variable": f"COGMEM_{name.replace('.', '__').upper()}",
            "changed": settings[name].value != defaults.get(name),
        }
        for name in _names_in_section(section, sorted(settings))
    }


def config_set(
    shell: Shell,
    setting: Annotated[
        str,
        typer.Argument(
            metavar="SETTING", help="Its dotted name, such as retrieval.pool, or preset."
        ),
    ],
    value: Annotated[
        str | None,
        typer.Argument(
            metavar="VALUE", help="As in TOML: 50, 0.5, true, [1, 2]; anything else is text."
        ),
    ] = None,
    default: Annotated[
        bool,
        typer.Option("--default", help="Take the setting out of the file, back to its default."),
    ] = False,
) -> None:
    """Write a setting into the bank's file of settings; what else stands there stays as it is.

    The file is `cogmem.toml` in the bank's folder, or the one that COGMEM_CONFIG names. An engine
    reads it when it is opened.
    """
    if (value is None) != default:
        raise InvalidInput(
            f"say what {setting} is to be, as in `cogm config set {setting} VALUE`, or give --default"
        )
    change = write_setting(shell.folder, setting.strip().lower(), value)
    before, after = (
        "none" if side is None else _display(side) for side in (change.before, change.after)
    )
    text = f"{change.name}: {before} -> {after} ({change.path})"
    if change.before == change.after:
        text = f"{change.name} is {after}, as before ({change.path})"
    shell.show(
        {
            "path": str(change.path),
            "setting": change.name,
            "before": _without_passwords(change.before),
            "after": _without_passwords(change.after),
        },
        text,
    )


def _names_in_section(section: str | None, names: list[str]) -> list[str]:
    """The settings of a section, or the one of that name."""
    if section is None:
        return names
    matches = [name for name in names if f"{name}.".startswith(f"{section.strip().lower()}.")]
    if not matches:
        sections = sorted({name.partition(".")[0] for name in names})
        near = get_close_matches(section.strip().lower(), [*names, *sections], 1)
        nearest = f"; the nearest one is {near[0]!r}" if near else ""
        raise InvalidInput(
            f"there is no section {section!r}; the sections are {', '.join(sections)}{nearest}"
        )
    return matches


def _display(value: Any) -> str:
    value = _without_passwords(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.4g}" if len(repr(value)) > _LONGEST_NUMBER else repr(value)
    return "-" if value in (None, "", {}) else str(value)


def _without_passwords(value: Any) -> Any:
    """The value without passwords."""
    if not isinstance(value, str):
        return value
    # First the parameter, in which an @ may stand; if none is left, it was part of what stood
    # before the host.
    without_parameter = _PARAMETER.sub("***", value)
    return _PASSWORD.sub(
        r"\1***@", value if "@" in value and "@" not in without_parameter else without_parameter
    )


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


COMMANDS = (config_show, config_describe, config_set)
GROUP = "The settings."

"""The commands of the settings: config show, describe and set."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_core.errors import InvalidInput

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
Setting = Annotated[
    str,
    typer.Argument(metavar="SETTING", help="Its dotted name, such as retrieval.pool, or preset."),
]
Value = Annotated[
    str | None,
    typer.Argument(
        metavar="VALUE", help="As in TOML: 50, 0.5, true, [1, 2]; anything else is text."
    ),
]
Default = Annotated[
    bool, typer.Option("--default", help="Take the setting out of the file, back to its default.")
]
Changed = Annotated[
    bool, typer.Option("--changed", help="Only the settings that differ from the defaults.")
]


def config_show(shell: Shell, section: Section = None, changed: Changed = False) -> None:
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
    shell: Shell, setting: Setting, value: Value = None, default: Default = False
) -> None:
    """Write a setting into the bank's file of settings; what else stands there stays as it is.

    The file is `cogmem.toml` in the bank's folder, or the one that COGMEM_CONFIG names. An engine
    reads it when it is opened.
    """
    from cogmem_cli.settings_file import write_setting

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


COMMANDS = (config_show, config_describe, config_set)
GROUP = "The settings."

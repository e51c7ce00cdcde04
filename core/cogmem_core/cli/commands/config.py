"""The command of the settings: config show."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from cogmem_core.cli.shell import Shell, command
from cogmem_core.errors import InvalidInput

__all__ = ["register"]

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
Changed = Annotated[
    bool, typer.Option("--changed", help="Only the settings that differ from the defaults.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    config = typer.Typer(help="The settings.", no_args_is_help=True)
    command(config, "show")(config_show)
    app.add_typer(config, name="config")


def config_show(shell: Shell, section: Section = None, changed: Changed = False) -> None:
    """Show each setting: its value, where it comes from, what it means.

    It comes from the defaults, a preset, a variable of the environment, or a file.
    """
    from cogmem_core.cli.tables import rows
    from cogmem_core.config import Config
    from cogmem_core.config.loading import chosen_preset, origins
    from cogmem_core.config.settings import described, flat

    settings = described(shell.config())
    origin_of = origins(shell.folder)
    names = _names_in_section(section, sorted(settings))
    if changed:
        defaults = flat(Config())
        names = [name for name in names if settings[name].value != defaults.get(name)]
    answer = {
        "path": str(shell.folder),
        "preset": chosen_preset(shell.folder),
        "settings": {
            name: {
                "value": _without_passwords(settings[name].value),
                "origin": origin_of[name],
                "allowed": settings[name].allowed,
                "meaning": settings[name].meaning,
            }
            for name in names
        },
    }
    lines = (
        (name, _display(settings[name].value), origin_of[name], _summary(settings[name].meaning))
        for name in names
    )
    table = rows(("setting", "value", "from", "meaning"), lines, texts=("value", "from", "meaning"))
    shell.show(answer, table if names else "every setting is as by default")


def _names_in_section(section: str | None, names: list[str]) -> list[str]:
    """The settings of a section, or the one of that name."""
    if section is None:
        return names
    matches = [name for name in names if f"{name}.".startswith(f"{section.strip().lower()}.")]
    if not matches:
        sections = ", ".join(sorted({name.partition(".")[0] for name in names}))
        raise InvalidInput(f"there is no section {section!r}; the sections are {sections}")
    return matches


def _summary(meaning: str) -> str:
    """The first clause, which fits a line."""
    return _CLAUSE_END.split(meaning, maxsplit=1)[0].rstrip(".")


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

"""Commands of the settings: config show, config diff."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_core.cli.shell import Shell, command
from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem_core.config import Config

__all__ = ["register"]

# What may stand in a database's address: user:password@host, or ?password=...; the last @ ends a
# password that was not percent-encoded.
_PASSWORD = re.compile(r"^((?:[^:]*://)?[^:]*:)(?!//).*@", re.DOTALL)
_PARAMETER = re.compile(r"(?<=password=)[^&]*", re.IGNORECASE)
_THIS_BANK = "this bank"
_LONGEST_NUMBER = 12  # characters; a third takes more, and is told with four digits
Section = Annotated[
    str | None,
    typer.Argument(metavar="SECTION", help="Only these, such as retrieval or retrieval.weights."),
]
FirstPreset = Annotated[str, typer.Argument(metavar="PRESET", help="A preset.")]
SecondPreset = Annotated[
    str | None,
    typer.Argument(metavar="OTHER", help="Another preset; the settings of this bank if left out."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    config = typer.Typer(help="The settings.", no_args_is_help=True)
    command(config, "show")(config_show)
    command(config, "diff")(config_diff)
    app.add_typer(config, name="config")


def config_show(shell: Shell, section: Section = None) -> None:
    """Show each setting: value, where it comes from (default, preset, file or environment), what it may be."""
    from cogmem_core.cli.tables import rows
    from cogmem_core.config.loading import chosen_preset, origins
    from cogmem_core.config.settings import allowed, flat

    config = shell.config()
    values = flat(config)
    bounds = allowed(config)
    origin_of = origins(shell.folder)
    names = _names_in_section(section, sorted(origin_of.keys() & values.keys()))
    settings = {}
    may_be = {}
    lines = []
    for name in names:
        settings[name] = {"value": _without_passwords(values[name]), "origin": origin_of[name]}
        may_be[name] = bounds[name]
        lines.append((name, _display(values[name]), origin_of[name], bounds[name]))
    answer = {
        "path": str(shell.folder),
        "preset": chosen_preset(shell.folder),
        "settings": settings,
        "allowed": may_be,
    }
    table = rows(("setting", "value", "from", "may be"), lines, texts=("value", "may be"))
    shell.show(answer, table)


def config_diff(shell: Shell, preset: FirstPreset = "default", other: SecondPreset = None) -> None:
    """Show where two presets differ, or a preset (the default one) and the settings of this bank."""
    from cogmem_core.cli.tables import rows
    from cogmem_core.config.presets import preset as preset_named
    from cogmem_core.config.settings import differences

    first_config: Config = preset_named(preset)
    second_config = shell.config() if other is None else preset_named(other)
    names = (preset, _THIS_BANK if other is None else other)
    pairs = []
    lines = []
    for difference in differences(first_config, second_config):
        left = _without_passwords(difference.first)
        right = _without_passwords(difference.second)
        pairs.append({"setting": difference.name, "left": left, "right": right})
        lines.append((difference.name, _display(left), _display(right)))
    answer = {"left": names[0], "right": names[1], "differences": pairs}
    table = rows(("setting", *names), lines, texts=names)
    shell.show(answer, table if pairs else f"{names[0]} and {names[1]} are the same")


def _names_in_section(section: str | None, names: list[str]) -> list[str]:
    """The settings of a section, or the one of that name."""
    if section is None:
        return names
    matches = [name for name in names if f"{name}.".startswith(f"{section.strip().lower()}.")]
    if not matches:
        sections = ", ".join(sorted({name.partition(".")[0] for name in names}))
        raise InvalidInput(f"there is no section {section!r}; the sections are {sections}")
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

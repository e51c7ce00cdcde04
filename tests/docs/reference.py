"""Writes cookbook/reference/ from the code: python tests/docs/reference.py (`make reference`).

Settings come from the configuration classes, commands from the command line, public names from `__all__`, and errors
from their classes.
"""

import dataclasses
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import typer.main

from cogmem_cli.main import app
from cogmem_core import Config, errors
from cogmem_core.config.settings import described
from cogmem_serve.openapi import document

__all__ = ["FOLDER", "PAGES", "settings"]

FOLDER = Path(__file__).resolve().parents[2] / "cookbook" / "reference"
_LONGEST_NUMBER = 12  # characters; a third takes more, and is written with four digits
_WRITTEN = "Written by `make reference` from the code; do not edit."
_EVERYWHERE = ("path", "namespace", "embedder", "json", "help")
"""The options that go with every command."""


def configuration() -> str:
    """The page of all settings."""
    return _page(
        "Configuration",
        "Every setting, by section. `cogm config show` prints the same for a bank, with where each value comes from.",
        "How to set them, and the presets: cookbook/guide/configuring.md.",
        settings(),
    )


def settings() -> str:
    """A table for each section of the configuration."""
    sections: dict[str, list[str]] = {}
    for name, setting in described(Config()).items():
        rows = sections.setdefault(name.rpartition(".")[0], [])
        label = f"`{name.rpartition('.')[2]}`"
        rows.append(_row((label, _plain(setting.value), setting.allowed, setting.meaning)))
    lines: list[str] = []
    for section, rows in sections.items():
        lines += [f"## `{section}`", "", *_table("setting", "default", "may be", "meaning")]
        lines += [*rows, ""]
    return "\n".join(lines).rstrip()


def _plain(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value)) or "[]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and len(repr(value)) > _LONGEST_NUMBER:
        return f"{value:,.4g}"
    if isinstance(value, (int, float)):
        return f"{value:,}"
    if value in ("", {}):
        return repr(value).replace("'", '"')
    return "none" if value is None else str(value)


def cli() -> str:
    """The page of all commands."""
    about = (
        "`--path DIR`, `--namespace NAME`, `--embedder NAME`, `--json` and `--help` go with every command.\n"
        "Exit status: 0 = done, 1 = failed, 2 = wrong usage."
    )
    lines: list[str] = []
    for name, command in _commands(typer.main.get_command(app), ""):
        parameters = [item for item in command.params if item.name not in _EVERYWHERE]
        lines += [f"## `cogm {name}`", "", inspect.cleandoc(command.help or ""), ""]
        if parameters:
            lines += _table("takes", "default", "meaning")
            lines += [_row(_parameter(item)) for item in parameters]
            lines.append("")
    return _page(
        "The command `cogm`",
        "What each command is for: cookbook/guide/operations.md.",
        about,
        "\n".join(lines),
    )


def _commands(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def _parameter(parameter: Any) -> tuple[str, str, str]:
    """How an argument or an option is written, its default, and its meaning."""
    is_option = parameter.param_type_name != "argument"
    default = parameter.default if is_option else None
    if default is False or not isinstance(default, (str, int, float)):
        default = ""
    return _written(parameter, is_option), str(default), getattr(parameter, "help", "") or ""


def _written(parameter: Any, is_option: bool) -> str:
    if is_option:
        return ", ".join(f"`{option}`" for option in parameter.opts)
    name = (parameter.metavar or parameter.name).upper().strip("[]").removesuffix("...")
    name += "..." if parameter.nargs == -1 else ""
    return f"`{name}`" if parameter.required else f"`[{name}]`"


PACKAGES = (
    "cogmem_core",
    "cogmem_core.config",
    "cogmem_core.models",
    "cogmem_core.results",
    "langchain_cogmem",
    "llamaindex_cogmem",
)


def python() -> str:
    """The page of all public names."""
    lines: list[str] = []
    for package in PACKAGES:
        module = importlib.import_module(package)
        lines += [f"## {package}", ""]
        for name in sorted(module.__all__, key=str.lower):
            if inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name)):
                lines += _public(module, name)
    return _page(
        "Python",
        "Every public name, its signature and what it is for.",
        "Most methods have an async twin: the same name with an `a` before it. The twins are not listed.",
        "\n".join(lines),
    )


def _public(module: ModuleType, name: str) -> list[str]:
    public = getattr(module, name)
    lines = [f"### `{name}`", ""]
    if inspect.isclass(public) and issubclass(public, Exception):
        return [*lines, "See cookbook/reference/errors.md.", ""]
    if inspect.isclass(public) and _is_value(public):
        lines += [_first_paragraph(public.__doc__), ""]
        lines += [f"Fields: {', '.join(f'`{field}`' for field in _fields(public))}.", ""]
    else:
        lines += [
            f"```text\n{_signature(name, public)}\n```",
            "",
            _first_paragraph(public.__doc__),
            "",
        ]
    if inspect.isclass(public):
        methods = list(_methods(public))
        lines += [
            f"* `{_signature(method, value)}`: {_first_sentence(value)}"
            for method, value in methods
        ]
        lines += [""] * bool(methods)
    return lines


def _is_value(public: type) -> bool:
    return dataclasses.is_dataclass(public) and public.__name__ != "Turn"


def _fields(public: Any) -> list[str]:
    return [item.name for item in dataclasses.fields(public) if item.name[0] != "_"]


def _methods(public: type) -> Iterator[tuple[str, Any]]:
    """The public methods that cogmem defines and describes, without async twins."""
    members = {
        name: value
        for base in reversed(public.__mro__)
        if "cogmem" in base.__module__
        for name, value in vars(base).items()
    }
    for name, value in sorted(members.items()):
        function = getattr(value, "__func__", value)
        is_twin = name[0] == "a" and name[1:] in members
        is_method = inspect.isfunction(function) and name[0] != "_"
        if is_method and function.__doc__ and not is_twin:
            yield name, function


def _signature(name: str, public: Any) -> str:
    """The name with its parameters; types as they are written in the code, and none where a framework made them."""
    parameters = [
        _printable(parameter)
        for parameter in inspect.signature(public).parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    return f"{name}{inspect.Signature(parameters)}"


def _printable(parameter: inspect.Parameter) -> inspect.Parameter:
    annotation: Any = inspect.Parameter.empty
    if isinstance(parameter.annotation, str):
        annotation = _Text(parameter.annotation)
    default = ... if _is_unprintable(parameter.default) else parameter.default
    return parameter.replace(annotation=annotation, default=default)


def _is_unprintable(default: Any) -> bool:
    """Whether a default's text names a place in memory, or is a framework's placeholder."""
    has_default = default is not inspect.Parameter.empty
    return has_default and (repr(default)[:1] == "<" or "Undefined" in repr(default))


class _Text(str):
    """A type as it is written, printed without quotes."""

    def __repr__(self) -> str:
        return str(self)


def error_classes() -> str:
    """The page of all errors."""
    lines = [
        "```text",
        *_tree(errors.CogMemError, ""),
        "```",
        "",
        *_table("error", "also a", "when, and what to do"),
    ]
    for name in errors.__all__:
        public = getattr(errors, name)
        builtin = [base.__name__ for base in public.__bases__ if base.__module__ == "builtins"]
        also = ", ".join(f"`{base}`" for base in builtin if base != "Exception")
        lines.append(_row((f"`{name}`", also, _joined(public.__doc__ or ""))))
    return _page(
        "Errors",
        "Everything that cogmem raises on purpose. A message says what is wrong, which value, and what to do.",
        "A language model's errors never leave the engine: the rules answer instead, and the report says so.",
        "\n".join(lines),
    )


def openapi() -> str:
    """The description of `/v1` for programs."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def _tree(base: type, indent: str) -> Iterator[str]:
    yield f"{indent}{base.__name__}"
    for child in sorted(base.__subclasses__(), key=lambda one: one.__name__):
        if child.__name__ in errors.__all__:
            yield from _tree(child, f"{indent}    ")


def _page(title: str, *paragraphs: str) -> str:
    return "\n\n".join((f"# {title}", _WRITTEN, *paragraphs)).rstrip() + "\n"


def _table(*heads: str) -> list[str]:
    return [_row(heads), "|" + "---|" * len(heads)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_joined(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _joined(text: str) -> str:
    return " ".join(text.split())


def _first_paragraph(doc: str | None) -> str:
    return _joined(inspect.cleandoc(doc or "").partition("\n\n")[0])


def _first_sentence(public: Any) -> str:
    return re.split(
        r"(?<=[.!?:]) (?=[A-Z`])", _first_paragraph(inspect.getdoc(public)), maxsplit=1
    )[0]


PAGES = {
    "configuration.md": configuration,
    "cli.md": cli,
    "python.md": python,
    "errors.md": error_classes,
    "openapi.json": openapi,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, written in PAGES.items():
        (FOLDER / name).write_text(written(), encoding="utf-8")
        sys.stdout.write(f"cookbook/reference/{name} is up to date\n")

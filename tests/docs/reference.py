"""Writes the parts of the README that follow from the code: python tests/docs/reference.py (`make reference`)

Every setting with its default, bounds and meaning, from the configuration classes; every command with what it takes,
from the command line; and a picture of the floors with the imports between them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import grimp
import typer.main

from cogmem_core import Config
from cogmem_core.cli.main import app
from cogmem_core.config.settings import described

__all__ = ["PARTS", "README", "written"]

README = Path(__file__).resolve().parents[2] / "README.md"
_LONGEST_NUMBER = 12  # characters; a third takes more, and is told with four digits
PACKAGES = ("cogmem_core", "langchain_cogmem", "llamaindex_cogmem")
FLOORS: Mapping[str, tuple[str, ...]] = {
    "adapters: langchain_cogmem, llamaindex_cogmem": ("langchain_cogmem", "llamaindex_cogmem"),
    "cli": (
        "cogmem_core.cli",
        "cogmem_core.__main__",
    ),
    "for adapters, evaluation, testing": (
        "cogmem_core.adapters",
        "cogmem_core.evaluation",
        "cogmem_core.testing",
    ),
    "what users call: engine": ("cogmem_core.engine",),
    "what happens to memories: consolidation, feedback, lifecycle, erasure, transfer, health": (
        "cogmem_core.consolidation",
        "cogmem_core.documents",
        "cogmem_core.erasure",
        "cogmem_core.feedback",
        "cogmem_core.health",
        "cogmem_core.lifecycle",
        "cogmem_core.reflection",
        "cogmem_core.reindex",
        "cogmem_core.tip_of_tongue",
        "cogmem_core.transfer",
    ),
    "how they come and are found: encoding, observation, retrieval": (
        "cogmem_core.encoding",
        "cogmem_core.observation",
        "cogmem_core.retrieval",
    ),
    "services: models, op log, skills, caches": (
        "cogmem_core.caches",
        "cogmem_core.llm",
        "cogmem_core.oplog",
        "cogmem_core.services",
        "cogmem_core.skills",
    ),
    "what is kept: changes, storage, embedders": (
        "cogmem_core.changes",
        "cogmem_core.embedders",
        "cogmem_core.storage",
    ),
    "checks, strength, trust": (
        "cogmem_core.checks",
        "cogmem_core.openai_client",
        "cogmem_core.strength",
        "cogmem_core.trust",
    ),
    "no input, no output: maths, text, languages": (
        "cogmem_core.languages",
        "cogmem_core.maths",
        "cogmem_core.text",
    ),
    "values: config, models, ports, results": (
        "cogmem_core.config",
        "cogmem_core.models",
        "cogmem_core.ports",
        "cogmem_core.results",
    ),
    "errors, time, and what is safe to interrupt": (
        "cogmem_core.async_twin",
        "cogmem_core.error_texts",
        "cogmem_core.errors",
        "cogmem_core.exit_hooks",
        "cogmem_core.fail_open",
        "cogmem_core.interrupt_safe",
        "cogmem_core.lru",
        "cogmem_core.runtime",
        "cogmem_core.timeouts",
    ),
}
"""From the top down; each module stands on one."""


def settings() -> str:
    """A table for each section of the configuration."""
    lines = []
    for section, entries in groupby(
        described(Config()).items(), key=lambda entry: entry[0].rpartition(".")[0]
    ):
        lines += [
            "",
            f"**`{section}`**",
            "",
            "| setting | default | may be | |",
            "|---|---|---|---|",
        ]
        for name, setting in entries:
            cells = (_plain(setting.value), setting.allowed, setting.meaning)
            label = f"`{name.rpartition('.')[2]}`"
            lines.append("| " + " | ".join((label, *map(_cell, cells))) + " |")
    return "\n".join(lines[1:])


def _joined(text: str) -> str:
    return " ".join(text.split())


def _plain(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value)) or "[]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and len(repr(value)) > _LONGEST_NUMBER:
        return f"{value:,.4g}"
    if value in ("", {}):
        return repr(value).replace("'", '"')
    return (
        "none" if value is None else f"{value:,}" if isinstance(value, (int, float)) else str(value)
    )


def _cell(text: str) -> str:
    return _joined(text).replace("|", "\\|")


def commands() -> str:
    """A row for each command."""
    lines = ["| command | takes | what it does |", "|---|---|---|"]
    for name, command in _commands(typer.main.get_command(app), ""):
        takes = [
            _taken(parameter) for parameter in command.params if parameter.name not in _EVERYWHERE
        ]
        about = _joined((command.help or "").partition("\n\n")[0])
        lines.append(f"| `{name}` | {_cell(' '.join(filter(None, takes)))} | {_cell(about)} |")
    return "\n".join(lines)


_EVERYWHERE = ("path", "namespace", "embedder", "json", "help")


def _commands(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, command in sorted(group.commands.items()):
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def _taken(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = (parameter.metavar or parameter.name).upper().strip("[]").removesuffix("...")
        name += "..." if parameter.nargs == -1 else ""
        return f"`{name}`" if parameter.required else f"`[{name}]`"
    return f"`{parameter.opts[-1] if parameter.opts[-1].startswith('--') else parameter.opts[0]}`"


def floors() -> str:
    """A Mermaid diagram: an arrow where modules of one floor import from another, unless a longer way says so, too."""
    graph = grimp.build_graph(*PACKAGES)
    names = list(FLOORS)
    below: dict[int, set[int]] = {number: set() for number in range(len(names))}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            if (here := _floor(module)) != (there := _floor(imported)) and None not in (
                here,
                there,
            ):
                below[here].add(there)  # type: ignore[index, arg-type]
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'    f{number}["{name}"]' for number, name in enumerate(names)]
    for here, others in below.items():
        longer = {further for other in others for further in _reached(below, other)}
        lines += [f"    f{here} --> f{there}" for there in sorted(others - longer)]
    return "\n".join([*lines, "```"])


def _floor(module: str) -> int | None:
    """The floor that a module stands on; None for the packages' own front doors."""
    for number, packages in enumerate(FLOORS.values()):
        if any(module == one or module.startswith(f"{one}.") for one in packages):
            return number
    return None


def _reached(below: Mapping[int, set[int]], start: int) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        fresh = below[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


PARTS = {"floors": floors, "commands": commands, "settings": settings}


def written(text: str) -> str:
    """The README with its generated parts made anew."""
    for name, made in PARTS.items():
        begin, end = f"<!-- {name}: written by make reference -->", f"<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        if not found:
            raise ValueError(f"the README has no place for {name}: {begin}")
        text = f"{before}{begin}\n\n{made()}\n\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{README.name} is up to date\n")

"""How to install: from a clone. On the package index the name belongs to a package of somebody else."""

import re
from pathlib import Path

import pytest

from helpers.tables import each_row_of

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("cookbook", "core", "langchain_cogmem", "llamaindex_cogmem")
KINDS = {".md", ".py", ".ipynb", ".txt", ".toml", ".html"}
TEXTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "Makefile"]
TEXTS += sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in KINDS
)
COMMAND = re.compile(r"\b(?:(?:pip3?|pipx|uv|uv tool|poetry|conda) (?:install|add)|uvx)\b[^\n`]*")
NAME = re.compile(r"(?<![\w./-])cogmem(?![\w.-])")
QUOTED = re.compile(r"'([A-Za-z][^']*)'")


def commands(text: str) -> list[str]:
    return [command.group() for command in COMMAND.finditer(text)]


def test_no_text_and_no_message_names_the_package_of_somebody_else() -> None:
    """Nobody is told to install a package called `cogmem`, with extras or without."""
    named = [
        f"{path.relative_to(ROOT)}: {command}"
        for path in TEXTS
        for command in commands(path.read_text(encoding="utf-8"))
        if NAME.search(command)
    ]
    assert named == []


@each_row_of("installing/each_way_to_name_it_would_be_noticed")
def test_each_way_to_name_it_would_be_noticed(command: str) -> None:
    """So the test above is none that sees nothing."""
    assert [found for found in commands(f"see `{command}`; then go on") if NAME.search(found)]


@pytest.mark.parametrize(
    "command", ["pip install .", "pip install '.[langchain]'", "pip install cogmem-core"]
)
def test_what_is_ours_may_be_named(command: str) -> None:
    """A clone is no package of somebody else."""
    assert not [found for found in commands(command) if NAME.search(found)]


def test_what_is_named_instead_is_what_the_extras_ask_for() -> None:
    """A message that names a missing package asks for a version that the project's extras ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        requirement for extra in project["optional-dependencies"].values() for requirement in extra
    ]
    known = {part for requirement in wanted for part in (requirement, requirement.split(",")[0])}
    asked = {
        requirement
        for path in TEXTS
        for command in commands(path.read_text(encoding="utf-8"))
        for requirement in QUOTED.findall(command)
        if ">=" in requirement
    }
    assert "langchain>=1.2.15" in asked
    assert asked <= known

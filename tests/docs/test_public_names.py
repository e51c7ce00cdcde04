"""The public surface is what it says: sorted, complete, typed."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import cogmem_core
import langchain_cogmem
import llamaindex_cogmem
from cogmem_core.storage.ledger.migrations import SCHEMA_VERSION
from cogmem_core.transfer.records import VERSION


def test_all_is_sorted_and_exists() -> None:
    """`from cogmem_core import *` gives what is listed, and the list is easy to read."""
    assert cogmem_core.__all__ == sorted(cogmem_core.__all__)
    assert [name for name in cogmem_core.__all__ if not hasattr(cogmem_core, name)] == []


PLUMBING = {"ChromaFollower", "RecallOrigin", "Services", "Worker"}
"""What an engine or a recall is made of: attributes that adapters and tests reach for, not users."""


def classes(hint: Any) -> Iterator[str]:
    """The names of cogmem's classes in a type."""
    if inspect.isclass(hint) and hint.__module__.startswith("cogmem_core."):
        yield hint.__name__
    for argument in get_args(hint):
        yield from classes(argument)


def shown(public: type) -> Iterator[str]:
    """The names of the classes that attributes, properties and results of a class have."""
    known = {name: getattr(cogmem_core, name) for name in cogmem_core.__all__}
    hints = {
        name: hint for name, hint in get_type_hints(public, localns=known).items() if name[0] != "_"
    }
    for base in public.__mro__:
        members = vars(base) if base.__module__.startswith("cogmem_core") else {}
        for name, member in members.items():
            function = member.fget if isinstance(member, property) else member
            if name[0] != "_" and inspect.isfunction(function):
                hints[name] = get_type_hints(function, localns=known).get("return")
    for hint in hints.values():
        yield from classes(hint)


@pytest.mark.parametrize(
    "name", [name for name in cogmem_core.__all__ if inspect.isclass(getattr(cogmem_core, name))]
)
def test_what_a_public_class_shows_is_public(name: str) -> None:
    """A user can name the type of whatever an attribute holds or a method gives back."""
    assert set(shown(getattr(cogmem_core, name))) - PLUMBING - {*cogmem_core.__all__} == set()


def test_packages_are_typed() -> None:
    """Type checkers of users see our annotations."""
    packages = (cogmem_core, langchain_cogmem, llamaindex_cogmem)
    assert [
        p.__name__ for p in packages if not (Path(str(p.__file__)).parent / "py.typed").is_file()
    ] == []


def test_error_classes_are_in_the_docstring_tree() -> None:
    """The tree in `cogmem_core.errors` shows every class."""
    from cogmem_core import errors

    assert [name for name in errors.__all__ if name not in str(errors.__doc__)] == []


def test_importing_cogmem_imports_no_framework_and_no_chroma() -> None:
    """`import cogmem_core` stays quick: Chroma and the frameworks come when they are needed."""
    import subprocess
    import sys

    heavy = ("chromadb", "tokenizers", "onnxruntime", "langchain_core", "llama_index", "typer")
    source = f"import sys, cogmem_core; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_changelog_tells_the_present_version() -> None:
    """And which banks and exports it writes."""
    changes = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    expected = (
        "Unreleased]" if "dev" in cogmem_core.__version__ else f"{cogmem_core.__version__}] - "
    )
    assert changes.split("\n## [")[1].startswith(expected)
    assert f"edger schema {SCHEMA_VERSION}, export format {VERSION}" in changes

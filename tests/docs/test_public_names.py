"""The public surface is what it says: sorted, complete, typed."""

from __future__ import annotations

from pathlib import Path

import cogmem
import langchain_cogmem
import llamaindex_cogmem
from cogmem.storage.migrations import SCHEMA_VERSION
from cogmem.transfer.records import VERSION


def test_all_is_sorted_and_exists() -> None:
    """`from cogmem import *` gives what is listed, and the list is easy to read."""
    assert cogmem.__all__ == sorted(cogmem.__all__)
    assert [name for name in cogmem.__all__ if not hasattr(cogmem, name)] == []


def test_packages_are_typed() -> None:
    """Type checkers of users see our annotations."""
    packages = (cogmem, langchain_cogmem, llamaindex_cogmem)
    assert [p.__name__ for p in packages if not (Path(str(p.__file__)).parent / "py.typed").is_file()] == []


def test_error_classes_are_in_the_docstring_tree() -> None:
    """The tree in `cogmem.errors` shows every class."""
    from cogmem import errors

    assert [name for name in errors.__all__ if name not in str(errors.__doc__)] == []


def test_importing_cogmem_imports_no_framework_and_no_chroma() -> None:
    """`import cogmem` stays quick: Chroma and the frameworks come when they are needed."""
    import subprocess
    import sys

    heavy = ("chromadb", "tokenizers", "onnxruntime", "langchain_core", "llama_index", "typer")
    source = f"import sys, cogmem; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_changelog_tells_the_present_version() -> None:
    """And which banks and exports it writes."""
    changes = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.split("\n## [")[1].startswith(f"{cogmem.__version__}] - ")
    assert f"ledger schema {SCHEMA_VERSION}, export format {VERSION}" in changes

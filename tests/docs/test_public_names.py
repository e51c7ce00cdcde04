"""The public surface is what it says: sorted, complete, typed."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import cogmem_core
import langchain_cogmem
import llamaindex_cogmem
from cogmem_core.storage.ledger.migrations import SCHEMA_VERSION
from cogmem_core.transfer.records import VERSION


def test_the_top_holds_the_names_of_every_day() -> None:
    """A newcomer reads one short list; the rest is in the modules of its kind."""
    assert " ".join(sorted(cogmem_core.__all__)) == (
        "BankClosed CogMemError Config ConfigError ConsolidationReport Context EmbedderMismatch "
        "EmbedderUnavailable Engine Episode FactReceipt Feedback ForgetReceipt Handle History "
        "InvalidInput Items LifeStory Memory MemoryBank NotAllowed NotFound Protected Recall Recalled "
        "Receipt Relation "
        "Session Source StoreError StoreUnavailable StoreVersionError Turn WorkingMemory WriteReport "
        "config errors load_config models open preset results wrap_openai"
    )
    assert [name for name in cogmem_core.__all__ if not hasattr(cogmem_core, name)] == []


MODULES = (cogmem_core, cogmem_core.config, cogmem_core.models, cogmem_core.results)
"""Where the public names are: those of every day at the top, the others by their kind."""

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
    known = {name: getattr(module, name) for module in MODULES for name in module.__all__}
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


def test_what_a_public_class_shows_is_public() -> None:
    """A user can name the type of whatever an attribute holds or a method gives back."""
    members = [getattr(module, name) for module in MODULES for name in module.__all__]
    classes_shown = {
        name for member in members if inspect.isclass(member) for name in shown(member)
    }
    assert (
        classes_shown - PLUMBING - {name for module in MODULES for name in module.__all__} == set()
    )


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

    frameworks = ("langchain", "langchain_core", "langgraph", "llama_index")
    heavy = ("chromadb", "tokenizers", "onnxruntime", "typer", *frameworks)
    source = f"import sys, cogmem_core; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_changelog_tells_the_present_version() -> None:
    """And which banks and exports it writes."""
    changes = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = changes.split("\n## [")[1:]
    if "dev" not in cogmem_core.__version__:
        released = [text for text in sections if not text.startswith("Unreleased]")]
        assert released[0].startswith(f"{cogmem_core.__version__}] - ")
    else:
        assert sections[0].startswith("Unreleased]")
    assert f"edger schema {SCHEMA_VERSION}, export format {VERSION}" in changes

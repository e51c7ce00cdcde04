"""The house's budgets (design notes, section 1): small files, small functions, few parameters, few broad excepts."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for package in ("core", "langchain_cogmem", "llamaindex_cogmem")
    for path in (ROOT / package).rglob("*.py")
)
REST = sorted(path for folder in ("tests", "cookbook") for path in (ROOT / folder).rglob("*.py"))
LONGER = {"engine.py", "bank.py", "base.py", "lookalike_namespaces.py"}
"""Two facades, the record that a language fills, and an act of each of their methods."""
TABLES = {"bad_input_values.py", "bad_input_surroundings.py"}
"""Tests' tables of bad input, written as functions."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (
        node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def body_lines(function: Function) -> int:
    documentation = ast.get_docstring(function, clean=False)
    statements = function.body[1:] if documentation is not None else function.body
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """The text of every file, by its path."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES + REST
    }


@pytest.fixture(scope="module")
def trees(sources: dict[str, str]) -> dict[str, ast.Module]:
    """The syntax tree of every file, by its path."""
    return {name: ast.parse(source) for name, source in sources.items()}


def test_a_file_has_at_most_600_lines(sources: dict[str, str]) -> None:
    """Of what is read from top to bottom; a facade or a table may be longer."""
    longer = [name for name, source in sources.items() if source.count("\n") > 600]
    assert [name for name in longer if Path(name).name not in LONGER] == []


def test_a_function_fits_on_a_screen(trees: dict[str, ast.Module]) -> None:
    """At most 60 lines, its documentation aside; a little more in a test, which reads from top to bottom."""
    longer = [
        f"{name}: {function.name}"
        for name, tree in trees.items()
        for function in functions(tree)
        if body_lines(function) > (70 if name.startswith("tests/") else 60)
        and Path(name).name not in TABLES
    ]
    assert longer == []


def test_broad_excepts_are_counted() -> None:
    """Broad excepts hide bugs: the whole code base has no more than these, each with its reason beside it."""
    broad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert len(broad) <= 7, broad


def test_nothing_is_unpickled() -> None:
    """What is read from disk is JSON or float32, never something that can execute."""
    assert [
        p.name
        for p in FILES
        if "import pickle" in p.read_text() or "allow_pickle=True" in p.read_text()
    ] == []


def test_no_test_asserts_how_long_something_takes() -> None:
    """The house: machines differ, and so do their minutes; benchmarks measure, tests count or let hang."""
    clocks = {
        "perf_counter",
        "perf_counter_ns",
        "process_time",
        "process_time_ns",
        "thread_time",
        "thread_time_ns",
    }
    found = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if path.parent.name != "bench"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if {getattr(node, "id", ""), getattr(node, "attr", "")} & clocks
    ]
    assert found == []


PUBLIC = {
    *("config", "models", "results", "errors", "ports", "testing", "adapters"),
    *("observability", "embedders", "llm"),
}
"""The packages of cogmem_core that every test may import from; `tests/unit` may from all."""
SHARED = ("tests/unit/", "tests/bench/")
INSIDE = {
    "tests/docs/test_pages.py",
    "tests/docs/test_public_names.py",
    "tests/fault/jobs.py",
    "tests/fault/survey.py",
    "tests/fault/test_chroma_damage.py",
    "tests/fault/test_sqlite_locks.py",
    "tests/helpers/exact_memories.py",
    "tests/helpers/late_calls.py",
    "tests/helpers/lookalike_namespaces.py",
    "tests/helpers/store_kinds.py",
    "tests/helpers/time_travel.py",
}
"""What breaks banks on purpose, and what compares the documents with the code: no other file goes below."""
TOP = {"__init__.py", "__init__.pyi", "__main__.py", "errors.py", "ports.py", "py.typed"}
"""The files of the engine that lie in no room."""


def imported(tree: ast.AST) -> Iterator[str]:
    """The names of the modules that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def goes_below(module: str) -> bool:
    """Whether it is a module of cogmem_core that is not public."""
    top, _, rest = module.partition(".")
    part = rest.partition(".")[0]
    inner = (ROOT / "core" / "cogmem_core" / part).is_dir() or (
        ROOT / "core" / "cogmem_core" / f"{part}.py"
    ).is_file()
    return top == "cogmem_core" and bool(part) and inner and part not in PUBLIC


def test_no_test_outside_unit_goes_below_public_names(trees: dict[str, ast.Module]) -> None:
    """The house: only unit tests know how it is made."""
    below = {
        name
        for name, tree in trees.items()
        if name.startswith("tests/")
        and not name.startswith(SHARED)
        and any(goes_below(module) for module in imported(tree))
    }
    assert below == INSIDE


def test_the_engine_has_no_loose_files() -> None:
    """Each module is in a room; on top is what everybody needs by name."""
    top = (ROOT / "core" / "cogmem_core").iterdir()
    assert {path.name for path in top if path.is_file()} == TOP


def test_unit_tests_lie_as_the_packages_do() -> None:
    """Each in the folder of the package that it is about."""
    packages = {path.name.removeprefix("cogmem_") for path in (ROOT / "core").iterdir()}
    packages |= {path.name for path in (ROOT / "core" / "cogmem_core").iterdir() if path.is_dir()}
    unit = ROOT / "tests" / "unit"
    folders = {path.name for path in unit.iterdir() if path.is_dir()} - {"__pycache__", "helpers"}
    assert folders <= packages
    assert {path.name for path in unit.glob("test_*.py")} == {"test_budgets.py"}

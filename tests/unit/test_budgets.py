"""The house's budgets (design notes, section 1): small files, small functions, few parameters, few broad excepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for package in ("core/cogmem", "langchain_cogmem", "llamaindex_cogmem")
    for path in (ROOT / package).rglob("*.py")
)
REST = sorted(path for folder in ("tests", "cookbook") for path in (ROOT / folder).rglob("*.py"))
FACADES = {"engine.py", "bank.py"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def body_lines(function: Function) -> int:
    documentation = ast.get_docstring(function, clean=False)
    statements = function.body[1:] if documentation is not None else function.body
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0


def parameters(function: Function) -> int:
    names = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
    return len([name for name in names if name.arg not in ("self", "cls")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_has_at_most_400_lines_and_its_functions_fit_on_a_screen(path: Path) -> None:
    """File <= 400 lines, function body <= 60 lines, <= 6 parameters (facades and commands excepted)."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    wide = path.name in FACADES or path.parent.name == "cli"

    assert source.count("\n") <= 400
    assert [f.name for f in functions(tree) if body_lines(f) > 60] == []
    assert [f.name for f in functions(tree) if parameters(f) > 6 and not wide] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_class_has_at_most_15_public_methods(path: Path) -> None:
    """A class with more has more than one job; the two facades only forward."""
    classes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ClassDef)]
    crowded = [
        found.name
        for found in classes
        if len([f for f in found.body if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and f.name[0] != "_"])
        > 15
    ]
    assert path.name in FACADES or crowded == []


def test_neither_tests_nor_recipes_have_longer_files_or_functions() -> None:
    """The same screen for whoever reads them: file <= 400 lines, function body <= 60."""
    read = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in REST}
    assert [name for name, source in read.items() if source.count("\n") > 400] == []
    assert [
        f"{name}: {f.name}" for name, source in read.items() for f in functions(ast.parse(source)) if body_lines(f) > 60
    ] == []


def test_broad_excepts_are_counted() -> None:
    """Broad excepts hide bugs: the whole code base has no more than these, each with its reason beside it."""
    broad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert len(broad) <= 6, broad


def test_nothing_is_unpickled() -> None:
    """What is read from disk is JSON or float32, never something that can execute."""
    assert [p.name for p in FILES if "import pickle" in p.read_text() or "allow_pickle=True" in p.read_text()] == []


def test_no_test_asserts_how_long_something_takes() -> None:
    """The house: machines differ, and so do their minutes; benchmarks measure, tests count or let hang."""
    clocks = {"perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "thread_time", "thread_time_ns"}
    found = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if path.parent.name != "bench"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if {getattr(node, "id", ""), getattr(node, "attr", "")} & clocks
    ]
    assert found == []

"""One test of a whole table: every row is tried, and all rows that fail are told together.

Tables of sentences are data: `tests/data/<topic>/<promise>/<language>.jsonl`, a row a line.
"""

import functools
import inspect
import json
import textwrap
import typing
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

__all__ = ["each_case_of", "each_row", "each_row_of", "rows_of"]

DATA = Path(__file__).resolve().parents[1] / "data"
Test = Callable[..., None]


def each_row(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Call the test with every row, as `pytest.mark.parametrize` does, but as one case.

    For cheap rows that share nothing: what a test asks for beside its row is made once.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    return _over([dict(zip(arguments, _values(row, len(arguments)), strict=True)) for row in rows])


def each_row_of(promise: str, languages: str = "") -> Callable[[Test], Test]:
    """Call the test with every row that a promise has in any language, as one case.

    A row is an object: its keys are the test's arguments (and a note for the reader), and arrays
    become what the test says they are. A language that is named and has no rows is an error.
    """
    rows = _read(promise, languages)
    return lambda test: _over(_typed(rows, test))(test)


def each_case_of(promise: str, languages: str = "") -> Callable[[Test], Test]:
    """As `each_row_of`, and each row is a case with fixtures of its own."""
    rows = _read(promise, languages)

    def decorate(test: Test) -> Test:
        cases = [tuple(row.values()) for row in _typed(rows, test)]
        return pytest.mark.parametrize(tuple(rows[0]), cases)(test)

    return decorate


def rows_of(promise: str, languages: str = "") -> tuple[Any, ...]:
    """Every row that a promise has in any language, as tuples, for more tests than one."""
    rows = [tuple(row.values()) for row in _read(promise, languages)]
    return tuple(_as(row[0] if len(row) == 1 else list(row), tuple) for row in rows)


def _read(promise: str, languages: str) -> list[Any]:
    files = {path.stem: path for path in sorted((DATA / promise).glob("*.jsonl"))}
    rows = {
        language: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for language, path in files.items()
    }
    silent = [language for language in languages.split() if not rows.get(language)]
    assert not silent, f"{promise} is promised in {silent}, and no row shows it"
    assert rows, f"{promise}: a table without rows shows nothing"
    assert all(rows.values()), f"{promise}: a language without rows shows nothing"
    every = [row for table in rows.values() for row in table]
    for row in every:
        row.pop("note", None)
    return every


def _typed(rows: list[dict[str, Any]], test: Test) -> list[dict[str, Any]]:
    """The rows as the test's annotations say; arrays are tuples where they say nothing."""
    said = str(test.__annotations__.values())
    if "date" not in said and not any(isinstance(v, list | dict) for r in rows for v in r.values()):
        return rows
    hints = typing.get_type_hints(test)
    return [{name: _as(value, hints.get(name, tuple)) for name, value in r.items()} for r in rows]


def _as(value: Any, hint: Any) -> Any:
    """What JSON holds as what the annotation says."""
    kind, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if isinstance(value, str) and kind in (date, datetime):
        return kind.fromisoformat(value)
    if isinstance(value, dict) and parts:
        return {key: _as(each, parts[-1]) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    if kind not in (tuple, list, set, frozenset):  # a union, a protocol or anything at all
        kind, parts = next(
            ((typing.get_origin(p) or p, typing.get_args(p)) for p in parts if p is not type(None)),
            (list, ()),
        )
    if kind is tuple and not parts:
        return tuple(_as(each, tuple) for each in value)
    fixed = kind is tuple and parts[-1] is not Ellipsis
    inner = parts if fixed else [parts[0] if parts else Any] * len(value)
    return kind(_as(each, part) for each, part in zip(value, inner, strict=True))


def _over(table: list[dict[str, Any]]) -> Callable[[Test], Test]:
    assert table, "a table without rows shows nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def over_all(*given: Any, **fixtures: Any) -> None:
            failures = []
            for row in table:
                try:
                    test(*given, **fixtures, **row)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows are tried, too
                    why = textwrap.indent(f"{type(error).__name__}: {error}", "    ")
                    failures.append(f"{row}\n{why}")
            if failures:
                told = "\n".join(failures)
                pytest.fail(f"{len(failures)} of {len(table)} rows fail:\n{told}", pytrace=False)

        signature = inspect.signature(test)
        others = [part for name, part in signature.parameters.items() if name not in table[0]]
        over_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return over_all

    return decorate


def _values(row: Any, count: int) -> tuple[Any, ...]:
    return (row,) if count == 1 else tuple(row)

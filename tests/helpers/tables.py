"""One test of a whole table: every row is tried, and all rows that fail are told together."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

import pytest

__all__ = ["each_row"]

Test = Callable[..., None]


def each_row(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Call the test with every row, as `pytest.mark.parametrize` does, but as one case.

    For cheap rows that share nothing: what a test asks for beside its row is made once.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    table = [_values(row, len(arguments)) for row in rows]
    assert table, "a table without rows shows nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def over_all(*given: Any, **fixtures: Any) -> None:
            failures = []
            for values in table:
                row = dict(zip(arguments, values, strict=True))
                try:
                    test(*given, **fixtures, **row)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows are tried, too
                    why = textwrap.indent(f"{type(error).__name__}: {error}", "    ")
                    failures.append(f"{row}\n{why}")
            if failures:
                told = "\n".join(failures)
                pytest.fail(f"{len(failures)} of {len(table)} rows fail:\n{told}", pytrace=False)

        signature = inspect.signature(test)
        others = [part for name, part in signature.parameters.items() if name not in arguments]
        over_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return over_all

    return decorate


def _values(row: Any, count: int) -> tuple[Any, ...]:
    return (row,) if count == 1 else tuple(row)

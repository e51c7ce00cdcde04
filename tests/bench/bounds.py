"""How a benchmark tells whether a bound holds; `run.py` makes one table of all that was told."""

import json
import math
import os
from pathlib import Path

__all__ = ["TABLE", "held"]

TABLE = "COGMEM_BENCH_TABLE"
"""Names the variable that names the file in which bounds are collected, one JSON object a line."""


def held(
    name: str,
    figure: float,
    bound: float,
    unit: str = "",
    *,
    at_least: bool = False,
    note: str = "",
) -> bool:
    """Print a figure beside its bound, and note it for the table; True if the bound holds.

    With a bound of infinity the figure is only told; it bounds nothing.
    """
    if math.isinf(bound):
        print(f"{name:<58} {figure:>10.5g} {unit}", flush=True)
        _note(name, figure, unit, "", passed=True)
        return True
    passed = figure >= bound if at_least else figure <= bound
    sign = ">=" if at_least else "<="
    verdict = "PASS" if passed else "FAIL"
    print(
        f"{name:<58} {figure:>10.5g} {unit:<8} {sign} {bound:<8g} {verdict}  {note}".rstrip(),
        flush=True,
    )
    _note(name, figure, unit, f"{sign} {bound:g}", passed=passed)
    return passed


def _note(name: str, figure: float, unit: str, bound: str, *, passed: bool) -> None:
    """Add a line to the file of the table, if there is one."""
    if path := os.environ.get(TABLE):
        row = {
            "name": name,
            "figure": f"{figure:.4g} {unit}".strip(),
            "bound": bound,
            "passed": passed,
        }
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

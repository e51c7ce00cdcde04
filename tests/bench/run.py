"""All bounds, one after the other, and one table of them: python tests/bench/run.py [NAME ...]

What was measured is recorded (measurements.py), and cookbook/measurements.md is written anew.
Exit code 1 if a bound does not hold or a benchmark fails.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import measurements
from bounds import TABLE
from rich.console import Console
from rich.table import Table

BENCHES = (
    "ratios",
    "lexical",
    "readers",
    "crossing",
    "embedders",
    "engine",
    "servers",
    "index_writes",
    "dream",
    "encoding",
    "meaning",
    "fan_out",
    "threads",
    "langchain",
    "llamaindex",
    "locomo",
    "trajectories",
    "lives",
)


def pace() -> str:
    """How fast this machine is at the moment: shared ones differ by a factor of two from one minute to the next."""
    best = math.inf
    for _ in range(5):
        start, total = time.perf_counter(), 0
        for number in range(1_000_000):
            total += number
        best = min(best, time.perf_counter() - start)
    return f"{best * 1000:.0f} ms"


def measured(name: str, folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """Run one benchmark: its exit code, and a row for each figure."""
    noted = folder / name
    code = subprocess.run(
        [sys.executable, str(Path(__file__).parent / f"bench_{name}.py")],
        env={**os.environ, TABLE: str(noted)},
        check=False,
    ).returncode
    lines = noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []
    return code, [json.loads(line) for line in lines]


def verdict(row: Mapping[str, Any]) -> str:
    """Whether the bound of a figure holds, if it has one."""
    if not row["bound"]:
        return ""
    return "holds" if row["passed"] else "missed"


def main(names: list[str]) -> int:
    codes = []
    table = Table("benchmark", "what", "figure", "bound", "")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            pace_before = pace()
            code, rows = measured(name, Path(folder))
            paces = f"{pace_before}, {pace()}"
            cells = [(row["name"], row["figure"], row["bound"], verdict(row)) for row in rows]
            if rows:
                measurements.record(name, cells, f"A million additions before and after: {paces}.")
            codes += [code, *(int(not row["passed"]) for row in rows)]
            table.add_row(name, "the machine: a million additions before, after", paces, "", "")
            for row_cells in cells:
                table.add_row(name, *row_cells)
            if code and all(row["passed"] for row in rows):
                table.add_row(name, "", "", "", f"FAILED with exit code {code}")
            table.add_section()
    Console(highlight=False, markup=False, width=max(120, Console().width)).print(table)
    return int(any(codes))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or list(BENCHES)))

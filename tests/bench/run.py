"""All bounds, one after the other, and one table of them: python tests/bench/run.py [NAME ...]

What was measured is recorded (measurements.py), and cookbook/measurements.md is written anew.
Exit code 1 if a bound does not hold or a benchmark fails.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measurements
from bounds import TABLE
from rich.console import Console
from rich.table import Table

BENCHES = (
    "lexical",
    "readers",
    "crossing",
    "embedders",
    "engine",
    "servers",
    "index_writes",
    "dream",
    "encoding",
    "fan_out",
    "langchain",
    "llamaindex",
    "locomo",
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


def main(names: list[str]) -> int:
    here, codes = Path(__file__).parent, []
    table = Table("benchmark", "what", "figure", "bound", "")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            noted, before = Path(folder) / name, pace()
            code = subprocess.run(
                [sys.executable, str(here / f"bench_{name}.py")],
                env={**os.environ, TABLE: str(noted)},
                check=False,
            ).returncode
            rows = (
                [json.loads(line) for line in noted.read_text(encoding="utf-8").splitlines()]
                if noted.exists()
                else []
            )
            if rows:
                measurements.record(name, rows)
            codes += [code, *(int(not row["passed"]) for row in rows)]
            table.add_row(
                name,
                "the machine: a million additions before, after",
                f"{before}, {pace()}",
                "",
                "",
            )
            for row in rows:
                table.add_row(
                    name,
                    row["name"],
                    row["figure"],
                    row["bound"],
                    "holds" if row["passed"] else "MISSED",
                )
            if code and all(row["passed"] for row in rows):
                table.add_row(name, "", "", "", f"FAILED with exit code {code}")
            table.add_section()
    Console(highlight=False, markup=False, width=max(120, Console().width)).print(table)
    return int(any(codes))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:] or list(BENCHES)))

"""The page of all figures, written from their record: python tests/bench/measurements.py

Nobody edits a figure in cookbook/measurements.md: `make bench` records what it measured in measurements.json, and what
takes hours (faults, attacks, simulations) is entered there by whoever ran it.
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

__all__ = ["PAGE", "enter", "page", "record", "recorded"]

RECORD = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).resolve().parents[2] / "cookbook" / "measurements.md"
_HEAD = """# Measurements

Written from tests/bench/measurements.json; do not edit. `make bench` measures its tables anew. A machine that is shared
is as fast as its neighbours let it be: speeds of one table compare with one another, not with those of another day.
"entered" is the day on which a figure was written down, where the day of the measurement was not recorded.
"""


def recorded() -> list[dict[str, Any]]:
    """All tables: name, title, what made them, machine, date, columns, rows, note; `figure`: a picture beside it."""
    tables: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))["tables"]
    return tables


def record(name: str, rows: Sequence[Sequence[str]], note: str) -> None:
    """Put what a benchmark found in place of what it found before, and write the page anew."""
    enter(
        {
            "name": f"bench-{name}",
            "title": f"Benchmark: {name.replace('_', ' ')}",
            "made_by": f"python tests/bench/run.py {name}",
            "columns": ["what", "figure", "bound", ""],
            "rows": [list(row) for row in rows],
            "note": note,
        }
    )


def enter(table: Mapping[str, Any]) -> None:
    """Put a table that was measured now in place of the one of its name, and write the page anew."""
    today = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    dated = {"machine": machine(), "date": today, **table}
    tables = recorded()
    names = [other["name"] for other in tables]
    place = names.index(table["name"]) if table["name"] in names else len(names)
    tables[place : place + 1] = [dated]
    text = json.dumps({"tables": tables}, indent=1, ensure_ascii=False)
    RECORD.write_text(f"{text}\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


def machine() -> str:
    """What a figure was measured on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def page() -> str:
    """The text of cookbook/measurements.md."""
    return "\n".join([_HEAD, *map(_section, recorded())])


def _section(table: Mapping[str, Any]) -> str:
    rows = [table["columns"], ["---"] * len(table["columns"]), *table["rows"]]
    lines = [f"## {table['title']}", ""]
    lines += [f"{table['made_by']}; {table['machine']}; {table['date']}.", ""]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    lines += [""] + [table["note"], ""] * bool(table["note"])
    if figure := table.get("figure"):
        lines += [f"![{figure['about']}]({figure['path']})", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

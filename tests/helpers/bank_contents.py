"""What tests of banks share: the texts of what was found, what files hold, and exports, also changed on their way."""

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cogmem_core import MemoryBank

__all__ = ["NOON", "contents", "files_holding", "imported", "lines"]

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def contents(found: Any) -> list[str]:
    """The texts of what was recalled or listed; of a bank, of all that is active."""
    listed = found.list() if isinstance(found, MemoryBank) else found
    return [item.content for item in getattr(listed, "results", listed)]


def files_holding(folder: Path, *traces: str | bytes) -> list[str]:
    """The files below a folder, which has some, that hold one of the traces, sorted."""
    wanted = [trace.encode() if isinstance(trace, str) else trace for trace in traces]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return sorted(
        path.name for path in files if any(trace in path.read_bytes() for trace in wanted)
    )


def lines(bank: MemoryBank, path: Path) -> list[dict[str, Any]]:
    """The export without its header and its end."""
    bank.export(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:-1]


def imported(
    bank: MemoryBank, source: MemoryBank, folder: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    """Import what another bank exports, each memory changed on the way."""
    path = folder / "changed.jsonl"
    source.export(path)
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for record in records:
        if record["kind"] == "memory":
            change(record)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    bank.import_(path)

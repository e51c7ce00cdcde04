"""The command `log`."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import line
from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType


OPERATIONS = (
    *(
        "add",
        "append_messages",
        "asked",
        "clear_transcript",
        "consolidate",
        "consolidate_all",
        "doctor",
    ),
    *(
        "due",
        "edit",
        "end",
        "feedback",
        "forget",
        "import_skill",
        "intend",
        "observe",
        "observe_run",
    ),
    *("outcome", "recall", "reflect", "remember", "restore", "search_items", "seal", "settle"),
    *("settle_versions", "supersede", "tip_of_tongue", "undo", "unseal", "write_items"),
)
"""What an engine writes down, by the names of the methods that are called."""
_ALL = 1_000_000
_COLUMNS = ("ts", "op", "latencyMs", "success")


def log(
    shell: Shell,
    *,
    limit: Annotated[int, typer.Option(help="At most so many of the newest records.")] = 20,
    op: Annotated[
        str | None, typer.Option(help="Only this operation: remember, recall, forget, ...")
    ] = None,
) -> None:
    """Show what the engine did lately: operation, time taken, outcome; texts only as hashes."""
    with shell.engine(read_only=True) as engine:
        records = engine.log(limit=limit, op=op)
        operations = (
            [] if records else sorted({str(record["op"]) for record in engine.log(limit=_ALL)})
        )
    human: RenderableType = "nothing is logged yet"
    if records:
        headings = ("when", "what", "ms", "outcome", "details")
        human = rows(headings, map(_cells, records), texts=("details",))
    elif op is not None and op not in OPERATIONS:
        near = get_close_matches(op, [*OPERATIONS, *operations], 1, 0.0)[0]
        raise InvalidInput(
            f"there is no operation {op!r}; the nearest one is {line(near)!r}; the log has "
            f"{', '.join(map(line, operations)) or 'none yet'}"
        )
    elif op is not None and operations:
        human = f"no {op} is logged yet; the log has {', '.join(map(line, operations))}"
    shell.show({"records": records}, human)


def _cells(record: Mapping[str, Any]) -> tuple[str, ...]:
    details = [f"{name} {value}" for name, value in record.items() if name not in _COLUMNS]
    outcome = "ok" if record.get("success") else line(str(record.get("error", "failed")))
    latency = str(record.get("latencyMs", ""))
    return (str(record["ts"]), line(str(record["op"])), latency, outcome, line(", ".join(details)))


COMMANDS = (log,)

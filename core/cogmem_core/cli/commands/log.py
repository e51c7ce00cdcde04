"""The command `log`."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line

__all__ = ["register"]

_ALL = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "log")(log)


def log(
    shell: Shell,
    *,
    limit: Annotated[int, typer.Option(help="At most so many of the newest records.")] = 20,
    op: Annotated[
        str | None, typer.Option(help="Only this operation: remember, recall, forget, ...")
    ] = None,
) -> None:
    """Show what the engine did lately: operation, time taken, outcome; texts only as hashes."""
    from cogmem_core.cli.tables import rows

    with shell.bank(read_only=True) as (_, engine):
        records = engine.log(limit=limit, op=op)
        operations = (
            [] if records else sorted({str(record["op"]) for record in engine.log(limit=_ALL)})
        )
    own_columns = ("ts", "op", "latencyMs", "success")
    lines = [
        (
            str(record["ts"]),
            line(str(record["op"])),
            str(record.get("latencyMs", "")),
            "ok" if record.get("success") else line(str(record.get("error", "failed"))),
            line(
                ", ".join(
                    f"{name} {value}" for name, value in record.items() if name not in own_columns
                )
            ),
        )
        for record in records
    ]
    table = rows(("when", "what", "ms", "outcome", "details"), lines, texts=("details",))
    empty_text = (
        f"no operation {op!r} in the log; it has {', '.join(map(line, operations))}"
        if operations
        else "nothing is logged yet"
    )
    shell.show({"records": records}, table if lines else empty_text)

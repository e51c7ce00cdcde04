"""Commands that look: list, show, history, health, namespaces, log."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line
from cogmem_core.cli.writing import MemoryId

__all__ = ["register"]

_ALL = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for function in (list_, show, history, health, namespaces, log):
        command(app, function.__name__.rstrip("_"))(function)


def list_(
    shell: Shell,
    *,
    state: Annotated[
        str | None,
        typer.Option(help="active (default), dormant, superseded, forgotten, ... or any."),
    ] = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    tier: Annotated[str | None, typer.Option(help="episodic or semantic.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on behind this id.")] = None,
) -> None:
    """List memories, oldest first."""
    from cogmem_core.cli.tables import memories

    with shell.bank(read_only=True) as (bank, engine):
        page = bank.list(state=state, category=category, tier=tier, limit=limit, cursor=cursor)
        hint = "" if len(page) else shell.namespace_hint(engine)
    if len(page):
        shell.show(
            {"memories": page.memories, "cursor": page.cursor},
            memories(page.memories, shell.out.width),
        )
        if page.cursor:
            shell.note(f"there are more: --cursor {page.cursor}")
        return
    shell.show(
        {"memories": [], "cursor": None}, f"no such memory in namespace {shell.namespace!r}{hint}"
    )


def show(shell: Shell, memory_id: MemoryId) -> None:
    """Show every field of a memory."""
    from cogmem_core.cli.ids import complete
    from cogmem_core.cli.tables import pairs

    with shell.bank(read_only=True) as (bank, engine):
        memory = bank.get(complete(engine, bank, memory_id))
    fields = {item.name: getattr(memory, item.name) for item in dataclasses.fields(memory)}
    shell.show({"memory": memory}, pairs(fields))


def history(shell: Shell, memory_id: MemoryId) -> None:
    """Show a memory's former texts and every change, oldest first."""
    from cogmem_core.cli.ids import complete
    from cogmem_core.cli.tables import changes, versions

    with shell.bank(read_only=True) as (bank, engine):
        life = bank.history(complete(engine, bank, memory_id))
    tables = [versions(life.versions)] if life.versions else []
    shell.show(life, line(life.memory.content), *tables, changes(life.changes))


def health(shell: Shell) -> None:
    """Show how the namespace is doing: counts, retention, the index, what waits, warnings."""
    from cogmem_core.cli.tables import pairs

    with shell.bank(read_only=True, must_exist=True) as (bank, engine):
        answer = {
            "path": str(shell.folder),
            "namespaces": len(engine.namespaces()),
            **bank.health(),
        }
    fields = {name.replace("_", " "): value for name, value in answer.items()}
    fields["retention histogram"] = {
        tenth: count for tenth, count in answer["retention_histogram"].items() if count
    }
    shell.show(answer, pairs(fields))
    for warning in answer["warnings"]:
        shell.note(f"warning: {warning}")


def namespaces(shell: Shell) -> None:
    """List the namespaces of the bank."""
    with shell.bank(read_only=True) as (_, engine):
        names = engine.namespaces()
    shell.show({"namespaces": names}, *(map(line, names) if names else ["no namespace yet"]))


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

"""Commands that change one memory: edit, supersede, end, pin, unpin, restore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.options import MemoryId
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.values import line, short

if TYPE_CHECKING:
    from cogmem_core.models import Memory


Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The text, or - for standard input.")
]


def edit(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Give a memory another text; the former one stays in its history."""
    from cogmem_cli.ids import complete
    from cogmem_cli.turns import read_text

    content = read_text(text)
    with shell.bank() as (bank, engine), loading(shell, engine):
        former = bank.get(complete(engine, bank, memory_id))
        memory = bank.edit(former.id, content)
    _show_changed(
        shell, "edited" if memory.version > former.version else "says that already", memory
    )


def supersede(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Put a new memory in the place of one that no longer holds; `restore` brings that back."""
    from cogmem_cli.ids import complete
    from cogmem_cli.turns import read_text

    content = read_text(text)
    with shell.bank() as (bank, engine), loading(shell, engine):
        memory = bank.supersede(complete(engine, bank, memory_id), content)
    _show_changed(shell, "remembered instead", memory)


def end(
    shell: Shell,
    memory_id: MemoryId,
    *,
    at: Annotated[
        str | None,
        typer.Option(
            help="The last day on which it was so, or a moment; else it was so until now."
        ),
    ] = None,
) -> None:
    """Say that a memory holds no more, and nothing takes its place; `restore` brings it back."""
    from cogmem_cli.ids import complete
    from cogmem_cli.times import moment

    begin, until = moment(shell, "--at", at), moment(shell, "--at", at, "last")
    with shell.bank() as (bank, engine):
        now = engine.services.runtime.now()
        if begin is not None and until is not None and begin <= now < until:
            until = None  # of a day that is not over, what is over
        memory = bank.end(complete(engine, bank, memory_id), until)
    _show_changed(shell, "ended", memory)


def pin(shell: Shell, memory_id: MemoryId) -> None:
    """Protect a memory from all forgetting."""
    from cogmem_cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.pin(complete(engine, bank, memory_id))
    _show_changed(shell, "pinned", memory)


def unpin(shell: Shell, memory_id: MemoryId) -> None:
    """Let a pinned memory fade again."""
    from cogmem_cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.unpin(complete(engine, bank, memory_id))
    _show_changed(shell, "unpinned", memory)


def restore(shell: Shell, memory_id: MemoryId) -> None:
    """Bring back a memory that was forgotten (not with --hard), superseded or became dormant."""
    from cogmem_cli.ids import complete

    with shell.bank() as (bank, engine):
        former = bank.get(complete(engine, bank, memory_id))
        memory = bank.restore(former.id)
    _show_changed(shell, "is active already" if former.state == "active" else "restored", memory)


def _show_changed(shell: Shell, outcome: str, memory: Memory) -> None:
    shell.show({"memory": memory}, f"{outcome}  {short(memory.id)}  {line(memory.content)}")


COMMANDS = (edit, supersede, end, pin, unpin, restore)

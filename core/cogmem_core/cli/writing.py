"""Commands that change memories: init, edit, pin, unpin, restore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_core.cli.progress import loading
from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line, short

if TYPE_CHECKING:
    from cogmem_core.engine import Engine
    from cogmem_core.models import Memory

__all__ = ["MemoryId", "finish_waiting", "register"]

MemoryId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The whole id, or its first or last characters (8 or more).",
        show_default=False,
    ),
]
Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The text, or - for standard input.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "init")(init)
    command(app, "edit")(edit)
    command(app, "pin")(pin)
    command(app, "unpin")(unpin)
    command(app, "restore")(restore)


def init(shell: Shell) -> None:
    """Make the bank's folder, if it is not there yet, and say where it is."""
    from cogmem_core.cli.stored import bank_exists

    created = not bank_exists(shell.folder, shell.config())
    with shell.engine(create=True) as engine:
        database = engine.services.ledger.database
        place = str(shell.folder) if database.sqlite else database.where
        created = created or (not database.sqlite and engine.services.ledger.embedder() is None)
        if shell.embedder:
            with engine.services.ledger.writing(None) as writer:
                engine.services.guard_embedder(writer)
        fingerprint = engine.services.embedder.fingerprint
    answer = {"path": place, "created": created, "embedder": fingerprint}
    text = "made a memory bank in" if created else "there is a memory bank already in"
    shell.show(answer, f"{text} {place} (embedder {fingerprint})")


def finish_waiting(engine: Engine) -> None:
    """Finish turns of earlier commands that had no embedder.

    The engine's own worker may not live long enough.
    """
    from cogmem_core.encoding.commit import finish_queued

    while finish_queued(engine.services)[0]:
        pass


def edit(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Give a memory another text; the former one stays in its history."""
    from cogmem_core.cli.ids import complete
    from cogmem_core.cli.turns import read_text

    content = read_text(text)
    with shell.bank() as (bank, engine), loading(shell, engine):
        former = bank.get(complete(engine, bank, memory_id))
        memory = bank.edit(former.id, content)
    _show_changed(
        shell, "edited" if memory.version > former.version else "says that already", memory
    )


def pin(shell: Shell, memory_id: MemoryId) -> None:
    """Protect a memory from all forgetting."""
    from cogmem_core.cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.pin(complete(engine, bank, memory_id))
    _show_changed(shell, "pinned", memory)


def unpin(shell: Shell, memory_id: MemoryId) -> None:
    """Let a pinned memory fade again."""
    from cogmem_core.cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.unpin(complete(engine, bank, memory_id))
    _show_changed(shell, "unpinned", memory)


def restore(shell: Shell, memory_id: MemoryId) -> None:
    """Bring back a memory that was forgotten (not with --hard), superseded or became dormant."""
    from cogmem_core.cli.ids import complete

    with shell.bank() as (bank, engine):
        former = bank.get(complete(engine, bank, memory_id))
        memory = bank.restore(former.id)
    _show_changed(shell, "is active already" if former.state == "active" else "restored", memory)


def _show_changed(shell: Shell, outcome: str, memory: Memory) -> None:
    shell.show({"memory": memory}, f"{outcome}  {short(memory.id)}  {line(memory.content)}")

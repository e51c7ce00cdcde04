"""Commands about one memory: show, history, why, edit, supersede, end, pin, unpin, restore."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from cogmem_cli.ids import complete
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import changes, pairs, versions
from cogmem_cli.times import moment
from cogmem_cli.turns import read_text
from cogmem_cli.values import clean, line, short

if TYPE_CHECKING:
    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import Memory


MemoryId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The whole id, or its first or last characters (8 or more).",
        show_default=False,
    ),
]


def show(shell: Shell, memory_id: MemoryId) -> None:
    """Show every field of a memory."""
    from cogmem_core.edge.clauses import in_words, reading_of
    from cogmem_core.values.readings import shown

    with shell.bank(read_only=True) as bank:
        memory = bank.get(complete(bank, memory_id))
    fields = {item.name: getattr(memory, item.name) for item in dataclasses.fields(memory)}
    fields["clause_states"] = list(in_words(memory))
    fields["reading"] = shown(memory.content, reading_of(memory).clauses)
    shell.show({"memory": memory}, pairs(fields))


def history(shell: Shell, memory_id: MemoryId) -> None:
    """Show a memory's former texts and every change, oldest first."""
    with shell.bank(read_only=True) as bank:
        life = bank.history(complete(bank, memory_id))
    tables = [versions(life.versions)] if life.versions else []
    shell.show(life, line(life.memory.text), *tables, changes(life.changes))


def why(shell: Shell, memory_id: MemoryId) -> None:
    """Tell a memory's life: where it comes from, what happened to it, how it stands today."""
    with shell.bank(read_only=True) as bank:
        life = bank.explain(complete(bank, memory_id))
    memory = life.history.memory
    answer = {
        "memory": memory,
        "retention": life.retention,
        "story": life.story,
        "relations": life.relations,
        "versions": life.history.versions,
        "changes": life.history.changes,
    }
    shell.show(
        answer, Text(f"{memory.id}\n{clean(memory.text)}\n"), Text(clean("\n".join(life.story)))
    )


Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The text, or - for standard input.")
]


def edit(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Give a memory another text; the former one stays in its history."""
    content = read_text(text)
    with _named(shell, memory_id) as (bank, former):
        memory = bank.edit(former.id, content)
    _show_changed(
        shell, "edited" if memory.version > former.version else "says that already", memory
    )


def supersede(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Put a new memory in the place of one that no longer holds; `restore` brings that back."""
    content = read_text(text)
    with _named(shell, memory_id) as (bank, former):
        memory = bank.supersede(former.id, content)
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
    begin, until = moment(shell, "--at", at), moment(shell, "--at", at, "last")
    with _named(shell, memory_id) as (bank, former):
        now = bank.engine.services.runtime.now()
        if begin is not None and until is not None and begin <= now < until:
            until = None  # of a day that is not over, what is over
        memory = bank.end(former.id, until)
    _show_changed(shell, "ended", memory)


def pin(shell: Shell, memory_id: MemoryId) -> None:
    """Protect a memory from all forgetting."""
    with _named(shell, memory_id) as (bank, former):
        memory = bank.pin(former.id)
    _show_changed(shell, "pinned", memory)


def unpin(shell: Shell, memory_id: MemoryId) -> None:
    """Let a pinned memory fade again."""
    with _named(shell, memory_id) as (bank, former):
        memory = bank.unpin(former.id)
    _show_changed(shell, "unpinned", memory)


def restore(shell: Shell, memory_id: MemoryId) -> None:
    """Bring back a memory that was forgotten (not with --hard), superseded or became dormant."""
    with _named(shell, memory_id) as (bank, former):
        memory = bank.restore(former.id)
    _show_changed(shell, "is active already" if former.state == "active" else "restored", memory)


@contextmanager
def _named(shell: Shell, memory_id: str) -> Iterator[tuple[MemoryBank, Memory]]:
    """The bank, and the memory that was typed as it is."""
    with shell.bank() as bank, loading(shell, bank.engine):
        yield bank, bank.get(complete(bank, memory_id))


def _show_changed(shell: Shell, outcome: str, memory: Memory) -> None:
    shell.show({"memory": memory}, f"{outcome}  {short(memory.id)}  {line(memory.content)}")


COMMANDS = (
    show,
    history,
    why,
    edit,
    supersede,
    end,
    pin,
    unpin,
    restore,
)

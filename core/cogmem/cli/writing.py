"""Commands that change memories: init, remember, edit, pin, unpin, restore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem.cli.progress import bar, download, loading
from cogmem.cli.shell import Shell, command
from cogmem.cli.values import line, short
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem.bank import MemoryBank
    from cogmem.engine import Engine
    from cogmem.models import Memory, Turn
    from cogmem.results import Receipt

__all__ = ["MemoryId", "finish_waiting", "register"]

BATCH = 256
LISTED = 20

MemoryId = Annotated[
    str,
    typer.Argument(metavar="ID", help="The whole id, or its first or last characters (8 or more).", show_default=False),
]
Words = Annotated[list[str], typer.Argument(metavar="TEXT", help="The text, or - for standard input.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "init")(init)
    command(app, "remember")(remember)
    command(app, "edit")(edit)
    command(app, "pin")(pin)
    command(app, "unpin")(unpin)
    command(app, "restore")(restore)


def init(shell: Shell) -> None:
    """Make the bank's folder, if it is not there yet, and say where it is."""
    from cogmem.cli.stored import bank_exists

    created = not bank_exists(shell.folder, shell.config())
    with shell.engine(create=True) as engine:
        if shell.embedder:
            with engine.services.ledger.writing() as writer:
                engine.services.guard_embedder(writer)
        fingerprint = engine.services.embedder.fingerprint
    answer = {"path": str(shell.folder), "created": created, "embedder": fingerprint}
    said = "made a memory bank in" if created else "there is a memory bank already in"
    shell.show(answer, f"{said} {shell.folder} (embedder {fingerprint})")


def remember(  # a command's parameters are its options
    shell: Shell,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="What was said, or - for standard input.")
    ] = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="A file with one turn per line; .jsonl: objects with the fields of a Turn."),
    ] = None,
    role: Annotated[str, typer.Option(help="Who said it: user, assistant, system or tool.")] = "user",
    speaker: Annotated[str | None, typer.Option(help="The person's name.")] = None,
    at: Annotated[str | None, typer.Option(help="When it was said: ISO 8601 with a time zone. Default: now.")] = None,
    session: Annotated[str | None, typer.Option(help="The conversation that it belongs to.")] = None,
    ref: Annotated[str | None, typer.Option(help="Your own id of the turn.")] = None,
) -> None:
    """Remember what was said: one text, several quoted texts, or a file of turns."""
    from cogmem.cli.turns import moment, texts_of, turns_of_file
    from cogmem.models import Turn

    said_at = None if at is None else moment("--at", at)
    alike: dict[str, Any] = {"role": role, "speaker": speaker, "at": said_at, "session_id": session}
    if bool(text) is (file is not None):
        raise InvalidInput("give either a text (or - for standard input) or --file")
    texts = texts_of(text or [])
    if ref is not None and len(texts) != 1:
        raise InvalidInput("--ref names one turn; give the refs of several in a .jsonl file")
    turns = [("text", Turn(t, ref=ref, **alike)) for t in texts] or turns_of_file(file or Path(), alike)
    with shell.bank(create=True) as (bank, engine):
        receipts = _remembered(shell, engine, bank, turns)
        if receipts[-1].status != "queued":
            finish_waiting(engine)
    counts = dict(Counter(str(receipt.status) for receipt in receipts))
    shell.show({"receipts": receipts, "counts": counts}, *_told(receipts, counts))


def _remembered(shell: Shell, engine: Engine, bank: MemoryBank, turns: Sequence[tuple[str, Turn]]) -> list[Receipt]:
    from cogmem import checks

    # All are checked before the first is stored: a file is taken whole or not at all.
    limits = engine.services.config.limits
    checked = [checks.turn(where, turn, limits) for where, turn in turns]
    receipts: list[Receipt] = []
    with bar(shell, download(engine) or "remembering") as advance:
        for start in range(0, len(checked), BATCH):
            receipts += bank.remember(checked[start : start + BATCH]).receipts
            advance("remembering", len(receipts), len(checked))
    return receipts


def finish_waiting(engine: Engine) -> None:
    """Finish turns of earlier commands that had no embedder; the engine's own worker may not live long enough."""
    from cogmem.encoding.commit import finish_queued

    while finish_queued(engine.services)[0]:
        pass


def _told(receipts: Sequence[Receipt], counts: dict[str, int]) -> list[str]:
    told = []
    if len(receipts) <= LISTED:
        told = [_receipt(receipt) for receipt in receipts]
    if len(receipts) > 1:
        told.append(f"{len(receipts)} turns: " + ", ".join(f"{count} {status}" for status, count in counts.items()))
    return told


def _receipt(receipt: Receipt) -> str:
    ids = " ".join(short(memory_id) for memory_id in receipt.memory_ids)
    return "  ".join(part for part in (receipt.status, ids, line(receipt.reason)) if part)


def edit(shell: Shell, memory_id: MemoryId, text: Words) -> None:
    """Give a memory another text; the former one stays in its history."""
    from cogmem.cli.ids import complete
    from cogmem.cli.turns import read_text

    content = read_text(text)
    with shell.bank() as (bank, engine), loading(shell, engine):
        memory = bank.edit(complete(engine, bank, memory_id), content)
    _changed(shell, "edited", memory)


def pin(shell: Shell, memory_id: MemoryId) -> None:
    """Protect a memory from all forgetting."""
    from cogmem.cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.pin(complete(engine, bank, memory_id))
    _changed(shell, "pinned", memory)


def unpin(shell: Shell, memory_id: MemoryId) -> None:
    """Let a pinned memory fade again."""
    from cogmem.cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.unpin(complete(engine, bank, memory_id))
    _changed(shell, "unpinned", memory)


def restore(shell: Shell, memory_id: MemoryId) -> None:
    """Bring back a memory that was forgotten (not with --hard), superseded or became dormant."""
    from cogmem.cli.ids import complete

    with shell.bank() as (bank, engine):
        memory = bank.restore(complete(engine, bank, memory_id))
    _changed(shell, "restored", memory)


def _changed(shell: Shell, what: str, memory: Memory) -> None:
    shell.show({"memory": memory}, f"{what}  {short(memory.id)}  {line(memory.content)}")

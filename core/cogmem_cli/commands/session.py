"""The command `session`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import duration
from cogmem_cli.values import plain, short
from cogmem_core.errors import NotFound

if TYPE_CHECKING:
    from cogmem_core.models import ShortTerm, SynapticTag


def session(
    shell: Shell,
    session_id: Annotated[
        str, typer.Argument(metavar="SESSION_ID", help="The conversation.", show_default=False)
    ],
    *,
    limit: Annotated[
        int, typer.Option(help="At most so many of the newest turns, and as many memories.")
    ] = 200,
) -> None:
    """Show a conversation: its turns, the memories that came of it, what is tagged or kept for a short time."""
    from cogmem_cli import tables
    from cogmem_core.edge import checks
    from cogmem_core.storage.ledger.memories import Filter

    size = checks.positive("limit", limit)
    with (
        shell.bank(read_only=True) as bank,
        bank.engine.services.ledger.reading(bank.namespace) as ns,
    ):
        now = bank.engine.services.runtime.now()
        name = bank.namespace
        turns = ns.turns.of_session(session_id, size)
        memories = ns.memories.page(Filter(session_id=session_id), limit=size)
        ids = set(ns.memories.ids(Filter(session_id=session_id)))
        tags = ns.synaptic_tags.live([session_id], now)
        short_term = [
            fact
            for fact in ns.synaptic_tags.short_term()
            if fact.memory_id in ids and fact.expires_at > now
        ]
    if not turns and not ids:
        raise NotFound(
            f"no turn and no memory of session {session_id!r} in namespace {name!r}; `cogm list --json` shows the "
            "sessions"
        )
    answer = {
        "session_id": session_id,
        "turns": turns,
        "memories": memories,
        "tags": [_timed(tag, now) for tag in tags],
        "short_term": [_timed(fact, now) for fact in short_term],
    }
    marks = [_time_left(tag, "tagged", now) for tag in tags]
    marks += [_time_left(fact, "short-term", now) for fact in short_term]
    shell.show(
        answer,
        tables.turns(turns, shell.out.width) if turns else "no turn is kept",
        tables.memories(memories, shell.out.width) if memories else "no memory came of it",
        *marks,
    )
    if len(ids) > len(memories):
        shell.note(f"there are {len(ids)} memories: --limit {len(ids)}")


def _timed(mark: SynapticTag | ShortTerm, now: datetime) -> dict[str, Any]:
    minutes = int((mark.expires_at - now) / timedelta(minutes=1))
    return {**plain(mark), "minutes_left": minutes}


def _time_left(mark: SynapticTag | ShortTerm, kind: str, now: datetime) -> str:

    return f"{short(mark.memory_id)}  {kind} for another {duration(mark.expires_at - now)}"


COMMANDS = (session,)

"""The command `session`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.values import short
from cogmem_core.errors import NotFound

if TYPE_CHECKING:
    from cogmem_core.models import Episode, Memory, ShortTerm, SynapticTag


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
        "tags": [{**_fields(tag), "minutes_left": _minutes(tag.expires_at - now)} for tag in tags],
        "short_term": [
            {**_fields(fact), "minutes_left": _minutes(fact.expires_at - now)}
            for fact in short_term
        ],
    }
    marks = [
        f"{short(tag.memory_id)}  tagged for {_time_left(tag.expires_at - now)}" for tag in tags
    ]
    marks += [
        f"{short(fact.memory_id)}  short-term for {_time_left(fact.expires_at - now)}"
        for fact in short_term
    ]
    shell.show(answer, *_tables(shell, turns, memories), *marks)
    if len(ids) > len(memories):
        shell.note(f"there are {len(ids)} memories: --limit {len(ids)}")


def _fields(mark: SynapticTag | ShortTerm) -> dict[str, Any]:
    from cogmem_cli.values import plain

    return dict(plain(mark))


def _minutes(time: timedelta) -> int:
    return int(time / timedelta(minutes=1))


def _time_left(time: timedelta) -> str:
    from cogmem_cli.tables import duration

    return f"another {duration(time)}"


def _tables(
    shell: Shell, session_turns: Sequence[Episode], session_memories: Sequence[Memory]
) -> list[Any]:
    from cogmem_cli.tables import memories, turns

    parts = [turns(session_turns, shell.out.width) if session_turns else "no turn is kept"]
    return [
        *parts,
        memories(session_memories, shell.out.width) if session_memories else "no memory came of it",
    ]


COMMANDS = (session,)

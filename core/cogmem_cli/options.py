"""Options, and steps, that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

if TYPE_CHECKING:
    from cogmem_cli.shell import Shell
    from cogmem_core.engine import Engine
    from cogmem_core.models import Turn


BATCH = 256
"""Turns that one call of the bank takes."""

Spoken = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT", help="What was said: each argument is one text; - is standard input."
    ),
]
File = Annotated[
    Path | None,
    typer.Option(
        "--file", "-f", help="A file of turns; - is standard input. What it is shows by itself."
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="jsonl|json|csv|text",
        help="Of --file. jsonl: a message or a text per line; json: a list of them; csv: with a heading; text: "
        "one turn per line. Default: as its name or its content shows.",
    ),
]
Labels = Annotated[
    list[str] | None, typer.Option("--tag", help="A label of the memories; may be repeated.")
]
ValidUntil = Annotated[
    str | None,
    typer.Option(
        "--valid-until", metavar="DATE", help="Until when it is true: a day counts until it ends."
    ),
]
Role = Annotated[str, typer.Option(help="Who said it: user, assistant, system or tool.")]
Speaker = Annotated[str | None, typer.Option(help="The person's name.")]
At = Annotated[
    str | None,
    typer.Option(
        help="When it was said: 2026-05-03 18:30, yesterday, ISO 8601 ... Default: now.",
        metavar="DATE",
    ),
]
SessionId = Annotated[str | None, typer.Option(help="The conversation that it belongs to.")]


MemoryId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The whole id, or its first or last characters (8 or more).",
        show_default=False,
    ),
]
ResultCount = Annotated[int, typer.Option("-k", help="At most so many memories.")]


def shared_turn_fields(
    shell: Shell, role: str, speaker: str | None, at: str | None, session: str | None
) -> dict[str, Any]:
    """What the options say about every turn."""
    from cogmem_cli.times import moment
    from cogmem_core.edge import checks
    from cogmem_core.models import Role as Roles

    return {
        "role": checks.choice("--role", role, get_args(Roles)),
        "speaker": speaker,
        "at": moment(shell, "--at", at),
        "session_id": session,
    }


def checked_form(form: str | None) -> str | None:
    """The form of a file of turns; None = as it shows by itself."""
    from cogmem_cli.turns import FORMS
    from cogmem_core.edge import checks

    return None if form is None else checks.choice("--format", form, FORMS)


def checked_turns(engine: Engine, turns: Sequence[tuple[str, Turn]]) -> list[Turn]:
    """The turns.

    All are checked before the first is stored: a file is taken whole or not at all.
    """
    from cogmem_core.edge import checks

    return [checks.turn(where, turn, engine.services.config.limits) for where, turn in turns]


def finish_waiting(engine: Engine) -> None:
    """Finish turns of earlier commands that had no embedder.

    The engine's own worker may not live long enough.
    """
    from cogmem_core.encoding.commit import finish_queued

    while finish_queued(engine.services)[0]:
        pass

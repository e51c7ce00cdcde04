"""What an agent is to do, and how: intend, due, intentions, settle, procedures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.ids import complete_among
from cogmem_cli.options import SessionId
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.times import moment
from cogmem_cli.values import line, local, short
from cogmem_core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.models import Intention, Procedure


def intend(
    shell: Shell,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What is to come up.")],
    *,
    at: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When: tomorrow at 5 pm, friday, 2026-05-03 18:30 ..."),
    ] = None,
    when: Annotated[str | None, typer.Option(help='What must be said: "Anna calls".')] = None,
    next_session: Annotated[bool, typer.Option(help="In the next session.")] = False,
    every: Annotated[
        str | None, typer.Option(help="day, week, monday, 2 weeks, an RRULE, or session.")
    ] = None,
    times: Annotated[int | None, typer.Option(help="At most so often.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Its end.")] = None,
    zone: Annotated[str | None, typer.Option(help="Time zone of what recurs.")] = None,
    session: SessionId = None,
) -> None:
    """Have something come up later: at a moment, when something is said, or in the next session."""
    given = [name for name, value in (("--at", at), ("--when", when)) if value is not None]
    given += ["--next-session"] * next_session
    if len(given) != 1:
        raise InvalidInput(
            f"{' and '.join(given) or 'no time'} is given; give one of --at (a moment), --when (what "
            "must be said) and --next-session"
        )
    with shell.bank() as bank:
        intention = bank.intend(
            " ".join(text),
            at=moment(shell, "--at", at, ahead=True),
            when=when,
            on_session=next_session,
            every=every,
            times=times,
            until=moment(shell, "--until", until, "last", ahead=True),
            zone=zone,
            session_id=session,
        )
    shell.show(intention, f"{short(intention.id)}  {_trigger(intention)}: {line(intention.text)}")


def due(
    shell: Shell,
    turn: Annotated[
        list[str] | None, typer.Argument(metavar="TURN", help="What was just said.")
    ] = None,
    *,
    session: SessionId = None,
) -> None:
    """Hand out what is due, each intention once; `settle` says what became of it."""
    with shell.bank() as bank, loading(shell, bank.engine):
        handed_out = bank.due(" ".join(turn) if turn else None, session_id=session)
    shell.show({"due": handed_out}, _table(handed_out) if handed_out else "nothing is due")


def intentions(
    shell: Shell,
    *,
    state: Annotated[
        list[str] | None,
        typer.Option(help="Only proposed, open, due, fired, done, ...; may be given again."),
    ] = None,
) -> None:
    """List what was intended, oldest first, as it stands now."""
    with shell.bank(read_only=True) as bank:
        listed = bank.intentions(state or None)
    shell.show({"intentions": listed}, _table(listed) if listed else _none("intention", state))


def settle(
    shell: Shell,
    record_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Of an intention or a procedure: whole, or its first or last 8 characters.",
            show_default=False,
        ),
    ],
    outcome: Annotated[
        str, typer.Argument(metavar="OUTCOME", help="done, cancelled, confirmed or rejected.")
    ],
) -> None:
    """Say what became of an intention, or what you think of a procedure."""
    with shell.bank() as bank:
        ids = [intention.id for intention in bank.intentions()]
        ids += [procedure.id for procedure in bank.procedures()]
        record = bank.settle(complete_among(record_id, ids), outcome)
    shell.show(record, f"{short(record.id)}  {record.state}")


def _table(intentions: Sequence[Intention]) -> RenderableType:

    listed = ((short(i.id), i.state, _trigger(i), line(i.text)) for i in intentions)
    return rows(("id", "state", "when", "what"), listed, texts=("when", "what"))


def _trigger(intention: Intention) -> str:
    parts: list[str] = []
    if intention.when is not None:
        parts.append(f"when: {line(intention.when)}")
    elif intention.by_time and intention.at is not None:
        parts.append(local(intention.at))
    elif isinstance(intention.on_session, str):
        parts.append(f"session {line(intention.on_session)}")
    elif intention.on_session:
        parts.append("next session")
    if intention.every:
        parts.append(f"every {line(intention.every)}")
    return ", ".join(parts) or "over"


def procedures(
    shell: Shell,
    *,
    state: Annotated[
        list[str] | None,
        typer.Option(
            help="Only candidate, canary, active, retired, quarantined; may be given again."
        ),
    ] = None,
    skill: Annotated[
        str | None, typer.Option(metavar="ID", help="Print this one as SKILL.md.")
    ] = None,
) -> None:
    """List ways to do a kind of task, with what became of the tasks; `settle` releases or retires one."""
    from cogmem_core.procedures import write_skill

    with shell.bank(read_only=True) as bank:
        listed = bank.procedures(state or None)
    if skill is not None:
        chosen_id = complete_among(skill, [procedure.id for procedure in listed])
        chosen = next((one for one in listed if one.id == chosen_id), None)
        if chosen is None:
            raise NotFound(f"no procedure {skill!r}; give an id that `cogm procedures` shows")
        shell.show({"skill": write_skill(chosen)}, write_skill(chosen).rstrip())
        return
    headings = ("id", "state", "with", "without", "task", "steps")
    table = rows(headings, map(_row, listed), texts=("task", "steps"))
    shell.show({"procedures": listed}, table if listed else _none("procedure", state))


def _none(kind: str, states: list[str] | None) -> str:
    return f"no such {kind}" if states else f"no {kind} yet"


def _row(procedure: Procedure) -> tuple[str, ...]:
    outcomes = procedure.outcomes
    return (
        short(procedure.id),
        procedure.state,
        f"{outcomes.shown_ok} of {outcomes.shown}",
        f"{outcomes.hidden_ok} of {outcomes.hidden}",
        line(procedure.trigger),
        line(" > ".join(procedure.steps)),
    )


COMMANDS = (
    intend,
    due,
    intentions,
    settle,
    procedures,
)

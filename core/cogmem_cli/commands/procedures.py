"""The command `procedures`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.ids import complete_among
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import line, short

if TYPE_CHECKING:
    from cogmem_core.models import Procedure


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
        chosen = next(procedure for procedure in listed if procedure.id == chosen_id)
        shell.show({"skill": write_skill(chosen)}, write_skill(chosen).rstrip())
        return
    headings = ("id", "state", "with", "without", "task", "steps")
    table = rows(headings, map(_row, listed), texts=("task", "steps"))
    shell.show({"procedures": listed}, table if listed else "no such procedure")


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


COMMANDS = (procedures,)

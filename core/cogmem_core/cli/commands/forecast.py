"""The command `forecast`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line, local_day, short

if TYPE_CHECKING:
    from cogmem_core.results import ForecastEvent

__all__ = ["register"]

Days = Annotated[float, typer.Option(help="How far to look.")]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "forecast")(forecast)


def forecast(
    shell: Shell,
    *,
    days: Days = 90,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 20,
) -> None:
    """Show what becomes of each memory if nobody uses it: which fade, go dormant or end, and when."""
    from cogmem_core.cli.tables import rows

    with shell.bank(read_only=True, must_exist=True) as (bank, _):
        prediction = bank.forecast(days, limit=limit)
    headings = ("when", "what", "id", "memory", "why")
    table = rows(headings, map(_event_row, prediction.events), texts=("memory", "why"))
    shell.show(prediction, table if prediction.events else f"nothing changes within {days:g} days")
    if prediction.more:
        shell.note(f"there are {prediction.more} more: --limit {limit + prediction.more}")


def _event_row(event: ForecastEvent) -> tuple[str, ...]:
    return (
        local_day(event.when),
        event.what,
        short(event.memory_id),
        line(event.content),
        event.why,
    )

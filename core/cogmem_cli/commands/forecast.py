"""The command `forecast`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import bars, rows
from cogmem_cli.values import line, local_day, plain, short
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.results import Forecast, ForecastEvent


Days = Annotated[float, typer.Option(help="How far to look.")]
_ALL = 1_000_000
_PERIODS = 6


def forecast(
    shell: Shell,
    *,
    days: Days = 90,
    limit: Annotated[int, typer.Option(help="Show so many of the nearest.")] = 10,
) -> None:
    """Show what becomes of memories if nobody uses them: how many fade, go dormant or end, and when."""
    with shell.bank(read_only=True, must_exist=True) as bank:
        prediction = bank.forecast(days, limit=max(limit, _ALL) if limit > 0 else limit)
    nearest = replace(
        prediction,
        events=prediction.events[:limit],
        more=prediction.more + max(0, len(prediction.events) - limit),
    )
    answer = {**plain(nearest), "counts": prediction.counts}
    if not prediction.events:
        shell.show(answer, f"nothing changes within {days:g} days")
        return
    headings = ("when", "what", "id", "memory", "why")
    table = rows(headings, map(_event_row, nearest.events), texts=("memory", "why"))
    total = counted(len(prediction.events), "change", "changes")
    shell.show(
        answer,
        f"{total} within {days:g} days",
        bars("what", prediction.counts),
        bars("until", _by_period(prediction)),
        f"the nearest {len(nearest.events)}:",
        table,
    )
    if nearest.more:
        shell.note(f"there are {nearest.more} more: --limit {limit + nearest.more}")


def _by_period(prediction: Forecast) -> dict[str, int]:
    """How many events there are in each part of the time, by its end."""
    length = (prediction.until - prediction.since) / _PERIODS
    ends = [prediction.since + length * part for part in range(1, _PERIODS + 1)]
    counts = [0] * _PERIODS
    for event in prediction.events:
        counts[min(_PERIODS - 1, max(0, int((event.when - prediction.since) / length)))] += 1
    return {local_day(end): count for end, count in zip(ends, counts, strict=True)}


def _event_row(event: ForecastEvent) -> tuple[str, ...]:
    return (
        local_day(event.when),
        event.what,
        short(event.memory_id),
        line(event.content),
        event.why,
    )


COMMANDS = (forecast,)

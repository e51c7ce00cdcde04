"""Reports of simulated lives over several seeds: means with intervals, as JSON and as tables."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.evaluation.lifecycle import KEPT, LATE_DAYS, SimulatedLife

__all__ = ["Interval", "LifecycleReport", "Row", "as_dict", "interval", "render", "report"]

# Student's t, two-sided 95 %, by degrees of freedom from 1; beyond the table the normal
# distribution is close enough.
# fmt: off
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
# fmt: on
_NORMAL = 1.960

_FIGURES: dict[str, Callable[[SimulatedLife], float]] = {
    "recall@5": lambda life: life.late.recall,
    "mrr": lambda life: life.late.mrr,
    "stale": lambda life: life.late.stale,
    "stale first": lambda life: life.late.stale_first,
    "end recall@5": lambda life: life.end.recall,
    "end mrr": lambda life: life.end.mrr,
    "end stale": lambda life: life.end.stale,
    "end stale first": lambda life: life.end.stale_first,
    "active": lambda life: float(life.active),
    "bytes": lambda life: float(life.bytes),
    "critical lost": lambda life: float(life.lost),
    "resolved": lambda life: life.resolved,
    "llm calls": lambda life: float(life.llm_calls),
    "seconds": lambda life: life.seconds,
    "dream seconds": lambda life: life.dream_seconds,
}
_WHOLE = ("active", "bytes", "critical lost", "llm calls", "seconds", "dream seconds")
_SHARES = tuple(name for name in _FIGURES if name not in _WHOLE)
_COMPARED = (*_SHARES, "critical lost")
_OF_KEPT = "active, share of kept"


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over seeds and its 95 % t-interval; without bounds if there is one seed only."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration.

    Attributes:
        figures: by name, see `render`; shares are 0..1.
        against_kept: differences to `kept` on the same seeds, and how many memories are active for
            each that is active there; empty if `kept` was not simulated.
        did: what the dreams did, in all seeds.
        troubles: why steps of them failed.
    """

    setup: str
    figures: Mapping[str, Interval]
    against_kept: Mapping[str, Interval]
    did: Mapping[str, int]
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LifecycleReport:
    """What `cogm eval lifecycle` returns.

    `lives`: every single one, from which the rows were made.
    """

    seeds: int
    days: int
    embedder: str
    rows: tuple[Row, ...]
    lives: tuple[SimulatedLife, ...]


def interval(values: Sequence[float]) -> Interval:
    """The mean and its 95 % t-interval, mean ± t·s/√n.

    Raises:
        ValueError: there is no value.
    """
    if not values:
        raise ValueError("there is no value to estimate a mean from; pass at least one")
    mean = statistics.fmean(values)
    if len(values) == 1:
        return Interval(mean)
    freedom = len(values) - 1
    t = _T[freedom - 1] if freedom <= len(_T) else _NORMAL
    spread = t * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - spread, mean + spread)


def report(lives: Sequence[SimulatedLife], *, days: int, embedder: str) -> LifecycleReport:
    """Put the lives of all seeds together, one row per configuration."""
    lives_by_setup: dict[str, list[SimulatedLife]] = {}
    for life in lives:
        lives_by_setup.setdefault(life.setup, []).append(life)
    base_of_seed = {life.seed: life for life in lives_by_setup.get(KEPT, ())}
    rows = tuple(_row(group, base_of_seed) for group in lives_by_setup.values())
    seeds = {life.seed for life in lives}
    return LifecycleReport(len(seeds), days, embedder, rows, tuple(lives))


def _row(lives: Sequence[SimulatedLife], base_of_seed: Mapping[int, SimulatedLife]) -> Row:
    figures: dict[str, Interval] = {}
    for name, figure in _FIGURES.items():
        figures[name] = interval(list(map(figure, lives)))
    did: Counter[str] = Counter()
    for life in lives:
        did.update(life.did)
    troubles = dict.fromkeys(chain.from_iterable(life.troubles for life in lives))
    against_kept = {} if lives[0].setup == KEPT else _differences(lives, base_of_seed)
    return Row(lives[0].setup, figures, against_kept, dict(+did), tuple(troubles))


def _differences(
    lives: Sequence[SimulatedLife], base_of_seed: Mapping[int, SimulatedLife]
) -> dict[str, Interval]:
    pairs = [(life, base_of_seed[life.seed]) for life in lives if life.seed in base_of_seed]
    differences: dict[str, list[float]] = {}
    for name in _COMPARED:
        figure = _FIGURES[name]
        differences[name] = [figure(life) - figure(base) for life, base in pairs]
    differences[_OF_KEPT] = [life.active / base.active for life, base in pairs if base.active]
    return {name: interval(values) for name, values in differences.items() if values}


def as_dict(report: LifecycleReport) -> dict[str, Any]:
    """The report as JSON values; the keys are the field names."""
    return dataclasses.asdict(report)


def render(report: LifecycleReport) -> RenderableType:
    """The report as tables for a rich console; shares are printed in percent."""
    heading = Text(
        f"{report.seeds} lives of {report.days} days per configuration, embedder "
        f"{report.embedder}\n"
        f"recall@5, mrr, stale: questions of the last {LATE_DAYS} days; end: all topics on the "
        "last evening\n"
        "stale: a former value among the best five; stale first: above the present one (of "
        "questions that have one)\n"
        "resolved: former values that nothing active states alone"
    )
    parts: list[RenderableType] = [
        heading,
        _table("Means with 95 % t-intervals over seeds", report.rows, compared=False),
    ]
    compared = [row for row in report.rows if row.against_kept]
    if compared:
        parts.append(
            _table("Differences to kept, paired by seed, 95 % t-intervals", compared, compared=True)
        )
    return Group(*parts, *(_deeds(row) for row in report.rows if row.did or row.troubles))


def _table(title: str, rows: Sequence[Row], *, compared: bool) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    table.add_column("", no_wrap=True)
    for row in rows:
        table.add_column(
            row.setup.replace("+", "+\n").replace("-", "-\n"), justify="right", no_wrap=True
        )
    values = [row.against_kept if compared else row.figures for row in rows]
    for name in values[0]:
        table.add_row(
            name, *(_cell(name, intervals[name], compared=compared) for intervals in values)
        )
    return table


def _cell(name: str, value: Interval, *, compared: bool) -> str:
    share = name in _SHARES or name == _OF_KEPT
    scale, digits = (100.0, 1) if share else (1.0, 0 if value.mean >= 100 else 1)
    sign = "+" if compared and name != _OF_KEPT else ""
    mean = f"{scale * value.mean:{sign}.{digits}f}"
    if value.low is None or value.high is None:
        return mean
    return f"{mean}\n{scale * value.low:{sign}.{digits}f} .. {scale * value.high:{sign}.{digits}f}"


def _deeds(row: Row) -> Text:
    did = ", ".join(
        f"{count} {name}" for name, count in sorted(row.did.items(), key=lambda item: -item[1])
    )
    lines = [
        f"{row.setup}: {did or 'nothing was done'}",
        *(f"  failed: {trouble}" for trouble in row.troubles),
    ]
    return Text("\n".join(lines))

"""What simulated lives came to, over several seeds: means with intervals, as values, as JSON and as tables."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.evaluation.lifecycle import KEPT, LATE_DAYS, Outcome

__all__ = ["Interval", "LifecycleReport", "Row", "as_dict", "interval", "render", "report"]

# Student's t, two-sided 95 %, by degrees of freedom from 1; beyond the table the normal
# distribution is close enough.
_T = (
    *(
        12.706,
        4.303,
        3.182,
        2.776,
        2.571,
        2.447,
        2.365,
        2.306,
        2.262,
        2.228,
        2.201,
        2.179,
        2.160,
        2.145,
        2.131,
    ),
    *(
        2.120,
        2.110,
        2.101,
        2.093,
        2.086,
        2.080,
        2.074,
        2.069,
        2.064,
        2.060,
        2.056,
        2.052,
        2.048,
        2.045,
        2.042,
    ),
)
_NORMAL = 1.960

_FIGURES: dict[str, Callable[[Outcome], float]] = {
    "recall@5": lambda one: one.late.recall,
    "mrr": lambda one: one.late.mrr,
    "stale": lambda one: one.late.stale,
    "stale first": lambda one: one.late.stale_first,
    "end recall@5": lambda one: one.end.recall,
    "end mrr": lambda one: one.end.mrr,
    "end stale": lambda one: one.end.stale,
    "end stale first": lambda one: one.end.stale_first,
    "active": lambda one: float(one.active),
    "bytes": lambda one: float(one.bytes),
    "critical lost": lambda one: float(one.lost),
    "resolved": lambda one: one.resolved,
    "llm calls": lambda one: float(one.llm_calls),
    "seconds": lambda one: one.seconds,
    "dream seconds": lambda one: one.dream_seconds,
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
    lives: tuple[Outcome, ...]


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


def report(lives: Sequence[Outcome], *, days: int, embedder: str) -> LifecycleReport:
    """Put the lives of all seeds together, one row per configuration."""
    names = list(dict.fromkeys(one.setup for one in lives))
    rows = tuple(_row([one for one in lives if one.setup == name], lives) for name in names)
    return LifecycleReport(len({one.seed for one in lives}), days, embedder, rows, tuple(lives))


def _row(own: Sequence[Outcome], lives: Sequence[Outcome]) -> Row:
    kept = {one.seed: one for one in lives if one.setup == KEPT}
    pairs = [(one, kept[one.seed]) for one in own if one.seed in kept and one.setup != KEPT]
    differences = {
        name: [_FIGURES[name](one) - _FIGURES[name](base) for one, base in pairs]
        for name in _COMPARED
    }
    differences[_OF_KEPT] = [one.active / base.active for one, base in pairs if base.active]
    return Row(
        setup=own[0].setup,
        figures={name: interval([figure(one) for one in own]) for name, figure in _FIGURES.items()},
        against_kept={name: interval(values) for name, values in differences.items() if values},
        did=dict(sum((Counter(one.did) for one in own), Counter[str]())),
        troubles=tuple(dict.fromkeys(trouble for one in own for trouble in one.troubles)),
    )


def as_dict(found: LifecycleReport) -> dict[str, Any]:
    """The report as JSON values; the keys are the field names."""
    return dataclasses.asdict(found)


def render(found: LifecycleReport) -> RenderableType:
    """The report as tables for a rich console; shares are printed in percent."""
    heading = Text(
        f"{found.seeds} lives of {found.days} days per configuration, embedder {found.embedder}\n"
        f"recall@5, mrr, stale: questions of the last {LATE_DAYS} days; end: all topics on the "
        "last evening\n"
        "stale: a former value among the best five; stale first: above the present one (of "
        "questions that have one)\n"
        "resolved: former values that nothing active states alone"
    )
    parts: list[RenderableType] = [
        heading,
        _table("Means with 95 % t-intervals over seeds", found.rows, compared=False),
    ]
    compared = [row for row in found.rows if row.against_kept]
    if compared:
        parts.append(
            _table("Differences to kept, paired by seed, 95 % t-intervals", compared, compared=True)
        )
    return Group(*parts, *(_deeds(row) for row in found.rows if row.did or row.troubles))


def _table(title: str, rows: Sequence[Row], *, compared: bool) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    table.add_column("", no_wrap=True)
    for row in rows:
        table.add_column(
            row.setup.replace("+", "+\n").replace("-", "-\n"), justify="right", no_wrap=True
        )
    values = [row.against_kept if compared else row.figures for row in rows]
    for name in values[0]:
        table.add_row(name, *(_cell(name, some[name], compared=compared) for some in values))
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

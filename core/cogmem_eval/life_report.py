"""What lives came to, configuration by configuration, as values, as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.base.grouping import grouped
from cogmem_eval.life_runs import DEPTH, EVERYTHING, KEPT, LifeResult
from cogmem_eval.metrics import Estimate, estimate


@dataclass(frozen=True, slots=True)
class LivesRow:
    """One configuration, over all lives; an estimate is None if nothing was there to measure.

    Attributes:
        recall: recall@3 of what probes expect, 0..1.
        against_kept: the paired difference of it to `kept`; None without `kept`, and for it.
        against_everything: that to `everything`.
        former_first: share of the probes with a former value that find it above the expected one.
        answered: share of the questions that were shown something their answer rests on.
        vital: how many vital facts the lives have.
        lost: those that no current memory holds at the end, each with its life.
        active: memories that questions can find at the end.
        did: what the cycles did, by step and kind, such as "expiry: expired".
        troubles: why steps of them failed.
        tokens: of a context block; None without probes.
    """

    setup: str
    recall: Estimate | None
    against_kept: Estimate | None
    against_everything: Estimate | None
    former_first: Estimate | None
    answered: Estimate | None
    vital: int
    lost: tuple[str, ...]
    active: int
    did: Mapping[str, int]
    troubles: tuple[str, ...]
    tokens: Estimate | None


@dataclass(frozen=True, slots=True)
class LivesReport:
    """What `cogm eval lives` returns.

    Attributes:
        probes: how many were asked with each configuration.
        former: how many of them have a former value.
        results: every single life, from which the rows were made.
    """

    embedder: str
    lives: int
    probes: int
    former: int
    questions: int
    rows: tuple[LivesRow, ...]
    results: tuple[LifeResult, ...]


def report(results: Sequence[LifeResult], *, embedder: str) -> LivesReport:
    """Put lives together, one row per configuration.

    Args:
        results: at least one; with each configuration the same lives in the same order.
        embedder: its fingerprint.
    """
    by_setup = grouped((result.setup, result) for result in results)
    baselines = {name: _all(by_setup.get(name, ()), "recall") for name in (KEPT, EVERYTHING)}
    some = next(iter(by_setup.values()))
    return LivesReport(
        embedder=embedder,
        lives=len(some),
        probes=len(_all(some, "recall")),
        former=len(_former(some)),
        questions=sum(len(result.answered) for result in some),
        rows=tuple(_row(group, baselines) for group in by_setup.values()),
        results=tuple(results),
    )


def _row(results: Sequence[LifeResult], baselines: Mapping[str, Sequence[float]]) -> LivesRow:
    did: Counter[str] = Counter()
    lost: list[str] = []
    for result in results:
        did.update(result.did)
        lost += [f"{result.life}: {fact}" for fact in result.lost]
    recalls = _all(results, "recall")
    gains: dict[str, list[float]] = {}
    for name, baseline in baselines.items():
        is_other = bool(baseline) and results[0].setup != name
        gains[name] = [a - b for a, b in zip(recalls, baseline, strict=True)] if is_other else []
    return LivesRow(
        setup=results[0].setup,
        recall=_estimate(recalls),
        against_kept=_estimate(gains[KEPT]),
        against_everything=_estimate(gains[EVERYTHING]),
        former_first=_estimate(_former(results)),
        answered=_estimate(_all(results, "answered")),
        vital=sum(result.vital for result in results),
        lost=tuple(lost),
        active=sum(result.active for result in results),
        did=dict(did),
        troubles=tuple(dict.fromkeys(_all(results, "troubles"))),
        tokens=_estimate(_all(results, "tokens")),
    )


def _former(results: Sequence[LifeResult]) -> list[bool]:
    return [value for value in _all(results, "former_first") if value is not None]


def _all(results: Sequence[LifeResult], field: str) -> list[Any]:
    """What a field holds, of one life after the other."""
    return list(chain.from_iterable(map(attrgetter(field), results)))


def _estimate(values: Sequence[float]) -> Estimate | None:
    return estimate(values) if values else None


def render(report: LivesReport) -> RenderableType:
    """The report as a table for a rich console; shares are printed in percent."""
    heading = Text(
        f"{report.lives} lives, {report.probes} probes, {report.former} of them with a former "
        f"value, {report.questions} questions answered in life; embedder {report.embedder}"
    )
    table = Table(title="Means with 95 % bootstrap intervals, percent", box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    for row in report.rows:
        table.add_column(row.setup, justify="right", no_wrap=True)
    table.add_row(f"recall@{DEPTH}", *(_percent(row.recall) for row in report.rows))
    for name, gains in (
        (EVERYTHING, [row.against_everything for row in report.rows]),
        (KEPT, [row.against_kept for row in report.rows]),
    ):
        if any(gains):
            table.add_row(f"difference to {name}", *(_percent(gain, "+") for gain in gains))
    table.add_row("former value first", *(_percent(row.former_first) for row in report.rows))
    table.add_row("answered in life", *(_percent(row.answered) for row in report.rows))
    table.add_row("vital facts lost", *(f"{len(row.lost)} of {row.vital}" for row in report.rows))
    table.add_row(
        "tokens of context",
        *(("-" if row.tokens is None else f"{row.tokens.mean:,.0f}") for row in report.rows),
    )
    table.add_row("active at the end", *(f"{row.active:,}" for row in report.rows))
    return Group(heading, table, *map(_deeds, report.rows))


def _percent(value: Estimate | None, sign: str = "") -> str:
    if value is None:
        return "-"
    mean, low, high = (f"{100 * share:{sign}.1f}" for share in (value.mean, value.low, value.high))
    return f"{mean}\n{low} .. {high}"


def _deeds(row: LivesRow) -> Text:
    counts = sorted(row.did.items(), key=lambda item: -item[1])
    did = ", ".join(f"{name} {count}" for name, count in counts)
    lines = [
        f"{row.setup}: {did or 'nothing was changed'}",
        *(f"  lost: {fact}" for fact in row.lost),
        *(f"  failed: {trouble}" for trouble in row.troubles),
    ]
    return Text("\n".join(lines))

"""The result of an evaluation, as values, as a table for people and as JSON for programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_eval.metrics import Estimate


@dataclass(frozen=True, slots=True)
class Score:
    """All metrics over one group of questions.

    Attributes:
        name: "overall", or the category's name in LoCoMo.
        questions: how many were scored.
        metrics: mean and interval by metric name (`recall@5`, `hit@5`, ..., `mrr`, `ndcg@10`),
            0..1; empty if there was no question.
    """

    name: str
    questions: int
    metrics: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall-clock time: total seconds; median and 95th percentile of a recall in milliseconds."""

    ingest_seconds: float
    recall_seconds: float
    recall_p50_ms: float
    recall_p95_ms: float


@dataclass(frozen=True, slots=True)
class Ablation:
    """The loss (negative) or gain when one signal is switched off, over categories 1-4.

    The interval is that of the paired difference: if it holds 0, these questions do not settle the
    signal's worth.
    """

    signal: str
    recall_at_10: Estimate
    mrr: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the confidences can be trusted, over the ten best results of each question.

    Attributes:
        results: how many results were looked at, those withheld included.
        error: expected calibration error, 0..1: how far confidences are from the share of results
            that hold the answer.
        brier: the mean squared difference, 0..1.
        floor_cost: recall@10 that is lost because unlikely results are withheld.
        strangers: questions asked that nothing here can answer.
        surfaced: the share of them that got a result, 0..1.
    """

    results: int
    error: float
    brier: float
    floor_cost: Estimate
    strangers: int
    surfaced: float


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """How well the evidence of a file's questions was recalled.

    Attributes:
        merged: all conversations shared one bank.
        left_out: questions without any evidence that exists; not scored.
        unknown_evidence: evidence ids that no turn has; dropped.
        embedder: fingerprint of the engine's embedder.
        overall: categories 1-4.
        by_category: each of them that has a question.
        adversarial: category 5, apart.
        ablations: one per signal, if asked for.
    """

    file: str
    ks: tuple[int, ...]
    merged: bool
    conversations: int
    turns: int
    left_out: int
    unknown_evidence: int
    embedder: str
    overall: Score
    by_category: tuple[Score, ...]
    adversarial: Score
    timing: Timing
    calibration: Calibration
    ablations: tuple[Ablation, ...] = ()


def as_dict(report: EvaluationReport) -> dict[str, Any]:
    """The report as JSON values; the keys are the field names."""
    return dataclasses.asdict(report)


def render(report: EvaluationReport) -> RenderableType:
    """The report as tables for a rich console; shares are printed in percent."""
    parts: list[RenderableType] = [_heading(report), _scores(report), _trust(report.calibration)]
    if report.ablations:
        parts.append(_ablations(report))
    parts.append(
        Text(
            f"ingested in {report.timing.ingest_seconds:.1f} s, recalled in {report.timing.recall_seconds:.1f} s "
            f"(p50 {report.timing.recall_p50_ms:.1f} ms, p95 {report.timing.recall_p95_ms:.1f} ms per question)"
        )
    )
    return Group(*parts)


def _heading(report: EvaluationReport) -> Text:
    questions = report.overall.questions + report.adversarial.questions
    place = "in one bank" if report.merged else "in banks of their own"
    lines = [
        f"{report.file}: {report.conversations} conversations {place}, {report.turns} turns, "
        f"{questions} questions",
        f"embedder {report.embedder}",
    ]
    if report.left_out or report.unknown_evidence:
        lines.append(
            f"left out: {report.left_out} without evidence; "
            f"dropped: {report.unknown_evidence} evidence ids that no turn has"
        )
    return Text("\n".join(lines))


def _scores(report: EvaluationReport) -> Table:
    table = Table(
        title="Evidence recall, percent, with 95 % intervals",
        box=box.SIMPLE_HEAD,
        padding=(0, 0, 0, 1),
    )
    table.add_column("", no_wrap=True)
    groups = [
        group
        for group in (*report.by_category, report.overall, report.adversarial)
        if group.questions
    ]
    for group in groups:
        style = "bold" if group is report.overall else None
        table.add_column(group.name.replace("-", "-\n"), justify="right", style=style, no_wrap=True)
    table.add_row("questions", *(str(group.questions) for group in groups), end_section=True)
    for metric in report.overall.metrics:
        table.add_row(metric, *(_percent(group.metrics[metric]) for group in groups))
    return table


def _percent(value: Estimate) -> str:
    mean, low, high = (
        f"{100 * share:.1f}".replace("100.0", "100")
        for share in (value.mean, value.low, value.high)
    )
    return f"{mean}\n{low}-{high}"


def _ablations(report: EvaluationReport) -> Table:
    table = Table(
        title="Difference without one signal, points [95 % interval]", box=box.SIMPLE_HEAD
    )
    table.add_column("signal off")
    table.add_column("recall@10", justify="right")
    table.add_column("mrr", justify="right")
    for ablation in report.ablations:
        table.add_row(ablation.signal, _points(ablation.recall_at_10), _points(ablation.mrr))
    return table


def _points(value: Estimate) -> str:
    return f"{100 * value.mean:+.1f} [{100 * value.low:+.1f}, {100 * value.high:+.1f}]"


def _trust(calibration: Calibration) -> Text:
    lines = [
        f"confidence: expected calibration error {calibration.error:.3f}, Brier score "
        f"{calibration.brier:.3f} "
        f"over {calibration.results} results",
        f"withholding costs {_points(calibration.floor_cost)} points of recall@10",
    ]
    if calibration.strangers:
        lines.append(
            f"{100 * calibration.surfaced:.1f} % of {calibration.strangers} questions that nothing "
            "here "
            "answers got a result"
        )
    return Text("\n".join(lines) + "\n")

"""Scores how well a memory recalls the evidence of LoCoMo's questions.

No language model is called, and no answer is judged. Every turn of a conversation is remembered in
the configured mode, every question is recalled, and the refs of what was found are compared with
the refs that hold the answer. Questions are asked at the engine's present, and strength starts when
the engine learns a memory, so nothing has faded however old the conversation is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.base.runtime import monotonic
from cogmem_core.config import BoostConfig, Config, Route, RoutesConfig
from cogmem_core.config.loading import load_config
from cogmem_core.engine import Engine
from cogmem_core.errors import InvalidInput
from cogmem_core.maths.calibration import brier, expected_calibration_error
from cogmem_core.retrieval.recall import Recall
from cogmem_eval.conversations import (
    CATEGORY_NAMES,
    LocomoConversation,
    LocomoQuestion,
    load,
    one_bank,
    questions_elsewhere,
)
from cogmem_eval.metrics import (
    NDCG_DEPTH,
    Estimate,
    estimate,
    metric_names,
    question_scores,
    recall_at,
)
from cogmem_eval.reading import Progress, ignore


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
    ablations: tuple[Ablation, ...]


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


EngineFactory = Callable[[Config], Engine]

ADVERSARIAL = 5
DEFAULT_KS = (5, 10, 20)
ABLATION_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Extras:
    """Optional measurements, which take more time.

    Attributes:
        ablate: also recall with each signal, and each step that orders or leaves out, switched off
            in turn.
        unrelated: questions that no conversation can answer; asked of each bank, to see how often
            it stays quiet. If there are none, each bank is asked questions of the other
            conversations.
    """

    ablate: bool = False
    unrelated: Sequence[str] = ()


NONE = Extras()


def evaluate(
    path: str | Path,
    *,
    engine_factory: EngineFactory,
    ks: Sequence[int] = DEFAULT_KS,
    merged: bool = False,
    extras: Extras = NONE,
    progress: Progress = ignore,
) -> EvaluationReport:
    """Score evidence recall on a file in LoCoMo format.

    Args:
        path: the file.
        engine_factory: opens an empty engine, best in memory, for the configuration it is given
            (that of the environment, or a variation of it); the engine is closed afterwards. Called
            once, and once more per signal if `extras.ablate`: let the engines share a
            `MemoizedEmbedder`, and each text is embedded once.
        ks: the k of recall@k and hit@k, each 1 or more.
        merged: all conversations in one bank, refs prefixed "<sample id>/"; otherwise one namespace
            each.
        extras: what else is measured.
        progress: called with (stage, done, total), where a stage is "remember" or "recall",
            followed by " without <signal>" during an ablation.

    Raises:
        InvalidInput: the file is not in LoCoMo format, or a k is out of bounds.
    """
    ks = _checked(ks)
    conversations = load(path)
    questions = chain.from_iterable(talk.questions for talk in conversations)
    if all(question.category == ADVERSARIAL for question in questions):
        raise InvalidInput(
            f"{path}: no question of categories 1-4 has evidence that exists; there is nothing to score"
        )
    banks = one_bank(conversations) if merged else conversations
    task = _Task(banks, ks, progress)
    config = load_config()
    strangers = questions_elsewhere(banks)
    if extras.unrelated:
        strangers = {bank.id: tuple(extras.unrelated) for bank in banks}
    answers = _run(engine_factory(config), replace(task, strangers=strangers), "")
    ablations: list[Ablation] = []
    if extras.ablate:
        for signal, varied in _without_each(config):
            varied_answers = _run(engine_factory(varied), task, f" without {signal}")
            ablations.append(_difference(signal, varied_answers, answers))
    overall = [answer for answer in answers.scored if answer.category != ADVERSARIAL]
    adversarial = [answer for answer in answers.scored if answer.category == ADVERSARIAL]
    return EvaluationReport(
        file=str(path),
        ks=ks,
        merged=merged,
        conversations=len(conversations),
        turns=sum(len(session.turns) for talk in conversations for session in talk.sessions),
        left_out=sum(conversation.left_out for conversation in conversations),
        unknown_evidence=sum(conversation.unknown_evidence for conversation in conversations),
        embedder=answers.embedder,
        overall=_score("overall", overall, ks),
        by_category=_by_category(overall, ks),
        adversarial=_score(CATEGORY_NAMES[ADVERSARIAL], adversarial, ks),
        timing=answers.timing,
        calibration=_calibration(answers, overall),
        ablations=tuple(ablations),
    )


@dataclass(frozen=True, slots=True)
class _Task:
    """What is remembered and asked, bank by bank, and at which depths it is scored."""

    banks: tuple[LocomoConversation, ...]
    ks: tuple[int, ...]
    progress: Progress
    strangers: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The scores of one question.

    Attributes:
        unfiltered: recall at `ABLATION_DEPTH` if no result had been withheld.
        judgements: of each of the best results its confidence, and whether it holds the answer.
    """

    category: int
    scores: dict[str, float]
    unfiltered: float
    judgements: tuple[tuple[float, bool], ...]


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers of one run, in the order of the questions.

    `quiet`: of each stranger whether it got no result.
    """

    scored: tuple[_Answer, ...]
    embedder: str
    timing: Timing
    quiet: tuple[bool, ...]


def _checked(ks: Sequence[int]) -> tuple[int, ...]:
    if not ks or any(isinstance(k, bool) or not isinstance(k, int) or k < 1 for k in ks):
        raise InvalidInput(f"ks is {tuple(ks)!r}; pass at least one integer, each 1 or more")
    return tuple(sorted(set(ks)))


def _run(engine: Engine, task: _Task, suffix: str) -> _Answers:
    """Remember everything, ask everything, close the engine."""
    with engine:
        ingest_seconds = _remember(engine, task, f"remember{suffix}")
        scored, seconds = _ask(engine, task, f"recall{suffix}")
        quiet = tuple(_stay_quiet(engine, task))
        embedder = str(engine.bank(task.banks[0].id).health()["embedder"])
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000 if seconds else (0.0, 0.0)
    return _Answers(
        tuple(scored), embedder, Timing(ingest_seconds, sum(seconds), float(p50), float(p95)), quiet
    )


def _remember(engine: Engine, task: _Task, stage: str) -> float:
    """Remember each session as one batch.

    Returns the seconds until the engine had nothing left to do.
    """
    started = monotonic()
    work = [(bank.id, session) for bank in task.banks for session in bank.sessions]
    for number, (namespace, session) in enumerate(work, start=1):
        engine.bank(namespace).remember(list(session.turns))
        task.progress(stage, number, len(work))
    engine.flush()
    return monotonic() - started


def _ask(engine: Engine, task: _Task, stage: str) -> tuple[list[_Answer], list[float]]:
    """Recall each question; returns the scores and the seconds that each recall took."""
    answers: list[_Answer] = []
    seconds: list[float] = []
    depth = max(*task.ks, NDCG_DEPTH, ABLATION_DEPTH)
    work = [(engine.bank(bank.id), question) for bank in task.banks for question in bank.questions]
    for number, (bank, question) in enumerate(work, start=1):
        started = monotonic()
        recall = bank.recall(question.text, k=depth)
        seconds.append(monotonic() - started)
        answers.append(_answer(recall, question, task.ks))
        task.progress(stage, number, len(work))
    return answers, seconds


def _answer(recall: Recall, question: LocomoQuestion, ks: Sequence[int]) -> _Answer:
    results = sorted((*recall.results, *recall.withheld), key=lambda result: -result.score)
    all_refs = [result.refs for result in results]
    unfiltered = recall_at(all_refs, question.evidence, ABLATION_DEPTH)
    judgements = tuple(
        (result.confidence, not question.evidence.isdisjoint(result.refs))
        for result in results[:ABLATION_DEPTH]
    )
    ranking = [result.refs for result in recall.results]
    scores = question_scores(ranking, question.evidence, sorted({*ks, ABLATION_DEPTH}))
    return _Answer(question.category, scores, unfiltered, judgements)


def _stay_quiet(engine: Engine, task: _Task) -> Iterator[bool]:
    """Ask what nobody here can answer."""
    work = [(engine.bank(name), text) for name, texts in task.strangers.items() for text in texts]
    for number, (bank, text) in enumerate(work, start=1):
        yield not bank.recall(text, k=ABLATION_DEPTH).results
        task.progress("strangers", number, len(work))


def _calibration(answers: _Answers, scored: Sequence[_Answer]) -> Calibration:
    judgements = list(chain.from_iterable(answer.judgements for answer in scored))
    confidences = [confidence for confidence, _ in judgements]
    relevant = [is_relevant for _, is_relevant in judgements]
    metric = f"recall@{ABLATION_DEPTH}"
    return Calibration(
        results=len(judgements),
        error=expected_calibration_error(confidences, relevant) if judgements else 0.0,
        brier=brier(confidences, relevant) if judgements else 0.0,
        floor_cost=estimate([answer.unfiltered - answer.scores[metric] for answer in scored]),
        strangers=len(answers.quiet),
        surfaced=answers.quiet.count(False) / len(answers.quiet) if answers.quiet else 0.0,
    )


def _without_each(config: Config) -> Iterator[tuple[str, Config]]:
    """The configuration with each signal, and each step that orders or filters, off in turn."""
    retrieval = config.retrieval
    steps: dict[str, dict[str, Any]] = {
        "boosts": {"boosts": BoostConfig(**{step.name: 1.0 for step in fields(BoostConfig)})},
        "routes": {"routes": RoutesConfig(**{step.name: Route() for step in fields(RoutesConfig)})},
        "decompose": {"decompose": False},
        "withholding": {"injection": replace(retrieval.injection, answerable=0.0, floor=0.0)},
    }
    for weight in fields(retrieval.weights):
        if getattr(retrieval.weights, weight.name) != 0:
            weights = replace(retrieval.weights, **{weight.name: 0.0})
            yield weight.name, replace(config, retrieval=replace(retrieval, weights=weights))
    if retrieval.mmr_lambda < 1:
        steps["mmr"] = {"mmr_lambda": 1.0}
    for name, change in steps.items():
        yield name, replace(config, retrieval=replace(retrieval, **change))


def _difference(signal: str, without: _Answers, base: _Answers) -> Ablation:
    pairs = [
        (off.scores, on.scores)
        for off, on in zip(without.scored, base.scored, strict=True)
        if on.category != ADVERSARIAL
    ]

    def gain(metric: str) -> Estimate:
        return estimate([off[metric] - on[metric] for off, on in pairs])

    return Ablation(signal, gain(f"recall@{ABLATION_DEPTH}"), gain("mrr"))


def _by_category(answers: Sequence[_Answer], ks: Sequence[int]) -> tuple[Score, ...]:
    scores: list[Score] = []
    for category, name in CATEGORY_NAMES.items():
        group = [answer for answer in answers if answer.category == category]
        if group:
            scores.append(_score(name, group, ks))
    return tuple(scores)


def _score(name: str, answers: Sequence[_Answer], ks: Sequence[int]) -> Score:
    estimates: dict[str, Estimate] = {}
    if answers:
        for metric in metric_names(ks):
            estimates[metric] = estimate([answer.scores[metric] for answer in answers])
    return Score(name, len(answers), estimates)

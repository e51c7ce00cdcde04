"""LoCoMo replayed at its dates, with a dream after each session.

Questions are asked at the end and much later. Half of the questions, chosen by seed, are asked
first; where there is feedback, their answer is the text of their evidence. Everybody is scored on
the other half, on the evening after the last session and again half a year later, with a dream a
week in between. No language model is called.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.engine import MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation.conversations import LocomoConversation, LocomoQuestion, load
from cogmem_core.evaluation.lifecycle import KEPT, Progress, Setup, settled
from cogmem_core.evaluation.metrics import Estimate, estimate, recall_at, reciprocal_rank
from cogmem_core.models import Memory
from cogmem_core.ports import Embedder
from cogmem_core.runtime import Runtime
from cogmem_core.testing import FrozenClock
from cogmem_core.text.usage import match_ratio

__all__ = ["ReplayReport", "ReplayRow", "as_dict", "render", "replay"]

LATER_DAYS = 180
DREAM_DAYS = 7
METRICS = ("recall@5", "recall@10", "mrr")
MOMENTS = ("then", "later")
_DEPTH = 10
_MIN_RATIO = 0.5
_ADVERSARIAL = 5
_EVENING = timedelta(hours=12)

Scores = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One configuration.

    Attributes:
        figures: by moment (`then`: on the evening after the last session, `later`: half a year
            after) and metric, with 95 % bootstrap intervals over questions.
        against_kept: paired differences; empty for `kept` itself.
        active: memories that are active, by moment, in all banks.
        troubles: why steps of dreams failed.
    """

    setup: str
    figures: Mapping[str, Mapping[str, Estimate]]
    against_kept: Mapping[str, Mapping[str, Estimate]]
    active: Mapping[str, int]
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """The result of a replay; `questions` were scored, `asked_first` were only asked."""

    file: str
    seed: int
    embedder: str
    questions: int
    asked_first: int
    rows: tuple[ReplayRow, ...]


@dataclass(slots=True)
class _Lived:
    """Scores of each question and numbers of active memories, by moment."""

    scores: dict[str, list[Scores]]
    active: dict[str, int]
    troubles: list[str]


def replay(
    path: str | Path,
    chosen: Sequence[Setup],
    embedder: Embedder,
    *,
    seed: int = 0,
    progress: Progress,
) -> ReplayReport:
    """Replay a file in LoCoMo format with every configuration.

    Args:
        embedder: shared by all; best a `MemoizedEmbedder`.
        seed: chooses the half of the questions that is asked first.
        progress: called with (configuration, conversations done, conversations in all).

    Raises:
        InvalidInput: the file is not in LoCoMo format, or has fewer than two questions with
            evidence.
    """
    talks = load(path)
    halves = [_halves(talk, seed + index) for index, talk in enumerate(talks)]
    first = sum(len(asked_first) for asked_first, _ in halves)
    scored = sum(len(questions) for _, questions in halves)
    if not scored:
        raise InvalidInput(
            f"{path}: too few questions of categories 1-4 have evidence; there is nothing to score"
        )
    lived: dict[str, _Lived] = {}
    for setup in chosen:
        entry = _Lived({name: [] for name in MOMENTS}, dict.fromkeys(MOMENTS, 0), [])
        lived[setup.name] = entry
        for done, (talk, pair) in enumerate(zip(talks, halves, strict=True), start=1):
            _live(talk, pair, setup, embedder, entry)
            progress(setup.name, done, len(talks))
    rows = tuple(_row(name, entry, lived.get(KEPT)) for name, entry in lived.items())
    return ReplayReport(str(path), seed, embedder.fingerprint, scored, first, rows)


def _halves(
    talk: LocomoConversation, seed: int
) -> tuple[list[LocomoQuestion], list[LocomoQuestion]]:
    """The questions that are asked first, and those that are scored; the latter half is larger."""
    questions = [question for question in talk.questions if question.category != _ADVERSARIAL]
    indices = set(Runtime(seed=seed).rng.sample(range(len(questions)), len(questions) // 2))
    asked_first: list[LocomoQuestion] = []
    scored: list[LocomoQuestion] = []
    for index, question in enumerate(questions):
        (asked_first if index in indices else scored).append(question)
    return asked_first, scored


def _live(
    talk: LocomoConversation,
    halves: tuple[list[LocomoQuestion], list[LocomoQuestion]],
    setup: Setup,
    embedder: Embedder,
    lived: _Lived,
) -> None:
    clock = FrozenClock(_end(talk, 0))
    turns = chain.from_iterable(session.turns for session in talk.sessions)
    texts = {turn.ref: turn.content for turn in turns}
    with open_engine(None, config=settled(setup.config), embedder=embedder, clock=clock) as engine:
        engine.pause()
        bank = engine.bank(talk.id)
        for place, session in enumerate(talk.sessions):
            clock.now = max(clock.now, _end(talk, place))
            bank.remember(list(session.turns))
            _dream(bank, setup, lived)
        clock.now += _EVENING
        for question in halves[0]:
            recall = bank.recall(question.text, k=_DEPTH)
            if setup.feedback:
                bank.feedback(recall, " ".join(texts[ref] for ref in sorted(question.evidence)))
        _dream(bank, setup, lived)
        _score(bank, halves[1], texts, lived, "then")
        for _ in range(DREAM_DAYS, LATER_DAYS + 1, DREAM_DAYS):
            clock.advance(days=DREAM_DAYS)
            _dream(bank, setup, lived)
        clock.advance(days=LATER_DAYS % DREAM_DAYS)
        _score(bank, halves[1], texts, lived, "later")


def _end(talk: LocomoConversation, place: int) -> datetime:
    return max(turn.at for turn in talk.sessions[place].turns if turn.at is not None)


def _dream(bank: MemoryBank, setup: Setup, lived: _Lived) -> None:
    if setup.dream:
        steps = bank.consolidate().steps
        for name, step in steps.items():
            if step.error:
                lived.troubles.append(f"{name}: {step.error}")


def _score(
    bank: MemoryBank,
    questions: Sequence[LocomoQuestion],
    texts: Mapping[str | None, str],
    lived: _Lived,
    moment: str,
) -> None:
    lived.active[moment] += bank.count()
    for question in questions:
        results = bank.recall(question.text, k=_DEPTH).results
        ranking = [_refs_in(result.memory, texts) for result in results]
        lived.scores[moment].append(
            (
                recall_at(ranking, question.evidence, 5),
                recall_at(ranking, question.evidence, 10),
                reciprocal_rank(ranking, question.evidence),
            )
        )


def _refs_in(memory: Memory, texts: Mapping[str | None, str]) -> list[str]:
    """The turns that a memory still tells.

    A derived memory names all turns that it was made of, but may tell few of them.
    """
    if not memory.support:
        return list(memory.refs)
    content = memory.content
    return [ref for ref in memory.refs if match_ratio(texts.get(ref, ""), content) >= _MIN_RATIO]


def _row(name: str, lived: _Lived, base: _Lived | None) -> ReplayRow:
    against: dict[str, dict[str, Estimate]] = {}
    if base is not None and name != KEPT:
        against = {
            moment: _estimates(_less(lived.scores[moment], base.scores[moment]))
            for moment in MOMENTS
        }
    figures = {moment: _estimates(lived.scores[moment]) for moment in MOMENTS}
    return ReplayRow(
        name, figures, against, dict(lived.active), tuple(dict.fromkeys(lived.troubles))
    )


def _less(scores: Sequence[Scores], base_scores: Sequence[Scores]) -> list[Scores]:
    differences: list[Scores] = []
    for row, base_row in zip(scores, base_scores, strict=True):
        differences.append(tuple(map(operator.sub, row, base_row)))
    return differences


def _estimates(scores: Sequence[Scores]) -> dict[str, Estimate]:
    columns = zip(*scores, strict=True)
    return {name: estimate(values) for name, values in zip(METRICS, columns, strict=True)}


def as_dict(report: ReplayReport) -> dict[str, Any]:
    """The report as JSON values; the keys are the field names."""
    return dataclasses.asdict(report)


def render(report: ReplayReport) -> RenderableType:
    """The report as a table for a rich console; shares are printed in percent."""
    heading = Text(
        f"{report.file}: {report.questions} questions scored, {report.asked_first} asked first; "
        f"{report.embedder}\n"
        f"then: after the last session; later: {LATER_DAYS} days after it"
    )
    table = Table(
        title="Evidence recall, percent, with 95 % intervals; below: difference to kept",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("", no_wrap=True)
    for row in report.rows:
        table.add_column(row.setup, justify="right", no_wrap=True)
    for moment in MOMENTS:
        for metric in METRICS:
            table.add_row(
                f"{moment} {metric}",
                *("\n".join(_lines(row, moment, metric)) for row in report.rows),
            )
        table.add_row(
            f"{moment} active", *(str(row.active[moment]) for row in report.rows), end_section=True
        )
    troubles = (
        Text(f"{row.setup} failed: {trouble}") for row in report.rows for trouble in row.troubles
    )
    return Group(heading, table, *troubles)


def _lines(row: ReplayRow, moment: str, metric: str) -> Iterator[str]:
    value = row.figures[moment][metric]
    yield f"{100 * value.mean:.1f} ({100 * value.low:.1f} .. {100 * value.high:.1f})"
    if row.against_kept:
        value = row.against_kept[moment][metric]
        yield f"{100 * value.mean:+.1f} ({100 * value.low:+.1f} .. {100 * value.high:+.1f})"

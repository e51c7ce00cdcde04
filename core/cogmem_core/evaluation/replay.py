"""LoCoMo as it would have been lived: sessions at their dates, a dream after each, questions at the end and much later.

Half of the questions, chosen by seed, are asked first; where there is feedback, their answer is the
text of their evidence. Everybody is scored on the other half, on the evening after the last session
and again half a year later, with a dream a week in between. No language model is called.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_core.bank import MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation.conversations import Conversation, Question, load
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
_STILL_TOLD = 0.5
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
    """What a replay came to; `questions` were scored, `asked_first` were only asked."""

    file: str
    seed: int
    embedder: str
    questions: int
    asked_first: int
    rows: tuple[ReplayRow, ...]


@dataclass(slots=True)
class _Lived:
    """Scores of each question and memories left, by moment."""

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
    halves = [_halves(talk, seed + place) for place, talk in enumerate(talks)]
    scored, first = (sum(len(pair[side]) for pair in halves) for side in (1, 0))
    if not scored:
        raise InvalidInput(
            f"{path}: too few questions of categories 1-4 have evidence; there is nothing to score"
        )
    lived: dict[str, _Lived] = {}
    for setup in chosen:
        found = lived[setup.name] = _Lived(
            {name: [] for name in MOMENTS}, dict.fromkeys(MOMENTS, 0), []
        )
        for done, (talk, pair) in enumerate(zip(talks, halves, strict=True), start=1):
            _live(talk, pair, setup, embedder, found)
            progress(setup.name, done, len(talks))
    rows = tuple(_row(name, found, lived.get(KEPT)) for name, found in lived.items())
    return ReplayReport(str(path), seed, embedder.fingerprint, scored, first, rows)


def _halves(talk: Conversation, seed: int) -> tuple[list[Question], list[Question]]:
    """What is asked first, and what is scored; the latter is the larger half."""
    known = [question for question in talk.questions if question.category != _ADVERSARIAL]
    first = set(Runtime(seed=seed).rng.sample(range(len(known)), len(known) // 2))
    return (
        [question for place, question in enumerate(known) if place in first],
        [question for place, question in enumerate(known) if place not in first],
    )


def _live(
    talk: Conversation,
    halves: tuple[list[Question], list[Question]],
    setup: Setup,
    embedder: Embedder,
    found: _Lived,
) -> None:
    clock = FrozenClock(_end(talk, 0))
    texts = {t.ref: t.content for session in talk.sessions for t in session.turns}
    with open_engine(None, config=settled(setup.config), embedder=embedder, clock=clock) as engine:
        engine.pause()
        bank = engine.bank(talk.id)
        for place, session in enumerate(talk.sessions):
            clock.now = max(clock.now, _end(talk, place))
            bank.remember(list(session.turns))
            _dream(bank, setup, found)
        clock.now += _EVENING
        for question in halves[0]:
            recall = bank.recall(question.text, k=_DEPTH)
            if setup.feedback:
                bank.feedback(recall, " ".join(texts[ref] for ref in sorted(question.evidence)))
        _dream(bank, setup, found)
        _score(bank, halves[1], texts, found, "then")
        for _ in range(DREAM_DAYS, LATER_DAYS + 1, DREAM_DAYS):
            clock.advance(days=DREAM_DAYS)
            _dream(bank, setup, found)
        clock.advance(days=LATER_DAYS % DREAM_DAYS)
        _score(bank, halves[1], texts, found, "later")


def _end(talk: Conversation, place: int) -> datetime:
    return max(turn.at for turn in talk.sessions[place].turns if turn.at is not None)


def _dream(bank: MemoryBank, setup: Setup, found: _Lived) -> None:
    if setup.dream:
        steps = bank.consolidate().steps
        found.troubles += [f"{name}: {step.error}" for name, step in steps.items() if step.error]


def _score(
    bank: MemoryBank,
    questions: Sequence[Question],
    texts: Mapping[str | None, str],
    found: _Lived,
    moment: str,
) -> None:
    found.active[moment] += bank.count()
    for question in questions:
        ranking = [
            _told(result.memory, texts) for result in bank.recall(question.text, k=_DEPTH).results
        ]
        recalls = (recall_at(ranking, question.evidence, k) for k in (5, 10))
        found.scores[moment].append((*recalls, reciprocal_rank(ranking, question.evidence)))


def _told(memory: Memory, texts: Mapping[str | None, str]) -> list[str]:
    """The turns that a memory still tells: a derived one names all that it was made of, but may tell few of them."""
    if not memory.support:
        return list(memory.refs)
    return [
        ref for ref in memory.refs if match_ratio(texts.get(ref, ""), memory.content) >= _STILL_TOLD
    ]


def _row(name: str, found: _Lived, kept: _Lived | None) -> ReplayRow:
    against: dict[str, dict[str, Estimate]] = {}
    if kept is not None and name != KEPT:
        against = {
            moment: _estimates(_less(found.scores[moment], kept.scores[moment]))
            for moment in MOMENTS
        }
    figures = {moment: _estimates(found.scores[moment]) for moment in MOMENTS}
    return ReplayRow(
        name, figures, against, dict(found.active), tuple(dict.fromkeys(found.troubles))
    )


def _less(own: Sequence[Scores], kept: Sequence[Scores]) -> list[Scores]:
    return [
        tuple(a - b for a, b in zip(one, base, strict=True))
        for one, base in zip(own, kept, strict=True)
    ]


def _estimates(scores: Sequence[Scores]) -> dict[str, Estimate]:
    return {
        name: estimate(values)
        for name, values in zip(METRICS, zip(*scores, strict=True), strict=True)
    }


def as_dict(found: ReplayReport) -> dict[str, Any]:
    """The report as JSON values; the keys are the field names."""
    return dataclasses.asdict(found)


def render(found: ReplayReport) -> RenderableType:
    """The report as a table for a rich console; shares are printed in percent."""
    heading = Text(
        f"{found.file}: {found.questions} questions scored, {found.asked_first} asked first; "
        f"{found.embedder}\n"
        f"then: after the last session; later: {LATER_DAYS} days after it"
    )
    table = Table(
        title="Evidence recall, percent, with 95 % intervals; below: difference to kept",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("", no_wrap=True)
    for row in found.rows:
        table.add_column(row.setup, justify="right", no_wrap=True)
    for moment in MOMENTS:
        for metric in METRICS:
            table.add_row(
                f"{moment} {metric}",
                *("\n".join(_lines(row, moment, metric)) for row in found.rows),
            )
        table.add_row(
            f"{moment} active", *(str(row.active[moment]) for row in found.rows), end_section=True
        )
    troubles = (
        Text(f"{row.setup} failed: {trouble}") for row in found.rows for trouble in row.troubles
    )
    return Group(heading, table, *troubles)


def _lines(row: ReplayRow, moment: str, metric: str) -> Iterator[str]:
    value = row.figures[moment][metric]
    yield f"{100 * value.mean:.1f} ({100 * value.low:.1f} .. {100 * value.high:.1f})"
    if row.against_kept:
        value = row.against_kept[moment][metric]
        yield f"{100 * value.mean:+.1f} ({100 * value.low:+.1f} .. {100 * value.high:+.1f})"

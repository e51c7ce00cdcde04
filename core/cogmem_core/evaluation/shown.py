"""How well a ranking answers a question whose answer changes.

It asks whether the present value is there, and whether a former value is above it. Pure. A text
states a value if it comes from a turn that said it and still names it: a memory that was merged or
derived counts as long as both hold, and may state several values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogmem_core.evaluation.script import ScriptQuestion, Truth
from cogmem_core.models import Memory
from cogmem_core.text.tokens import tokens

__all__ = ["DEPTH", "Shown", "Summary", "judge", "states", "summary"]

DEPTH = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """What the best `DEPTH` results showed for one question.

    Attributes:
        recall: share of the present values among them, 0..1.
        reciprocal_rank: of the first result that states a present value, however deep; 0 if none
            does.
        could_be_stale: a former value exists.
        stale: one of them states a former value.
        stale_first: one of them states a former value and stands above the first that states a
            present one.
    """

    recall: float
    reciprocal_rank: float
    could_be_stale: bool
    stale: bool
    stale_first: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over questions, 0..1; the stale ones over questions that have a former value.

    0 where none was asked.
    """

    questions: int
    recall: float
    mrr: float
    stale: float
    stale_first: float


def states(memory: Memory, truth: Truth) -> bool:
    """Whether a memory states a value: verbatim, or with all of its words."""
    if truth.refs.isdisjoint(memory.refs):
        return False
    if truth.text.casefold() in memory.content.casefold():
        return True
    words = set(tokens(truth.text))
    return bool(words) and words <= set(tokens(memory.content))


def judge(results: Sequence[Memory], question: ScriptQuestion) -> Shown:
    """Score the results of a question, best first."""
    current = _positions(results, question.current)
    stale = _positions(results[:DEPTH], question.outdated)
    count = sum(bool(_positions(results[:DEPTH], (truth,))) for truth in question.current)
    first = current[0] if current else len(results)
    return Shown(
        recall=count / len(question.current),
        reciprocal_rank=1 / (first + 1) if current else 0.0,
        could_be_stale=bool(question.outdated),
        stale=bool(stale),
        stale_first=bool(stale) and stale[0] < first,
    )


def summary(scores: Sequence[Shown]) -> Summary:
    """The means of several questions."""
    changed = [score for score in scores if score.could_be_stale]
    return Summary(
        questions=len(scores),
        recall=_mean(score.recall for score in scores),
        mrr=_mean(score.reciprocal_rank for score in scores),
        stale=_mean(score.stale for score in changed),
        stale_first=_mean(score.stale_first for score in changed),
    )


def _positions(results: Sequence[Memory], truths: Sequence[Truth]) -> list[int]:
    """Positions of the results that state one of the values."""
    positions: list[int] = []
    for position, memory in enumerate(results):
        if any(states(memory, truth) for truth in truths):
            positions.append(position)
    return positions


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0

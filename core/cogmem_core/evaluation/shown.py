"""How well a ranking answers a question whose answer changes: is the present value there, and is a former one above it?

Pure. A text states a value if it comes from a turn that said it and still names it: a memory that
was merged or derived counts as long as both hold, and may state several values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogmem_core.evaluation.script import Question, Truth
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
    wanted = set(tokens(truth.text))
    return bool(wanted) and wanted <= set(tokens(memory.content))


def judge(results: Sequence[Memory], question: Question) -> Shown:
    """Score the results of a question, best first."""
    current = [place for place, memory in enumerate(results) if _any(memory, question.current)]
    stale = [
        place for place, memory in enumerate(results[:DEPTH]) if _any(memory, question.outdated)
    ]
    found = sum(
        any(states(memory, truth) for memory in results[:DEPTH]) for truth in question.current
    )
    first = current[0] if current else len(results)
    return Shown(
        recall=found / len(question.current),
        reciprocal_rank=1 / (first + 1) if current else 0.0,
        could_be_stale=bool(question.outdated),
        stale=bool(stale),
        stale_first=bool(stale) and stale[0] < first,
    )


def summary(shown: Sequence[Shown]) -> Summary:
    """The means of several questions."""
    changed = [one for one in shown if one.could_be_stale]
    return Summary(
        questions=len(shown),
        recall=_mean(one.recall for one in shown),
        mrr=_mean(one.reciprocal_rank for one in shown),
        stale=_mean(one.stale for one in changed),
        stale_first=_mean(one.stale_first for one in changed),
    )


def _any(memory: Memory, truths: Iterable[Truth]) -> bool:
    return any(states(memory, truth) for truth in truths)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0

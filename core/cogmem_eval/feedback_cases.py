"""What answers teach: which of the memories that were shown a file of labelled answers is said to have used.

A case is one JSON object a line: `id`, `kind`, `memories`, `answer`, and `used`, the places of the
memories that the answer was made of. With a `question` the memories are a whole bank, of which
recall shows k; without one all of them are shown. Optional: `arguments`, what was given to tools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cogmem_core.base.grouping import grouped
from cogmem_core.engine import Engine
from cogmem_core.feedback.judging import Answer, judge
from cogmem_core.models import Memory
from cogmem_core.results import Recalled
from cogmem_core.retrieval.recall import Recall
from cogmem_eval.metrics import Share, shares
from cogmem_eval.reading import Progress, ignore, read_cases

_PRIOR = 0.5
"""How sure recall is taken to be of a memory that was shown without a question."""


@dataclass(frozen=True, slots=True)
class FeedbackCase:
    """One labelled answer.

    Attributes:
        memories: what is known, or what was shown.
        used: the places of those that the answer used.
        question: what was asked; empty: all memories were shown.
    """

    id: str
    kind: str
    memories: tuple[str, ...]
    answer: str
    used: frozenset[int]
    question: str
    arguments: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a case, as places of memories."""

    case: FeedbackCase
    shown: frozenset[int]
    used: frozenset[int]
    ignored: frozenset[int]

    @property
    def expected(self) -> frozenset[int]:
        return self.case.used & self.shown

    @property
    def exact(self) -> bool:
        return self.used == self.expected and not self.ignored & self.expected


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """Counts over all cases.

    Attributes:
        judgements: memories that were shown.
        used: of those, how many the answers used.
        unshown: memories that answers used and recall did not show; they count nowhere else.
        precision: of the memories that were judged used, the share that was, 0..1.
        recall: of the memories that were used, the share that was judged so, 0..1.
        blamed: memories that were judged ignored.
        wrongly_blamed: used memories that were judged ignored.
        exact: per kind how many cases are right in every memory.
        failures: the ids of the other cases.
    """

    judgements: int
    used: int
    unshown: int
    precision: float
    recall: float
    blamed: int
    wrongly_blamed: int
    exact: Mapping[str, Share]
    failures: tuple[str, ...]


def load(path: Path) -> list[FeedbackCase]:
    """Read cases from a JSONL file.

    Raises:
        InvalidInput: the file cannot be read, or a line is no case; the message names the line.
    """
    return read_cases(path, _case, "id, memories, answer and used")


def _case(row: Mapping[str, Any]) -> FeedbackCase:
    memories = tuple(map(str, row["memories"]))
    used = frozenset(map(int, row["used"]))
    if not used <= frozenset(range(len(memories))):
        raise ValueError("used names a memory that is not there")
    return FeedbackCase(
        id=str(row["id"]),
        kind=str(row.get("kind", "case")),
        memories=memories,
        answer=str(row["answer"]),
        used=used,
        question=str(row.get("question", "")),
        arguments=str(row.get("arguments", "")),
    )


def evaluate(
    cases: Sequence[FeedbackCase],
    engine: Engine,
    *,
    k: int = 8,
    progress: Progress = ignore,
) -> FeedbackReport:
    """Judge each answer by what was shown for it; nothing is learnt from one case for the next.

    Args:
        cases: from `load`.
        engine: an engine of an empty store.
        k: how many memories recall shows for a question.
        progress: called with (the case, cases done, cases in all).
    """
    memories_by_texts: dict[tuple[str, ...], list[Memory]] = {}
    outcomes: list[_Outcome] = []
    for number, case in enumerate(cases):
        progress(case.id, number, len(cases))
        bank = engine.bank(f"bank-{len(memories_by_texts)}")
        if case.memories not in memories_by_texts:
            memories_by_texts[case.memories] = [bank.add(text) for text in case.memories]
        outcomes.append(_outcome(case, engine, memories_by_texts[case.memories], k))
    return _report(outcomes)


def _outcome(case: FeedbackCase, engine: Engine, memories: Sequence[Memory], k: int) -> _Outcome:
    services = engine.open_services
    if case.question:
        recall = engine.bank(memories[0].namespace).recall(case.question, k=k)
    else:
        results = [
            Recalled(memory, 0.0, _PRIOR, {}, {}, {}, "", prior=_PRIOR) for memory in memories
        ]
        recall = Recall(case.id, "", tuple(results))
    judgements = judge(
        replace(recall, hot=()),
        Answer(case.answer, case.question, case.arguments),
        similarity=None,
        config=services.config,
        embedder=services.embedder,
    )
    places = grouped((memory.id, place) for place, memory in enumerate(memories))

    def judged(*signals: str) -> frozenset[int]:
        ids = [row.memory.id for row in judgements if row.signal in signals]
        return frozenset(place for memory_id in ids for place in places[memory_id])

    return _Outcome(case, judged("used", "ignored", "unjudged"), judged("used"), judged("ignored"))


def _report(outcomes: Sequence[_Outcome]) -> FeedbackReport:
    used = sum(len(outcome.expected) for outcome in outcomes)
    found = sum(len(outcome.used & outcome.expected) for outcome in outcomes)
    credited = sum(len(outcome.used) for outcome in outcomes)
    return FeedbackReport(
        judgements=sum(len(outcome.shown) for outcome in outcomes),
        used=used,
        unshown=sum(len(outcome.case.used - outcome.shown) for outcome in outcomes),
        precision=found / credited if credited else 1.0,
        recall=found / used if used else 1.0,
        blamed=sum(len(outcome.ignored) for outcome in outcomes),
        wrongly_blamed=sum(len(outcome.ignored & outcome.expected) for outcome in outcomes),
        exact=shares((outcome.case.kind, outcome.exact) for outcome in outcomes),
        failures=tuple(outcome.case.id for outcome in outcomes if not outcome.exact),
    )


def render(report: FeedbackReport) -> str:
    """The report as a table for people."""
    of_judgements = 100 * report.wrongly_blamed / max(1, report.judgements)
    of_used = 100 * report.wrongly_blamed / max(1, report.used)
    total = sum(share.of for share in report.exact.values())
    lines = [
        f"{report.judgements} memories shown, {report.used} of them used ({report.unshown} used and not shown)",
        f"'used': precision {report.precision:.3f}, recall {report.recall:.3f}",
        f"blamed: {report.blamed}; wrongly: {report.wrongly_blamed}, {of_judgements:.1f} % of judgements, "
        f"{of_used:.1f} % of used memories",
        f"{'exact cases':<24} {Share(total - len(report.failures), total)}",
        *(f"  {kind:<22} {share}" for kind, share in report.exact.items()),
    ]
    if report.failures:
        lines.append(f"not: {', '.join(report.failures)}")
    return "\n".join(lines)

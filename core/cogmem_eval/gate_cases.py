"""What new statements do to known ones, on labelled cases: wrong retirements first, then what is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cogmem_core.engine import Engine, MemoryBank
from cogmem_eval.metrics import Share
from cogmem_eval.reading import Progress, ignore, read_cases

_CHANGES = ("contradiction_value", "contradiction_negation", "correction", "temporal_update")
_REPEATS = ("exact_duplicate", "paraphrase_duplicate")
_APART = ("lookalike_different_entity", "lookalike_different_time", "same_entity_new_aspect")
_NO_STATEMENTS = ("trivial_noise", "injection", "opt_out", "question", "request")


@dataclass(frozen=True, slots=True)
class GateCase:
    """Statements that are known, and a new one.

    Attributes:
        id: names the case.
        kind: what the new statement is to the known ones, such as `correction`.
        old: known statements, each with its age in days.
        new: the new statement.
        target: the number of the only known statement that may change; None if none may.
        must_keep: texts that must still stand in an active memory.
        must_not_be_current: texts that must stand in none.
        question: what the changed statement answers; its own text if there is none.
    """

    id: str
    kind: str
    old: tuple[tuple[str, float], ...]
    new: str
    target: int | None
    must_keep: tuple[str, ...]
    must_not_be_current: tuple[str, ...]
    question: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a case.

    Attributes:
        case: the case.
        wrongly_retired: known statements that are no longer current though they should be.
        grade: `hard`, `soft` or `none`: what became of the target.
        touched: whether any known statement was retired or got a newer version.
        added: whether the new statement became a memory of its own, outside of any version chain.
        first: whether the question recalls the new statement before the old one.
        clean: whether nothing that must not be current is.
    """

    case: GateCase
    wrongly_retired: tuple[str, ...]
    grade: str
    touched: bool
    added: bool
    first: bool
    clean: bool


@dataclass(frozen=True, slots=True)
class Measure(Share):
    """`failures`: the ids of the cases that are not right."""

    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GateReport:
    """What came of all cases.

    Attributes:
        wrong_retirements: true memories that a statement retired.
        measures: by name.
    """

    wrong_retirements: int
    measures: Mapping[str, Measure]


def load(path: Path) -> list[GateCase]:
    """Read cases from a JSONL file.

    Raises:
        InvalidInput: the file cannot be read, or a line is no case; the message names the line.
    """
    return read_cases(path, _case, "id, kind, old, new and expect")


def _case(row: Mapping[str, Any]) -> GateCase:
    expected = row["expect"]
    old = tuple((str(item["text"]), float(item["days_ago"])) for item in row["old"])
    target = expected["target"]
    question = str(row.get("question", ""))
    if not question and target is not None:
        question = old[target][0]
    return GateCase(
        id=str(row["id"]),
        kind=str(row["kind"]),
        old=old,
        new=str(row["new"]),
        target=target,
        must_keep=tuple(expected["must_keep"]),
        must_not_be_current=tuple(expected["must_not_be_current"]),
        question=question,
    )


def evaluate(
    cases: Sequence[GateCase],
    engine: Engine,
    *,
    now: datetime,
    progress: Progress = ignore,
) -> GateReport:
    """Say each case to a namespace of its own, and look at what became of it.

    Args:
        cases: from `load`.
        engine: an engine of an empty store.
        now: when the new statements are said; the known ones are said before.
        progress: called with (the case, cases done, cases in all).
    """
    outcomes: list[_Outcome] = []
    for number, case in enumerate(cases):
        progress(case.id, number, len(cases))
        outcomes.append(_outcome(case, engine.bank(f"case-{number}"), now))
    return _report(outcomes)


def _outcome(case: GateCase, bank: MemoryBank, now: datetime) -> _Outcome:
    memory_ids: list[list[str]] = []
    for text, days in case.old:
        report = bank.remember(text, at=now - timedelta(days=days))
        memory_ids.append(list(report.receipts[0].memory_ids))
    receipt = bank.remember(case.new, at=now).receipts[0]
    allowed = set() if case.target is None else set(memory_ids[case.target])
    all_known = {name for ids in memory_ids for name in ids}
    retired = [name for name in sorted(all_known) if bank.get(name).state != "active"]
    new_ids = [name for name in receipt.memory_ids if name not in all_known]
    chained: set[str] = set()
    for name in new_ids:
        chained |= {version.id for version in bank.versions(name)} - {name}
    current = " ".join(memory.content for memory in bank.list(limit=1_000).memories)
    lost = [text for text in case.must_keep if text.casefold() not in current.casefold()]
    wrong = [bank.get(name).content for name in retired if name not in allowed]
    targets = allowed & all_known
    grade = "none"
    if targets & set(retired) or receipt.status in ("updated", "superseded"):
        grade = "hard"
    elif targets & chained:
        grade = "soft"
    return _Outcome(
        case=case,
        wrongly_retired=tuple(dict.fromkeys([*wrong, *lost])),
        grade=grade,
        touched=bool(retired) or bool(chained),
        added=bool(new_ids) and not chained and receipt.status == "stored",
        first=grade != "none" and _newest_first(case, bank, targets, new_ids),
        clean=not any(text in current for text in case.must_not_be_current),
    )


def _newest_first(
    case: GateCase, bank: MemoryBank, targets: set[str], new_ids: Sequence[str]
) -> bool:
    results = [item.memory.id for item in bank.recall(case.question, floor=0.0).results]
    new_places = [results.index(name) for name in new_ids if name in results]
    old_places = [results.index(name) for name in targets if name in results]
    if not new_ids:
        return bool(old_places)  # the memory itself was rewritten
    return bool(new_places) and all(min(new_places) < place for place in old_places)


def _report(outcomes: Sequence[_Outcome]) -> GateReport:
    verdicts: dict[str, list[tuple[str, bool]]] = {}

    def note(measure: str, outcome: _Outcome, right: bool) -> None:
        verdicts.setdefault(measure, []).append((outcome.case.id, right))

    for outcome in outcomes:
        kind = outcome.case.kind
        note("true memories kept", outcome, not outcome.wrongly_retired)
        if kind in _CHANGES:
            note("changes found, hard or soft", outcome, outcome.grade != "none")
            note("changes found, hard", outcome, outcome.grade == "hard")
            note("new value recalled first", outcome, outcome.first)
        elif kind in _REPEATS:
            note("repetitions without a second memory", outcome, not outcome.added)
        elif kind in _APART:
            note("look-alikes left alone", outcome, not outcome.touched)
        elif kind in _NO_STATEMENTS:
            note("no statement, no memory", outcome, not outcome.added)
        elif kind == "secret":
            note("secrets hidden", outcome, outcome.clean)
    measures = {}
    for name, rows in verdicts.items():
        failures = tuple(case_id for case_id, right in rows if not right)
        measures[name] = Measure(len(rows) - len(failures), len(rows), failures)
    wrong = sum(len(outcome.wrongly_retired) for outcome in outcomes)
    return GateReport(wrong, measures)


def render(report: GateReport) -> str:
    """The report as a table for people."""
    lines = [f"wrong retirements: {report.wrong_retirements}"]
    for name, measure in report.measures.items():
        lines.append(f"{name:<38} {measure}")
        wrong = measure.failures
        if wrong:
            lines.append(f"    not: {', '.join(wrong[:12])}{' ...' if len(wrong) > 12 else ''}")
    return "\n".join(lines)

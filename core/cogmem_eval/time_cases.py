"""What statements say about times, on labelled cases: the time they speak of, and their end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.models import Memory
from cogmem_core.text.time.days import seen_in
from cogmem_core.values.messages import from_iso
from cogmem_eval.life_files import Mode
from cogmem_eval.metrics import Share, shares
from cogmem_eval.reading import Progress, ignore, read_cases

MODES: tuple[Mode, ...] = get_args(Mode)
"""The ways in which turns become memories, as `encoding.mode` names them; the default first."""

_FIELDS = ("referenced_at", "valid_until")
_Span = tuple[date, date]


@dataclass(frozen=True, slots=True)
class TimeCase:
    """A statement, and what it says about times.

    Attributes:
        id: names the case.
        kind: what kind of time it names, such as `plan`.
        text: what is said.
        said_at: when it is said, in the time zone of the speaker.
        accepted: per field the days that are right, from first to last; None is no day at all.
        has_end: whether the first choice for `valid_until` is a day.
    """

    id: str
    kind: str
    text: str
    said_at: datetime
    accepted: Mapping[str, tuple[_Span | None, ...]]
    has_end: bool


@dataclass(frozen=True, slots=True)
class ModeReport(Share):
    """What came of the cases in one mode.

    Attributes:
        kinds: per kind how many are right.
        failures: the ids of those that are not, with what was found instead.
        without_end: the ids of statements that end and have a memory that does not.
    """

    kinds: Mapping[str, Share]
    failures: Mapping[str, str]
    without_end: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeReport:
    """What came of the cases, by mode."""

    modes: Mapping[Mode, ModeReport]


def load(path: Path) -> list[TimeCase]:
    """Read cases from a JSONL file.

    Raises:
        InvalidInput: the file cannot be read, or a line is no case; the message names the line.
    """
    return read_cases(path, _case, "id, kind, text, said_at, tz and expect")


def _case(row: Mapping[str, Any]) -> TimeCase:
    expected = row["expect"]
    further = row.get("accept", {})
    accepted: dict[str, tuple[_Span | None, ...]] = {}
    for name in _FIELDS:
        if name in expected:
            values = [expected[name], *further.get(name, [])]
            accepted[name] = tuple(map(_span, values))
    return TimeCase(
        id=str(row["id"]),
        kind=str(row["kind"]),
        text=str(row["text"]),
        said_at=from_iso(row["said_at"]).astimezone(ZoneInfo(row["tz"])),
        accepted=accepted,
        has_end=expected.get("valid_until") is not None,
    )


def _span(value: str | None) -> _Span | None:
    """A day, or the days of `first..last`."""
    if value is None:
        return None
    first, _, last = value.partition("..")
    return date.fromisoformat(first), date.fromisoformat(last or first)


def evaluate(
    cases: Sequence[TimeCase],
    open_engine: Callable[[Mode], Engine],
    *,
    modes: Sequence[Mode] = MODES,
    progress: Progress = ignore,
) -> TimeReport:
    """Say each case to a namespace of its own, once in each mode.

    Args:
        cases: from `load`.
        open_engine: opens an engine of an empty store that makes memories in that mode.
        modes: which ones.
        progress: called with (the mode, cases done, cases in all).
    """
    reports: dict[Mode, ModeReport] = {}
    for mode in modes:
        wrong: dict[str, str] = {}
        endless: list[str] = []
        with open_engine(mode) as engine:
            for number, case in enumerate(cases):
                progress(mode, number, len(cases))
                memories = _memories_of(case, engine.bank(f"case-{number}"))
                if errors := _errors(case, memories):
                    wrong[case.id] = errors
                if case.has_end and not all(memory.valid_until for memory in memories):
                    endless.append(case.id)
        kinds = shares((case.kind, case.id not in wrong) for case in cases)
        right = len(cases) - len(wrong)
        reports[mode] = ModeReport(right, len(cases), kinds, wrong, tuple(endless))
    return TimeReport(reports)


def _memories_of(case: TimeCase, bank: MemoryBank) -> list[Memory]:
    receipt = bank.remember(case.text, at=case.said_at).receipts[0]
    return [bank.get(name) for name in receipt.memory_ids]


def _errors(case: TimeCase, memories: Sequence[Memory]) -> str:
    """What is wrong with any memory of a case; empty if nothing is."""
    zone = case.said_at.tzinfo
    if not memories or zone is None:
        return "no memory"
    errors: dict[str, None] = {}
    for memory in memories:
        for name, spans in case.accepted.items():
            moment: datetime | None = getattr(memory, name)
            day = None if moment is None else seen_in(moment, zone).date()
            if not any(_fits(day, span) for span in spans):
                errors[f"{name} {day}"] = None
    return ", ".join(errors)


def _fits(day: date | None, span: _Span | None) -> bool:
    if day is None or span is None:
        return day is None and span is None
    return span[0] <= day <= span[1]


def render(report: TimeReport) -> str:
    """The report as a table for people."""
    lines: list[str] = []
    for mode, found in report.modes.items():
        for kind, share in (("all", found), *found.kinds.items()):
            lines.append(f"{mode:<9} {kind:<20} {share}")
        lines += [f"    {name}: {answer}" for name, answer in found.failures.items()]
        lines.append(f"    without an end: {', '.join(found.without_end) or 'none'}")
    return "\n".join(lines)

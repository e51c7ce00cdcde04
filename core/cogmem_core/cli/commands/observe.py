"""The command `observe`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_core.cli.options import (
    BATCH,
    At,
    File,
    Form,
    Role,
    SessionId,
    Speaker,
    checked_form,
    checked_turns,
    shared_turn_fields,
)
from cogmem_core.cli.progress import bar, loading
from cogmem_core.cli.shell import LanguageModel, Shell, command
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import Engine, MemoryBank
    from cogmem_core.models import Memory, Turn
    from cogmem_core.results import ObservationReport, ReflectionReport

__all__ = ["register"]

Observed = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT", help="What was said: each argument is one text; - is standard input."
    ),
]
Reflect = Annotated[
    bool, typer.Option("--reflect", help="Then turn all that was observed into memories.")
]
Waiting = Annotated[bool, typer.Option("--list", help="Only show the notes and traces that wait.")]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "observe")(observe)


def observe(  # a command's parameters are its options
    shell: Shell,
    text: Observed = None,
    *,
    file: File = None,
    form: Form = None,
    role: Role = "user",
    speaker: Speaker = None,
    at: At = None,
    session: SessionId = None,
    llm: LanguageModel = None,
    reflect: Reflect = False,
    waiting: Waiting = False,
) -> None:
    """Note what was said instead of remembering it; --reflect makes memories of the notes."""
    from cogmem_core.cli.turns import WORDLESS, given_turns

    has_input = bool(text) or file is not None
    if waiting:
        if has_input or reflect:
            raise InvalidInput("--list only shows what waits; give it alone")
        _list(shell)
        return
    if not has_input and not reflect:
        raise InvalidInput("give a text (or - for standard input), --file, --reflect or --list")
    turns = (
        given_turns(text, file, shared_turn_fields(role, speaker, at, session), checked_form(form))
        if has_input
        else []
    )
    turns = [(where, turn) for where, turn in turns if turn is not WORDLESS]
    with shell.bank(create=has_input, llm=shell.language_model(llm)) as (bank, engine):
        observed = _observed(shell, bank, checked_turns(engine, turns)) if has_input else None
        reflected, memories = _reflected(shell, bank, engine) if reflect else (None, [])
    answer = {"observed": observed, "reflected": reflected, "memories": memories}
    shell.show(
        answer, *_observation_lines(observed), *_reflection_parts(shell, reflected, memories)
    )
    for trouble in (
        report.error for report in (observed, reflected) if report is not None and report.error
    ):
        shell.note(f"degraded: {trouble}")


def _list(shell: Shell) -> None:
    from cogmem_core.cli.tables import notes

    with (
        shell.bank(read_only=True) as (bank, engine),
        engine.services.ledger.reading(bank.namespace) as ns,
    ):
        waiting_notes = ns.notes.of_level("note")
        traces = ns.notes.of_level("trace")
    answer = {"notes": waiting_notes, "traces": traces}
    if waiting_notes or traces:
        shell.show(answer, notes([*traces, *waiting_notes], shell.out.width))
    else:
        shell.show(answer, "nothing waits")


def _observed(shell: Shell, bank: MemoryBank, turns: Sequence[Turn]) -> ObservationReport:
    reports = []
    with bar(shell, "observing") as advance:
        for start in range(0, len(turns), BATCH):
            reports.append(bank.observe(turns[start : start + BATCH]))
            advance("observing", min(start + BATCH, len(turns)), len(turns))
    return _merged_report(reports)


def _merged_report(reports: Sequence[ObservationReport]) -> ObservationReport:
    """One report for all batches."""
    from cogmem_core.results import ObservationReport

    traces = tuple(chain.from_iterable(report.traces for report in reports))
    ratio = 0.0
    if length := sum(len(trace.content) for trace in traces):
        ratio = round(sum(trace.characters for trace in traces) / length, 2)
    sources = {report.source for report in reports}
    skipped = Counter[str]()
    for report in reports:
        skipped.update(report.skipped)
    return ObservationReport(
        notes=tuple(chain.from_iterable(report.notes for report in reports)),
        skipped=dict(skipped),
        compressed=sum(report.compressed for report in reports),
        traces=traces,
        ratio=ratio,
        source=next((source for source in ("llm", "heuristic") if source in sources), ""),
        error=next((report.error for report in reports if report.error), None),
        llm_calls=sum(report.llm_calls for report in reports),
    )


def _reflected(
    shell: Shell, bank: MemoryBank, engine: Engine
) -> tuple[ReflectionReport, list[Memory]]:
    with loading(shell, engine):
        report = bank.reflect()
    return report, list(map(bank.get, report.memory_ids))


def _observation_lines(report: ObservationReport | None) -> list[str]:
    if report is None:
        return []
    lines = [counted(len(report.notes), "note", "notes")]
    lines += [f"skipped {count}: {reason}" for reason, count in sorted(report.skipped.items())]
    if report.compressed:
        compression = f"{counted(report.compressed, 'note', 'notes')} compressed to {_traces(len(report.traces))}"
        source = f"by {report.source}, {counted(report.llm_calls, 'call', 'calls')}"
        lines.append(f"{compression}, {report.ratio:.1f} times shorter ({source})")
    return lines


def _reflection_parts(
    shell: Shell, report: ReflectionReport | None, changed_memories: Sequence[Memory]
) -> list[Any]:
    from cogmem_core.cli.tables import memories

    if report is None:
        return []
    if not report.traces:
        return ["nothing waits to be reflected on"]
    shorter = f", {report.ratio:.1f} times shorter" if report.ratio > 1 else ""
    summary = f"{_traces(report.traces)} reflected on, {counted(len(changed_memories))} made or changed{shorter}"
    return [summary, memories(changed_memories, shell.out.width)]


def _traces(count: int) -> str:
    return counted(count, "trace", "traces")

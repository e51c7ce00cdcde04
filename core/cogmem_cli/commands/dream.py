"""Commands of the dream cycle: dream, compact, tick, runs, undo, forecast; and changes as lines of a diff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cogmem_cli.ids import complete, find_run
from cogmem_cli.options import finish_waiting
from cogmem_cli.progress import Advance, bar
from cogmem_cli.shell import LanguageModel, Shell
from cogmem_cli.tables import bars, rows
from cogmem_cli.values import line, local, local_day, short, shortened
from cogmem_core.base.reprs import plain
from cogmem_core.errors import InvalidInput
from cogmem_core.results import PlannedChange
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import ConsolidationRun
    from cogmem_core.results import (
        ConsolidationReport,
        Forecast,
        ForecastEvent,
        StepReport,
        UndoReport,
    )


DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]
Steps = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Only these steps. Default: as configured.")
]
Every = Annotated[bool, typer.Option("--all", help="Every namespace of the bank.")]
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="threads|processes|ray", help="With --all: several namespaces at a time, by these."
    ),
]
Workers = Annotated[int | None, typer.Option(help="With --on: how many workers. Default: 2.")]
Due = Annotated[bool, typer.Option("--due", help="With --on: only where a cycle is due.")]
Changes = Annotated[
    bool, typer.Option("--changes", help="Show every change; with --dry-run they are shown anyway.")
]
Lines = Annotated[int, typer.Option(help="Changes shown of each step; 0 shows all.")]
StepProgress = Callable[[str, int, int], None]
_LINES = 50
_WORKERS = 2


def dream(  # a command's parameters are its options
    shell: Shell,
    *,
    dry_run: DryRun = False,
    steps: Steps = None,
    llm: LanguageModel = None,
    every: Every = False,
    changes: Changes = False,
    lines: Lines = _LINES,
    on: Executor = None,
    workers: Workers = None,
    due: Due = False,
) -> None:
    """Run a dream cycle: expire, merge, forget, summarise, derive, promote; `undo` takes it back."""
    if on is not None or due:
        if not every or dry_run or steps or changes:
            raise InvalidInput(
                "--on and --due need --all, and go with neither --dry-run nor --steps nor --changes"
            )
        _fan_out(shell, on or "threads", _WORKERS if workers is None else workers, llm=llm, due=due)
        return
    if workers is not None:
        raise InvalidInput("--workers goes with --on: one namespace after the other needs none")
    step_names = None if steps is None else [step.strip() for step in steps.split(",")]

    _run_cycles(
        shell,
        lambda bank, told: bank.consolidate(dry_run=dry_run, steps=step_names, progress=told),
        every=every,
        llm=llm,
        lines=_line_limit(lines, requested=changes or dry_run),
        dry_run=dry_run,
    )


def compact(
    shell: Shell, *, every: Every = False, changes: Changes = False, lines: Lines = _LINES
) -> None:
    """Only tidy up: what says the same becomes one, and the indexes are checked."""
    steps = ["duplicates", "redundancy", "reindex"]
    _run_cycles(
        shell,
        lambda bank, told: bank.consolidate(steps=steps, progress=told),
        every=every,
        lines=_line_limit(lines, requested=changes),
    )


def tick(
    shell: Shell, *, every: Every = False, changes: Changes = False, lines: Lines = _LINES
) -> None:
    """Run the cheap part of a dream cycle: what is over leaves recall, what was used together is strengthened."""
    _run_cycles(
        shell,
        lambda bank, told: bank.tick(progress=told),
        every=every,
        lines=_line_limit(lines, requested=changes),
    )


def _line_limit(lines: int, *, requested: bool) -> int | None:
    """How many changes of a step to show; None = none, 0 = all."""
    if lines < 0:
        raise InvalidInput(f"--lines is {lines}; give 0 for all, or a number above it")
    return lines if requested else None


def _progress_of(bank: MemoryBank, advance: Advance, *, every: bool) -> StepProgress:
    def progress(step: str, done: int, total: int) -> None:
        advance(line(f"{bank.namespace}: {step}") if every else step, done, total)

    return progress


def _run_cycles(
    shell: Shell,
    run_cycle: Callable[[MemoryBank, StepProgress], ConsolidationReport],
    *,
    every: bool,
    lines: int | None,
    llm: str | None = None,
    dry_run: bool = False,
) -> None:
    """Run a cycle on the namespace, or on each, and tell what came of it.

    Exit code 1 if a step failed.
    """
    model = shell.language_model(llm)
    with shell.bank(read_only=dry_run, must_exist=not every, llm=model) as bank:
        engine = bank.engine
        banks = list(map(engine.bank, engine.namespaces())) if every else [bank]
        reports: dict[str, ConsolidationReport] = {}
        with bar(shell, "dreaming", engine) as advance:
            if not dry_run:
                finish_waiting(engine)
            for each in banks:
                reports[each.namespace] = run_cycle(each, _progress_of(each, advance, every=every))
    human: list[RenderableType] = []
    for name, report in reports.items():
        if every:
            human.append(Text(line(f"namespace {name}"), style="bold"))
        human += _report_parts(report, lines)
    answer = {"namespaces": {name: plain(report) for name, report in reports.items()}}
    shell.show(answer if every else reports[bank.namespace], *(human or ["no namespace yet"]))
    if any(step.error for report in reports.values() for step in report.steps.values()):
        raise typer.Exit(1)


def _fan_out(shell: Shell, on: str, workers: int, *, llm: str | None, due: bool) -> None:
    """Cycles of all namespaces, several at a time; exit code 1 if one had none."""
    with (
        shell.engine(llm=shell.language_model(llm)) as engine,
        bar(shell, "dreaming") as advance,
    ):
        report = engine.consolidate_all(
            on=on,
            workers=workers,
            due_only=due,
            progress=lambda done, total: advance("dreaming", done, total),
        )
    table = rows(
        ("namespace", "counts"),
        ((line(name), _counts_text(did)) for name, did in report.namespaces.items()),
    )
    human: list[RenderableType] = [table] if report.namespaces else []
    human += [
        Text(line(f"{name}: no cycle: {why}"), style="red") for name, why in report.failed.items()
    ]
    human += [Text(line(f"a worker ended early: {why}"), style="yellow") for why in report.troubles]
    count = counted(len(report.namespaces), "namespace", "namespaces")
    shell.show(
        {**plain(report), "counts": report.counts},
        *human,
        f"{count} in {report.duration_ms / 1000:.1f} s: {_counts_text(report.counts)}",
    )
    if report.failed:
        raise typer.Exit(1)


def _report_parts(report: ConsolidationReport, lines: int | None) -> list[RenderableType]:

    if report.reason:
        return [f"nothing ran: {report.reason}"]
    table = rows(
        ("step", "counts", "ms", "note"),
        (_step_row(*each) for each in report.steps.items()),
        texts=("note",),
    )
    changes = [] if lines is None else change_lines(report.changes, lines)
    return [table, *changes, _summary(report)]


def _step_row(name: str, step: StepReport) -> tuple[str | Text, ...]:
    note = Text(line(f"failed: {step.error}"), style="red") if step.error else line(step.note)
    return (name, _counts_text(step.counts), f"{step.duration_ms:.0f}", note)


def _counts_text(counts: Mapping[str, int]) -> str:
    return line(", ".join(f"{name} {count}" for name, count in counts.items() if count)) or "-"


def _summary(report: ConsolidationReport) -> str:
    spent = f"in {report.duration_ms / 1000:.1f} s"
    if report.llm_calls:
        spent += f", {counted(report.llm_calls, 'call', 'calls')} of the language model"
    count = counted(len(report.changes), "change", "changes")
    if report.dry_run:
        return f"{count} proposed {spent}; nothing was changed"
    way_back = f"; `cogm undo {short(report.run_id)}` takes them back" if report.changes else ""
    return f"{count} made {spent}{way_back}"


def runs(
    shell: Shell,
    run_id: Annotated[
        str | None,
        typer.Argument(metavar="[RUN_ID]", help="Show what this one changed; an id, or last."),
    ] = None,
    *,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 20,
) -> None:
    """List dream cycles, newest first; or, of one, what it changed."""
    with shell.existing_bank() as bank:
        if run_id is not None:
            changes = bank.consolidation_changes(find_run(bank, run_id))
            shell.show(
                {"changes": changes}, *(change_lines(changes, 0) or [Text("it changed nothing")])
            )
            return
        listed_runs = bank.consolidation_runs(limit=limit)
    headings = ("id", "when", "cause", "state", "counts", "ms", "LLM calls")
    table = rows(headings, map(_run_row, listed_runs), texts=("counts",))
    shell.show({"runs": listed_runs}, table if listed_runs else "no dream cycle ran yet")


def _run_row(run: ConsolidationRun) -> tuple[str, ...]:
    steps: Mapping[str, Mapping[str, Any]] = run.report.get("steps", {})
    counts = sum((Counter(step.get("counts", {})) for step in steps.values()), Counter[str]())
    failed = [name for name, step in steps.items() if step.get("error")]
    outcome = "; ".join(
        filter(None, (_counts_text(counts), f"failed: {', '.join(failed)}" if failed else ""))
    )
    milliseconds = f"{run.report['duration_ms']:.0f}" if "duration_ms" in run.report else "-"
    model_calls = str(run.report.get("llm_calls", "-"))
    return (
        short(run.id),
        local(run.started_at),
        run.cause,
        run.state,
        outcome,
        milliseconds,
        model_calls,
    )


def undo(
    shell: Shell,
    run_id: Annotated[
        str,
        typer.Argument(
            metavar="RUN_ID",
            help="An id, its first or last characters (8 or more), or last: the last that changed something.",
        ),
    ],
    memory_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="Only what it did to this memory; see `cogm runs RUN_ID`."
        ),
    ] = None,
) -> None:
    """Take back a dream cycle, or one thing of it; what was changed again since stays as it is now."""
    with shell.bank(must_exist=True) as bank:
        one = None if memory_id is None else complete(bank, memory_id)
        report = bank.undo(find_run(bank, run_id), one)
        texts = _unchanged_texts(bank, report)
    shell.show(report, *_undo_lines(report, texts))


def _unchanged_texts(bank: MemoryBank, report: UndoReport) -> dict[str, str]:
    """The texts of what was left as it is."""
    with bank.engine.services.ledger.reading(bank.namespace) as ns:
        memories = ns.memories.by_ids(list(report.kept))
    return {memory_id: memory.content for memory_id, memory in memories.items()}


def _undo_lines(report: UndoReport, texts: Mapping[str, str]) -> list[RenderableType]:
    unchanged_lines = [
        Text(
            f"{short(memory_id)}  {line(texts.get(memory_id, ''))}  kept: {line(why)}",
            style="yellow",
        )
        for memory_id, why in report.kept.items()
    ]
    counts = f"{len(report.restored)} restored, {len(report.removed)} removed, {len(report.kept)} kept as they are now"
    return [*unchanged_lines, f"undid {short(report.run_id)}: {counts}"]


_ALL = 1_000_000
_PERIODS = 6


def forecast(
    shell: Shell,
    *,
    days: Annotated[float, typer.Option(help="How far to look.")] = 90,
    limit: Annotated[int, typer.Option(help="Show so many of the nearest.")] = 10,
) -> None:
    """Show what becomes of memories if nobody uses them: how many fade, go dormant or end, and when."""
    with shell.existing_bank() as bank:
        prediction = bank.forecast(days, limit=max(limit, _ALL) if limit > 0 else limit)
    nearest = replace(
        prediction,
        events=prediction.events[:limit],
        more=prediction.more + max(0, len(prediction.events) - limit),
    )
    answer = {**plain(nearest), "counts": prediction.counts}
    if not prediction.events:
        shell.show(answer, f"nothing changes within {days:g} days")
        return
    headings = ("when", "what", "id", "memory", "why")
    table = rows(headings, map(_event_row, nearest.events), texts=("memory", "why"))
    total = counted(len(prediction.events), "change", "changes")
    shell.show(
        answer,
        f"{total} within {days:g} days",
        bars("what", prediction.counts),
        bars("until", _by_period(prediction)),
        f"the nearest {len(nearest.events)}:",
        table,
    )
    if nearest.more:
        shell.note(f"there are {nearest.more} more: --limit {limit + nearest.more}")


def _by_period(prediction: Forecast) -> dict[str, int]:
    """How many events there are in each part of the time, by its end."""
    length = (prediction.until - prediction.since) / _PERIODS
    ends = [prediction.since + length * part for part in range(1, _PERIODS + 1)]
    counts = [0] * _PERIODS
    for event in prediction.events:
        counts[min(_PERIODS - 1, max(0, int((event.when - prediction.since) / length)))] += 1
    return {local_day(end): count for end, count in zip(ends, counts, strict=True)}


def _event_row(event: ForecastEvent) -> tuple[str, ...]:
    return (
        local_day(event.when),
        event.what,
        short(event.memory_id),
        line(event.content),
        event.why,
    )


_CHARACTERS = 60
"""Of a memory's text, or of a value, that one line shows."""
_MERGING = "duplicates"
# What a line begins with, and its colour. Links and marks matter least.
_STYLES = {
    "put": ("+", "green"),
    "retire": ("-", "red"),
    "merge": ("=", "cyan"),
    "touch": ("~", "yellow"),
    "rewrite": ("~", "yellow"),
    "revive": ("+", "green"),
}
_MINOR_STYLE = (" ", "dim")


def change_lines(changes: Sequence[PlannedChange], limit: int) -> list[Text]:
    """A heading per step, then a line per change.

    Args:
        limit: lines per step; 0 = all. Another line tells how many more there are.
    """
    lines: list[Text] = []
    for step, group in groupby(changes, key=lambda change: change.step):
        step_changes = list(group)
        listed = step_changes if limit == 0 else step_changes[:limit]
        lines.append(
            Text(
                f"{step or 'in all'}: {counted(len(step_changes), 'change', 'changes')}",
                style="bold",
            )
        )
        lines += map(_line, listed)
        if len(listed) < len(step_changes):
            lines.append(
                Text(
                    f"  ... and {len(step_changes) - len(listed)} more (--lines 0 shows all)",
                    style="dim",
                )
            )
    return lines


def _line(change: PlannedChange) -> Text:
    kind = "merge" if change.kind == "retire" and change.step == _MERGING else change.kind
    sign, style = _STYLES.get(kind, _MINOR_STYLE)
    parts = (
        short(change.memory_id),
        shortened(change.content, _CHARACTERS),
        _values(change),
        change.reason,
    )
    text = "  ".join(filter(None, map(line, parts)))
    return Text(f"{sign} {text}", style=style)


def _values(change: PlannedChange) -> str:
    """What differs, in half a line."""
    if change.kind in ("link", "unlink"):
        return _link(change)
    if change.kind in ("mark", "unmark"):
        return change.kind
    if change.kind == "retire":
        other = change.after.get("superseded_by")
        return (
            f"→ {change.after.get('state', '')}{f', now in {short(str(other))}' if other else ''}"
        )
    if change.kind == "put":
        return ", ".join(
            f"{name} {_value(value)}"
            for name, value in change.after.items()
            if value not in ((), "", [])
        )
    return _fields(change.before, change.after)


def _fields(old_values: Mapping[str, Any], new_values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {_value(old_values.get(name))} → {_value(value)}"
        for name, value in new_values.items()
        if old_values.get(name) != value
    )


def _link(change: PlannedChange) -> str:
    relation = change.after or change.before
    weights = " → ".join(f"{end['weight']:.2f}" for end in (change.before, change.after) if end)
    suffix = "" if change.after else " removed"
    return f"{change.kind} {relation.get('type', '')} {short(str(relation.get('target_id', '')))} {weights}{suffix}"


def _value(value: Any) -> str:
    if value is None or value in ("", (), []):
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, datetime):
        return local(value)
    if isinstance(value, (tuple, list)):
        return f"{len(value)} of them" if len(value) > 3 else f"[{', '.join(map(_value, value))}]"
    return shortened(str(value), _CHARACTERS)


COMMANDS = (
    dream,
    compact,
    tick,
    runs,
    undo,
    forecast,
)

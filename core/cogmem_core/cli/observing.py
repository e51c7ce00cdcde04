"""Commands about conversations: observe, and session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_core.cli.progress import bar, loading
from cogmem_core.cli.remembering import BATCH, At, File, Role, SessionId, Speaker, checked_turns, said_with
from cogmem_core.cli.shell import LanguageModel, Shell, command
from cogmem_core.cli.values import short
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import Engine, MemoryBank
    from cogmem_core.models import Episode, Memory, ShortTerm, SynapticTag, Turn
    from cogmem_core.results import ObservationReport, ReflectionReport

__all__ = ["register"]

LISTED = 20

Observed = Annotated[
    list[str] | None,
    typer.Argument(metavar="TEXT", help="What was said, - for standard input, or the name of a file of turns."),
]
Reflect = Annotated[bool, typer.Option("--reflect", help="Then turn all that was observed into memories.")]
Waiting = Annotated[bool, typer.Option("--list", help="Only show the notes and traces that wait.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "observe")(observe)
    command(app, "session")(session)


def observe(  # a command's parameters are its options
    shell: Shell,
    text: Observed = None,
    *,
    file: File = None,
    role: Role = "user",
    speaker: Speaker = None,
    at: At = None,
    session: SessionId = None,
    llm: LanguageModel = None,
    reflect: Reflect = False,
    waiting: Waiting = False,
) -> None:
    """Note what was said instead of remembering it; --reflect condenses the notes to a few long-term memories."""
    from cogmem_core.cli.turns import given_turns

    given = bool(text) or file is not None
    if waiting:
        if given or reflect:
            raise InvalidInput("--list only shows what waits; give it alone")
        _list(shell)
        return
    if not given and not reflect:
        raise InvalidInput("give a text (or - for standard input), --file, --reflect or --list")
    turns = given_turns(text, file, said_with(role, speaker, at, session)) if given else []
    with shell.bank(create=given, llm=shell.language_model(llm)) as (bank, engine):
        observed = _observed(shell, bank, checked_turns(engine, turns)) if given else None
        reflected, memories = _reflected(shell, bank, engine) if reflect else (None, [])
    answer = {"observed": observed, "reflected": reflected, "memories": memories}
    shell.show(answer, *_noted(observed), *_learnt(shell, reflected, memories))
    for trouble in (report.error for report in (observed, reflected) if report is not None and report.error):
        shell.note(f"degraded: {trouble}")


def _list(shell: Shell) -> None:
    from cogmem_core.cli.tables import notes

    with shell.bank(asking=True) as (bank, engine), engine.services.ledger.reading() as reader:
        noted, traces = reader.notes(bank.namespace, "note"), reader.notes(bank.namespace, "trace")
    answer = {"notes": noted, "traces": traces}
    shell.show(answer, notes([*traces, *noted], shell.out.width) if noted or traces else "nothing waits")


def _observed(shell: Shell, bank: MemoryBank, turns: Sequence[Turn]) -> ObservationReport:
    reports = []
    with bar(shell, "observing") as advance:
        for start in range(0, len(turns), BATCH):
            reports.append(bank.observe(turns[start : start + BATCH]))
            advance("observing", min(start + BATCH, len(turns)), len(turns))
    return _united(reports)


def _united(reports: Sequence[ObservationReport]) -> ObservationReport:
    """One report for all batches."""
    from cogmem_core.results import ObservationReport

    traces = tuple(trace for report in reports for trace in report.traces)
    kept = sum(len(trace.content) for trace in traces)
    return ObservationReport(
        notes=tuple(note for report in reports for note in report.notes),
        skipped=dict(sum((Counter(report.skipped) for report in reports), Counter[str]())),
        compressed=sum(report.compressed for report in reports),
        traces=traces,
        ratio=round(sum(trace.characters for trace in traces) / kept, 2) if kept else 0.0,
        source=next((s for s in ("llm", "heuristic") if s in [report.source for report in reports]), ""),
        error=next((report.error for report in reports if report.error), None),
        llm_calls=sum(report.llm_calls for report in reports),
    )


def _reflected(shell: Shell, bank: MemoryBank, engine: Engine) -> tuple[ReflectionReport, list[Memory]]:
    with loading(shell, engine):
        report = bank.reflect()
    return report, [bank.get(memory_id) for memory_id in report.memory_ids]


def _noted(report: ObservationReport | None) -> list[str]:
    if report is None:
        return []
    told = [counted(len(report.notes), "note", "notes")]
    told += [f"skipped {count}: {reason}" for reason, count in sorted(report.skipped.items())]
    if report.compressed:
        shrunk = f"{counted(report.compressed, 'note', 'notes')} compressed to {_traces(len(report.traces))}"
        by = f"by {report.source}, {counted(report.llm_calls, 'call', 'calls')}"
        told.append(f"{shrunk}, {report.ratio:.1f} times shorter ({by})")
    return told


def _learnt(shell: Shell, report: ReflectionReport | None, found: Sequence[Memory]) -> list[Any]:
    from cogmem_core.cli.tables import memories

    if report is None:
        return []
    if not report.traces:
        return ["nothing waits to be reflected on"]
    shorter = f", {report.ratio:.1f} times shorter" if report.ratio > 1 else ""
    told = f"{_traces(report.traces)} reflected on, {counted(len(found))} made or changed{shorter}"
    return [told, memories(found, shell.out.width)]


def _traces(count: int) -> str:
    return counted(count, "trace", "traces")


def session(
    shell: Shell,
    session_id: Annotated[str, typer.Argument(metavar="SESSION_ID", help="The conversation.", show_default=False)],
    *,
    limit: Annotated[int, typer.Option(help="At most so many of the newest turns, and as many memories.")] = 200,
) -> None:
    """Show a conversation: its turns, the memories that came of it, what is tagged or kept for a short time."""
    from cogmem_core import checks
    from cogmem_core.storage.ledger.reader import Filter

    size = checks.positive("limit", limit)
    with shell.bank(asking=True) as (bank, engine), engine.services.ledger.reading() as reader:
        now, name = engine.services.runtime.now(), bank.namespace
        turns = reader.turns_of_session(name, session_id, size)
        memories = reader.page(name, Filter(session_id=session_id), limit=size)
        ids = set(reader.ids(name, Filter(session_id=session_id)))
        tags = reader.live_tags(name, [session_id], now)
        short_term = [fact for fact in reader.short_term(name) if fact.memory_id in ids and fact.expires_at > now]
    if not turns and not ids:
        raise NotFound(f"no turn and no memory of session {session_id!r} in namespace {name!r}")
    answer = {
        "session_id": session_id,
        "turns": turns,
        "memories": memories,
        "tags": [{**_marked(tag), "minutes_left": _minutes(tag.expires_at - now)} for tag in tags],
        "short_term": [{**_marked(fact), "minutes_left": _minutes(fact.expires_at - now)} for fact in short_term],
    }
    marks = [f"{short(tag.memory_id)}  tagged for {_left(tag.expires_at - now)}" for tag in tags]
    marks += [f"{short(fact.memory_id)}  short-term for {_left(fact.expires_at - now)}" for fact in short_term]
    shell.show(answer, *_tables(shell, turns, memories), *marks)
    if len(ids) > len(memories):
        shell.note(f"there are {len(ids)} memories: --limit {len(ids)}")


def _marked(mark: SynapticTag | ShortTerm) -> dict[str, Any]:
    from cogmem_core.cli.values import plain

    return dict(plain(mark))


def _minutes(time: timedelta) -> int:
    return int(time / timedelta(minutes=1))


def _left(time: timedelta) -> str:
    from cogmem_core.cli.tables import left

    return f"another {left(time)}"


def _tables(shell: Shell, said: Sequence[Episode], found: Sequence[Memory]) -> list[Any]:
    from cogmem_core.cli.tables import memories, turns

    shown = [turns(said, shell.out.width) if said else "no turn is kept"]
    return [*shown, memories(found, shell.out.width) if found else "no memory came of it"]

"""Commands that look after the bank: health, report, doctor, log, reindex, backup, restore-backup."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.options import finish_waiting
from cogmem_cli.progress import bar
from cogmem_cli.shell import Shell
from cogmem_cli.tables import bars, pairs, rows
from cogmem_cli.values import line
from cogmem_core.base.reprs import plain
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.results import BackupReport
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from rich.console import RenderableType


def health(shell: Shell) -> None:
    """Show how the namespace is doing: counts, retention, the index, what waits, warnings."""
    with shell.existing_bank() as bank:
        answer = {
            "path": str(shell.folder),
            "namespaces": len(bank.engine.namespaces()),
            **bank.health(),
        }
    fields = {name.replace("_", " "): value for name, value in answer.items()}
    retention = fields.pop("retention histogram")
    shell.show(answer, pairs(fields), bars("retention from", retention))
    for warning in answer["warnings"]:
        shell.note(f"warning: {warning}")


def report(
    shell: Shell,
    file: Annotated[Path, typer.Argument(metavar="FILE.html", help="The page; it may exist.")],
) -> None:
    """Write one page about the namespace: when things were said, what fades, what replaced what, the last dream.

    It holds memories, so only you can read the file. It needs no network, and no script runs in it.
    """
    from cogmem_core.base.files import replacing
    from cogmem_serve.report import report_page

    if file.is_dir():
        raise InvalidInput(f"{file} is a folder; give the name of a file")
    with shell.existing_bank() as bank:
        page = report_page(bank)
    try:
        with replacing(file) as target:
            target.write(page)
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error}; give another place") from error
    shell.show({"file": str(file), "bytes": len(page.encode())}, f"wrote {file}")


def doctor(
    shell: Shell,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Repair what can be repaired.")] = False,
) -> None:
    """Examine ledger, indexes, files, clock. Exit status 1 if something is, or stays, wrong."""
    with shell.engine(as_stored=True) as engine:
        engine.pause()
        diagnosis = engine.doctor(repair)
    lines = (
        (symptom.kind, "repaired" if symptom.repaired else "found", line(symptom.message))
        for symptom in diagnosis.findings
    )
    table = rows(("what", "state", "message"), lines, texts=("message",))
    shell.show(
        {"clean": diagnosis.clean, **plain(diagnosis)},
        table if diagnosis.findings else "nothing is wrong",
    )
    for skipped in diagnosis.skipped:
        shell.note(skipped)
    if not diagnosis.clean:
        if not repair:
            shell.note("cogm doctor --repair repairs what can be repaired")
        raise typer.Exit(1)


OPERATIONS = (
    "add",
    "append_messages",
    "asked",
    "clear_transcript",
    "consolidate",
    "consolidate_all",
    "doctor",
    "due",
    "edit",
    "end",
    "feedback",
    "forget",
    "import_skill",
    "intend",
    "observe",
    "observe_run",
    "outcome",
    "recall",
    "reflect",
    "remember",
    "restore",
    "search_items",
    "seal",
    "settle",
    "settle_versions",
    "supersede",
    "tip_of_tongue",
    "undo",
    "unseal",
    "write_items",
)
"""What an engine writes down, by the names of the methods that are called."""
_ALL = 1_000_000
_COLUMNS = ("ts", "op", "latencyMs", "success")


def log(
    shell: Shell,
    *,
    limit: Annotated[int, typer.Option(help="At most so many of the newest records.")] = 20,
    op: Annotated[
        str | None, typer.Option(help="Only this operation: remember, recall, forget, ...")
    ] = None,
) -> None:
    """Show what the engine did lately: operation, time taken, outcome; texts only as hashes."""
    with shell.engine(read_only=True) as engine:
        records = engine.log(limit=limit, op=op)
        operations = (
            [] if records else sorted({str(record["op"]) for record in engine.log(limit=_ALL)})
        )
    human: RenderableType = "nothing is logged yet"
    if records:
        headings = ("when", "what", "ms", "outcome", "details")
        human = rows(headings, map(_cells, records), texts=("details",))
    elif op is not None and op not in OPERATIONS:
        near = get_close_matches(op, [*OPERATIONS, *operations], 1, 0.0)[0]
        raise InvalidInput(
            f"there is no operation {op!r}; the nearest one is {line(near)!r}; the log has "
            f"{', '.join(map(line, operations)) or 'none yet'}"
        )
    elif op is not None and operations:
        human = f"no {op} is logged yet; the log has {', '.join(map(line, operations))}"
    shell.show({"records": records}, human)


def _cells(record: Mapping[str, Any]) -> tuple[str, ...]:
    details = [f"{name} {value}" for name, value in record.items() if name not in _COLUMNS]
    outcome = "ok" if record.get("success") else line(str(record.get("error", "failed")))
    latency = str(record.get("latencyMs", ""))
    return (str(record["ts"]), line(str(record["op"])), latency, outcome, line(", ".join(details)))


def reindex(shell: Shell) -> None:
    """Build all indexes anew; --embedder first embeds every memory with that model for good."""
    with shell.engine(as_stored=True) as engine, bar(shell, "reindexing") as advance:
        finish_waiting(engine)
        report = engine.reindex(shell.embedder, progress=partial(advance, "reindexing"))
    shell.show(
        report,
        f"indexed {counted(report.indexed)}, embedded {report.embedded} ({report.fingerprint})",
    )


def backup(
    shell: Shell,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="A new file (backup.sqlite), or a folder (its name has no ending).",
        ),
    ],
) -> None:
    """Copy the whole bank, while it is used, and check the copy.

    Vectors are in it; indexes are built anew from it. What is forgotten for good later stays in older backups.
    """
    with shell.engine(as_stored=True) as engine:
        engine.pause()
        report = engine.backup(target)
    _show(shell, report, "backed up to")


def restore_backup(
    shell: Shell,
    source: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="What `cogm backup` wrote.")
    ],
    *,
    replaces: Annotated[
        Path | None,
        typer.Option(help="The folder of the bank that it replaces, which knows what was erased."),
    ] = None,
) -> None:
    """Make a bank of a backup, in the folder of --path, in which there must be none.

    `cogm audit --erasures` then tells what came back that had been erased.
    """
    from cogmem_core.engine.backups import restore

    report = restore(source, shell.folder, replaces=replaces)
    with shell.engine(as_stored=True) as engine:
        engine.sync()
    _show(shell, report, "restored to")


def _show(shell: Shell, report: BackupReport, done: str) -> None:
    parts = (
        counted(report.memories, "memory", "memories"),
        counted(report.turns, "turn", "turns"),
        counted(report.namespaces, "namespace", "namespaces"),
    )
    shell.show(report, f"{done} {report.path}: {', '.join(parts)}; every page was read")


COMMANDS = (
    health,
    report,
    doctor,
    log,
    reindex,
    backup,
    restore_backup,
)

"""The commands `backup` and `restore-backup`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cogmem_cli.shell import Shell
from cogmem_core.results import BackupReport
from cogmem_core.text.plural import counted

Target = Annotated[
    Path,
    typer.Argument(
        metavar="FILE|FOLDER",
        help="A new file (backup.sqlite), or a folder (its name has no ending).",
    ),
]
Backup = Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="What `cogm backup` wrote.")]


def backup(shell: Shell, target: Target) -> None:
    """Copy the whole bank, while it is used, and check the copy.

    Vectors are in it; indexes are built anew from it. What is forgotten for good later stays in older backups.
    """
    with shell.engine(as_stored=True) as engine:
        engine.pause()
        report = engine.backup(target)
    _show(shell, report, "backed up to")


def restore_backup(
    shell: Shell,
    source: Backup,
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


COMMANDS = (backup, restore_backup)

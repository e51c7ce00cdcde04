"""The command `doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import line, plain


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


COMMANDS = (doctor,)

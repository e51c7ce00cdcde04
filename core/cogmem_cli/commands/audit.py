"""The command `audit`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import short
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.results import Audit


_FINDINGS = {
    "duplicates": "say word for word what an older one says",
    "contradictions": "contradict another active one",
    "junk": "say nothing",
    "orphans": "are related to, or came from, what is not there",
    "stale_derived": "rest on what is forgotten or refuted",
    "secrets": "hold a password, a key or the like",
    "quarantined": "are set aside",
}


def audit(
    shell: Shell,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[verify]", help="verify: check the audit trail.", show_default=False
        ),
    ] = None,
    *,
    anchor: Annotated[
        str | None, typer.Option(help="With verify: the head that was noted before.")
    ] = None,
    erasures: Annotated[
        bool, typer.Option("--erasures", help="List what was erased and is there again.")
    ] = False,
    probe: Annotated[
        list[str] | None,
        typer.Option(help="With --erasures: words for what was erased, which recall is asked for."),
    ] = None,
) -> None:
    """Look the namespace over: duplicates, contradictions, junk, orphans, stale insights, secrets, what waits.

    `audit verify` checks the audit trail: whether anything was altered, deleted, added or moved
    by something other than cogmem. `audit --erasures` checks whether what was erased is there again.
    """
    if erasures:
        _erasures(shell, probe or [])
        return
    if what is not None:
        _verify(shell, what, anchor)
        return
    with shell.existing_bank() as bank:
        report = bank.audit()
    table = rows(
        ("what", "count", "meaning", "ids"), _finding_rows(report), texts=("meaning", "ids")
    )
    shell.show(report, table, f"index lag {report.index_lag}, queued turns {report.queued}")


def _verify(shell: Shell, action: str, anchor: str | None) -> None:
    """Exit code 1 if something was found."""
    if action != "verify":
        raise InvalidInput(f"audit knows {action!r} not; use `cogm audit` or `cogm audit verify`")
    with shell.existing_bank() as bank:
        report = bank.verify_audit(anchor=anchor)
    lines = (
        (str(x.seq), short(x.memory_id) if x.memory_id else "", x.what) for x in report.findings
    )
    table = rows(("journal number", "id", "what"), lines, texts=("what",))
    summary = (
        f"{report.entries} entries are as they were written; the head is {report.head or 'empty'}"
    )
    shell.show(report, summary if report.ok else table)
    if not report.ok:
        raise typer.Exit(1)


def _erasures(shell: Shell, probe: list[str]) -> None:
    """Exit code 1 if something is there again."""
    with shell.existing_bank() as bank:
        check = bank.verify_erasures(probe=probe)
    lines = (
        (
            item.kind,
            item.id,
            item.how,
            f"{item.since:%Y-%m-%d}" if item.since else "",
            f"{item.erased_at:%Y-%m-%d}" if item.erased_at else "",
        )
        for item in check.returned
    )
    table = rows(("kind", "id", "how", "since", "erased"), lines, texts=("id", "how"))
    notes = [f"a backup still holds what was erased: {path}" for path in check.backups]
    count = sum(item.confidence is None for item in check.returned)
    say = counted(count, "record or file says", "records or files say")
    summary = (
        f"{say} what was erased; looked at: {counted(check.records, 'record', 'records')}, "
        f"{counted(check.files, 'file', 'files')}, for "
        f"{counted(check.erased, 'erased text or statement', 'erased texts and statements')}"
    )
    shell.show(check, *([table] if check.returned else []), summary, *notes, *check.unchecked)
    if not check.ok:
        raise typer.Exit(1)


def _finding_rows(report: Audit) -> Iterable[tuple[str | Text, ...]]:
    for name, meaning in _FINDINGS.items():
        finding = getattr(report, name)
        ids = ", ".join(map(short, finding.ids))
        if finding.count > len(finding.ids):
            ids += f" and {finding.count - len(finding.ids)} more"
        count = Text(str(finding.count), style="yellow" if finding.count else "dim")
        yield (name.replace("_", " "), count, meaning, ids)


COMMANDS = (audit,)

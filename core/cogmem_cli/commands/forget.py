"""Commands that take away, or keep away: forget, seal, unseal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.ids import find
from cogmem_cli.options import Conversation, Filters
from cogmem_cli.shell import Shell
from cogmem_cli.values import line, local_day, others, short
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import Memory
    from cogmem_core.results import ForgetReceipt


LISTED = 20
Target = Annotated[
    str | None, typer.Argument(metavar="ID_OR_QUERY", help="An id, or what a memory must hold.")
]
Every = Annotated[bool, typer.Option("--all", help="Forget the whole namespace.")]
Hard = Annotated[
    bool, typer.Option("--hard", help="Erase from every file, for good; else `restore` undoes it.")
]
Yes = Annotated[
    bool,
    typer.Option("--yes", "-y", help="Do not ask. Needed in a script for --hard, or for several."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what is meant, and why.")]


def forget(
    shell: Shell,
    target: Target = None,
    *,
    every: Every = False,
    filters: Filters,
    session: Conversation = None,
    hard: Hard = False,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> None:
    """Forget a memory by its id, all that hold a query (--hard: as a whole) or that filters leave, or all (--all)."""
    within = {**filters, "session_id": session}
    filtered = any(value is not None for value in within.values())
    if every is (target is not None or filtered):
        raise InvalidInput("give an id, a query or a filter, or --all")
    if dry_run and (target is None or filtered):
        raise InvalidInput(
            "--dry-run is for an id or a query without filters; `cogm list` shows what filters leave"
        )
    with shell.bank() as bank:
        if every:
            shell.require_namespace(bank.engine)
        id_or_query, matches = _find_matches(bank, target, within, hard=hard and not dry_run)
        if dry_run:
            preview = bank.forget_matching(str(id_or_query), dry_run=True, hard=hard)
            shell.show(preview, *_candidate_lines(preview))
            return
        if not yes and (matches or hard):
            _confirm(shell, matches, hard=hard, every=every)
        receipt = (
            bank.forget_all(confirm=bank.namespace, hard=hard)
            if every
            else bank.forget(id_or_query, hard=hard, **within)
        )
        with bank.engine.services.ledger.reading(bank.namespace) as ns:
            left = len(ns.documents.heads()) if every else 0
            shortened = ns.memories.by_ids(receipt.shortened)
    shell.show(receipt, *_receipt_lines(receipt, list(shortened.values()), left))
    if receipt.operator:
        shell.note("left to the operator: " + "; ".join(receipt.operator))
    if receipt.remaining:
        shell.note("not everything is gone: " + "; ".join(receipt.remaining))
        raise typer.Exit(1)


def _find_matches(
    bank: MemoryBank,
    target: str | None,
    filters: Mapping[str, Any],
    *,
    hard: bool,
) -> tuple[str | None, list[Memory]]:
    """What `bank.forget` is asked for, and the memories that it will find."""
    from cogmem_core.edge import checks
    from cogmem_core.engine.filters import checked_filter
    from cogmem_core.upkeep import lifecycle

    services = bank.engine.services
    within = checked_filter(services.config, **filters)
    if target is None:
        only = within if within.narrows else None
        return None, lifecycle.everything(services, bank.namespace, only)
    id_or_query = find(bank, target) or checks.text(
        "query", target, services.config.limits.query_bytes
    )
    meaning = lifecycle.matching(services, bank.namespace, id_or_query, hard=hard, within=within)
    return id_or_query, meaning.memories


def _confirm(shell: Shell, matches: Sequence[Memory], *, hard: bool, every: bool) -> None:
    """Ask the person, or insist on --yes where nobody can be asked and more than one thing would be lost."""
    if not shell.interactive:
        if hard or every or len(matches) > 1:
            raise InvalidInput(
                f"this forgets {counted(len(matches))}{' for good' if hard else ''}; add --yes if "
                "that is meant"
            )
        return
    for memory in matches[:LISTED]:
        shell.note(
            f"{short(memory.id)}  {local_day(memory.recorded_at)}  {line(memory.content)}", style=""
        )
    if len(matches) > LISTED:
        shell.note(f"... and {len(matches) - LISTED} more", style="")
    verb = "Erase for good" if hard else "Forget"
    if not typer.confirm(f"{verb} {counted(len(matches))}?", err=True):
        shell.note("nothing was forgotten")
        raise typer.Exit(1)


def _candidate_lines(receipt: ForgetReceipt) -> list[str]:
    lines: list[str] = []
    for candidate in receipt.candidates[:LISTED]:
        mark = "would go" if candidate.meant else "stays"
        lines.append(
            f"{short(candidate.memory_id)}  {mark}, {candidate.reason}: {line(candidate.text)}"
        )
    if len(receipt.candidates) > LISTED:
        lines.append(f"... and {len(receipt.candidates) - LISTED} more")
    return lines or ["nothing is meant by that"]


def _receipt_lines(receipt: ForgetReceipt, shortened: Sequence[Memory], left: int) -> list[str]:
    """What was done; `left`: how many documents are there still, though everything was meant."""
    lines = list(map(short, receipt.memory_ids[:LISTED]))
    lines += [
        f"{short(memory.id)}  stays as: {line(memory.content)}" for memory in shortened[:LISTED]
    ]
    memories = counted(len(receipt.memory_ids))
    if receipt.shortened:
        cut = f"parts of {counted(len(receipt.shortened))}"
        memories = f"{memories}, {cut}" if receipt.memory_ids else cut
    if receipt.hard and (receipt.memory_ids or receipt.erased):
        *first, last = memories, counted(receipt.episodes, "turn", "turns"), *others(receipt.others)
        files = counted(receipt.files_scanned, "file", "files")
        lines.append(f"erased {', '.join(first)} and {last}; {files} scanned for traces")
    elif receipt.memory_ids:
        lines.append(f"forgot {memories}; `cogm restore ID` undoes it")
    for verb, kind in (("cancelled", "intentions"), ("retired", "procedures")):
        if not receipt.hard and kind in receipt.others:
            lines += [f"{verb} {told}" for told in others({kind: receipt.others[kind]})]
    if left:
        stay = counted(left, "document stays", "documents stay")
        lines.append(f"{stay}; --hard erases {'it' if left == 1 else 'them'}")
    return lines or ["nothing was left to forget"]


Topic = Annotated[
    list[str] | None,
    typer.Argument(metavar="TOPIC", help="A topic such as health, or words of your own."),
]


def seal(shell: Shell, topic: Topic = None) -> None:
    """Never keep what tells of a topic, from now on; without one, list what is sealed."""
    with shell.bank() as bank:
        _show(shell, bank.seal(" ".join(topic)) if topic else bank.seals())


def unseal(shell: Shell, topic: Annotated[list[str], typer.Argument(metavar="TOPIC")]) -> None:
    """Keep again what tells of a topic that was sealed with `seal`."""
    with shell.bank() as bank:
        _show(shell, bank.unseal(" ".join(topic)))


def _show(shell: Shell, seals: tuple[str, ...]) -> None:
    shell.show({"seals": seals}, "\n".join(seals) or "no topic is sealed")


COMMANDS = (
    forget,
    seal,
    unseal,
)

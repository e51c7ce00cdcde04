"""Commands that judge, look ahead and look over: feedback, forecast, audit, tip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cogmem_core.cli.progress import loading
from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line, short
from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.results import Audit, ForecastEvent, Tip
    from cogmem_core.retrieval.recall import Recall

__all__ = ["register"]

_FINDINGS = {
    "duplicates": "say word for word what an older one says",
    "contradictions": "contradict another active one",
    "junk": "say nothing",
    "orphans": "are related to, or came from, what is not there",
    "stale_derived": "rest on what is forgotten or refuted",
    "secrets": "hold a password, a key or the like",
    "quarantined": "are set aside",
}

Query = Annotated[str, typer.Argument(metavar="QUERY", help="What was asked.", show_default=False)]
Answer = Annotated[
    str, typer.Argument(metavar="ANSWER", help="What the model answered, or - for standard input.", show_default=False)
]
What = Annotated[
    str | None, typer.Argument(metavar="[verify]", help="verify: check the audit trail.", show_default=False)
]
Anchor = Annotated[str | None, typer.Option(help="With verify: the head that was noted before.")]
Most = Annotated[int, typer.Option("-k", help="At most so many memories.")]
Days = Annotated[float, typer.Option(help="How far to look.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for function in (feedback, forecast, audit, tip):
        command(app, function.__name__)(function)


def feedback(shell: Shell, query: Query, answer: Answer, *, k: Most = 8) -> None:
    """Recall a query and judge an answer: what it used lasts longer and ranks higher, what it ignored fades."""
    from cogmem_core.cli.turns import read_text

    said = read_text([answer])
    with shell.bank() as (bank, engine), loading(shell, engine):
        found = bank.recall(query, k=k)
        judged = bank.feedback(found, said)
        none = "" if judged else shell.nothing(engine, found.empty_reason or "the answer is blank")
    texts = _shown(found)
    rows = [
        {"memory_id": x.memory_id, "signal": x.signal, "ratio": x.ratio, "content": texts[x.memory_id]} for x in judged
    ]
    for trouble in found.degraded:
        shell.note(f"degraded: {trouble}")
    shell.show({"recall_id": found.id, "query": query, "judged": rows}, _judged(rows, none))


def _shown(found: Recall) -> Mapping[str, str]:
    """The texts that an answer can have used."""
    memories = (*found.hot, *(item.memory for item in found.results))
    return {memory.id: memory.content for memory in memories}


def _judged(judged: list[dict[str, Any]], none: str) -> RenderableType:
    from cogmem_core.cli.tables import rows

    if not judged:
        return f"nothing was judged: {none}"
    lines = (
        (Text(row["signal"], style="green" if row["signal"] == "used" else "dim"), f"{row['ratio']:.2f}", *_named(row))
        for row in judged
    )
    return rows(("signal", "ratio", "id", "memory"), lines, texts=("memory",))


def _named(row: Mapping[str, Any]) -> tuple[str, str]:
    return short(row["memory_id"]), line(row["content"])


def forecast(
    shell: Shell, *, days: Days = 90, limit: Annotated[int, typer.Option(help="At most so many.")] = 1_000
) -> None:
    """Show what becomes of each memory if nobody uses it: which fade, go dormant or end, and when."""
    from cogmem_core.cli.tables import rows

    with shell.bank(asking=True) as (bank, _):
        found = bank.forecast(days, limit=limit)
    headings = ("when", "what", "id", "memory", "why")
    table = rows(headings, map(_event, found.events), texts=("memory", "why"))
    shell.show(found, table if found.events else f"nothing changes within {days:g} days")
    if found.more:
        shell.note(f"there are {found.more} more: --limit {limit + found.more}")


def _event(event: ForecastEvent) -> tuple[str, ...]:
    return (f"{event.when:%Y-%m-%d}", event.what, short(event.memory_id), line(event.content), event.why)


def audit(shell: Shell, what: What = None, *, anchor: Anchor = None) -> None:
    """Look the namespace over: duplicates, contradictions, junk, orphans, stale insights, secrets, what waits.

    `audit verify` checks the audit trail: whether anything was altered, deleted, added or moved beside cogmem.
    """
    from cogmem_core.cli.tables import rows

    if what is not None:
        _verify(shell, what, anchor)
        return
    with shell.bank(asking=True) as (bank, _):
        found = bank.audit()
    table = rows(("what", "count", "meaning", "ids"), _findings(found), texts=("meaning", "ids"))
    shell.show(found, table, f"index lag {found.index_lag}, queued turns {found.queued}")


def _verify(shell: Shell, what: str, anchor: str | None) -> None:
    """Exit code 1 if something was found."""
    from cogmem_core.cli.tables import rows

    if what != "verify":
        raise InvalidInput(f"audit knows {what!r} not; use `cogm audit` or `cogm audit verify`")
    with shell.bank(asking=True) as (bank, _):
        found = bank.verify_audit(anchor=anchor)
    lines = ((str(x.seq), short(x.memory_id) if x.memory_id else "", x.what) for x in found.findings)
    table = rows(("journal number", "id", "what"), lines, texts=("what",))
    said = f"{found.entries} entries are as they were written; the head is {found.head or 'empty'}"
    shell.show(found, said if found.ok else table)
    if not found.ok:
        raise typer.Exit(1)


def _findings(found: Audit) -> Iterable[tuple[str | Text, ...]]:
    for name, meaning in _FINDINGS.items():
        finding = getattr(found, name)
        more = f" and {finding.count - len(finding.ids)} more" if finding.count > len(finding.ids) else ""
        count = Text(str(finding.count), style="yellow" if finding.count else "dim")
        yield (name.replace("_", " "), count, meaning, f"{', '.join(map(short, finding.ids))}{more}")


def tip(
    shell: Shell,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="What you are trying to remember.")],
    *,
    k: Most = 8,
) -> None:
    """Find what is on the tip of the tongue: stored deeply, hardly recalled; with cues that help to remember."""
    with shell.bank(asking=True) as (bank, engine), loading(shell, engine):
        found = bank.tip_of_tongue(" ".join(query), k)
        none = "" if found.tips else shell.nothing(engine, found.empty_reason)
    for trouble in found.degraded:
        shell.note(f"degraded: {trouble}")
    told = [_tip(one) for one in found.tips] or [Text(f"no result: {none}")]
    shell.show(found, *told)


def _tip(one: Tip) -> Text:
    """The cues before the memory itself: whoever remembers by them reads no further."""
    cues = [f"   {kind}: {line(', '.join(told))}" for kind, told in one.cues.items()]
    kept = f"   stored {one.memory.storage_strength:.1f} of 10, retention {one.retention:.2f}, {one.memory.state}"
    said = f"   {line(one.memory.content)}"
    return Text.assemble(f"{short(one.memory.id)}  {one.label}\n", "\n".join(cues), "\n", said, "\n", (kept, "dim"))

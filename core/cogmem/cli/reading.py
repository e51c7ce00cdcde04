"""Commands that ask: recall and explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cogmem.cli.progress import loading
from cogmem.cli.shell import Shell, command
from cogmem.cli.values import clean
from cogmem.cli.writing import MemoryId

if TYPE_CHECKING:
    from cogmem.results import Recall

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "recall")(recall)
    command(app, "explain")(explain)


def recall(  # a command's parameters are its options
    shell: Shell,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="What you want to know.")],
    *,
    k: Annotated[int, typer.Option("-k", help="At most so many memories.")] = 8,
    deep: Annotated[bool, typer.Option("--deep", help="Search dormant and superseded memories, too.")] = False,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; may be repeated.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; may be repeated (any of them).")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Tell what each signal added.")] = False,
    context: Annotated[bool, typer.Option("--context", help="Print the block of text for a prompt instead.")] = False,
    max_tokens: Annotated[int | None, typer.Option(help="Budget of --context.")] = None,
) -> None:
    """Recall the memories that matter for a query, best first."""
    with shell.bank(asking=True) as (bank, engine), loading(shell, engine):
        found = bank.recall(
            " ".join(query), k=k, deep=deep, categories=category or None, tags=tag or None, max_tokens=max_tokens
        )
    for trouble in found.degraded:
        shell.note(f"degraded: {trouble}")
    answer = _answer(found)
    if context:
        shell.show({**answer, "context": found.context()}, Text(clean(found.context())))
    elif explain:
        shell.show({**answer, "explanation": found.explain()}, Text(clean(found.explain())))
    else:
        _table(shell, found, answer)


def _answer(found: Recall) -> dict[str, Any]:
    from cogmem.retrieval.narrate import reason

    return {
        "id": found.id,
        "query": found.query,
        "intent": found.intent,
        "empty_reason": found.empty_reason,
        "degraded": found.degraded,
        "results": [
            {
                "rank": rank,
                "content": item.content,
                "score": item.score,
                "confidence": item.confidence,
                "label": item.label,
                "reason": reason(item),
                "refs": item.refs,
                "signals": item.signals,
                "contributions": item.contributions,
                "found_by": item.found_by,
                "memory": item.memory,
            }
            for rank, item in enumerate(found.results, 1)
        ],
    }


def _table(shell: Shell, found: Recall, answer: dict[str, Any]) -> None:
    from cogmem.cli.tables import recalled

    if found.results:
        shell.show(answer, recalled(found.results, shell.out.width))
    else:
        shell.show(answer, f"no result: {clean(found.empty_reason)}")


def explain(shell: Shell, memory_id: MemoryId) -> None:
    """Tell a memory's life: where it comes from, what happened to it, how it stands today."""
    from cogmem.cli.ids import complete

    with shell.bank(asking=True) as (bank, engine):
        life = bank.explain(complete(engine, bank, memory_id))
    memory = life.history.memory
    answer = {
        "memory": memory,
        "retention": life.retention,
        "story": life.story,
        "relations": life.relations,
        "versions": life.history.versions,
        "changes": life.history.changes,
    }
    shell.show(answer, Text(f"{memory.id}\n{clean(memory.content)}\n"), Text(clean("\n".join(life.story))))

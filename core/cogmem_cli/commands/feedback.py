"""The command `feedback`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.turns import read_text
from cogmem_cli.values import line, short

if TYPE_CHECKING:
    from rich.console import RenderableType


Query = Annotated[str, typer.Argument(metavar="QUERY", help="What was asked.", show_default=False)]
Answer = Annotated[
    str,
    typer.Argument(
        metavar="ANSWER",
        help="What the model answered, or - for standard input.",
        show_default=False,
    ),
]
ResultCount = Annotated[int, typer.Option("-k", help="At most so many memories.")]


def feedback(
    shell: Shell,
    query: Query,
    answer: Answer,
    *,
    k: ResultCount = 8,
) -> None:
    """Recall a query and judge an answer: what it used lasts longer and ranks higher."""
    answer_text = read_text([answer])
    with shell.bank() as bank, loading(shell, bank.engine):
        recall = bank.recall(query, k=k)
        judgements = bank.feedback(recall, answer_text)
        reason = ""
        if not judgements:
            reason = shell.empty_reason(bank.engine, recall.empty_reason or "the answer is blank")
    # The texts that an answer can have used.
    memories = (*recall.hot, *(item.memory for item in recall.results))
    texts = {memory.id: memory.content for memory in memories}
    rows = [
        {
            "memory_id": judgement.memory_id,
            "signal": judgement.signal,
            "ratio": judgement.ratio,
            "evidence": judgement.evidence,
            "content": texts[judgement.memory_id],
        }
        for judgement in judgements
    ]
    for trouble in recall.degraded:
        shell.note(f"degraded: {trouble}")
    shell.show(
        {"recall_id": recall.id, "query": query, "judged": rows}, _judgement_table(rows, reason)
    )


def _judgement_table(judgements: list[dict[str, Any]], reason: str) -> RenderableType:

    if not judgements:
        return f"nothing was judged: {reason}"
    lines: list[tuple[str | Text, ...]] = []
    for row in judgements:
        signal = Text(row["signal"], style="green" if row["signal"] == "used" else "dim")
        memory_id = short(row["memory_id"])
        evidence = line(row["evidence"])
        lines.append((signal, f"{row['ratio']:.2f}", evidence, memory_id, line(row["content"])))
    return rows(("signal", "ratio", "evidence", "id", "memory"), lines, texts=("memory",))


COMMANDS = (feedback,)

"""What conversations and answers taught: learnt, feedback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from cogmem_cli.ids import complete
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.times import moment
from cogmem_cli.turns import read_text
from cogmem_cli.values import line, short
from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import Memory
    from cogmem_core.results import Learnt, LearntLine


def _forget(bank: MemoryBank, memory_id: str, _: Sequence[str]) -> Memory:
    bank.forget(bank.get(memory_id).id)
    return bank.get(memory_id)


def _fix(bank: MemoryBank, memory_id: str, words: Sequence[str]) -> Memory:

    return bank.edit(memory_id, read_text(list(words)))


_ACTS: dict[str, tuple[str, Callable[[MemoryBank, str, Sequence[str]], Memory]]] = {
    "keep": ("kept", lambda bank, memory_id, _: bank.hold(memory_id)),
    "fix": ("fixed", _fix),
    "forget": ("forgotten", _forget),
}
_USAGE = "give keep LINE, fix LINE TEXT, or forget LINE"


def learnt(
    shell: Shell,
    act: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[keep LINE | fix LINE TEXT | forget LINE]",
            help="What to do with a line, named as it is printed. keep: you stand for it; fix: it says TEXT (- is "
            "standard input); forget: it leaves recall, and can be restored.",
            show_default=False,
        ),
    ] = None,
    *,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="From when on: yesterday, 3 May ... Default: 24 hours ago."
        ),
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="Only what was said in this conversation.")
    ] = None,
    limit: Annotated[int, typer.Option(help="At most so many lines.")] = 7,
) -> None:
    """Show what was learnt, the most telling first: new, changed, ended, forgotten; said and inferred told apart."""
    if act:
        _carry_out(shell, act)
        return
    begin = moment(shell, "--since", since)
    with shell.existing_bank() as bank:
        found = bank.learnt(begin, limit=limit, session_id=session)
    _show(shell, found)


def _carry_out(shell: Shell, arguments: Sequence[str]) -> None:
    name, label, words = arguments[0], "".join(arguments[1:2]), arguments[2:]
    if name not in _ACTS or not label or bool(words) != (name == "fix"):
        raise InvalidInput(f"{' '.join(arguments)!r} is no act; {_USAGE}")
    number, _, mark = label.partition("-")
    if number.isdecimal() and not mark:
        raise InvalidInput(
            f"line is {label!r}, which may be another one by now; give it as it was printed, with its mark"
        )

    done, carry_out = _ACTS[name]
    with shell.bank() as bank, loading(shell, bank.engine):
        memory = carry_out(bank, complete(bank, mark if number.isdecimal() else label), words)
    shell.show({"memory": memory}, f"{done}  {short(memory.id)}  {line(memory.content)}")


def _show(shell: Shell, found: Learnt) -> None:

    headings = ("line", "what", "by whom", "words", "before")
    table = rows(headings, map(_row, found), texts=("words", "before"))
    shell.show(found, table if len(found) else "nothing new")
    if found.more:
        shell.note(f"there are {found.more} more: --limit {len(found) + found.more}")


def _row(told: LearntLine) -> tuple[str, ...]:
    from cogmem_core.text.plural import counted

    source = ", ".join(filter(None, (told.basis, told.whose, "kept" if told.kept else "")))
    former = told.former if told.sure else f"perhaps: {told.former}"
    words = told.words or counted(told.count)
    return told.label, told.what, line(source), line(words), line(former)


def feedback(
    shell: Shell,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="What was asked.", show_default=False)
    ],
    answer: Annotated[
        str,
        typer.Argument(
            metavar="ANSWER",
            help="What the model answered, or - for standard input.",
            show_default=False,
        ),
    ],
    *,
    k: Annotated[int, typer.Option("-k", help="At most so many memories.")] = 8,
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


COMMANDS = (learnt, feedback)

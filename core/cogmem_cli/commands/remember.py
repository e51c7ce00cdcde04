"""The command that takes in what was said, and tells what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cogmem_cli.options import SessionId, finish_waiting
from cogmem_cli.progress import bar
from cogmem_cli.shell import LanguageModel, Shell
from cogmem_cli.times import moment
from cogmem_cli.turns import FORMS, WORDLESS, Entries, given_turns, hint_of
from cogmem_cli.values import line, short
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import Turn
    from cogmem_core.results import Receipt, WriteReport


LISTED = 20
_BATCH = 256  # turns that one call of the bank takes
MODES = ("auto", "raw", "semantic", "hybrid")
Spoken = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT", help="What was said: each argument is one text; - is standard input."
    ),
]
File = Annotated[
    Path | None,
    typer.Option(
        "--file", "-f", help="A file of turns; - is standard input. What it is shows by itself."
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="jsonl|json|csv|text",
        help="Of --file. jsonl: a message or a text per line; json: a list of them; csv: with a heading; text: "
        "one turn per line. Default: as its name or its content shows.",
    ),
]
Labels = Annotated[
    list[str] | None, typer.Option("--tag", help="A label of the memories; may be repeated.")
]
ValidUntil = Annotated[
    str | None,
    typer.Option(
        "--valid-until", metavar="DATE", help="Until when it is true: a day counts until it ends."
    ),
]
Role = Annotated[str, typer.Option(help="Who said it: user, assistant, system or tool.")]
Speaker = Annotated[str | None, typer.Option(help="The person's name.")]
At = Annotated[
    str | None,
    typer.Option(
        help="When it was said: 2026-05-03 18:30, yesterday, ISO 8601 ... Default: now.",
        metavar="DATE",
    ),
]
Ref = Annotated[str | None, typer.Option(help="Your own id of the turn.")]
Mode = Annotated[
    str | None,
    typer.Option(
        help="auto, raw (turns as they were said), semantic (facts) or hybrid. Default: encoding.mode."
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Tell what became of each fact, and why.")]


def remember(  # a command's parameters are its options
    shell: Shell,
    text: Spoken = None,
    *,
    file: File = None,
    form: Form = None,
    role: Role = "user",
    speaker: Speaker = None,
    at: At = None,
    session: SessionId = None,
    ref: Ref = None,
    tag: Labels = None,
    valid_until: ValidUntil = None,
    mode: Mode = None,
    llm: LanguageModel = None,
    explain: Explain = False,
) -> None:
    """Remember what was said: each argument is one text, or the turns of a file (-f)."""
    from cogmem_core.edge import checks
    from cogmem_core.models import Role as Roles

    shared_fields = {
        "role": checks.choice("--role", role, get_args(Roles)),
        "speaker": speaker,
        "at": moment(shell, "--at", at),
        "session_id": session,
        "tags": tuple(tag or ()),
        "valid_until": moment(shell, "--valid-until", valid_until, "last", ahead=True),
    }
    mode = None if mode is None else checks.choice("--mode", mode, MODES)
    form = None if form is None else checks.choice("--format", form, FORMS)
    given = given_turns(text, file, shared_fields, form) if ref is None or file is None else []
    if ref is not None:
        if len(given) != 1:
            raise InvalidInput("--ref names one turn; give the refs of several in a .jsonl file")
        given = [(where, replace(turn, ref=ref)) for where, turn in given]
    turns = _worded(shell, given)
    if hint := hint_of(text):
        shell.note(hint)
    with shell.bank(create=True, llm=shell.language_model(llm)) as bank:
        # All are checked before the first is stored: a file is taken whole or not at all.
        limits = bank.engine.services.config.limits
        accepted_turns = [checks.turn(where, turn, limits) for where, turn in turns]
        outcome = _remember_in_batches(shell, bank, accepted_turns, mode)
        if outcome.receipts[-1].status != "queued":
            finish_waiting(bank.engine)
        swaps = _swaps(bank, outcome.receipts) if len(outcome.receipts) <= LISTED else {}
    for trouble in outcome.degraded:
        shell.note(f"degraded: {trouble}")
    lines: list[RenderableType] = []
    if explain:
        from cogmem_cli.tables import fact_outcomes

        lines = [fact_outcomes(accepted_turns, outcome.receipts, shell.out.width)]
    elif len(outcome.receipts) <= LISTED:
        lines += [_receipt_line(receipt, swaps) for receipt in outcome.receipts]
    if explain or len(accepted_turns) > 1:
        lines += outcome.summary()
    shell.show(outcome.answer(), *lines)


@dataclass(slots=True)
class _Outcome:
    """What the batches came to."""

    receipts: list[Receipt] = field(default_factory=list)
    degraded: dict[str, None] = field(default_factory=dict)
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, report: WriteReport) -> None:
        self.receipts += report.receipts
        self.degraded |= dict.fromkeys(report.degraded)
        self.llm_calls += report.llm_calls
        self.prompt_tokens += report.prompt_tokens
        self.completion_tokens += report.completion_tokens

    def answer(self) -> dict[str, Any]:
        return {
            "receipts": self.receipts,
            "counts": Counter(str(receipt.status) for receipt in self.receipts),
            "llm_calls": self.llm_calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "degraded": list(self.degraded),
        }

    def summary(self) -> list[str]:
        turns = counted(len(self.receipts), "turn", "turns")
        from cogmem_core.encoding.to_changes import OUTDATED_ALREADY

        status_counts = Counter(map(_display_status, self.receipts))
        if replacing := sum(
            receipt.status == "superseded" and not receipt.reason.startswith(OUTDATED_ALREADY)
            for receipt in self.receipts
        ):
            status_counts[f"stored ({replacing} in place of an older memory)"] = status_counts.pop(
                "stored"
            )
        lines = [
            f"{turns}: " + ", ".join(f"{count} {status}" for status, count in status_counts.items())
        ]
        if self.llm_calls:
            cost = f"{self.prompt_tokens:,} tokens in, {self.completion_tokens:,} out"
            lines.append(f"language model: {counted(self.llm_calls, 'call', 'calls')}, {cost}")
        return lines


def _worded(shell: Shell, given: Entries) -> Entries:
    """The turns in which something is said."""
    turns = [(where, turn) for where, turn in given if turn is not WORDLESS]
    if not turns:
        raise InvalidInput("nothing is said in any of the messages; give one with a text")
    if len(turns) < len(given):
        left_out = counted(len(given) - len(turns), "message", "messages")
        shell.note(f"left out: {left_out} without words")
    return turns


def _remember_in_batches(
    shell: Shell, bank: MemoryBank, turns: Sequence[Turn], mode: str | None
) -> _Outcome:
    outcome = _Outcome()
    with bar(shell, "remembering", bank.engine) as advance:
        for start in range(0, len(turns), _BATCH):
            outcome.add(bank.remember(turns[start : start + _BATCH], mode=mode))
            advance("remembering", len(outcome.receipts), len(turns))
    return outcome


def _swaps(bank: MemoryBank, receipts: Sequence[Receipt]) -> dict[str, str]:
    """What each new memory replaced, or which other one it was outdated by already, by its id."""
    swaps = {}
    facts = chain.from_iterable(receipt.facts for receipt in receipts)
    with bank.engine.services.ledger.reading(bank.namespace) as ns:
        for memory_id in [fact.memory_id for fact in facts if fact.status == "superseded"]:
            links = [x for x in ns.relations.of_memory(memory_id) if x.type == "supersedes"]
            older = [short(link.target_id) for link in links if link.source_id == memory_id]
            newer = [short(link.source_id) for link in links if link.target_id == memory_id]
            if older:
                swaps[memory_id] = f"in place of {' '.join(older)}"
            elif newer:
                swaps[memory_id] = f"outdated by {' '.join(newer)}"
    return swaps


def _display_status(receipt: Receipt) -> str:
    """The status `superseded` is about an older memory, and the ids are those of the new one: so it reads "stored"."""
    return "stored" if receipt.status == "superseded" else str(receipt.status)


def _receipt_line(receipt: Receipt, swaps: Mapping[str, str]) -> str:
    memory_texts = [
        ", ".join(filter(None, (short(memory_id), swaps.get(memory_id))))
        for memory_id in receipt.memory_ids
    ]
    ids = ("; " if swaps.keys() & set(receipt.memory_ids) else " ").join(memory_texts)
    outcome = (_display_status(receipt), ids, line(receipt.reason))
    understood = f"\n   {line(receipt.reading)}" if receipt.reading else ""
    return "  ".join(filter(None, outcome)) + understood


COMMANDS = (remember,)

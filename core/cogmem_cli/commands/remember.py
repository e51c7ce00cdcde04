"""The command that takes in what was said, and tells what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_cli.options import (
    BATCH,
    At,
    File,
    Form,
    Labels,
    Role,
    SessionId,
    Speaker,
    Spoken,
    ValidUntil,
    checked_form,
    checked_turns,
    finish_waiting,
    shared_turn_fields,
)
from cogmem_cli.progress import bar, download
from cogmem_cli.shell import LanguageModel, Shell
from cogmem_cli.values import line, short
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import Engine, MemoryBank
    from cogmem_core.models import Turn
    from cogmem_core.results import Receipt, WriteReport


LISTED = 20
MODES = ("auto", "raw", "semantic", "hybrid")
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
    from cogmem_cli.times import moment
    from cogmem_cli.turns import WORDLESS, given_turns, hint_of
    from cogmem_core.edge import checks

    shared_fields = shared_turn_fields(shell, role, speaker, at, session) | {
        "tags": tuple(tag or ()),
        "valid_until": moment(shell, "--valid-until", valid_until, "last", ahead=True),
    }
    mode = None if mode is None else checks.choice("--mode", mode, MODES)
    form = checked_form(form)
    given = given_turns(text, file, shared_fields, form) if ref is None or file is None else []
    if ref is not None:
        if len(given) != 1:
            raise InvalidInput("--ref names one turn; give the refs of several in a .jsonl file")
        given = [(where, replace(turn, ref=ref)) for where, turn in given]
    turns = [(where, turn) for where, turn in given if turn is not WORDLESS]
    if hint := hint_of(text):
        shell.note(hint)
    if len(turns) < len(given):
        shell.note(
            f"left out: {counted(len(given) - len(turns), 'message', 'messages')} without words"
        )
    if not turns:
        raise InvalidInput("nothing is said in any of the messages; give one with a text")
    with shell.bank(create=True, llm=shell.language_model(llm)) as (bank, engine):
        accepted_turns = checked_turns(engine, turns)
        outcome = _remember_in_batches(shell, engine, bank, accepted_turns, mode)
        if outcome.receipts[-1].status != "queued":
            finish_waiting(engine)
        swaps = _swaps(engine, bank, outcome.receipts) if len(outcome.receipts) <= LISTED else {}
    for trouble in outcome.degraded:
        shell.note(f"degraded: {trouble}")
    if explain:
        from cogmem_cli.tables import fact_outcomes

        shell.show(
            outcome.answer(),
            fact_outcomes(accepted_turns, outcome.receipts, shell.out.width),
            *outcome.summary(),
        )
    else:
        shell.show(
            outcome.answer(),
            *_receipt_lines(outcome.receipts, swaps),
            *(outcome.summary() if len(accepted_turns) > 1 else ()),
        )


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

    def counts(self) -> dict[str, int]:
        return dict(Counter(str(receipt.status) for receipt in self.receipts))

    def answer(self) -> dict[str, Any]:
        return {
            "receipts": self.receipts,
            "counts": self.counts(),
            "llm_calls": self.llm_calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "degraded": list(self.degraded),
        }

    def summary(self) -> list[str]:
        turns = counted(len(self.receipts), "turn", "turns")
        status_counts = Counter(map(_display_status, self.receipts))
        if replacing := self.counts().get("superseded"):
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


def _remember_in_batches(
    shell: Shell, engine: Engine, bank: MemoryBank, turns: Sequence[Turn], mode: str | None
) -> _Outcome:
    outcome = _Outcome()
    with bar(shell, download(engine) or "remembering") as advance:
        for start in range(0, len(turns), BATCH):
            outcome.add(bank.remember(turns[start : start + BATCH], mode=mode))
            advance("remembering", len(outcome.receipts), len(turns))
    return outcome


def _swaps(engine: Engine, bank: MemoryBank, receipts: Sequence[Receipt]) -> dict[str, str]:
    """What each new memory replaced, or which other one it was outdated by already, by its id."""
    swaps = {}
    facts = chain.from_iterable(receipt.facts for receipt in receipts)
    with engine.services.ledger.reading(bank.namespace) as ns:
        for memory_id in [fact.memory_id for fact in facts if fact.status == "superseded"]:
            links = [x for x in ns.relations.of_memory(memory_id) if x.type == "supersedes"]
            older = [short(link.target_id) for link in links if link.source_id == memory_id]
            newer = [short(link.source_id) for link in links if link.target_id == memory_id]
            if older:
                swaps[memory_id] = f"in place of {' '.join(older)}"
            elif newer:
                swaps[memory_id] = f"outdated by {' '.join(newer)}"
    return swaps


def _receipt_lines(receipts: Sequence[Receipt], swaps: Mapping[str, str]) -> list[str]:
    return (
        [_receipt_line(receipt, swaps) for receipt in receipts] if len(receipts) <= LISTED else []
    )


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

"""The command that takes in what was said, and tells what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem.cli.progress import bar, download
from cogmem.cli.shell import LanguageModel, Shell, command
from cogmem.cli.values import line, short
from cogmem.cli.writing import finish_waiting
from cogmem.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem.bank import MemoryBank
    from cogmem.engine import Engine
    from cogmem.models import Turn
    from cogmem.results import Receipt, WriteReport

__all__ = ["At", "File", "Role", "SessionId", "Speaker", "Spoken", "checked_turns", "register", "said_with"]

BATCH = 256
LISTED = 20

Spoken = Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="What was said, or - for standard input.")]
File = Annotated[
    Path | None,
    typer.Option("--file", "-f", help="A file with one turn per line; .jsonl: objects with the fields of a Turn."),
]
Role = Annotated[str, typer.Option(help="Who said it: user, assistant, system or tool.")]
Speaker = Annotated[str | None, typer.Option(help="The person's name.")]
At = Annotated[str | None, typer.Option(help="When it was said: ISO 8601 with a time zone. Default: now.")]
SessionId = Annotated[str | None, typer.Option(help="The conversation that it belongs to.")]
Ref = Annotated[str | None, typer.Option(help="Your own id of the turn.")]
Mode = Annotated[
    str | None,
    typer.Option(help="auto, raw (turns as they were said), semantic (facts) or hybrid. Default: encoding.mode."),
]
Explain = Annotated[bool, typer.Option("--explain", help="Tell what became of each fact, and why.")]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "remember")(remember)


def said_with(role: str, speaker: str | None, at: str | None, session: str | None) -> dict[str, Any]:
    """What the options say about every turn."""
    from cogmem.cli.turns import moment

    return {
        "role": role,
        "speaker": speaker,
        "at": None if at is None else moment("--at", at),
        "session_id": session,
    }


def remember(  # a command's parameters are its options
    shell: Shell,
    text: Spoken = None,
    *,
    file: File = None,
    role: Role = "user",
    speaker: Speaker = None,
    at: At = None,
    session: SessionId = None,
    ref: Ref = None,
    mode: Mode = None,
    llm: LanguageModel = None,
    explain: Explain = False,
) -> None:
    """Remember what was said: one text, several quoted texts, or a file of turns."""
    from cogmem.cli.turns import given_turns

    alike = said_with(role, speaker, at, session)
    turns = given_turns(text, file, alike) if ref is None or file is None else []
    if ref is not None:
        if len(turns) != 1:
            raise InvalidInput("--ref names one turn; give the refs of several in a .jsonl file")
        turns = [(where, replace(turn, ref=ref)) for where, turn in turns]
    with shell.bank(create=True, llm=shell.language_model(llm)) as (bank, engine):
        said = checked_turns(engine, turns)
        done = _remembered(shell, engine, bank, said, mode)
        if done.receipts[-1].status != "queued":
            finish_waiting(engine)
    for trouble in done.degraded:
        shell.note(f"degraded: {trouble}")
    if explain:
        from cogmem.cli.tables import became

        shell.show(done.answer(), became(said, done.receipts, shell.out.width), *done.summary())
    else:
        shell.show(done.answer(), *_told(done.receipts), *(done.summary() if len(said) > 1 else ()))


@dataclass(slots=True)
class _Done:
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
        turns = "1 turn" if len(self.receipts) == 1 else f"{len(self.receipts)} turns"
        told = [f"{turns}: " + ", ".join(f"{count} {status}" for status, count in self.counts().items())]
        if self.llm_calls:
            cost = f"{self.prompt_tokens:,} tokens in, {self.completion_tokens:,} out"
            told.append(f"language model: {self.llm_calls} call{'s' * (self.llm_calls > 1)}, {cost}")
        return told


def checked_turns(engine: Engine, turns: Sequence[tuple[str, Turn]]) -> list[Turn]:
    """The turns; all are checked before the first is stored: a file is taken whole or not at all."""
    from cogmem import checks

    return [checks.turn(where, turn, engine.services.config.limits) for where, turn in turns]


def _remembered(shell: Shell, engine: Engine, bank: MemoryBank, turns: Sequence[Turn], mode: str | None) -> _Done:
    done = _Done()
    with bar(shell, download(engine) or "remembering") as advance:
        for start in range(0, len(turns), BATCH):
            done.add(bank.remember(turns[start : start + BATCH], mode=mode))
            advance("remembering", len(done.receipts), len(turns))
    return done


def _told(receipts: Sequence[Receipt]) -> list[str]:
    return [_receipt(receipt) for receipt in receipts] if len(receipts) <= LISTED else []


def _receipt(receipt: Receipt) -> str:
    ids = " ".join(short(memory_id) for memory_id in receipt.memory_ids)
    return "  ".join(part for part in (receipt.status, ids, line(receipt.reason)) if part)

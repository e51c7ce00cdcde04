"""The command that takes in what was said, and tells what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cogmem_core.cli.progress import bar, download
from cogmem_core.cli.shell import LanguageModel, Shell, command
from cogmem_core.cli.values import line, short
from cogmem_core.cli.writing import finish_waiting
from cogmem_core.errors import InvalidInput
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import Engine, MemoryBank
    from cogmem_core.models import Turn
    from cogmem_core.results import Receipt, WriteReport

__all__ = ["At", "File", "Role", "SessionId", "Speaker", "Spoken", "checked_turns", "register", "said_with"]

BATCH = 256
LISTED = 20

_FILE = (
    "A file with one turn per line, or - for standard input; .jsonl: objects with the fields of a Turn; "
    ".json: a list of such objects or of texts."
)
Spoken = Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="What was said, or - for standard input.")]
File = Annotated[
    Path | None,
    typer.Option("--file", "-f", help=_FILE),
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
    from cogmem_core import checks
    from cogmem_core.cli.turns import moment
    from cogmem_core.models import Role as Roles

    return {
        "role": checks.choice("--role", role, get_args(Roles)),
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
    """Remember what was said: one text, several quoted texts, or the turns of a file."""
    from cogmem_core.cli.turns import given_turns

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
        swaps = _swaps(engine, bank, done.receipts) if len(done.receipts) <= LISTED else {}
    for trouble in done.degraded:
        shell.note(f"degraded: {trouble}")
    if explain:
        from cogmem_core.cli.tables import became

        shell.show(done.answer(), became(said, done.receipts, shell.out.width), *done.summary())
    else:
        shell.show(done.answer(), *_told(done.receipts, swaps), *(done.summary() if len(said) > 1 else ()))


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
        turns = counted(len(self.receipts), "turn", "turns")
        found = Counter(_status(receipt) for receipt in self.receipts)
        if replacing := self.counts().get("superseded"):
            found[f"stored ({replacing} in place of an older memory)"] = found.pop("stored")
        told = [f"{turns}: " + ", ".join(f"{count} {status}" for status, count in found.items())]
        if self.llm_calls:
            cost = f"{self.prompt_tokens:,} tokens in, {self.completion_tokens:,} out"
            told.append(f"language model: {counted(self.llm_calls, 'call', 'calls')}, {cost}")
        return told


def checked_turns(engine: Engine, turns: Sequence[tuple[str, Turn]]) -> list[Turn]:
    """The turns; all are checked before the first is stored: a file is taken whole or not at all."""
    from cogmem_core import checks

    return [checks.turn(where, turn, engine.services.config.limits) for where, turn in turns]


def _remembered(shell: Shell, engine: Engine, bank: MemoryBank, turns: Sequence[Turn], mode: str | None) -> _Done:
    done = _Done()
    with bar(shell, download(engine) or "remembering") as advance:
        for start in range(0, len(turns), BATCH):
            done.add(bank.remember(turns[start : start + BATCH], mode=mode))
            advance("remembering", len(done.receipts), len(turns))
    return done


def _swaps(engine: Engine, bank: MemoryBank, receipts: Sequence[Receipt]) -> dict[str, str]:
    """What each new memory replaced, or which other one it was outdated by already, by its id."""
    found = {}
    with engine.services.ledger.reading() as reader:
        for memory_id in [fact.memory_id for one in receipts for fact in one.facts if fact.status == "superseded"]:
            links = [link for link in reader.relations(bank.namespace, memory_id) if link.type == "supersedes"]
            older = [short(link.target_id) for link in links if link.source_id == memory_id]
            newer = [short(link.source_id) for link in links if link.target_id == memory_id]
            if older or newer:
                found[memory_id] = f"in place of {' '.join(older)}" if older else f"outdated by {' '.join(newer)}"
    return found


def _told(receipts: Sequence[Receipt], swaps: Mapping[str, str]) -> list[str]:
    return [_receipt(receipt, swaps) for receipt in receipts] if len(receipts) <= LISTED else []


def _status(receipt: Receipt) -> str:
    """The status `superseded` is about an older memory, and the ids are those of the new one: so it reads "stored"."""
    return "stored" if receipt.status == "superseded" else str(receipt.status)


def _receipt(receipt: Receipt, swaps: Mapping[str, str]) -> str:
    told = [", ".join(filter(None, (short(one), swaps.get(one)))) for one in receipt.memory_ids]
    ids = ("; " if swaps.keys() & set(receipt.memory_ids) else " ").join(told)
    return "  ".join(part for part in (_status(receipt), ids, line(receipt.reason)) if part)

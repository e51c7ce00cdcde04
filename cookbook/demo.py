"""Four acts: remember, change, forget, dream and undo. Each claim is checked; run it with `make demo`."""

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from itertools import groupby
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

import cogmem_core
from cogmem_core.testing import FrozenClock
from cogmem_serve.demo import conversation

# Each question with the refs of the turns that hold its answer.
QUESTIONS = {
    "Which company offered Elif the new job?": ("s10t01", "s10t05"),
    "On which street is the new flat with the lift?": ("s14t09", "s11t11", "s17t05"),
    "Which dose of medicine does Pamuk get in the morning and in the evening?": ("s19t05",),
    "How should I hide the tablet so that the cat swallows it?": ("s02t02",),
    "What happened in the car accident on the VCI?": ("s09t01", "s09t03"),
    "Which size of running shoes fits her feet?": ("s13t07", "s13t08"),
    "How does Elif drink her coffee these days?": ("s20t09", "s20t10"),
    "Why was the trip to Istanbul cancelled?": ("s14t03",),
    "Zeynep'in bebeğinin adı ne?": ("s21t01",),  # noqa: RUF001 - Turkish
    "Portekizce kursu hangi gün, saat kaçta?": ("s17t11", "s17t12"),
}
SHOWN = 3
TOLD = (
    "I live in Lisbon",
    "My sister Lena lives in Lisbon",
    "My phone number is 555 0101",
    "I'm allergic to hazelnuts",
    "My cat is called Mochi",
)
CHANGED = ("I moved to Porto last week", "My new phone number is 555 0199")
PLANNED = ("I will see the dentist tomorrow at 9", "Lena is coming for dinner on Sunday")


@dataclass
class Marks:
    """What was checked, and what of it was missed."""

    console: Console
    hits: int = 0
    misses: list[str] = field(default_factory=list)

    def mark(self, claim: str, *, holds: bool) -> str:
        """A tick or a cross, which is counted."""
        if holds:
            self.hits += 1
        else:
            self.misses.append(claim)
        return "[green]✓[/]" if holds else "[red]✗[/]"

    def check(self, claim: str, *, holds: bool) -> None:
        """Print a claim with its mark."""
        self.console.print(f"  {self.mark(claim, holds=holds)} {claim}", highlight=False)


def ingest(bank: cogmem_core.MemoryBank, turns: list[cogmem_core.Turn], console: Console) -> None:
    """Remember the conversation, one batch per session."""
    columns = (
        TextColumn("[bold]remembering"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("turns"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("remember", total=len(turns))
        for _, session in groupby(turns, key=lambda turn: turn.session_id):
            batch = list(session)
            bank.remember(batch)
            progress.advance(task, len(batch))


def remember(bank: cogmem_core.MemoryBank, marks: Marks) -> None:
    """Act 1: four months of one person's conversation, and ten questions about it."""
    turns = conversation()
    sessions = len({turn.session_id for turn in turns})
    marks.console.print(f"{len(turns)} turns in {sessions} sessions, {turns[0].at:%d %B %Y} to {turns[-1].at:%d %B %Y}")
    ingest(bank, turns, marks.console)
    said = {turn.ref: turn for turn in turns}
    table = Table(box=box.SIMPLE_HEAD, expand=True)
    table.add_column("", width=1)
    table.add_column("question", ratio=3)
    table.add_column("best memory that answers it", ratio=5)
    table.add_column("said", width=11)
    table.add_column("rank", justify="right", width=4)
    for question, expected in QUESTIONS.items():
        recall = bank.recall(question, k=5)
        ranks = [rank for rank, result in enumerate(recall.results[:SHOWN]) if set(result.refs) & set(expected)]
        mark = marks.mark(question, holds=bool(ranks))
        if ranks:
            result = recall.results[ranks[0]]
            speaker = f"{result.memory.speaker}: " if result.memory.speaker else ""
            text = Text(speaker + result.content)
            day = f"{result.memory.recorded_at:%d %b %Y}"
            table.add_row(mark, Text(question), text, day, str(ranks[0] + 1))
        else:
            wanted = said[expected[0]]
            text = Text(f"not among the first {SHOWN}: {wanted.content}", style="red")
            table.add_row(mark, Text(question), text, f"{wanted.at:%d %b %Y}", "-")
    marks.console.print(table)


def change(bank: cogmem_core.MemoryBank, clock: FrozenClock, marks: Marks) -> None:
    """Act 2: what is plainly said to have changed replaces what was known; what only looks like it stays."""
    for text in TOLD:
        marks.console.print(f"  {clock():%d %b}  {text}")
        bank.remember(text)
    clock.advance(days=30)
    for text in CHANGED:
        receipt = bank.remember(text).receipts[0]
        marks.console.print(f"  {clock():%d %b}  {text}   [dim]{receipt.status}: {receipt.reason}[/]", highlight=False)
    now = [result.content for result in bank.recall("Which city have I moved to?")]
    marks.check(
        "asked for my city, it says Porto, and no more Lisbon", holds=now[:1] == [CHANGED[0]] and TOLD[0] not in now
    )
    before = [result.content for result in bank.recall("Where did I live before?")]
    marks.check("asked where I lived before, it says Lisbon", holds=before[:1] == [TOLD[0]])
    sister = [result.content for result in bank.recall("Where does my sister live?")]
    marks.check("my sister still lives in Lisbon", holds=sister[:1] == [TOLD[1]])
    phone = [result.content for result in bank.recall("What is my phone number?")]
    marks.check("my number is the new one", holds=phone[:1] == [CHANGED[1]] and TOLD[2] not in phone)


def forget(bank: cogmem_core.MemoryBank, place: Path, marks: Marks) -> None:
    """Act 3: erased for good, former values too; no byte of it is left in any file of the bank."""
    for number in ("555 0199", "555 0101"):
        receipt = bank.forget(number, hard=True)
        marks.console.print(
            f"  {number}: {', '.join(receipt.erased)}; {receipt.files_scanned} files searched", highlight=False
        )
    files = [path.read_bytes() for path in place.rglob("*") if path.is_file()]
    left = [number for number in (b"555 0199", b"555 0101") if any(number in file for file in files)]
    marks.check("no file of the bank holds either number", holds=left == [])
    answers = [result.content for result in bank.recall("What is my phone number?")]
    marks.check("asked for my number, it has none to tell", holds=not any("555" in text for text in answers))
    marks.check("what else was known is still there", holds=bank.count() == len(TOLD) + len(CHANGED) - 3)


def dream(bank: cogmem_core.MemoryBank, clock: FrozenClock, marks: Marks) -> None:
    """Act 4: a cycle is rehearsed, run and taken back."""
    for text in PLANNED:
        marks.console.print(f"  {clock():%d %b}  {text}")
        bank.remember(text)
    clock.advance(days=20)
    rehearsed = bank.consolidate(dry_run=True)
    for planned in rehearsed.changes:
        marks.console.print(
            f"  {clock():%d %b}  would put away: {planned.content} [dim]({planned.reason})[/]", highlight=False
        )
    before = contents(bank)
    marks.check("a dry run changes nothing", holds=before.issuperset(PLANNED))
    cycle = bank.consolidate()
    marks.check("the dream cycle puts away what is over, and only that", holds=contents(bank) == before - {*PLANNED})
    undone = bank.undo(cycle.run_id)
    marks.check(f"undo brings all {len(undone.restored)} back", holds=contents(bank) == before)


def contents(bank: cogmem_core.MemoryBank) -> set[str]:
    """What the active memories say."""
    return {memory.content for memory in bank.list()}


@contextlib.contextmanager
def folder(path: str | None) -> Iterator[Path]:
    """The given folder, or a temporary one that is removed afterwards."""
    if path:
        yield Path(path)
    else:
        with tempfile.TemporaryDirectory(prefix="cogmem-demo-") as temporary:
            yield Path(temporary) / "brain"


def run(place: Path, embedder: str, console: Console) -> Marks:
    """The four acts; returns what was checked. Each opens the folder anew, as a process does after a restart."""
    marks = Marks(console)
    clock = FrozenClock(datetime.now(timezone.utc).replace(microsecond=0) - timedelta(days=50))

    def act(title: str) -> None:
        console.print(Rule(f"[bold]{title}[/]", align="left"))

    act("1. Remember")
    with cogmem_core.open(place, embedder=embedder) as engine:
        remember(engine.bank("elif"), marks)
    act("2. Change")
    with cogmem_core.open(place, embedder=embedder, clock=clock) as engine:
        change(engine.bank("mira"), clock, marks)
    act("3. Forget")
    with cogmem_core.open(place, embedder=embedder, clock=clock) as engine:
        forget(engine.bank("mira"), place, marks)
    act("4. Dream, and undo")
    with cogmem_core.open(place, embedder=embedder, clock=clock) as engine:
        dream(engine.bank("mira"), clock, marks)
    return marks


def main() -> None:
    """Parse the options, run, say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", choices=("minilm", "hashing"), default="minilm")
    parser.add_argument("--path", help="keep the bank in this new folder; a temporary one if not given")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    started = time.perf_counter()
    with folder(options.path) as place:
        marks = run(place, options.embedder, console)
    seconds = time.perf_counter() - started
    console.print(Rule())
    checked = marks.hits + len(marks.misses)
    console.print(f"{marks.hits} of {checked} checks hold, {seconds:.1f} s in all", highlight=False)
    for miss in marks.misses:
        console.print(f"  [red]missed:[/] {miss}", highlight=False)


if __name__ == "__main__":
    main()

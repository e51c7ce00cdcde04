"""Four months of one person's conversation, remembered and asked about. Run it with `make demo`."""

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import cogmem_core
from cogmem_core.serve.demo import conversation

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


def reason(result: cogmem_core.Recalled) -> str:
    """Why a memory stands where it stands: who found it, and what its score is made of."""
    found = ", ".join(f"{ranker} #{rank}" for ranker, rank in result.found_by.items())
    strongest = max(result.contributions, key=lambda name: result.contributions[name], default="")
    return f"{found}; mostly {strongest} (+{result.contributions[strongest]:.2f})" if strongest else found


def answer(question: str, recall: cogmem_core.Recall) -> Table:
    """The best memories for a question; a tick marks those that hold the answer."""
    table = Table(title=question, title_justify="left", title_style="bold cyan", box=box.SIMPLE_HEAD, expand=True)
    table.add_column("", width=1)
    table.add_column("memory", ratio=5)
    table.add_column("said", ratio=2)
    table.add_column("score", justify="right", width=5)
    table.add_column("why", ratio=3, style="dim")
    for result in recall.results[:SHOWN]:
        tick = "✓" if set(result.refs) & set(QUESTIONS.get(question, ())) else ""
        said = f"{result.memory.recorded_at:%d %b %Y}\n{result.label}"
        speaker = f"{result.memory.speaker}: " if result.memory.speaker else ""
        table.add_row(tick, Text(speaker + result.content), said, f"{result.score:.2f}", reason(result))
    return table


def health_table(health: dict[str, object]) -> Table:
    """The state of the bank, one line per figure."""
    table = Table(title="Health", title_justify="left", title_style="bold cyan", box=box.SIMPLE_HEAD)
    table.add_column("what")
    table.add_column("how it stands")
    for name, value in health.items():
        if isinstance(value, dict):
            text = "  ".join(f"{key}: {count}" for key, count in value.items() if count)
        elif isinstance(value, list | tuple):
            text = "; ".join(str(item) for item in value)
        else:
            text = "" if value is None else str(value)
        table.add_row(name.replace("_", " "), Text(text or "-"))
    return table


@contextlib.contextmanager
def folder(path: str | None) -> Iterator[Path]:
    """The given folder, or a temporary one that is removed afterwards."""
    if path:
        yield Path(path)
    else:
        with tempfile.TemporaryDirectory(prefix="cogmem-demo-") as temporary:
            yield Path(temporary) / "brain"


def run(place: Path, embedder: str, console: Console) -> int:
    """The demo; returns how many questions had their answer among the memories shown."""
    turns, found = conversation(), 0
    sessions = len({turn.session_id for turn in turns})
    console.print(f"{len(turns)} turns in {sessions} sessions, {turns[0].at:%d %B %Y} to {turns[-1].at:%d %B %Y}")
    with cogmem_core.open(place, embedder=embedder) as engine:
        bank = engine.bank("elif")
        ingest(bank, turns, console)
        engine.flush()
        for question, expected in QUESTIONS.items():
            recall = bank.recall(question, k=5)
            found += any(set(result.refs) & set(expected) for result in recall.results[:SHOWN])
            console.print(answer(question, recall))
        console.print(health_table(bank.health()))
    question = next(iter(QUESTIONS))
    with cogmem_core.open(place, embedder=embedder) as engine:
        console.print("[bold]After a restart[/], from what is on disk:")
        console.print(answer(question, engine.bank("elif").recall(question, k=1)))
    return found


def main() -> None:
    """Parse the options, run, say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", choices=("minilm", "hashing"), default="minilm")
    parser.add_argument("--path", help="keep the bank in this folder; a temporary one if not given")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    started = time.perf_counter()
    with folder(options.path) as place:
        found = run(place, options.embedder, console)
    seconds = time.perf_counter() - started
    console.print(f"{found} of {len(QUESTIONS)} answers among the first {SHOWN} memories, {seconds:.1f} s in all")


if __name__ == "__main__":
    main()

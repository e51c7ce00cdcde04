"""Commands that measure: eval locomo, lives, gate, times, feedback, registers, calibrate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime, timezone
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.progress import Advance, bar
from cogmem_cli.shell import Shell, manual
from cogmem_core.errors import ConfigError, InvalidInput

if TYPE_CHECKING:
    from cogmem_core.config import Config
    from cogmem_core.engine import Engine
    from cogmem_eval import MemoizedEmbedder
    from cogmem_eval.conversations import LocomoConversation
    from cogmem_eval.life_files import Mode
    from cogmem_eval.registers import RegisterBank
    from cogmem_eval.statement_banks import StatementBank


Unrelated = Annotated[
    Path | None,
    typer.Option(
        "--unrelated",
        help="A JSON list of questions that nothing in the conversations answers; else each is asked those of the "
        "others.",
    ),
]


def _measuring(function: Callable[..., None]) -> Callable[..., None]:
    """The command; it refuses to begin without the distribution that measures."""

    @wraps(function)
    def run(*arguments: object, **options: object) -> None:
        if find_spec("cogmem_eval") is None:
            raise ConfigError("measuring needs cogmem-eval; pip install 'cogmem-core[eval]'")
        function(*arguments, **options)

    return run


def locomo(
    shell: Shell,
    file: Annotated[Path, typer.Argument(help="Conversations and questions in LoCoMo's format.")],
    *,
    k: Annotated[str, typer.Option("--k", "-k", help="Depths of recall@k and hit@k.")] = "5,10,20",
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Also without each signal in turn.")
    ] = False,
    merged: Annotated[
        bool, typer.Option("--merged", help="All conversations in one bank.")
    ] = False,
    unrelated: Unrelated = None,
) -> None:
    """Score evidence recall on LoCoMo conversations, in memory: no bank is read or changed."""
    from cogmem_core.engine import open as open_engine
    from cogmem_eval import Extras, evaluate, render
    from cogmem_eval.reading import read_questions

    extras = Extras(ablate, read_questions(unrelated) if unrelated else ())
    with _measured(shell, "evaluating") as (config, embedder, advance):
        report = evaluate(
            file,
            engine_factory=lambda varied: open_engine(config=varied, embedder=embedder),
            ks=_depths(k, config.retrieval.max_k),
            merged=merged,
            extras=extras,
            progress=advance,
        )
    shell.show(report, render(report))


def lives(
    shell: Shell,
    files: Annotated[list[Path], typer.Argument(help="Dated lives, as the guide describes them.")],
    *,
    configurations: Annotated[
        str,
        typer.Option(
            help="Some of everything,kept,feedback,dream,feedback+dream,weak,adversarial and the presets, all if not "
            "given; steps = each step left out in turn."
        ),
    ] = "",
) -> None:
    """Live dated lives: what is true is recalled, what is over is not. Calls no model."""
    from cogmem_eval import life_report
    from cogmem_eval.life_files import load_life
    from cogmem_eval.life_runs import live_all, setups

    names = [name.strip() for name in configurations.split(",") if name.strip()]
    loaded = list(map(load_life, files))
    with _measured(shell, "living") as (config, embedder, advance):
        results = live_all(loaded, setups(config, names), embedder, progress=advance)
    report = life_report.report(results, embedder=embedder.fingerprint)
    shell.show(report, life_report.render(report))


def gate(
    shell: Shell,
    file: Annotated[
        Path,
        typer.Argument(help="Labelled cases, one JSON object a line: id, kind, old, new, expect."),
    ],
) -> None:
    """Count what new statements do to known ones: wrong retirements, changes found. Calls no model."""
    from cogmem_core.engine import open as open_engine
    from cogmem_eval import gate_cases

    cases = gate_cases.load(file)
    now = datetime.now(timezone.utc)
    with (
        _measured(shell, "judging") as (config, embedder, advance),
        open_engine(config=config, embedder=embedder) as engine,
    ):
        report = gate_cases.evaluate(cases, engine, now=now, progress=advance)
    shell.show(report, gate_cases.render(report))


def feedback(
    shell: Shell,
    file: Annotated[
        Path,
        typer.Argument(
            help="Labelled answers, one JSON object a line: id, memories, answer, used."
        ),
    ],
    *,
    k: Annotated[
        int, typer.Option("--k", "-k", help="Memories shown for a question.", min=1, max=50)
    ] = 8,
) -> None:
    """Count which memories answers are said to have used, or ignored wrongly. Calls no model."""
    from cogmem_core.engine import open as open_engine
    from cogmem_eval import feedback_cases

    cases = feedback_cases.load(file)
    with (
        _measured(shell, "judging") as (config, embedder, advance),
        open_engine(config=config, embedder=embedder) as engine,
    ):
        report = feedback_cases.evaluate(cases, engine, k=k, progress=advance)
    shell.show(report, feedback_cases.render(report))


def times(
    shell: Shell,
    file: Annotated[
        Path,
        typer.Argument(
            help="Labelled cases, one JSON object a line: id, kind, text, said_at, tz, expect."
        ),
    ],
) -> None:
    """Count what is found of times and ends that statements name, in each mode. Calls no model."""
    from cogmem_core.engine import open as open_engine
    from cogmem_eval import time_cases

    cases = time_cases.load(file)
    # What is near what decides no time, so that the cheapest embedder will do.
    with _measured(shell, "reading", "hashing") as (config, embedder, advance):

        def in_memory(mode: Mode) -> Engine:
            encoding = replace(config.encoding, mode=mode)
            return open_engine(config=replace(config, encoding=encoding), embedder=embedder)

        report = time_cases.evaluate(cases, in_memory, progress=advance)
    shell.show(report, time_cases.render(report))


def registers(
    shell: Shell,
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Banks in JSONL files; if not given, those that nothing was fitted to and that ship with cogmem-eval."
        ),
    ] = None,
) -> None:
    """Recall beside vectors, BM25 and their fusion, by kind of bank and message. Calls no model."""
    from cogmem_eval import registers

    banks = registers.load(folder or registers.SHIPPED / "held")
    with _measured(shell, "asking") as (config, embedder, advance):
        report = registers.evaluate(banks, manual(config), embedder, progress=advance)
    shell.show(registers.as_dict(report), registers.render(report))


def calibrate(
    shell: Shell,
    files: Annotated[
        list[Path], typer.Argument(help="Conversations and questions in LoCoMo's format.")
    ],
    *,
    unrelated: Unrelated = None,
    statements: Annotated[
        list[Path] | None,
        typer.Option(help="A bank of statements and questions about them; may be repeated."),
    ] = None,
    registers: Annotated[
        list[Path] | None,
        typer.Option(help="A folder of banks as `eval registers` reads them; may be repeated."),
    ] = None,
    messages: Annotated[
        Path | None,
        typer.Option(help="Messages on which no memory bears, and such on which one may (JSON)."),
    ] = None,
    write: Annotated[Path | None, typer.Option(help="Write the models to this file.")] = None,
    ranking: Annotated[
        Path | None,
        typer.Option(help="Fit the weights of ranking instead, and write them to this file."),
    ] = None,
) -> None:
    """Fit the probabilities behind a result's confidence, or the weights of ranking (minutes)."""
    from cogmem_eval import registers as of_registers
    from cogmem_eval.calibration import NO_MESSAGES, calibrated, read_messages
    from cogmem_eval.calibration import write as write_models
    from cogmem_eval.conversations import load_all
    from cogmem_eval.reading import read_questions
    from cogmem_eval.statement_banks import load_bank

    talks = load_all(files)
    questions = read_questions(unrelated) if unrelated else ()
    facts = list(map(load_bank, statements or ()))
    banks = [bank for folder in registers or () for bank in of_registers.load(folder)]
    if ranking is not None:
        _rank(shell, talks, facts, banks, ranking)
        return
    with bar(shell, "calibrating") as advance:
        models, samples = calibrated(
            shell.config(with_folder=False),
            talks,
            questions,
            facts,
            registers=banks,
            messages=read_messages(messages) if messages else NO_MESSAGES,
            progress=advance,
        )
    if write is not None:
        write_models(models, write)
    answer = {
        name: {"samples": samples[name], "threshold": of_embedder.quiet}
        for name, of_embedder in models.items()
    }
    lines = [f"{name}: fitted on {row['samples']} questions" for name, row in answer.items()]
    shell.show(
        answer,
        "\n".join(
            [*lines, f"written to {write}" if write else "nothing was written (--write FILE)"]
        ),
    )


def _rank(
    shell: Shell,
    talks: Sequence[LocomoConversation],
    facts: Sequence[StatementBank],
    banks: Sequence[RegisterBank],
    path: Path,
) -> None:
    """Fit the weights of ranking, and show how each register is ranked without its own banks."""
    from cogmem_eval import ranking
    from cogmem_eval.reading import write_json

    work = [*map(ranking.of_talk, talks), *map(ranking.of_statements, facts), *banks]
    with _measured(shell, "searching") as (config, embedder, advance):
        found = ranking.examples(work, manual(config), embedder, progress=advance)
    table = ranking.fit(found)
    judged = ranking.judged(found)
    write_json(table, path)
    lines = [
        f"{name:<14} R@5 {row.recall_5:5.1f}  R@10 {row.recall_10:5.1f}  MRR {row.mrr:5.1f}"
        for name, row in judged.items()
    ]
    shell.show(
        {"weights": table, "left out": {name: asdict(row) for name, row in judged.items()}},
        "\n".join([f"{len(found)} messages; each bank is judged without it", *lines]),
    )


@contextmanager
def _measured(
    shell: Shell, title: str, default: str = "minilm"
) -> Iterator[tuple[Config, MemoizedEmbedder, Advance]]:
    """What every measurement needs: the settings, an embedder, and somebody who hears how far it is."""
    from cogmem_core.embedders import resolve
    from cogmem_eval import MemoizedEmbedder

    config = shell.config(with_folder=False)
    embedder = MemoizedEmbedder(resolve(shell.embedder or default, config=config.embedding))
    with bar(shell, title) as advance:
        yield config, embedder, advance


def _depths(text: str, maximum: int) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(
        part.isascii() and part.isdigit() and 1 <= int(part[:10]) <= maximum for part in parts
    ):
        raise InvalidInput(
            f"--k is {text!r}; give integers from 1 to {maximum:,} (retrieval.max_k), such as 5,10,20"
        )
    return list(map(int, parts))


_MEASURES: tuple[Callable[..., None], ...] = (
    locomo,
    lives,
    gate,
    feedback,
    times,
    registers,
    calibrate,
)
COMMANDS = tuple(map(_measuring, _MEASURES))
GROUP = "Measure how well memories are recalled."

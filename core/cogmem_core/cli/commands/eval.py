"""Commands that measure: eval locomo, lifecycle, calibrate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_core.cli.progress import bar
from cogmem_core.cli.shell import Shell, command
from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem_core.config import Config
    from cogmem_core.engine import Engine

__all__ = ["register"]

_LIVES = 5
_DAYS = 180


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    evaluation = typer.Typer(help="Measure how well memories are recalled.", no_args_is_help=True)
    # A group of one command would otherwise become that command.
    evaluation.callback()(_group)
    command(evaluation, "locomo")(locomo)
    command(evaluation, "lifecycle")(lifecycle)
    command(evaluation, "calibrate")(calibrate)
    app.add_typer(evaluation, name="eval")


def _group() -> None:
    """Measure how well memories are recalled."""


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
) -> None:
    """Score evidence recall on LoCoMo conversations, in memory: no bank is read or changed."""
    from cogmem_core.embedders import resolve
    from cogmem_core.engine import open as open_engine
    from cogmem_core.evaluation import Extras, MemoizedEmbedder, as_dict, evaluate, render
    from cogmem_core.evaluation.calibration import strangers

    config = shell.config(with_folder=False)
    depths = _depths(k, config.retrieval.max_k)
    embedder = MemoizedEmbedder(resolve(shell.embedder or "minilm", config=config.embedding))

    def in_memory(config: Config) -> Engine:
        return open_engine(config=config, embedder=embedder)

    with bar(shell, "evaluating") as advance:
        extras = Extras(ablate, strangers(fitted=False))
        report = evaluate(
            file,
            engine_factory=in_memory,
            ks=depths,
            merged=merged,
            extras=extras,
            progress=advance,
        )
    shell.show(as_dict(report), render(report))


def lifecycle(
    shell: Shell,
    *,
    seeds: Annotated[
        int | None, typer.Option(help="How many simulated lives per configuration. Default: 5.")
    ] = None,
    days: Annotated[int | None, typer.Option(help="How long a life is. Default: 180.")] = None,
    configurations: Annotated[
        str,
        typer.Option(
            help="Some of kept,feedback,feedback+dream and the presets; all if not given."
        ),
    ] = "",
    locomo: Annotated[
        Path | None,
        typer.Option(
            help="Instead replay these conversations in time, with a dream after each session."
        ),
    ] = None,
) -> None:
    """Simulate half a year: what is true is recalled, what is over is not. Calls no model."""
    from cogmem_core.embedders import resolve
    from cogmem_core.evaluation import MemoizedEmbedder, lifecycle_report
    from cogmem_core.evaluation import replay as replaying
    from cogmem_core.evaluation.lifecycle import setups, simulate

    if locomo is not None and (seeds is not None or days is not None):
        raise InvalidInput(
            "--seeds and --days make up a life, --locomo replays what was said; leave one of them "
            "out"
        )
    config = shell.config(with_folder=False)
    chosen = setups(config, [name.strip() for name in configurations.split(",") if name.strip()])
    embedder = MemoizedEmbedder(resolve(shell.embedder or "minilm", config=config.embedding))
    if locomo is not None:
        with bar(shell, "replaying") as advance:
            replayed = replaying.replay(locomo, chosen, embedder, progress=advance)
        shell.show(replaying.as_dict(replayed), replaying.render(replayed))
        return
    length = _DAYS if days is None else days
    with bar(shell, "living") as advance:
        lives = simulate(
            chosen,
            embedder,
            seeds=_LIVES if seeds is None else seeds,
            days=length,
            progress=advance,
        )
    report = lifecycle_report.report(lives, days=length, embedder=embedder.fingerprint)
    shell.show(lifecycle_report.as_dict(report), lifecycle_report.render(report))


def calibrate(
    shell: Shell,
    *,
    write: Annotated[Path | None, typer.Option(help="Write the models to this file.")] = None,
) -> None:
    """Fit the probabilities behind a result's confidence on the conversations that ship with cogmem (minutes)."""
    from cogmem_core.evaluation.calibration import calibrated
    from cogmem_core.evaluation.calibration import write as write_models

    with bar(shell, "calibrating") as advance:
        models, samples = calibrated(shell.config(with_folder=False), progress=advance)
    if write is not None:
        write_models(models, write)
    answer = {
        name: {"samples": samples[name], "threshold": pair.threshold}
        for name, pair in models.items()
    }
    lines = [f"{name}: fitted on {row['samples']} questions" for name, row in answer.items()]
    shell.show(
        answer,
        "\n".join(
            [*lines, f"written to {write}" if write else "nothing was written (--write FILE)"]
        ),
    )


def _depths(text: str, maximum: int) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(
        part.isascii() and part.isdigit() and 1 <= int(part[:10]) <= maximum for part in parts
    ):
        raise InvalidInput(
            f"--k is {text!r}; give integers from 1 to {maximum:,} (retrieval.max_k), such as 5,10,20"
        )
    return list(map(int, parts))

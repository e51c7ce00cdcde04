"""Commands that keep a bank: reindex, doctor, models."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cogmem_core.cli.progress import bar
from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line, plain
from cogmem_core.cli.writing import finish_waiting
from cogmem_core.errors import ConfigError
from cogmem_core.text.plural import counted

__all__ = ["register"]

Model = Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "reindex")(reindex)
    command(app, "doctor")(doctor)
    models = typer.Typer(help="The weights of embedding models.", no_args_is_help=True)
    command(models, "fetch")(models_fetch)
    command(models, "list")(models_list)
    command(models, "path")(models_path)
    app.add_typer(models, name="models")


def reindex(shell: Shell) -> None:
    """Build all indexes anew; --embedder first embeds every memory with that model for good."""
    with shell.engine(as_stored=True) as engine, bar(shell, "reindexing") as advance:
        finish_waiting(engine)
        report = engine.reindex(shell.embedder, progress=partial(advance, "reindexing"))
    shell.show(
        report,
        f"indexed {counted(report.indexed)}, embedded {report.embedded} ({report.fingerprint})",
    )


def doctor(
    shell: Shell,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Repair what can be repaired.")] = False,
) -> None:
    """Examine ledger, indexes, files, clock. Exit status 1 if something is, or stays, wrong."""
    from cogmem_core.cli.tables import rows

    with shell.engine(as_stored=True) as engine:
        engine.pause()
        diagnosis = engine.doctor(repair)
    lines = (
        (symptom.kind, "repaired" if symptom.repaired else "found", line(symptom.message))
        for symptom in diagnosis.findings
    )
    table = rows(("what", "state", "message"), lines, texts=("message",))
    shell.show(
        {"clean": diagnosis.clean, **plain(diagnosis)},
        table if diagnosis.findings else "nothing is wrong",
    )
    for skipped in diagnosis.skipped:
        shell.note(skipped)
    if not diagnosis.clean:
        if not repair:
            shell.note("cogm doctor --repair repairs what can be repaired")
        raise typer.Exit(1)


def models_fetch(shell: Shell, name: Model = "minilm") -> None:
    """Download a model's weights, unless they are there."""
    from cogmem_core.embedders import weights

    with bar(shell, f"fetching {name}", sized=True) as advance:
        folder = weights.fetch(name, progress=advance)
    shell.show({"name": name, "path": str(folder), "present": True}, f"{name} is in {folder}")


def models_list(shell: Shell) -> None:
    """List the known models and whether they are on this machine."""
    from cogmem_core.cli.tables import rows
    from cogmem_core.embedders import weights

    models = weights.available()
    lines = (
        (m.name, "yes" if m.present else "no", f"{m.bytes / 1e6:.0f} MB", str(m.path))
        for m in models
    )
    shell.show(
        {"models": models}, rows(("model", "here", "size", "folder"), lines, texts=("folder",))
    )


def models_path(shell: Shell, name: Model = "minilm") -> None:
    """Print the folder in which a model's weights are, or would be."""
    from cogmem_core.embedders import weights

    info = next((info for info in weights.available() if info.name == name), None)
    if info is None:
        raise ConfigError(
            f"unknown model {name!r}; the models are {', '.join(sorted(weights.MODELS))}"
        )
    shell.show({"name": name, "path": str(info.path), "present": info.present}, str(info.path))

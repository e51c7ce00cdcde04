"""The command `reindex`."""

from __future__ import annotations

from functools import partial

import typer

from cogmem_core.cli.options import finish_waiting
from cogmem_core.cli.progress import bar
from cogmem_core.cli.shell import Shell, command
from cogmem_core.text.plural import counted

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "reindex")(reindex)


def reindex(shell: Shell) -> None:
    """Build all indexes anew; --embedder first embeds every memory with that model for good."""
    with shell.engine(as_stored=True) as engine, bar(shell, "reindexing") as advance:
        finish_waiting(engine)
        report = engine.reindex(shell.embedder, progress=partial(advance, "reindexing"))
    shell.show(
        report,
        f"indexed {counted(report.indexed)}, embedded {report.embedded} ({report.fingerprint})",
    )

"""The command `reindex`."""

from __future__ import annotations

from functools import partial

from cogmem_cli.options import finish_waiting
from cogmem_cli.progress import bar
from cogmem_cli.shell import Shell
from cogmem_core.text.plural import counted


def reindex(shell: Shell) -> None:
    """Build all indexes anew; --embedder first embeds every memory with that model for good."""
    with shell.engine(as_stored=True) as engine, bar(shell, "reindexing") as advance:
        finish_waiting(engine)
        report = engine.reindex(shell.embedder, progress=partial(advance, "reindexing"))
    shell.show(
        report,
        f"indexed {counted(report.indexed)}, embedded {report.embedded} ({report.fingerprint})",
    )


COMMANDS = (reindex,)

"""Progress of long work, on stderr and only where a person watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogmem.cli.shell import Shell
    from cogmem.engine import Engine

__all__ = ["Advance", "bar", "loading"]

Advance = Callable[[str, int, "int | None"], None]
"""Called with what is being done, how much of it is done, and how much there is (None if unknown)."""


@contextmanager
def bar(shell: Shell, what: str, *, sized: bool = False) -> Iterator[Advance]:
    """A progress bar; `sized`: it counts bytes."""
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    count = DownloadColumn() if sized else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeElapsedColumn())
    hidden = shell.json or not shell.err.is_terminal
    with Progress(*columns, console=shell.err, transient=True, disable=hidden) as progress:
        task = progress.add_task(what, total=None)

        def advance(stage: str, done: int, total: int | None) -> None:
            progress.update(task, description=stage, completed=done, total=total)

        yield advance


def loading(shell: Shell, engine: Engine) -> AbstractContextManager[object]:
    """A spinner while the default model's weights are downloaded, the first time it is used."""
    from cogmem.storage.embedders import weights

    watched = not shell.json and shell.err.is_terminal
    if not watched or not engine.services.embedder.fingerprint.startswith("minilm") or weights.find() is not None:
        return nullcontext()
    return shell.err.status("downloading the embedding model, once (91 MB)")

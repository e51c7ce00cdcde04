"""Progress of long work, on stderr and only where a person watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogmem_cli.shell import Shell
    from cogmem_core.engine import Engine


Advance = Callable[[str, int, "int | None"], None]
"""Called with what is being done, how much of it is done, and how much there is (None if unknown)."""


@contextmanager
def bar(
    shell: Shell, title: str, engine: Engine | None = None, *, sized: bool = False
) -> Iterator[Advance]:
    """A progress bar.

    Args:
        shell: where it is drawn.
        title: of what is being done.
        engine: whose embedder may have to be loaded first.
        sized: it counts bytes.
    """
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    count = DownloadColumn() if sized else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeElapsedColumn())
    hidden = shell.json or not shell.err.is_terminal
    with Progress(*columns, console=shell.err, transient=True, disable=hidden) as progress:
        waiting = None if engine is None else download(engine)
        task = progress.add_task(waiting or title, total=None)

        def advance(stage: str, done: int, total: int | None) -> None:
            progress.update(task, description=stage, completed=done, total=total)

        yield advance


def download(engine: Engine) -> str | None:
    """What the first text will have to wait for: the default model's weights, unless they are on this machine."""
    from cogmem_core.embedders import weights

    if not engine.services.embedder.fingerprint.startswith("minilm") or weights.find() is not None:
        return None
    return "downloading the embedding model, once (91 MB)"


def loading(shell: Shell, engine: Engine) -> AbstractContextManager[object]:
    """A spinner while the weights are downloaded; nothing if they are there."""
    reason = download(engine)
    return nullcontext() if reason is None or shell.json else shell.err.status(reason)

"""Options, and steps, that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

SessionId = Annotated[str | None, typer.Option(help="The conversation that it belongs to.")]


def finish_waiting(engine: Engine) -> None:
    """Finish turns of earlier commands that had no embedder.

    The engine's own worker may not live long enough.
    """
    from cogmem_core.encoding.commit import finish_queued

    while finish_queued(engine.services)[0]:
        pass

"""The command `tip`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from cogmem_core.cli.options import ResultCount
from cogmem_core.cli.progress import loading
from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import line, short

if TYPE_CHECKING:
    from cogmem_core.results import Tip

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    command(app, "tip")(tip)


def tip(
    shell: Shell,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="What you are trying to remember.")
    ],
    *,
    k: ResultCount = 8,
) -> None:
    """Find what is on the tip of the tongue: stored deeply, hardly recalled; with cues."""
    with shell.bank(read_only=True) as (bank, engine), loading(shell, engine):
        result = bank.tip_of_tongue(" ".join(query), k)
        reason = "" if result.tips else shell.empty_reason(engine, result.empty_reason)
    for trouble in result.degraded:
        shell.note(f"degraded: {trouble}")
    parts = list(map(_tip_text, result.tips)) or [Text(f"no result: {reason}")]
    shell.show(result, *parts)


def _tip_text(candidate: Tip) -> Text:
    """The cues before the memory itself: whoever remembers by them reads no further."""
    cues = [
        f"   {kind}: {line(', '.join(cue_words))}" for kind, cue_words in candidate.cues.items()
    ]
    stored = f"stored {candidate.memory.storage_strength:.1f} of 10"
    strength = f"   {stored}, retention {candidate.retention:.2f}, {candidate.memory.state}"
    content = f"   {line(candidate.memory.content)}"
    return Text.assemble(
        f"{short(candidate.memory.id)}  {candidate.label}\n",
        "\n".join(cues),
        "\n",
        content,
        "\n",
        (strength, "dim"),
    )

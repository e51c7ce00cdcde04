"""The command `profile`."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.commands.recall import AsOf, KnownAt
from cogmem_cli.shell import Shell
from cogmem_cli.times import moment
from cogmem_cli.values import clean


def profile(
    shell: Shell,
    subject: Annotated[
        list[str] | None, typer.Argument(help="Whom or what. Default: whose memories these are.")
    ] = None,
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    max_tokens: Annotated[int | None, typer.Option(help="What the text may cost.")] = None,
) -> None:
    """Show what is known of you, or of somebody else, in sections: since when, and what was before."""
    with shell.bank(read_only=True) as bank:
        known = bank.profile(
            " ".join(subject) if subject else None,
            as_of=moment(shell, "--as-of", as_of, "day"),
            known_at=moment(shell, "--known-at", known_at, "last"),
            max_tokens=max_tokens,
        )
    shell.show(known, clean(str(known)) if known else "nothing is known")
    if known.others:
        shell.note(f"also known: {clean(', '.join(known.others))}")


COMMANDS = (profile,)

"""The command `list`."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from cogmem_cli.filters import Conversation, Filters
from cogmem_cli.shell import Shell
from cogmem_cli.tables import memories


def list_(
    shell: Shell,
    *,
    state: Annotated[
        str | None,
        typer.Option(help="active (default), dormant, superseded, forgotten, ... or any."),
    ] = None,
    filters: Filters,
    session: Conversation = None,
    tier: Annotated[str | None, typer.Option(help="episodic or semantic.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on behind this id.")] = None,
    oldest_first: Annotated[
        bool, typer.Option("--oldest-first", help="The other way round.")
    ] = False,
) -> None:
    """List memories, newest first."""
    from cogmem_core.edge import checks
    from cogmem_core.models import State, Tier

    if state is not None:
        checks.choice("--state", state, (*get_args(State), "any"))
    if tier is not None:
        checks.choice("--tier", tier, get_args(Tier))
    checks.positive("--limit", limit)
    with shell.bank(read_only=True) as bank:
        page = bank.list(
            state=state,
            tier=tier,
            session_id=session,
            limit=limit,
            cursor=cursor,
            newest_first=not oldest_first,
            **filters,
        )
        hint = "" if len(page) else shell.namespace_hint(bank.engine)
    if len(page):
        shell.show(
            {"memories": page.memories, "cursor": page.cursor},
            memories(page.memories, shell.out.width),
        )
        if page.cursor:
            shell.note(f"there are more: --cursor {page.cursor}")
        return
    shell.show(
        {"memories": [], "cursor": None}, f"no such memory in namespace {shell.namespace!r}{hint}"
    )


COMMANDS = (list_,)

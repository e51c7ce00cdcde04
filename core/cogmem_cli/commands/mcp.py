"""The command `mcp`."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.shell import LanguageModel, Shell


def mcp(
    shell: Shell,
    *,
    session: Annotated[
        str | None, typer.Option(help="The conversation. Default: one of its own.")
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer only the tools that change nothing.")
    ] = False,
    llm: LanguageModel = None,
) -> None:
    """Serve the namespace to a coding agent over MCP (stdio): recall, remember, forget, why, due.

    The agent starts it; `cogm hooks install` writes its configuration. Any number of them may run on one bank.
    """
    from cogmem_serve.mcp import serve_stdio

    if shell.interactive:
        shell.note("waiting for an agent that speaks MCP on standard input; Ctrl-D ends it")
    model = shell.language_model(llm)
    with shell.bank(create=True, llm=model, dreams=True) as bank:
        serve_stdio(bank, session_id=session, read_only=read_only)


COMMANDS = (mcp,)

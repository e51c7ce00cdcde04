"""The command's root: options, groups, and the exit codes 0 (done), 1 (failed), 2 (wrong usage), 130 (Ctrl-C)."""

from __future__ import annotations

import contextlib
import io
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cogmem_cli.shell import Embedder, Json, Namespace, Place, Shell, add_commands

# Typer carries its own copy of click in some versions, so the base of all usage errors is found by
# name.
_USAGE: type[BaseException] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)

ABOUT = """Memory for LLM agents: it remembers, recalls and forgets, and tells why.

Memories live in a folder (--path) and belong to a namespace (-n). The options of every command may stand before or
after its name. In a pipe, tables are lines with tabs; --json gives everything. `cogm help COMMAND` tells more of one.
Where a time is taken, so are words: 3 Nov, yesterday, last monday, tomorrow at 5 pm, ISO 8601.

Exit codes: 0 done, 1 failed (also: not all of it could be done, or an answer was no), 2 wrong usage (nothing was
changed), 130 interrupted. Other names: add = remember, search = recall, get = show, explain = why, delete = forget,
consolidate = dream.
"""


_COMMANDS = (
    "init",
    "memory",
    "remember",
    "forget",
    "recall",
    "conversation",
    "dream",
    "tasks",
    "review",
    "access",
    "audit",
    "upkeep",
    "transfer",
    "serve",
    "hooks",
    "models",
    "languages",
    "config",
    "keys",
    "eval",
)
"""The modules of the commands, in the order of the help."""


class Root(TyperGroup):
    """The group of all commands; with `--json` it reports wrong usage as JSON, too."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Parse and run; everything but a usage error under `--json` is typer's own handling."""
        arguments = (args[0] if args else extra.get("args")) or sys.argv[1:]
        if arguments[0:1] == ["help"]:
            # `cogm help recall` is `cogm recall --help`.
            args, extra["args"] = (), [*arguments[1:], "--help"]
        if "--json" not in arguments:
            return super().main(*args, **extra)
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except _USAGE as error:
            message = getattr(error, "format_message", error.__str__)()
            code = Shell(json=True).report("UsageError", message, 2)
        except typer.Abort:
            code = 1
        sys.exit(code if isinstance(code, int) else 0)


app = typer.Typer(
    name="cogm",
    help=" ".join(ABOUT.split("\n")).replace("  ", "\n\n"),
    context_settings={"help_option_names": ["-h", "--help"]},
    cls=Root,
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a traceback must not show what is in the variables
)
for name in _COMMANDS:
    add_commands(app, import_module(f"cogmem_cli.commands.{name}"))


def _version(requested: bool) -> None:
    if requested:
        from cogmem_core import __version__

        typer.echo(f"cogmem-core {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    ctx: typer.Context,
    *,
    path: Place = None,
    namespace: Namespace = None,
    embedder: Embedder = None,
    json: Json = False,
    _show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    ctx.obj = {"path": path, "namespace": namespace, "embedder": embedder, "json": json}


def run() -> None:
    """Entry point of the command `cogm`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets a question mark, not a traceback.
            with contextlib.suppress(OSError, ValueError):
                stream.reconfigure(errors="replace")
    app(prog_name="cogm")

"""The command `namespaces`."""

from __future__ import annotations

from cogmem_cli.shell import Shell
from cogmem_cli.values import line


def namespaces(shell: Shell) -> None:
    """List the namespaces of the bank."""
    with shell.engine(read_only=True) as engine:
        names = engine.namespaces()
    shell.show({"namespaces": names}, *(map(line, names) if names else ["no namespace yet"]))


COMMANDS = (namespaces,)

"""The command `namespaces`."""

from __future__ import annotations

from cogmem_cli.shell import Shell
from cogmem_cli.values import line


def namespaces(shell: Shell) -> None:
    """List the namespaces of the bank."""
    with shell.bank(read_only=True) as (_, engine):
        names = engine.namespaces()
    shell.show({"namespaces": names}, *(map(line, names) if names else ["no namespace yet"]))


COMMANDS = (namespaces,)

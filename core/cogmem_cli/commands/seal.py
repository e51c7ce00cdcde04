"""Commands about topics that are never kept: seal, unseal."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.shell import Shell

Topic = Annotated[
    list[str] | None,
    typer.Argument(metavar="TOPIC", help="A topic such as health, or words of your own."),
]


def seal(shell: Shell, topic: Topic = None) -> None:
    """Never keep what tells of a topic, from now on; without one, list what is sealed."""
    with shell.bank() as bank:
        _show(shell, bank.seal(" ".join(topic)) if topic else bank.seals())


def unseal(shell: Shell, topic: Annotated[list[str], typer.Argument(metavar="TOPIC")]) -> None:
    """Keep again what tells of a topic that was sealed with `seal`."""
    with shell.bank() as bank:
        _show(shell, bank.unseal(" ".join(topic)))


def _show(shell: Shell, seals: tuple[str, ...]) -> None:
    shell.show({"seals": seals}, "\n".join(seals) or "no topic is sealed")


COMMANDS = (seal, unseal)

"""The command `health`."""

from __future__ import annotations

from cogmem_cli.shell import Shell
from cogmem_cli.tables import bars, pairs


def health(shell: Shell) -> None:
    """Show how the namespace is doing: counts, retention, the index, what waits, warnings."""
    with shell.bank(read_only=True, must_exist=True) as bank:
        answer = {
            "path": str(shell.folder),
            "namespaces": len(bank.engine.namespaces()),
            **bank.health(),
        }
    fields = {name.replace("_", " "): value for name, value in answer.items()}
    retention = fields.pop("retention histogram")
    shell.show(answer, pairs(fields), bars("retention from", retention))
    for warning in answer["warnings"]:
        shell.note(f"warning: {warning}")


COMMANDS = (health,)

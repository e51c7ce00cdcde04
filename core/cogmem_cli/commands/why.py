"""The command `why`."""

from __future__ import annotations

from rich.text import Text

from cogmem_cli.ids import complete
from cogmem_cli.options import MemoryId
from cogmem_cli.shell import Shell
from cogmem_cli.values import clean


def why(shell: Shell, memory_id: MemoryId) -> None:
    """Tell a memory's life: where it comes from, what happened to it, how it stands today."""
    with shell.bank(read_only=True) as bank:
        life = bank.explain(complete(bank, memory_id))
    memory = life.history.memory
    answer = {
        "memory": memory,
        "retention": life.retention,
        "story": life.story,
        "relations": life.relations,
        "versions": life.history.versions,
        "changes": life.history.changes,
    }
    shell.show(
        answer, Text(f"{memory.id}\n{clean(memory.text)}\n"), Text(clean("\n".join(life.story)))
    )


COMMANDS = (why,)

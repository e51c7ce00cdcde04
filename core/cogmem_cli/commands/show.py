"""Commands that show one memory: show, history."""

from __future__ import annotations

import dataclasses

from cogmem_cli.ids import complete
from cogmem_cli.options import MemoryId
from cogmem_cli.shell import Shell
from cogmem_cli.tables import changes, pairs, versions
from cogmem_cli.values import line


def show(shell: Shell, memory_id: MemoryId) -> None:
    """Show every field of a memory."""
    from cogmem_core.edge.clauses import in_words, reading_of
    from cogmem_core.values.readings import shown

    with shell.bank(read_only=True) as bank:
        memory = bank.get(complete(bank, memory_id))
    fields = {item.name: getattr(memory, item.name) for item in dataclasses.fields(memory)}
    fields["clause_states"] = list(in_words(memory))
    fields["reading"] = shown(memory.content, reading_of(memory).clauses)
    shell.show({"memory": memory}, pairs(fields))


def history(shell: Shell, memory_id: MemoryId) -> None:
    """Show a memory's former texts and every change, oldest first."""
    with shell.bank(read_only=True) as bank:
        life = bank.history(complete(bank, memory_id))
    tables = [versions(life.versions)] if life.versions else []
    shell.show(life, line(life.memory.text), *tables, changes(life.changes))


COMMANDS = (show, history)

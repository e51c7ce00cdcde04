"""The turns in which memories were said, of which some were said several times."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_row
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.table import Table
from cogmem_core.values.models import Episode, Memory


class TellingTable(Table):
    """Looks a memory's tellings up among the turns: nothing of them is kept a second time."""

    def admitted(self, criteria: Filter, memories: Iterable[Memory]) -> list[Memory]:
        """Those of some memories of which a telling matches, in all but state and validity."""
        given = list(memories)
        told_again = [memory for memory in given if criteria.of_telling and memory.is_told_again]
        turns = self.of(told_again)
        return [
            memory
            for memory in given
            if criteria.admits(memory)
            or any(criteria.admits(memory, turn) for turn in turns.get(memory.id, ()))
        ]

    def of(self, memories: Iterable[Memory]) -> dict[str, list[Episode]]:
        """The turns that memories came from, of those that are kept, by the memory's id, in order."""
        lists = {memory.id: [s.episode_id for s in memory.sources] for memory in memories}
        rows = self._among(schema.episodes, "id", set(chain.from_iterable(lists.values())))
        turns = {row["id"]: decode_row(Episode, row) for row in rows}
        return {name: [turns[i] for i in ids if i in turns] for name, ids in lists.items()}

    def outside(self, criteria: Filter, memories: Iterable[Memory]) -> dict[str, list[Episode]]:
        """The turns that a filter leaves out, of memories that several turns told, by the memory's id."""
        outside: dict[str, list[Episode]] = {}
        if not criteria.of_telling:
            return outside
        by_id = {memory.id: memory for memory in memories if memory.is_told_again}
        for memory_id, turns in self.of(by_id.values()).items():
            memory = by_id[memory_id]
            first = memory.sources[0].episode_id if criteria.admits(memory) else ""
            others = [t for t in turns if t.id != first and not criteria.admits(memory, t)]
            if others:
                outside[memory_id] = others
        return outside

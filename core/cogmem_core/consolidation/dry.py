"""A writing transaction that writes nothing: what a dry run hands to `changes.apply`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogmem_core.consolidation.snapshot import Scene
from cogmem_core.models import JournalEntry, Memory, Relation, ShortTerm, SynapticTag
from cogmem_core.ports import Archived, Stored
from cogmem_core.storage.ledger.reader import Reader

__all__ = ["DryWriter"]


class DryWriter:
    """Implements `ports.RunWriter` over a snapshot and what the cycle has changed so far, which only `scene` knows."""

    def __init__(self, reader: Reader, scene: Scene) -> None:
        self._reader, self._scene = reader, scene
        self._seq = reader.last_seq(scene.namespace)

    def stored(self, namespace: str, ids: Sequence[str]) -> dict[str, Stored]:
        """Rows as they would be by now."""
        rows = self._reader.stored(namespace, ids)
        found: dict[str, Stored] = {}
        for memory_id in ids:
            memory, row = self._scene.known(memory_id), rows.get(memory_id)
            if memory is None:
                if row is not None:
                    found[memory_id] = row
                continue
            base = row or Stored(memory, memory.content, self._scene.held(memory_id), "")
            found[memory_id] = replace(base, memory=memory)
        return found

    def memories(self, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
        """Rows as they would be by now."""
        missing = [i for i in ids if self._scene.known(i) is None]
        known = {i: memory for i in ids if (memory := self._scene.known(i)) is not None}
        return {**(self._reader.memories(namespace, missing) if missing else {}), **known}

    def relations_of(self, namespace: str, ids: Sequence[str]) -> list[Relation]:  # noqa: ARG002 - the protocol's
        """Relations of the scene."""
        wanted = set(ids)
        return [x for x in self._scene.relations.values() if x.source_id in wanted or x.target_id in wanted]

    def allocate(self, namespace: str, count: int) -> tuple[int, int]:  # noqa: ARG002 - the protocol's
        """Journal numbers that nobody keeps."""
        first = self._seq + 1
        self._seq += count
        return first, first - 1

    def insert(self, rows: Sequence[Stored]) -> None:
        """Nothing."""

    def update(self, namespace: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Nothing."""

    def archive(self, former: Sequence[Archived]) -> None:
        """Nothing."""

    def relate(self, add: Sequence[Relation], drop: Sequence[Relation]) -> None:
        """Nothing."""

    def record(self, namespace: str, entries: Sequence[JournalEntry], states: Mapping[int, str] | None = None) -> None:
        """Nothing."""

    def tag(self, namespace: str, tags: Sequence[SynapticTag]) -> None:
        """Nothing."""

    def keep_short(self, namespace: str, facts: Sequence[ShortTerm]) -> None:
        """Nothing."""

    def unmark(self, namespace: str, marks: Sequence[SynapticTag | ShortTerm]) -> None:
        """Nothing."""

    def drop_memories(self, namespace: str, rows: Sequence[tuple[str, int]]) -> None:
        """Nothing."""

    def drop_versions(self, namespace: str, memory_id: str, first: int) -> None:
        """Nothing."""

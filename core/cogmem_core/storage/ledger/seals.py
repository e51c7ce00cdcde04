"""What people never want kept, by namespace: asked for by whoever takes a text in."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import dump, encode_time
from cogmem_core.storage.ledger.table import Table, select_in

_SEALS = select_in(schema.namespaces, schema.namespaces.c.seals)


class SealTable(Table):
    """The sealed topics of a namespace, besides those that the settings name."""

    def all(self) -> tuple[str, ...]:
        """The topics, in the order in which they were sealed; read once while nobody writes to the ledger."""
        return tuple(json.loads(self._fact("seals", lambda: self._scalar(_SEALS)) or "[]"))

    def set(self, topics: Sequence[str]) -> None:
        """Take these in their place."""
        row = {"last_seq": 0, "created_at": encode_time(self._now), "seals": dump(topics)}
        self._upsert(schema.namespaces, [row], "seals")

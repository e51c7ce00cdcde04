"""Values that a person rejected: what no model, file or assistant may bring back. Only digests are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.table import Table

_R = schema.rejections.c


class Rejection(NamedTuple):
    """One form of a statement that was rejected.

    Attributes:
        digest: a keyed hash of the form.
        claim: what all forms of one statement share.
        memory_id: the memory that said it.
    """

    digest: str
    claim: str
    memory_id: str


class RejectionTable(Table):
    """Rejected statements by the digests of their forms."""

    def of(self, digests: Collection[str]) -> dict[str, str]:
        """Of digests that are rejected: the claim that each belongs to."""
        rows = self._among(schema.rejections, "digest", digests, _R.digest, _R.claim, keyed=False)
        return {row["digest"]: row["claim"] for row in rows}

    def add(self, rows: Sequence[Rejection], at: datetime) -> None:
        """Reject statements; what is rejected already gets the newer claim."""
        moment = encode_time(at)
        values = [{**row._asdict(), "at": moment} for row in rows]
        self._upsert(schema.rejections, values, "claim", "memory_id", "at")

    def lift(self, claims: Collection[str]) -> None:
        """Reject these statements no longer."""
        self._drop_among(schema.rejections, "claim", claims, keyed=False)

    def lift_of(self, memory_ids: Collection[str]) -> None:
        """Reject nothing any longer that these memories said."""
        self._drop_among(schema.rejections, "memory_id", memory_ids, keyed=False)

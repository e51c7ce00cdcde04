"""Values that a person rejected: what no model, file or assistant may bring back. Only digests are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.table import Table, delete_in, select_in, unique_chunks

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
        claims: dict[str, str] = {}
        for part in unique_chunks(sorted(digests)):
            query = select_in(schema.rejections, _R.digest, _R.claim).where(_R.digest.in_(part))
            claims.update((digest, claim) for digest, claim in self._execute(query))
        return claims

    def add(self, rows: Sequence[Rejection], at: datetime) -> None:
        """Reject statements; what is rejected already gets the newer claim."""
        moment = encode_time(at)
        values = [{**row._asdict(), "at": moment} for row in rows]
        self._upsert(schema.rejections, values, "claim", "memory_id", "at")

    def lift(self, claims: Collection[str]) -> None:
        """Reject these statements no longer."""
        for part in unique_chunks(sorted(claims)):
            self._change(delete_in(schema.rejections).where(_R.claim.in_(part)))

    def lift_of(self, memory_ids: Collection[str]) -> None:
        """Reject nothing any longer that these memories said."""
        for part in unique_chunks(sorted(memory_ids)):
            self._change(delete_in(schema.rejections).where(_R.memory_id.in_(part)))

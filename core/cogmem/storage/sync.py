"""From the journal to Chroma: state-based, idempotent, coalescing; a failing index never fails an acknowledged write.

`ChromaFollower.step` does a bounded piece of work and is called by the engine's background worker. Until the index
has been checked and has caught up it reports `ready=False`, and searches are answered exactly from the ledger.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence

import numpy as np

from cogmem.config import StorageConfig
from cogmem.errors import CogMemError, StoreError
from cogmem.patience import Deadline
from cogmem.ports import FloatArray, Hit, Place, VectorWrite
from cogmem.storage.codec import decode_vector
from cogmem.storage.ledger import Ledger
from cogmem.storage.reader import Filter
from cogmem.storage.schema import SHARDS, shard_of
from cogmem.storage.trail import TailRow
from cogmem.storage.vectors import ChromaIndex

__all__ = ["ChromaFollower", "place_of"]

_SHARED, _MOVING, _OWN = 0, 1, 2
_PAGE = 500
_SAME = 1e-5
_ACTIVE = Filter(states=("active",))
_COLD = ("dormant", "superseded")
_ON_THE_WAY = 20
_RECOVERY_WAITS = 2.0  # pauses between two attempts, in waits for Chroma


def place_of(namespace: str, *, own: bool, cold: bool = False) -> Place:
    """The collection of a namespace's vectors; its name holds a hash, never the namespace itself."""
    digest = hashlib.sha256(namespace.encode()).hexdigest()[:16] if own else None
    return Place(shard_of(namespace), digest, cold)


class ChromaFollower:
    """Keeps a `ChromaIndex` equal to the ledger. One thread calls `step`; any thread may search."""

    def __init__(self, ledger: Ledger, index: ChromaIndex, config: StorageConfig) -> None:
        self._ledger, self.index, self._config = ledger, index, config
        self._applied: dict[int, int] = dict.fromkeys(range(SHARDS), 0)
        self._placements: dict[str, int] = {}
        self._copied: dict[str, int] = {}
        self._prepared = False
        self._usable, self._doubtful, self._process = True, False, os.getpid()
        self._turn, self._again = threading.RLock(), Deadline(0.0)
        self.wanted = False
        self.trouble = ""

    def applied(self, namespace: str) -> int:
        """Journal number up to which Chroma holds the namespace's vectors; 0 while it cannot be asked."""
        return self._applied[shard_of(namespace)] if self.index.ready else 0

    def covers(self, namespace: str) -> bool:
        """True if Chroma may be asked about this namespace now; asks for the index to be opened if it is not."""
        if not self.index.ready or self._doubtful or not self._current():
            self.wanted = True
            return False
        if self._placements.get(namespace) == _MOVING:
            return False
        large = self._config.own_collection_above
        return self._placements.get(namespace) == _OWN or self._config.exact_below < large

    def search(self, namespace: str, vector: FloatArray, k: int, *, cold: bool = False) -> list[Hit]:
        """Neighbours from the namespace's collection.

        Raises:
            StoreError: Chroma failed; search the ledger's vectors instead.
        """
        own = self._placements.get(namespace) == _OWN
        try:
            return self.index.search(place_of(namespace, own=own, cold=cold), vector, k, namespace=namespace)
        except StoreError as error:
            self._suspect(error)
            raise

    @property
    def calls(self) -> bool:
        """True if the worker should look after the index: somebody wanted to search it and could not."""
        return self.wanted and self._usable and (self._doubtful or not self._prepared)

    @property
    def absence(self) -> str:
        """Why a server's index is not asked although it should be; empty if it is, or the index is our own."""
        return self.trouble if self.index.shared else ""

    def _suspect(self, error: CogMemError) -> None:
        """A server may be away, or have lost what it held: it is looked at before it is asked again."""
        self.trouble = str(error)
        self._doubtful = self.wanted = self.index.shared

    def _current(self) -> bool:
        """Whether no other worker has replaced a shared index; a deleted one would simply find nothing."""
        if not self.index.shared:
            return True
        state = self._ledger.load_generation()
        self._doubtful = state is None or state.number != self.index.generation
        return not self._doubtful

    def lag(self) -> int:
        """Journal numbers that Chroma has not applied yet, over all shards."""
        with self._ledger.reading() as reader:
            newest = reader.shard_seqs()
        return sum(max(0, seq - self._recorded(shard)) for shard, seq in newest.items())

    def _recorded(self, shard: int) -> int:
        if self._prepared:
            return self._applied[shard]
        state = self._ledger.load_generation()
        usable = state is not None and not state.dirty and state.fingerprint == self.index.fingerprint
        return state.applied.get(shard, 0) if state is not None and usable else 0

    @property
    def loaded(self) -> bool:
        """True once Chroma was opened."""
        return self._prepared

    def step(self) -> bool:
        """Do a bounded piece of work; True if there is more."""
        with self._turn:
            if not self._usable:
                return False
            try:
                return self._step()
            except CogMemError as error:
                self._suspect(error)
                return False

    def _step(self) -> bool:
        if self._prepared and self.index.shared and (self._doubtful or not self._current()):
            self._look()
        if self._prepared and self.index.lost and not self._recover():
            return False
        if not self._prepared and not self._prepare():
            return False
        busy = sum(self._advance(shard, newest) for shard, newest in self._newest().items()) > 0
        if not busy:
            self.index.mark_ready()
            self.trouble, self.wanted = "", False
            if self.index.tombstone_share() >= self._config.rebuild_tombstone_share:
                self.rebuild()
                return True
        return busy

    def _recover(self) -> bool:
        """Chroma hangs, or failed as on a full disk: begin anew beside it, not more often than it takes to find out."""
        if not self._again.passed:
            return False
        self._again = Deadline(_RECOVERY_WAITS * self._config.write_seconds)
        if self.index.shared:
            self.index.leave()
            self._prepared = False
            return True
        return self.rebuild()

    def _look(self) -> None:
        """See what became of a server's index: it is as it was, replaced by another worker, or lost."""
        doubt = self.index.doubt()
        if doubt or self._lacking():
            self.index.leave()
            self._prepared = False
        self._doubtful = False

    def _lacking(self) -> bool:
        """Whether clearly fewer vectors are there than were applied; a few may be on their way in or out."""
        with self._ledger.reading() as reader:
            wanted = reader.count_applied(self.index.fingerprint, ("active", *_COLD), self._applied)
        return self.index.total() < wanted - max(_ON_THE_WAY, wanted // 50)

    def _prepare(self) -> bool:
        prepared = self.index.prepare()
        if prepared is None:
            self._give_up()
            return False
        self._doubtful = False
        self._copied.clear()
        self._applied.update(dict.fromkeys(range(SHARDS), 0) | dict(prepared.applied))
        with self._ledger.reading() as reader:
            self._placements = reader.placements()
        if prepared.rebuilt:
            self._placements = dict.fromkeys(self._placements, _SHARED)
        self._prepared = True
        if self.index.shared and not prepared.rebuilt and self._lacking():
            self.rebuild()
        return True

    def _newest(self) -> dict[int, int]:
        with self._ledger.reading() as reader:
            return reader.shard_seqs()

    def _advance(self, shard: int, newest: int) -> bool:
        if newest <= self._applied[shard]:
            return False
        with self._ledger.reading() as reader:
            rows = reader.shard_tail(shard, self._applied[shard], self._config.write_slice)
        if not all(self._settled(namespace) for namespace in sorted({row.namespace for row in rows})):
            return True
        if rows:
            self.index.apply([write for row in rows for write in self._writes(row)])
        full = len(rows) == self._config.write_slice
        self._applied[shard] = rows[-1].seq if full else max(newest, rows[-1].seq if rows else 0)
        self.index.checkpoint(dict(self._applied))
        return True

    def _settled(self, namespace: str) -> bool:
        """Whether it is where its next rows belong. One that has grown large gets a collection of its own first."""
        with self._ledger.reading() as reader:
            noted = reader.placement(namespace)
            count = reader.count(namespace, _ACTIVE) if noted == _SHARED else 0
        if self._placements.get(namespace) == _OWN:
            if noted != _OWN:
                # It was forgotten as a whole, and is there again.
                self._place(namespace, _OWN)
            return True
        if noted == _SHARED:
            if count <= self._config.own_collection_above:
                self._placements[namespace] = _SHARED
                return True
            # What is begun is finished, after a failure as well; until then the ledger is searched.
            self._place(namespace, _MOVING)
        if self._moving(namespace):
            return False
        self._place(namespace, _OWN)
        self._copied.pop(namespace, None)
        return True

    def _place(self, namespace: str, placement: int) -> None:
        with self._ledger.writing(namespace) as writer:
            writer.place(namespace, placement)
        self._placements[namespace] = placement

    def _moving(self, namespace: str) -> bool:
        """One slice of a move; False if there is none left. Its shard stands still until then.

        So what was applied is as it was when the move began: it is copied, and what changed since follows as ever.
        What the shared collections hold of the namespace, in whatever state it was written, is deleted.
        """
        upto, copied = self._applied[shard_of(namespace)], self._copied.get(namespace, 0)
        with self._ledger.reading() as reader:
            rows = [row for row in reader.tail(namespace, copied, self._config.write_slice) if row.seq <= upto]
        if rows:
            self.index.apply([write for row in rows for write in self._writes(row, own=True)])
            self._copied[namespace] = rows[-1].seq
            return True
        shared = (place_of(namespace, own=False, cold=cold) for cold in (False, True))
        return any(self.index.clear(place, namespace) for place in shared)

    def _ours(self, row: TailRow) -> bool:
        return row.fingerprint == self.index.fingerprint

    def _upsert(self, place: Place, row: TailRow) -> VectorWrite:
        return VectorWrite(place, row.id, row.namespace, decode_vector(row.vector))

    def _writes(self, row: TailRow, *, own: bool | None = None) -> Sequence[VectorWrite]:
        own = self._placements.get(row.namespace) == _OWN if own is None else own
        hot, cold = (place_of(row.namespace, own=own, cold=is_cold) for is_cold in (False, True))
        leave_hot, leave_cold = (VectorWrite(place, row.id, row.namespace, None) for place in (hot, cold))
        if row.state == "active" and self._ours(row):
            # It may have come back.
            return (self._upsert(hot, row), leave_cold)
        if row.state in _COLD and self._ours(row):
            return (leave_hot, self._upsert(cold, row))
        return (leave_hot, leave_cold)

    def differing(self) -> int:
        """Compare the index, brought up to date by `step`, with the ledger: vectors lacking, in excess, or other ones.

        Raises:
            StoreError: the index is not ready, or it failed.
        """
        with self._turn:
            here = wrong = 0
            for namespace in self._namespaces():
                after = 0
                while rows := self._rows(namespace, after):
                    after = rows[-1].seq
                    wanted: dict[Place, dict[str, FloatArray]] = {}
                    for write in (one for row in rows for one in self._writes(row)):
                        if write.vector is not None:
                            wanted.setdefault(write.place, {})[write.id] = write.vector
                    for place, mine in wanted.items():
                        held = self.index.fetch(place, list(mine))
                        here += len(held)
                        wrong += len(mine) - len(held)
                        wrong += sum(not np.allclose(held[i], mine[i], atol=_SAME) for i in held)
            return wrong + abs(self.index.count() - here)

    def _namespaces(self) -> list[str]:
        with self._ledger.reading() as reader:
            return reader.namespaces()

    def _rows(self, namespace: str, after: int) -> list[TailRow]:
        with self._ledger.reading() as reader:
            rows = reader.tail(namespace, after, _PAGE)
        return [row for row in rows if row.seq <= self._applied[shard_of(namespace)]]

    def rebuild(self, fingerprint: str | None = None, dimension: int | None = None) -> bool:
        """Start an empty generation and remove the old one; `step` fills it, exact search answers meanwhile.

        Returns False, and leaves everything as it is, if another process holds the index or its server is away;
        `trouble` says which.
        """
        with self._turn:
            if not self._usable:
                return False
            try:
                self.index.restart(fingerprint, dimension)
            except StoreError as error:
                if self.index.shared:
                    self._suspect(error)
                    return False
                if not self.index.refusal:
                    raise
                self._give_up()
                return False
            self._copied.clear()
            self._applied = dict.fromkeys(range(SHARDS), 0)
            with self._ledger.reading() as reader:
                self._placements = dict.fromkeys(reader.placements(), _SHARED)
            self._prepared = True
            return True

    @property
    def left_to_operator(self) -> tuple[str, ...]:
        """What is left to do where the index is a server's, whose files cannot be reached from here."""
        if not self.index.shared:
            return ()
        steps = "vacuum it, or empty its folder and let it be filled again (README, Servers)"
        return (f"Chroma keeps the vectors of deleted collections in its files: {steps}",)

    def _give_up(self) -> None:
        self._usable = False
        self.trouble = f"{self.index.refusal}; this engine searches the ledger exactly"

    def close(self) -> None:
        """Leave the index verifiable; what it has not applied is applied after the next open."""
        with self._turn:
            self._usable = False
            try:
                # In a forked child the index is its parent's.
                if self._prepared and self._process == os.getpid():
                    self.index.checkpoint(dict(self._applied))
            finally:
                self.index.close()

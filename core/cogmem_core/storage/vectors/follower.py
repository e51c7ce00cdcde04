"""From the journal to Chroma: state-based, idempotent, coalescing; a failing index never fails an acknowledged write.

A namespace with more active memories than `storage.index_above` has one collection; no other vector
goes to Chroma. `ChromaFollower.step` does a bounded piece of work and is called by the engine's
background worker. Until the index has been checked and has caught up it reports `ready=False`, and
searches are answered exactly from the ledger.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

import numpy as np

from cogmem_core.base.timeouts import Deadline
from cogmem_core.config import StorageConfig
from cogmem_core.errors import CogMemError, StoreError
from cogmem_core.ports import FloatArray, Hit, VectorWrite
from cogmem_core.storage.ledger.codec import decode_vector
from cogmem_core.storage.ledger.journal import TailRow
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.ledger.memories import ACTIVE
from cogmem_core.storage.vectors.chroma.index import ChromaIndex

_PAGE = 500
_SAME = 1e-5
_ON_THE_WAY = 20
_RECOVERY_WAITS = 2.0  # pauses between two attempts, in waits for Chroma
_SHRUNK = 2  # a collection goes when its namespace is so many times smaller than one that gets one


class ChromaFollower:
    """Keeps a `ChromaIndex` equal to the ledger. One thread calls `step`; any thread may search."""

    def __init__(self, ledger: Ledger, index: ChromaIndex, config: StorageConfig) -> None:
        self._ledger = ledger
        self.index = index
        self._config = config
        self._applied: dict[str, int] = {}
        self._filled: set[str] = set()
        self._changed: set[str] = set()
        self._prepared = False
        self._looked = False
        self._usable = True
        self._doubtful = False
        self._process = os.getpid()
        self._turn = threading.RLock()
        self._again = Deadline(0.0)
        self.is_wanted = False
        self.trouble = ""

    def applied(self, namespace: str) -> int:
        """Journal number up to which Chroma holds the namespace's vectors.

        0 while it cannot be asked.
        """
        searchable = self.index.ready and namespace in self._filled
        return self._applied.get(namespace, 0) if searchable else 0

    def changed(self, namespace: str) -> None:
        """The namespace was written to: the next `step` looks whether its collection has to follow."""
        self._changed.add(namespace)

    def covers(self, namespace: str) -> bool:
        """True if Chroma may be asked about this large namespace now.

        Asks for its collection if there is none.
        """
        if (
            self.index.ready
            and not self._doubtful
            and self._current()
            and namespace in self._filled
        ):
            return True
        self._changed.add(namespace)
        self.is_wanted = True
        return False

    def search(self, namespace: str, vector: FloatArray, k: int) -> list[Hit]:
        """Neighbours from the namespace's collection.

        Raises:
            StoreError: Chroma failed; search the ledger's vectors instead.
        """
        try:
            return self.index.search(namespace, vector, k)
        except StoreError as error:
            self._suspect(error)
            raise

    @property
    def calls(self) -> bool:
        """True if the worker should look after the index: somebody wanted to search it and could not."""
        return self.is_wanted and self._usable and (self._doubtful or not self._prepared)

    @property
    def due(self) -> bool:
        """True if a step would look at something."""
        return self._prepared or self.is_wanted or bool(self._changed) or not self._looked

    @property
    def absence(self) -> str:
        """Why a server's index is not asked although it should be.

        Empty if it is, or the index is our own.
        """
        return self.trouble if self.index.shared else ""

    def _suspect(self, error: CogMemError) -> None:
        """A server may be away, or have lost what it held: it is looked at before it is asked again."""
        self.trouble = str(error)
        self._doubtful = self.is_wanted = self.index.shared

    def _current(self) -> bool:
        """Whether no other worker has replaced a shared index.

        A deleted one would simply find nothing.
        """
        if not self.index.shared:
            return True
        state = self._ledger.load_generation()
        self._doubtful = state is None or state.number != self.index.generation
        return not self._doubtful

    def lag(self) -> int:
        """Journal numbers that Chroma has not applied yet, over all namespaces that have a collection or need one."""
        collections = self._collections()
        for namespace in self._large(self._changed - collections.keys()):
            collections[namespace] = 0
        lag = 0
        if collections:
            with self._ledger.whole() as wide:
                for namespace, upto in collections.items():
                    lag += max(0, wide.at(namespace).journal.last_seq() - upto)
        return lag

    def behind(self) -> bool:
        """Whether a process that has just opened the bank has to look after the index."""
        return self.lag() > 0 or (not self._collections() and self.index.left_behind)

    def _collections(self) -> dict[str, int]:
        """The namespaces that have a collection, and how far each has come: of this process, else as on record."""
        if self._prepared:
            return dict(self._applied)
        state = self._ledger.load_generation()
        if state is None:
            return {}
        if state.dirty or state.fingerprint != self.index.fingerprint:
            return dict.fromkeys(state.applied, 0)
        return dict(state.applied)

    @property
    def loaded(self) -> bool:
        """True once Chroma was opened."""
        return self._prepared

    def survey(self) -> None:
        """Let the next `step` look at all namespaces, not only at those that were written to or searched here."""
        with self._ledger.whole() as wide:
            self._changed.update(wide.namespaces.larger_than(self._config.index_above))

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
        if not self._prepared and not self._open_if_needed():
            return False
        self._add_collections()
        busy = False
        for namespace in sorted(self._applied):
            busy = self._advance(namespace) or busy
        if not busy:
            self.index.mark_ready()
            self.trouble = ""
            self.is_wanted = False
            if self.index.tombstone_share() >= self._config.rebuild_tombstone_share:
                self.rebuild()
                return True
        return busy

    def _open_if_needed(self) -> bool:
        """Open Chroma only for a namespace that has, or is to have, a collection.

        What others left behind goes.
        """
        if not self._looked:
            self._changed.update(self._collections())
        changed = self._changed.copy()
        if self._large(changed):
            return self._prepare()
        self._changed -= changed
        self.is_wanted = False
        if not self._looked and not self._collections():
            self._discard()
        self._looked = True
        return False

    def _discard(self) -> None:
        """Remove an index that no namespace needs, unless another engine is using it."""
        try:
            if self.index.left_behind:
                self.index.restart()
        except StoreError:
            if not self.index.refusal:
                raise

    def _large(self, namespaces: Iterable[str]) -> list[str]:
        with self._ledger.whole() as wide:
            counts = [(name, wide.at(name).memories.count(ACTIVE)) for name in sorted(namespaces)]
        return [name for name, count in counts if count > self._config.index_above]

    def _add_collections(self) -> None:
        """Begin a collection for each namespace that has grown large.

        On a server, where another worker left off.
        """
        changed = self._changed.copy()
        self._changed -= changed
        for namespace in self._large(changed - self._applied.keys()):
            state = self._ledger.load_generation() if self.index.shared else None
            self._applied[namespace] = state.applied.get(namespace, 0) if state else 0

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
        if self.index.doubt() or self._lacking():
            self.index.leave()
            self._prepared = False
        self._doubtful = False

    def _lacking(self) -> bool:
        """Whether clearly fewer vectors are there than were applied.

        A few may be on their way in or out.
        """
        expected = 0
        fingerprint = self.index.fingerprint
        with self._ledger.whole() as wide:
            for namespace, upto in self._applied.items():
                expected += wide.at(namespace).overview.count_applied(fingerprint, upto)
        return self.index.total() < expected - max(_ON_THE_WAY, expected // 50)

    def _prepare(self) -> bool:
        prepared = self.index.prepare()
        if prepared is None:
            self._give_up()
            return False
        self._doubtful = False
        self._filled.clear()
        self._applied = dict(prepared.applied)
        self._prepared = True
        if self.index.shared and not prepared.rebuilt and self._lacking():
            return self.rebuild() and self._prepare()
        return True

    def _advance(self, namespace: str) -> bool:
        """Apply one slice of a namespace's changes; True if it did."""
        applied = self._applied[namespace]
        rows: list[TailRow] = []
        with self._ledger.reading(namespace) as ns:
            newest = ns.journal.last_seq()
            if newest > applied:
                rows = ns.journal.tail(applied, self._config.write_slice)
        if newest <= applied:
            self._filled.add(namespace)
            return False
        if rows:
            self.index.apply(namespace, list(map(self._write, rows)))
        full = len(rows) == self._config.write_slice
        self._applied[namespace] = (
            rows[-1].seq if full else max(newest, rows[-1].seq if rows else 0)
        )
        if not full:
            self._filled.add(namespace)
            self._drop_if_small(namespace)
        self.index.checkpoint(self._applied)
        return True

    def _drop_if_small(self, namespace: str) -> None:
        """A namespace that shrank is searched exactly again.

        On a server others may be searching its collection.
        """
        if self.index.shared:
            return
        with self._ledger.reading(namespace) as ns:
            count = ns.memories.count(ACTIVE)
        if count > 0 and count * _SHRUNK > self._config.index_above:
            return
        self._filled.discard(namespace)
        del self._applied[namespace]
        self.index.drop(namespace)

    def _write(self, row: TailRow) -> VectorWrite:
        searched = row.state == "active" and row.fingerprint == self.index.fingerprint
        return VectorWrite(row.id, decode_vector(row.vector) if searched else None)

    def differing(self) -> int:
        """Compare the index, brought up to date by `step`, with the ledger: vectors lacking, in excess, or other ones.

        Raises:
            StoreError: the index is not ready, or it failed.
        """
        with self._turn:
            if not self._prepared:
                return 0
            present = 0
            wrong = 0
            for namespace, upto in sorted(self._applied.items()):
                last_seq = 0
                while rows := self._rows(namespace, last_seq, upto):
                    last_seq = rows[-1].seq
                    writes = list(map(self._write, rows))
                    expected = {
                        write.id: write.vector for write in writes if write.vector is not None
                    }
                    held = self.index.fetch(namespace, list(expected))
                    present += len(held)
                    wrong += len(expected) - len(held)
                    wrong += sum(not np.allclose(held[i], expected[i], atol=_SAME) for i in held)
            return wrong + abs(self.index.count() - present)

    def _rows(self, namespace: str, last_seq: int, upto: int) -> list[TailRow]:
        with self._ledger.reading(namespace) as ns:
            rows = ns.journal.tail(last_seq, _PAGE)
        return [row for row in rows if row.seq <= upto]

    def rebuild(self, fingerprint: str | None = None, dimension: int | None = None) -> bool:
        """Remove the index; `step` builds a new one if a namespace needs it, exact search answers meanwhile.

        Returns False, and leaves everything as it is, if another process holds the index or its
        server is away; `trouble` says which.
        """
        with self._turn:
            if not self._usable:
                return False
            collections = self._collections()
            # Interrupted from here on, it is prepared once more: what was applied may be gone
            # already.
            prepared = self._prepared
            self._prepared = False
            try:
                if self.index.left_behind or fingerprint is not None:
                    self.index.restart(fingerprint, dimension)
            except StoreError as error:
                self._prepared = prepared
                if self.index.shared:
                    self._suspect(error)
                    return False
                if not self.index.refusal:
                    raise
                self._give_up()
                return False
            self._applied.clear()
            self._filled.clear()
            self._changed.update(collections)
            return True

    @property
    def left_to_operator(self) -> tuple[str, ...]:
        """What is left to do where the index is a server's, whose files cannot be reached from here."""
        if not self.index.shared:
            return ()
        steps = (
            "vacuum it, or empty its folder and let it be filled again (cookbook/guide/servers.md)"
        )
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
                    self.index.checkpoint(self._applied)
            finally:
                self.index.close()

"""Approximate nearest neighbours in Chroma: follows the ledger, holds nothing that the ledger does not.

Decides when an index may be trusted, when it is rebuilt and when it answers. It refuses to open a
folder that `generations.gate` did not pass, to answer before its caller said that it has caught up,
and to work in a forked child. Every failure is a StoreError: the caller then searches the ledger's
vectors exactly.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from cogmem_core.base.interrupt_safe import scope
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreError
from cogmem_core.ports import FloatArray, Hit, VectorWrite
from cogmem_core.storage.vectors.chroma.backends import choose_backend
from cogmem_core.storage.vectors.chroma.client import Answer, may_pass
from cogmem_core.storage.vectors.chroma.collections import Collections
from cogmem_core.storage.vectors.chroma.generations import GenerationState, GenerationStore


@dataclass(frozen=True, slots=True)
class Prepared:
    """What `ChromaIndex.prepare` found.

    Attributes:
        rebuilt: True if the generation is new and empty: replay from 0.
        reason: why it had to be rebuilt; empty if it was intact.
        applied: which namespaces have a collection, and the last journal number applied to each;
            replay what follows.
        generation: number of the current generation.
    """

    rebuilt: bool
    reason: str
    applied: Mapping[str, int] = field(default_factory=dict)
    generation: int = 0


@dataclass(slots=True)
class Generation:
    """An open generation and what is known about it."""

    collections: Collections
    state: GenerationState

    def bury(self, deleted: int) -> None:
        """Note that so many vectors were deleted."""
        self.state = replace(self.state, deleted=self.state.deleted + deleted)


class ChromaIndex:
    """Vectors in Chroma, one collection per large namespace.

    One background thread prepares, applies and restarts; any thread searches. A new one has touched
    nothing yet: no file, no import of Chroma.

    Args:
        root: the folder of the generations; None = in memory. Unused if the settings name a server.
        store: remembers the generation.
        fingerprint: the embedder's.
        dimension: length of its vectors.
        config: storage settings.
        bank: a name of the ledger that no other ledger on the same Chroma server has; needed with a
            server only.

    Attributes:
        fingerprint: the embedder whose vectors it holds.
        dimension: their length.
        refusal: why `prepare` returned None; empty otherwise.

    Raises:
        ConfigError: the server's address is malformed, or `bank` is missing.
    """

    def __init__(
        self,
        root: Path | None,
        store: GenerationStore,
        fingerprint: str,
        dimension: int,
        config: StorageConfig,
        *,
        bank: str = "",
    ) -> None:
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.refusal = ""
        self._backend = choose_backend(root, store, config, bank)
        self._process = os.getpid()
        self._life = threading.RLock()
        self._current: Generation | None = None
        self._ready = self._closed = False

    @property
    def ready(self) -> bool:
        """True once the caller said that the journal's tail was replayed.

        Never in a forked child.
        """
        return self._ready and not self._closed and self._process == os.getpid()

    @property
    def lost(self) -> bool:
        """True if nothing can be asked any more, because Chroma hangs or failed to write: only `restart` helps."""
        return self._current is not None and self._current.collections.lost

    def prepare(self) -> Prepared | None:
        """Take the folder, check and open the last generation or start an empty one; then replay and `mark_ready`.

        Returns:
            None if another engine holds the folder or Chroma cannot run in this process; `refusal`
            says which.

        Raises:
            StoreError: not even an empty generation could be opened; calling again later may help.
        """
        with self._lifecycle():
            # One of another embedder is there if `restart` was interrupted.
            if self._current is not None and self._current.state.fingerprint == self.fingerprint:
                state = self._current.state
                return Prepared(False, "", state.applied, state.number)
            self.refusal = self._backend.claim()
            if self.refusal:
                return None
            try:
                return self._open_or_replace()
            finally:
                if self._current is None:
                    self._backend.release()

    def mark_ready(self) -> None:
        """Let searches in; the caller has applied everything that `prepare` left to replay."""
        with self._lifecycle():
            self._ready = self._current is not None

    def apply(self, namespace: str, writes: Sequence[VectorWrite]) -> None:
        """Write and delete in the namespace's collection, idempotently; the last write per id wins.

        Raises:
            StoreError: a vector is unusable (nothing was written), or Chroma failed (apply the same
                writes again).
        """
        plan = list(_plan(writes, self.dimension).values())
        target = self._answering()
        self._backend.room(target.state)
        for start in range(0, len(plan), self._backend.batch):
            self._apply_slice(target, namespace, plan[start : start + self._backend.batch])

    def drop(self, namespace: str) -> None:
        """Delete the namespace's collection, if it has one.

        Raises:
            StoreError: Chroma failed.
        """
        self._answering().collections.drop(namespace)

    def search(self, namespace: str, vector: FloatArray, k: int) -> list[Hit]:
        """At most k hits of a namespace, best first; score = cosine similarity, -1..1.

        A zero vector, and one with a value that is not finite, match nothing; so does a collection
        not written yet.

        Raises:
            StoreError: the index is not ready, the dimension is wrong, or Chroma failed: search
                exactly instead.
        """
        query = np.asarray(vector, dtype=np.float32)
        if query.shape != (self.dimension,):
            raise StoreError(
                f"a query of shape {query.shape} given; the index needs ({self.dimension},)"
            )
        if not self.ready:
            raise StoreError(
                "the vector index is not ready; the ledger's vectors can be searched exactly"
            )
        if k < 1 or not np.isfinite(query).all() or not query.any():
            return []
        return self._ask(lambda collections: collections.query(namespace, query, k))

    def count(self, namespace: str | None = None) -> int:
        """Vectors of a namespace, or of all, in the generation that answers.

        StoreError as in `search`.
        """
        return self._ask(lambda collections: collections.count(namespace))

    def fetch(self, namespace: str, ids: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors of those ids that the namespace's collection holds.

        StoreError as in `search`.
        """
        return self._ask(lambda collections: collections.fetch(namespace, ids))

    def tombstone_share(self) -> float:
        """Share of the current generation that is deleted vectors, 0..1; 0 while it is not open.

        Raises:
            StoreError: Chroma failed.
        """
        current = self._current
        if current is None or not current.state.deleted:
            return 0.0
        return current.state.deleted / (current.state.deleted + current.collections.count())

    def checkpoint(self, applied: Mapping[str, int]) -> None:
        """Remember in the ledger which namespaces have a collection, and how far the journal was applied to each.

        Raises:
            StoreError: the ledger failed.
        """
        with self._lifecycle():
            current = self._answering()
            applied = self._with_others(applied, current.state.number)
            current.state = replace(current.state, applied=applied)
            self._backend.store.save_generation(current.state)

    def _with_others(self, applied: Mapping[str, int], number: int) -> dict[str, int]:
        """On a server other workers have collections, too, or have come further."""
        saved = self._backend.store.load_generation() if self.shared else None
        if saved is None or saved.number != number:
            return dict(applied)
        names = applied.keys() | saved.applied.keys()
        return {name: max(applied.get(name, 0), saved.applied.get(name, 0)) for name in names}

    @property
    def left_behind(self) -> bool:
        """True if a generation is open here, or is there although none is open here."""
        if self._current is not None:
            return True
        return self._backend.holds(self._backend.store.load_generation())

    def restart(self, fingerprint: str | None = None, dimension: int | None = None) -> None:
        """Give up the index and remove it; `prepare` makes a new one, if there is to be one.

        Args:
            fingerprint: another embedder, whose vectors will be applied from now on.
            dimension: the length of its vectors.

        Raises:
            StoreError: another engine holds the folder, or Chroma or the ledger failed.
        """
        with self._lifecycle():
            self._ready = False
            self.fingerprint = fingerprint or self.fingerprint
            self.dimension = dimension or self.dimension
            self.refusal = self._backend.claim()
            if self.refusal:
                raise StoreError(self.refusal)
            saved = self._backend.store.load_generation()
            current = self._current
            newest = saved
            if current is not None and (saved is None or saved.number < current.state.number):
                newest = current.state
            empty = GenerationState(
                self._backend.number_after(newest), self.fingerprint, dirty=True
            )
            # The ledger forgets the old one first: whatever fails later leaves folders behind,
            # never a false index.
            self._backend.store.save_generation(empty)
            self._current = None
            try:
                self._backend.retire(current.collections if current else None, empty.number)
            finally:
                self._backend.release()

    @property
    def shared(self) -> bool:
        """True if it is on a server: others write there, can replace it, and it can be away."""
        return self._backend.shared

    @property
    def generation(self) -> int:
        """Number of the open generation; 0 while there is none."""
        current = self._current
        return 0 if current is None else current.state.number

    def total(self) -> int:
        """Vectors in the generation that answers.

        Raises:
            StoreError: the index is not open, or Chroma failed.
        """
        return self._answering().collections.count()

    def doubt(self) -> str:
        """Why the open generation is not to be used any more; empty if it is.

        Raises:
            StoreError: the index is not open, or Chroma or the ledger failed.
        """
        current = self._answering()
        return self._backend.doubt(current.collections, current.state)

    def leave(self) -> None:
        """Close the generation as it is and leave no trace of it in the ledger.

        `prepare` opens the present one.
        """
        with self._lifecycle():
            self._ready = False
            current = self._current
            self._current = None
            if current is not None:
                current.collections.close()

    def close(self) -> None:
        """Stop writing and leave the folder verifiable. In a forked child it does nothing."""
        if self._process != os.getpid():
            return
        with self._life:
            self._ready = False
            self._closed = True
            try:
                current = self._current
                self._current = None
                if current is not None:
                    self._backend.seal(current.collections, current.state)
            finally:
                self._backend.release()

    @scope
    def _lifecycle(self) -> Iterator[None]:
        """Serialises open, swap and close.

        A forked child may have inherited the lock taken, so it never gets there.
        """
        self._alive()
        with self._life:
            self._alive()
            yield

    def _alive(self) -> None:
        if self._process != os.getpid():
            raise StoreError(
                "the vector index was opened before a fork and cannot be used in the child; open the "
                "engine after the fork"
            )
        if self._closed:
            raise StoreError("the vector index is closed; open the engine again")

    def _answering(self) -> Generation:
        self._alive()
        if self._current is None:
            raise StoreError("the vector index is not open; call prepare first")
        return self._current

    def _ask(self, question: Callable[[Collections], Answer]) -> Answer:
        generation = self._answering()
        try:
            return question(generation.collections)
        except StoreError as error:
            # Worth one more try: the row was just being written, or it was restarted after the
            # first line.
            current = self._answering()
            if current is generation and not may_pass(error):
                raise
            return question(current.collections)

    def _open_or_replace(self) -> Prepared:
        saved = self._backend.store.load_generation()
        reason = self._backend.judge(saved, self.fingerprint)
        if saved is not None and not reason:
            opened = replace(saved, dirty=True, manifest="")
            self._backend.store.save_generation(opened)
            try:
                self._current = Generation(self._backend.open(opened, check=True), opened)
            except StoreError as error:
                reason = str(error)
            else:
                self._backend.retire(None, opened.number)
                return Prepared(False, "", opened.applied, opened.number)
        self._replace(saved)
        return Prepared(True, reason, {}, self._answering().state.number)

    def _replace(self, previous: GenerationState | None) -> None:
        """Point at a new, empty generation; what was there before is removed only then."""
        state = GenerationState(self._backend.create(previous), self.fingerprint, dirty=True)
        fresh = Generation(self._backend.open(state, check=False), state)
        try:
            self._backend.store.save_generation(fresh.state)
        except StoreError:
            fresh.collections.close()
            raise
        old = self._current
        self._current = fresh
        self._backend.retire(old.collections if old else None, fresh.state.number)

    def _apply_slice(
        self, target: Generation, namespace: str, writes: Sequence[VectorWrite]
    ) -> None:
        added = [(write.id, write.vector) for write in writes if write.vector is not None]
        deleted_ids = [write.id for write in writes if write.vector is None]
        if added:
            ids, vectors = zip(*added, strict=True)
            block = np.array(vectors, dtype=np.float32)
            target.bury(target.collections.upsert(namespace, ids, block))
        if deleted_ids:
            target.bury(target.collections.delete(namespace, deleted_ids))


def _plan(writes: Sequence[VectorWrite], dimension: int) -> dict[str, VectorWrite]:
    """The last write per id, in order of first appearance.

    Refuses the lot if one vector is unusable.
    """
    plan: dict[str, VectorWrite] = {}
    for write in writes:
        vector = write.vector
        if vector is not None and np.shape(vector) != (dimension,):
            raise StoreError(
                f"the vector of {write.id} has shape {np.shape(vector)}; the index needs "
                f"({dimension},)"
            )
        if vector is not None and not np.isfinite(vector).all():
            raise StoreError(
                f"the vector of {write.id} holds a value that is not finite; embed the text again"
            )
        plan[write.id] = write
    return plan

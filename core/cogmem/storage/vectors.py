"""Approximate nearest neighbours in Chroma: follows the ledger, holds nothing that the ledger does not.

Decides when an index may be trusted, when it is rebuilt and when it answers. It refuses to open a folder that
`generations.gate` did not pass, to answer before its caller said that it has caught up, and to work in a forked child.
Every failure is a StoreError: the caller then searches the ledger's vectors exactly.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from cogmem.config import StorageConfig
from cogmem.errors import StoreError
from cogmem.ports import FloatArray, Hit, Place, VectorWrite
from cogmem.storage.backends import Backend, choose_backend
from cogmem.storage.chroma import Collections, tag_of
from cogmem.storage.connection import may_pass
from cogmem.storage.generations import GenerationState, GenerationStore, Verdict
from cogmem.storage.shared import Generation, SharedIndex

__all__ = ["ChromaIndex", "Prepared"]

_NAMESPACE_TAG_DIGITS = 16
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What `ChromaIndex.prepare` found.

    Attributes:
        rebuilt: True if the generation is new and empty: replay from 0.
        reason: why it had to be rebuilt; empty if it was intact.
        applied: the last change number applied, per shard; replay what follows.
        generation: number of the current generation.
    """

    rebuilt: bool
    reason: str
    applied: Mapping[int, int] = field(default_factory=dict)
    generation: int = 0


class ChromaIndex(SharedIndex):
    """A `VectorIndex` on Chroma. One background thread prepares, applies and restarts; any thread searches.

    Attributes:
        fingerprint: the embedder whose vectors it holds.
        dimension: their length.
        refusal: why `prepare` returned None; empty otherwise.
    """

    def __init__(self, backend: Backend, fingerprint: str, dimension: int) -> None:
        self.fingerprint, self.dimension, self.refusal = fingerprint, dimension, ""
        self._backend = backend
        self._process = os.getpid()
        self._life = threading.RLock()
        self._current: Generation | None = None
        self._ready = self._closed = False

    @classmethod
    def open(
        cls,
        root: Path | None,
        store: GenerationStore,
        fingerprint: str,
        dimension: int,
        config: StorageConfig,
        *,
        bank: str = "",
    ) -> ChromaIndex:
        """An index that has touched nothing yet: no file, no import of Chroma. Call `prepare` from a background thread.

        Args:
            root: the folder of the generations; None = in memory. Unused if the settings name a server.
            store: remembers the generation.
            fingerprint: the embedder's.
            dimension: length of its vectors.
            config: storage settings.
            bank: a name of the ledger that no other ledger on the same Chroma server has; needed with a server only.

        Raises:
            ConfigError: the server's address is malformed, or `bank` is missing.
        """
        backend = choose_backend(root, store, config, bank)
        return cls(backend, fingerprint, dimension)

    @property
    def ready(self) -> bool:
        """True once the caller said that the journal's tail was replayed; never in a forked child."""
        return self._ready and not self._closed and self._process == os.getpid()

    @property
    def lost(self) -> bool:
        """True if nothing can be asked any more, because Chroma hangs or failed to write: only `restart` helps."""
        return self._current is not None and self._current.collections.lost

    def prepare(self) -> Prepared | None:
        """Take the folder, check and open the last generation or start an empty one; then replay and `mark_ready`.

        Returns:
            None if another engine holds the folder or Chroma cannot run in this process; `refusal` says which.

        Raises:
            StoreError: not even an empty generation could be opened; calling again later may help.
        """
        with self._lifecycle():
            if self._current is not None:
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

    def apply(self, writes: Sequence[VectorWrite]) -> None:
        """Write and delete, idempotently; the last write per id and place wins.

        Raises:
            StoreError: a vector is unusable (nothing was written), or Chroma failed (apply the same writes again).
        """
        plan = _plan(writes, self.dimension)
        target = self._answering()
        self._backend.room(target.state)
        for place, by_id in plan.items():
            for chunk in _slices(list(by_id.values()), self._backend.batch):
                self._apply_slice(target, place, chunk)

    def clear(self, place: Place, namespace: str) -> bool:
        """Delete a slice of a namespace's vectors at a place; False if none was left.

        Raises:
            StoreError: Chroma failed.
        """
        target = self._answering()
        self._backend.room(target.state)
        gone = target.collections.clear(place, tag_of(namespace, _NAMESPACE_TAG_DIGITS), self._backend.batch)
        target.bury(gone)
        return gone > 0

    def search(self, place: Place, vector: FloatArray, k: int, *, namespace: str) -> list[Hit]:
        """At most k hits of one namespace, best first; score = cosine similarity, -1..1.

        A zero vector, and one with a value that is not finite, match nothing; so does a collection not written yet.

        Raises:
            StoreError: the index is not ready, the dimension is wrong, or Chroma failed: search exactly instead.
        """
        query = np.asarray(vector, dtype=np.float32)
        if query.shape != (self.dimension,):
            raise StoreError(f"a query of shape {query.shape} given; the index needs ({self.dimension},)")
        if not self.ready:
            raise StoreError("the vector index is not ready; the ledger's vectors can be searched exactly")
        if k < 1 or not np.isfinite(query).all() or not query.any():
            return []
        tag = tag_of(namespace, _NAMESPACE_TAG_DIGITS)
        return self._ask(lambda collections: collections.query(place, query, k, tag))

    def count(self, place: Place | None = None) -> int:
        """Vectors at a place, or at all of them, in the generation that answers; StoreError as in `search`."""
        return self._ask(lambda collections: collections.total() if place is None else collections.count(place))

    def fetch(self, place: Place, ids: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors of those ids that are at a place; StoreError as in `search`."""
        return self._ask(lambda collections: collections.fetch(place, ids))

    def tombstone_share(self) -> float:
        """Share of the current generation that is deleted vectors, 0..1; 0 while it is not open.

        Raises:
            StoreError: Chroma failed.
        """
        current = self._current
        if current is None or not current.state.deleted:
            return 0.0
        return current.state.deleted / (current.state.deleted + current.collections.total())

    def checkpoint(self, applied: Mapping[int, int]) -> None:
        """Remember how far the journal was applied, in the ledger.

        Raises:
            StoreError: the ledger failed.
        """
        with self._lifecycle():
            current = self._answering()
            current.record(applied)
            self._backend.store.save_generation(current.state)

    def restart(self, fingerprint: str | None = None, dimension: int | None = None) -> tuple[Path, ...]:
        """Replace the index by an empty one at once and remove the old one; `ready` is False until `mark_ready`.

        Args:
            fingerprint: another embedder, whose vectors will be applied from now on.
            dimension: the length of its vectors.

        Returns:
            Folders that could not be removed; the next open tries again.

        Raises:
            StoreError: another engine holds the folder, or an empty generation cannot be opened.
        """
        with self._lifecycle():
            self._ready = False
            self.fingerprint = fingerprint or self.fingerprint
            self.dimension = dimension or self.dimension
            self.refusal = self._backend.claim()
            if self.refusal:
                raise StoreError(self.refusal)
            saved, current = self._backend.store.load_generation(), self._current
            known = [state for state in (saved, current.state if current else None) if state is not None]
            return self._replace(max(known, key=lambda state: state.number, default=None))

    def close(self) -> None:
        """Stop writing and leave the folder verifiable. In a forked child it does nothing."""
        if self._process != os.getpid():
            return
        with self._life:
            self._ready, self._closed = False, True
            try:
                current, self._current = self._current, None
                if current is not None:
                    self._backend.seal(current.collections, current.state)
            finally:
                self._backend.release()

    @contextmanager
    def _lifecycle(self) -> Iterator[None]:
        """Serialises open, swap and close. A forked child may have inherited the lock taken, so it never gets there."""
        self._alive()
        with self._life:
            self._alive()
            yield

    def _alive(self) -> None:
        if self._process != os.getpid():
            raise StoreError("the vector index was opened before a fork and cannot be used in the child")
        if self._closed:
            raise StoreError("the vector index is closed")

    def _answering(self) -> Generation:
        self._alive()
        if self._current is None:
            raise StoreError("the vector index is not open; call prepare first")
        return self._current

    def _ask(self, question: Callable[[Collections], Answer]) -> Answer:
        asked = self._answering()
        try:
            return question(asked.collections)
        except StoreError as error:
            # Worth one more try: the row was just being written, or it was restarted after the first line.
            current = self._answering()
            if current is asked and not may_pass(error):
                raise
            return question(current.collections)

    def _open_or_replace(self) -> Prepared:
        saved = self._backend.store.load_generation()
        verdict = self._backend.judge(saved, self.fingerprint)
        if saved is not None and verdict.intact:
            opened = replace(saved, dirty=True, manifest="")
            self._backend.store.save_generation(opened)
            try:
                self._current = Generation(self._backend.open(opened, check=True), opened)
            except StoreError as error:
                verdict = Verdict(str(error))
            else:
                self._backend.retire(None, opened.number)
                return Prepared(False, "", opened.applied, opened.number)
        self._replace(saved)
        return Prepared(True, verdict.reason, {}, self._answering().state.number)

    def _replace(self, after: GenerationState | None) -> tuple[Path, ...]:
        """Point at a new, empty generation; what was there before is removed only then."""
        fresh = self._fresh(after)
        try:
            self._backend.store.save_generation(fresh.state)
        except StoreError:
            fresh.collections.close()
            raise
        old, self._current = self._current, fresh
        return self._backend.retire(old.collections if old else None, fresh.state.number)

    def _fresh(self, after: GenerationState | None) -> Generation:
        state = GenerationState(self._backend.create(after), self.fingerprint, dirty=True)
        return Generation(self._backend.open(state, check=False), state)

    def _apply_slice(self, target: Generation, place: Place, writes: Sequence[VectorWrite]) -> None:
        kept = [(write, write.vector) for write in writes if write.vector is not None]
        gone = [write.id for write in writes if write.vector is None]
        if kept:
            block = np.stack([np.asarray(vector, dtype=np.float32) for _, vector in kept])
            tags = [tag_of(write.namespace, _NAMESPACE_TAG_DIGITS) for write, _ in kept]
            ids = [write.id for write, _ in kept]
            target.bury(target.collections.upsert(place, ids, block, tags))
        if gone:
            target.bury(target.collections.delete(place, gone))


def _plan(writes: Sequence[VectorWrite], dimension: int) -> dict[Place, dict[str, VectorWrite]]:
    """The last write per place and id, in order of first appearance; refuses the lot if one vector is unusable."""
    plan: dict[Place, dict[str, VectorWrite]] = {}
    for write in writes:
        vector = write.vector
        if vector is not None and np.shape(vector) != (dimension,):
            raise StoreError(f"the vector of {write.id} has shape {np.shape(vector)}; the index needs ({dimension},)")
        if vector is not None and not np.isfinite(vector).all():
            raise StoreError(f"the vector of {write.id} holds a value that is not finite; embed the text again")
        plan.setdefault(write.place, {})[write.id] = write
    return plan


def _slices(writes: Sequence[VectorWrite], size: int) -> Iterator[Sequence[VectorWrite]]:
    for start in range(0, len(writes), size):
        yield writes[start : start + size]

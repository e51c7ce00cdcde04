"""The collections of one generation: vectors in, neighbours out.

One collection per namespace, named by a hash. Chroma is sent ids and vectors; no text and no name.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np

from cogmem_core.base.digests import text_digest
from cogmem_core.base.interrupt_safe import pause, scope
from cogmem_core.base.timeouts import Deadline
from cogmem_core.errors import StoreError
from cogmem_core.ports import FloatArray, Hit, best_first
from cogmem_core.storage.vectors.chroma.client import Answer, Connection
from cogmem_core.storage.vectors.chroma.zeroed_malloc import blank_memory

# Measured on 20,000 clustered vectors: recall of the best 100 is 0.90 at Chroma's default of 100
# and 0.97 at 300.
_NAME_DIGITS = 16
_EF_SEARCH = 300
# A larger k makes Chroma reserve room for it, so it is capped to what is there; counting costs 0.6
# ms.
_UNCOUNTED_K = 300
_DRAIN_SECONDS = 30.0
_AGAIN_SECONDS = 0.005  # between two looks at who is still there
_LIST_PAGE = 500
_SAME = 1e-3
_EQUAL = 1e-6


class Collections:
    """The collections of one generation: those whose names start with its prefix. Thread-safe."""

    def __init__(self, connection: Connection, prefix: str, sync_threshold: int) -> None:
        self._connection = connection
        self._prefix = prefix
        self._sync_threshold = sync_threshold
        self._handles: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._users: set[object] = set()
        self._closed = False
        self._searched: set[str] = set()
        self._names = connection.call("list its collections", self._listed)

    @scope
    def _used(self) -> Iterator[None]:
        """Keep the client open until the block ends."""
        mark = object()
        users = self._users
        try:
            with self._lock:
                if self._closed:
                    raise StoreError("the vector index is closed; open the engine again")
                if self._connection.broken:
                    raise StoreError(
                        "a write of the vector index failed, and it cannot be used until it is "
                        "built anew in the background, or now by `cogm reindex`"
                    )
                users.add(mark)
            yield
        finally:
            users.discard(mark)

    @property
    def empty(self) -> bool:
        """True if it has no collection."""
        return not self._names

    def name(self, namespace: str) -> str:
        """Name of a namespace's collection; holds hashes only."""
        return f"{self._prefix}-n{text_digest(namespace, _NAME_DIGITS)}"

    def upsert(self, namespace: str, ids: Sequence[str], vectors: FloatArray) -> int:
        """Write vectors. Returns how many others they replaced.

        What is there already is left alone, and what differs is deleted and added anew: where one
        batch, or the log that Chroma reads at its next start, both adds and updates, 2 to 3 in 100
        graphs had vectors that no search could reach (measured with 20 to 50 vectors; with
        additions and deletions only, none of 7,000). `add`, because Chroma may hold what it does
        not list, after a write that failed half-way: it passes that over, where an upsert would
        update it (7 of 2,160 such graphs had vectors out of reach, with `add` none).
        """
        name = self.name(namespace)

        def write() -> int:
            with blank_memory():
                handle = self._handle(name, create=True)
                held = handle.get(ids=list(ids), include=["embeddings"])
                stored_vectors = dict(zip(held["ids"], held["embeddings"], strict=True))
                fresh: list[int] = []
                replaced: list[str] = []
                for place, memory_id in enumerate(ids):
                    if memory_id not in stored_vectors:
                        fresh.append(place)
                    elif not _equal(stored_vectors[memory_id], vectors[place]):
                        fresh.append(place)
                        replaced.append(memory_id)
                if replaced:
                    handle.delete(ids=replaced)
                if fresh:
                    handle.add(ids=[ids[place] for place in fresh], embeddings=vectors[fresh])
                return len(replaced)

        return self._call("write vectors", write, name, writes=True)

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete vectors; unknown ids are ignored. Returns how many there were."""
        name = self.name(namespace)

        def write() -> int:
            with blank_memory():
                handle = self._handle(name)
                present = [] if handle is None else handle.get(ids=list(ids), include=[])["ids"]
                if present:
                    handle.delete(ids=present)
                return len(present)

        return self._call("delete vectors", write, name, writes=True)

    def drop(self, namespace: str) -> None:
        """Delete a namespace's collection, if it is there."""
        name = self.name(namespace)

        def write() -> None:
            if self._handle(name) is not None:
                self._connection.client.delete_collection(name)
            self._handles.pop(name, None)
            self._names.discard(name)
            self._searched.discard(name)

        self._call("delete a collection", write, name, writes=True)

    def query(self, namespace: str, vector: FloatArray, k: int) -> list[Hit]:
        """The k nearest, best first. The one call that is not timed here: who recalls does it."""
        name = self.name(namespace)
        # The first search of a collection may load its file, and what is loaded is written again
        # later.
        fresh = blank_memory() if name not in self._searched else nullcontext()
        guard = self._connection.call.guard("search", lambda: self._forget(name))
        with self._used(), guard, fresh:
            self._searched.add(name)
            handle = self._handle(name)
            if handle is not None and k > _UNCOUNTED_K:
                k = min(k, int(handle.count()))
            return [] if handle is None or k < 1 else _nearest(handle, vector, k)

    def count(self, namespace: str | None = None) -> int:
        """Vectors of a namespace, or of all."""
        name = "" if namespace is None else self.name(namespace)

        def count() -> int:
            return sum(map(self._size, [name] if name else sorted(self._names)))

        return self._call("count vectors", count, name)

    def fetch(self, namespace: str, ids: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors of those ids that the namespace's collection holds."""
        name = self.name(namespace)

        def read() -> dict[str, FloatArray]:
            handle = self._handle(name)
            if handle is None or not ids:
                return {}
            answer = handle.get(ids=list(ids), include=["embeddings"])
            return dict(zip(answer["ids"], answer["embeddings"], strict=True))

        return self._call("read vectors", read, name)

    def verify(self) -> None:
        """Read every collection and search it for one of its own vectors.

        Raises:
            StoreError: a collection cannot be read, or does not find what it holds.
        """

        def check() -> None:
            for name in sorted(self._names):
                _check(self._handle(name), name)

        self._call("answer a check", check)

    def thinned(self) -> bool:
        """True if a collection that was here is gone."""
        return not self._names <= self._call("list its collections", self._listed)

    @property
    def lost(self) -> bool:
        """True if nothing can be asked here any more: see `Connection.lost`."""
        return self._connection.lost

    def close(self, *, drop: bool = False) -> bool:
        """Refuse new calls, wait for those under way, stop the client; False if a call does not end.

        With `drop` every collection is deleted first: only then, because a search that is under way
        would come back short instead of failing.
        """
        with self._lock:
            first = not self._closed
            self._closed = True
        patience = Deadline(0.0 if self.lost else _DRAIN_SECONDS)
        while self._users and not patience.passed:
            pause(_AGAIN_SECONDS)
        drained = not self._users
        if not (first and drained):
            return drained
        try:
            if drop and not self.lost:
                self._connection.call("delete its collections", self._delete_all)
        finally:
            self._handles.clear()
            self._connection.stop()
        return True

    def _delete_all(self) -> None:
        for name in sorted(self._listed()):
            self._connection.client.delete_collection(name)

    def _call(
        self, action: str, work: Callable[[], Answer], name: str = "", *, writes: bool = False
    ) -> Answer:
        def working() -> Answer:
            with self._used():
                result = work()
            if writes:
                self._connection.wrote()
            return result

        def failed() -> None:
            # Another worker may have replaced a server's collection, so a handle that failed is
            # looked up again.
            self._forget(name)
            if writes:
                self._connection.fail()

        return self._connection.call(action, working, failed)

    def _forget(self, name: str) -> None:
        self._handles.pop(name, None)

    def _size(self, name: str) -> int:
        handle = self._handle(name)
        return 0 if handle is None else int(handle.count())

    def _handle(self, name: str, *, create: bool = False) -> Any:
        handle = self._handles.get(name)
        if handle is None and (create or name in self._names or self._connection.kind == "server"):
            handle = self._created(name) if create else self._existing(name)
            if handle is None and name in self._names:
                raise StoreError(
                    f"the vector index failed: collection {name} is gone; `cogm reindex` makes it anew"
                )
            if handle is not None:
                self._handles[name] = handle
                self._names.add(name)
        return handle

    def _created(self, name: str) -> Any:
        hnsw = {"space": "cosine", "ef_search": _EF_SEARCH, "sync_threshold": self._sync_threshold}
        return self._connection.client.get_or_create_collection(
            name, embedding_function=None, configuration={"hnsw": hnsw}
        )

    def _existing(self, name: str) -> Any:
        from chromadb.errors import NotFoundError

        with suppress(NotFoundError):
            return self._connection.client.get_collection(name, embedding_function=None)
        return None

    def _listed(self) -> set[str]:
        return set(_names(self._connection.client, f"{self._prefix}-"))


def drop_collections(connection: Connection, prefix: str, *, keep: Sequence[str]) -> None:
    """Delete the collections whose names start so, unless one of the words to keep comes next.

    Raises:
        StoreError: Chroma failed.
    """
    from chromadb.errors import NotFoundError

    def drop() -> None:
        for name in sorted(_names(connection.client, prefix)):
            if name.removeprefix(prefix).partition("-")[0] not in keep:
                # Another worker may be faster.
                with suppress(NotFoundError):
                    connection.client.delete_collection(name)

    connection.call("delete former collections", drop)


def _names(client: Any, prefix: str) -> Iterator[str]:
    offset = 0
    while page := client.list_collections(limit=_LIST_PAGE, offset=offset):
        yield from (item.name for item in page if item.name.startswith(prefix))
        offset += len(page)


def _nearest(handle: Any, vector: FloatArray, k: int) -> list[Hit]:
    answer = handle.query(query_embeddings=vector[None, :], n_results=k, include=["distances"])
    pairs = zip(answer["ids"][0], answer["distances"][0], strict=True)
    hits = [
        Hit(name, max(-1.0, min(1.0, 1.0 - float(distance))))
        for name, distance in pairs
        if math.isfinite(distance)
    ]
    return best_first(hits)


def _equal(held: Any, vector: FloatArray) -> bool:
    return bool(np.allclose(held, vector, rtol=0.0, atol=_EQUAL))


def _check(handle: Any, name: str) -> None:
    if handle is None:
        raise StoreError(f"collection {name} is listed but cannot be opened")
    if not handle.count():
        return
    sample = handle.get(limit=1, include=["embeddings"])["embeddings"][0]
    nearest = handle.query(query_embeddings=[sample], n_results=1, include=["distances"])[
        "distances"
    ][0]
    if any(sample) and not (nearest and abs(nearest[0]) <= _SAME):
        raise StoreError(f"collection {name} does not find a vector that it holds")

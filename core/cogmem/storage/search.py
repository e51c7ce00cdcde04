"""Search over one namespace, whatever answers: Chroma, the matrix in memory, or the ledger's own vectors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cogmem.config import LexicalConfig, StorageConfig
from cogmem.errors import StoreError
from cogmem.ports import FloatArray, Hit, Stored
from cogmem.storage.reader import Filter, Reader
from cogmem.storage.sync import ChromaFollower
from cogmem.storage.views import NamespaceView, ViewCache

__all__ = ["Searcher", "VectorHits"]

_ACTIVE = Filter(states=("active",))


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Neighbours, best first, and what went wrong on the way to them (empty if nothing)."""

    hits: tuple[Hit, ...]
    trouble: str = ""


class Searcher:
    """Finds candidates of one namespace; writes of any thread or process are visible to the next call."""

    def __init__(self, follower: ChromaFollower, storage: StorageConfig, lexical: LexicalConfig) -> None:
        self._follower, self._storage = follower, storage
        self.views = ViewCache(
            storage, lexical, fingerprint=follower.index.fingerprint, dimension=follower.index.dimension
        )

    def view(self, reader: Reader, namespace: str) -> NamespaceView:
        """The namespace's in-memory indexes, caught up."""
        view = self.views.get(namespace)
        with view.lock:
            new = view.applied == 0
            large = new and reader.count(namespace, _ACTIVE) > self._storage.exact_below
            if large and self._follower.covers(namespace):
                view.matrix_from = self._follower.applied(namespace)
            view.follow(reader)
        if new:
            self.views.trim()
        return view

    def lexical(self, reader: Reader, namespace: str, terms: Sequence[str], k: int) -> list[Hit]:
        """BM25 candidates, best first."""
        view = self.view(reader, namespace)
        with view.lock:
            return view.lexical.top(terms, k)

    def nearest(self, reader: Reader, namespace: str, vector: FloatArray, k: int) -> VectorHits:
        """Vector candidates, best first; falls back from Chroma to exact search."""
        view, trouble = self.view(reader, namespace), ""
        if len(view) > self._storage.exact_below and self._follower.covers(namespace):
            try:
                return VectorHits(self._with_chroma(view, vector, k))
            except StoreError as error:
                trouble = str(error)
        with view.lock:
            if view.hold_all(reader):
                self.views.trim()
            return VectorHits(tuple(view.nearest(vector, k)), trouble)

    def _with_chroma(self, view: NamespaceView, vector: FloatArray, k: int) -> tuple[Hit, ...]:
        with view.lock:
            upto = self._follower.applied(view.namespace)
            if view.matrix_from < upto and view.sheddable(upto) > self._storage.write_slice * 20:
                view.shed(upto)
        stable = self._follower.search(view.namespace, vector, k)
        with view.lock:
            tail = view.nearest(vector, k)
            newer = {hit.id for hit in tail}
            known = [hit for hit in stable if hit.id in view.lexical and hit.id not in newer]
        return tuple(sorted((*tail, *known), key=lambda hit: (-hit.score, hit.id))[:k])

    def among(
        self, reader: Reader, namespace: str, ids: Collection[str], query: tuple[FloatArray | None, Sequence[str]]
    ) -> tuple[list[Hit], list[Hit]]:
        """Exact (vector, lexical) rankings of given memories only: for filtered recall."""
        vector, terms = query
        chosen = sorted(ids)
        dense = [] if vector is None else reader.rank_exactly(namespace, chosen, vector, len(chosen))
        view = self.view(reader, namespace)
        with view.lock:
            scores = view.lexical.scores(terms, chosen)
        ranked = sorted(zip(chosen, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
        return dense, [Hit(memory_id, score) for memory_id, score in ranked if score != 0.0]

    def scores(self, namespace: str, terms: Sequence[str], ids: Sequence[str]) -> list[float]:
        """BM25 scores of given memories; 0 for those that share no token with the query."""
        view = self.views.get(namespace)
        with view.lock:
            return view.lexical.scores(terms, ids)

    def share(self, namespace: str, term: str) -> float:
        """The share of the namespace's active memories that hold the token, 0..1."""
        view = self.views.get(namespace)
        with view.lock:
            return view.lexical.share(term)

    def absorb(self, namespace: str, seqs: tuple[int, int], indexed: Sequence[Stored], dropped: Sequence[str]) -> None:
        """Take over a write of this process into the view, if it is in memory."""
        view = self.views.loaded(namespace)
        if view is not None:
            with view.lock:
                if view.applied:
                    view.absorb(seqs[0], seqs[1], indexed, dropped)

"""Search over one namespace, whatever answers: Chroma, the matrix in memory, or the ledger's own vectors."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cogmem_core.base.timeouts import CallTimeout, Deadline, TimeLimitedCaller
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreError
from cogmem_core.ports import FloatArray, Hit, best_first
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.ledger.memories import ACTIVE
from cogmem_core.storage.ledger.transaction import Namespace, Transaction, tables_of
from cogmem_core.storage.search.in_memory_index import Changed, NamespaceView, ViewCache
from cogmem_core.storage.search.saved_views import SavedViews
from cogmem_core.storage.vectors.follower import ChromaFollower

_SLICES_WORTH_SHEDDING = 20
_MOST_WRITTEN = 4
_WHENEVER = Deadline()


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Neighbours, best first, and what went wrong on the way to them (empty if nothing)."""

    hits: tuple[Hit, ...]
    trouble: str = ""


class Searcher:
    """Finds candidates of one namespace.

    Writes of any thread or process are visible to the next call.
    """

    def __init__(self, follower: ChromaFollower, storage: StorageConfig, saved: SavedViews) -> None:
        self._follower = follower
        self._storage = storage
        self._patience = TimeLimitedCaller()
        self._unread: list[str] | None = None
        self.views = ViewCache(
            storage,
            saved,
            fingerprint=follower.index.fingerprint,
            dimension=follower.index.dimension,
        )

    def view(
        self, source: Namespace | Transaction, namespace: str = "", *, cold: bool = False
    ) -> NamespaceView:
        """The namespace's in-memory indexes, caught up.

        `cold`: those of its dormant and superseded memories.
        """
        ns = tables_of(source, namespace)
        view = self.views.get(ns.name, cold=cold)
        with view.lock:
            view.mend()
            new = view.applied == 0
            if new and not cold:
                view.take_up(ns, self.views.saved)
            fresh = view.applied == 0 and not cold
            large = fresh and ns.memories.count(ACTIVE) > self._storage.index_above
            if large and self._follower.covers(ns.name):
                view.matrix_from = self._follower.applied(ns.name)
            view.follow(ns)
        if new:
            self.views.trim()
        return view

    def nearest(
        self,
        source: Namespace | Transaction,
        view: NamespaceView,
        vector: FloatArray,
        k: int,
        *,
        deadline: Deadline = _WHENEVER,
    ) -> VectorHits:
        """Vector candidates, best first; falls back from Chroma to exact search. Cold views are searched exactly.

        Chroma is waited for `storage.search_seconds` at most. With a deadline, one that hangs is
        not replaced by the exact search, which may have to load every vector: then only the newest
        vectors answer.
        """
        large = self._large(view)
        asks_chroma = large and self._follower.covers(view.namespace)
        trouble = self._follower.absence if large and not asks_chroma else ""
        if asks_chroma:
            try:
                return VectorHits(
                    self._with_chroma(
                        source, view, vector, k, deadline.within(self._storage.search_seconds)
                    )
                )
            except (StoreError, CallTimeout) as error:
                trouble = str(error)
        with view.lock:
            lacking = view.matrix_from > 0
            if lacking and (not asks_chroma or not trouble or deadline.left is None):
                self._hold_all(view, source)
            return VectorHits(tuple(view.nearest(vector, k)), trouble)

    def nearest_many(
        self,
        source: Namespace | Transaction,
        view: NamespaceView,
        vectors: FloatArray,
        k: int,
        *,
        thorough: bool,
    ) -> list[tuple[Hit, ...]]:
        """As `nearest` for each row of `vectors`.

        Args:
            thorough: False = of a namespace too large to be compared exactly, only what is held in
                memory: the newest.
        """
        large = self._large(view) and self._follower.covers(view.namespace)
        if large and thorough:
            return [self.nearest(source, view, vector, k).hits for vector in vectors]
        with view.lock:
            view.check()
            if not large:
                self._hold_all(view, source)
            return list(map(tuple, view.matrix.top_many(vectors, k)))

    def among(
        self,
        source: Namespace | Transaction,
        view: NamespaceView,
        ids: Collection[str],
        vector: FloatArray,
        k: int,
    ) -> VectorHits:
        """Exact neighbours among given memories: for filtered and for deep recall.

        Of an active view in whatever state they are, of a cold view only those that it holds.
        """
        with view.lock:
            view.check()
            self._hold_all(view, source)
            held = view.matrix.top(vector, k, allowed=ids)
            beyond: list[str] = []
            if not view.cold:
                beyond = [memory_id for memory_id in ids if memory_id not in view.lexical]
        hits = [*held, *tables_of(source, view.namespace).memories.rank_exactly(beyond, vector, k)]
        return VectorHits(tuple(best_first(hits)[:k]))

    def answers(self, namespace: str, active: int) -> str:
        """Which search finds the nearest of so many active memories now: `exact` or `chroma`."""
        indexed = active > self._storage.index_above and self._follower.applied(namespace) > 0
        return "chroma" if indexed else "exact"

    def _large(self, view: NamespaceView) -> bool:
        return not view.cold and len(view) > self._storage.index_above

    def _hold_all(self, view: NamespaceView, source: Namespace | Transaction) -> None:
        if view.hold_all(tables_of(source, view.namespace)):
            self.views.trim()

    def _with_chroma(
        self,
        source: Namespace | Transaction,
        view: NamespaceView,
        vector: FloatArray,
        k: int,
        seconds: float,
    ) -> tuple[Hit, ...]:
        few = self._storage.write_slice * _SLICES_WORTH_SHEDDING
        with view.lock:
            view.check()
            upto = self._follower.applied(view.namespace)
            if view.matrix_from > upto:  # it was written down when Chroma had not come so far
                self._hold_all(view, source)
            if upto - view.matrix_from > few and view.sheddable(upto) > few:
                view.shed(upto)
        stable = self._patience.call(
            lambda: self._follower.search(view.namespace, vector, k), seconds
        )
        with view.lock:
            tail = view.nearest(vector, k)
            newer = {hit.id for hit in tail}
            stable_hits = [hit for hit in stable if hit.id in view.lexical and hit.id not in newer]
        return tuple(best_first((*tail, *stable_hits))[:k])

    def warm(self, ledger: Ledger) -> bool:
        """Read a piece of what the next recalls will look at; True if there is more.

        First the views that were written down when the bank was closed, those used last first; then
        the rows of all views in memory.
        """
        if self._unread is None:
            self._unread = self.views.saved.namespaces()
        if self._unread:
            with ledger.reading(self._unread.pop(0)) as ns:
                view = self.view(ns)
                if not self._large(view):
                    with view.lock:
                        self._hold_all(view, ns)
            return True
        for view in self.views.newest():
            with ledger.reading(view.namespace) as ns, view.lock:
                if view.hold_further_rows(ns):
                    return True
        return False

    def write_down(self, ledger: Ledger) -> None:
        """Write down the large views in use, so that the next process reads them faster.

        Raises:
            StoreError: the ledger is in use by somebody else.
        """
        for view in self.views.newest()[:_MOST_WRITTEN] if self.views.saved else ():
            with view.lock:
                worth = view.worth_writing
            if worth:
                # Nobody may erase anything meanwhile.
                with ledger.writing_to(view.namespace) as ns, view.lock:
                    view.mend()
                    view.write_down(ns, self.views.saved)

    def verify(self, source: Namespace | Transaction, namespace: str, ids: Collection[str]) -> int:
        """Compare the view of active memories with the ledger; one that differs is given up and rebuilt when used.

        Args:
            ids: the active memories, read from the same snapshot as `source`.

        Returns:
            How many memories it lacked or held in excess; 0 if it is not in memory, or is newer
            than the snapshot.
        """
        ns = tables_of(source, namespace)
        view = self.views.loaded(namespace)
        if view is None:
            return 0
        with view.lock:
            view.mend()
            if not view.applied:
                return 0
            view.follow(ns)
            if view.applied != ns.journal.last_seq():
                return 0
            missing = sum(memory_id not in view.lexical for memory_id in ids)
            differing = missing + len(view) - (len(ids) - missing)
        if differing:
            self.views.drop(namespace)
        return differing

    def lag(self) -> int:
        """Journal numbers that Chroma has not applied yet, over all namespaces."""
        return self._follower.lag()

    def absorb(self, namespace: str, written: Changed) -> None:
        """Take over a write of this process into the active view, if it is in memory.

        A cold one follows when used.
        """
        self._follower.changed(namespace)
        view = self.views.loaded(namespace)
        if view is not None:
            with view.lock:
                if view.applied:
                    view.absorb(written)

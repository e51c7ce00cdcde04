"""One or two views of a namespace, asked as one: how rare a word is, and what was said before what, count over both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from cogmem_core.base.interrupt_safe import scope
from cogmem_core.ports import FloatArray, Hit, best_first
from cogmem_core.storage.ledger.candidates import Candidate
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.storage.search.candidate_rows import CandidateColumns
from cogmem_core.storage.search.conversation_order import neighbours
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.tokens import tokens


class Corpus:
    """What one recall searches by words: the active memories and, if they may be seen, the cold ones.

    Args:
        view: of the active memories.
        cold: of the dormant and superseded ones; None = they are not searched, and count nowhere.
    """

    def __init__(self, view: NamespaceView, cold: NamespaceView | None = None) -> None:
        self.views = (view,) if cold is None else (view, cold)

    def __len__(self) -> int:
        return sum(map(len, self.views))

    @scope
    def _held(self) -> Iterator[list[tuple[Bm25Index, Bm25Index | None]]]:
        """Each index with its sibling, if there are two; always locked in the same order."""
        with self.views[0].lock, self.views[-1].lock:
            for view in self.views:
                view.check()
            first = self.views[0].lexical
            if len(self.views) == 1:
                yield [(first, None)]
            else:
                second = self.views[1].lexical
                yield [(first, second), (second, first)]

    def by_words(
        self, terms: Sequence[str], k: int, allowed: Collection[str] | None = None
    ) -> list[Hit]:
        """BM25 candidates, best first; `allowed`: only these."""
        hits: list[Hit] = []
        with self._held() as indexes:
            for index, sibling in indexes:
                depth = k if allowed is None else len(index)
                hits += index.top(terms, depth, sibling=sibling)
        if allowed is not None:
            hits = [hit for hit in hits if hit.id in allowed]
        return best_first(hits)[:k]

    def scores(self, terms: Sequence[str], ids: Sequence[str]) -> list[float]:
        """BM25 scores of given memories; 0 for those that share no token with the query."""
        with self._held() as indexes:
            each = [index.scores(terms, ids, sibling=sibling) for index, sibling in indexes]
        return [next(filter(None, values), 0.0) for values in zip(*each, strict=True)]

    def coverage(self, terms: Sequence[str], ids: Sequence[str]) -> tuple[list[float], float]:
        """How much of a query each memory holds, and how much of it any memory holds; 0..1 each."""
        with self._held() as indexes:
            answers = [index.coverage(terms, ids, sibling=sibling) for index, sibling in indexes]
        rows, shares = zip(*answers, strict=True)
        return list(map(max, zip(*rows, strict=True))), shares[0]

    def holds(self, term: str) -> bool:
        """Whether any memory holds the token."""
        with self._held() as indexes:
            return any(index.frequency(term) for index, _ in indexes)

    def beside(self, ids: Iterable[str]) -> list[tuple[str | None, str | None]]:
        """Of each memory the one before and the one after it in its session."""
        with self._held():
            orders = [view.order for view in self.views]
            if len(orders) == 1:
                return list(map(orders[0].beside, ids))
            return [neighbours(orders, memory_id) for memory_id in ids]

    def rows(self, ns: Namespace, ids: Sequence[str]) -> CandidateColumns:
        """What ranking looks at of some memories, in their order; unknown ids are left out.

        Args:
            ns: the snapshot from which is read what is not held in memory.
            ids: of the memories, each once.
        """
        parts: list[CandidateColumns] = []
        beyond: list[Candidate] = []
        rest = list(ids)
        with self._held():
            for view in self.views:
                held_ids = view.holding(rest)
                unkept = view.hold_rows(ns, held_ids)
                # Another thread may have added a memory that the snapshot does not know yet.
                parts.append(view.rows.take([name for name in held_ids if name in view.rows]))
                beyond += unkept.values()
                if len(held_ids) == len(rest):
                    rest = []
                    break
                found = set(held_ids)
                rest = [name for name in rest if name not in found]
        if rest:
            beyond += ns.memories.candidates(rest).values()
        if beyond:
            parts.append(CandidateColumns.of(beyond))
        columns = reduce(CandidateColumns.followed_by, parts)
        if len(parts) == 1:
            return columns
        places = {name: place for place, name in enumerate(columns.ids)}
        return columns.take([places[name] for name in ids if name in places])

    def keyed(self, ns: Namespace, ids: Sequence[str]) -> dict[str, Sequence[Any]]:
        """Whole rows of some memories by id, see `MemoryTable.keyed`.

        Args:
            ns: the snapshot from which is read what is not held in memory.
            ids: of the memories.
        """
        last_seq = ns.journal.last_seq()
        rows: dict[str, Sequence[Any]] = {}
        with self._held():
            for view in self.views:
                # A view that has gone on knows the memories as they were after the snapshot.
                kept = map(view.shown.get, ids if view.applied == last_seq else ())
                rows |= {row[0]: row for row in kept if row is not None}
        missing = [memory_id for memory_id in ids if memory_id not in rows]
        if missing:
            stored_rows = ns.memories.keyed(missing)
            rows |= stored_rows
            with self._held():
                for view in self.views:
                    held_ids = view.holding(stored_rows) if view.applied == last_seq else ()
                    for memory_id in held_ids:
                        view.shown.put(memory_id, stored_rows[memory_id])
        return rows

    def vectors(
        self, ns: Namespace, ids: Sequence[str], *, fingerprint: str, dimension: int
    ) -> FloatArray:
        """One L2-normalised row per memory; zeros for a vector of another embedder.

        Args:
            ns: the snapshot from which is read what is not held in memory.
            ids: of the memories.
            fingerprint: of the embedder.
            dimension: of its vectors.
        """
        with self._held():
            block, held = self.views[0].matrix.rows(ids)
            for view in self.views[1:]:
                other, also = view.matrix.rows(ids)
                block[also] = other[also]
                held |= also
        lacking = [
            memory_id for memory_id, here in zip(ids, held.tolist(), strict=True) if not here
        ]
        stored = ns.memories.vectors(lacking, fingerprint=fingerprint) if lacking else {}
        for place in np.flatnonzero(~held).tolist():
            vector = stored.get(ids[place])
            if vector is not None and vector.size == dimension:
                block[place] = vector
        return block

    def words(self, ids: Sequence[str], texts: Sequence[str]) -> list[frozenset[str]]:
        """The tokens of what memories say; kept for those that come up again."""
        keys = list(zip(ids, map(hash, texts), strict=True))
        cache = self.views[0].words
        with self._held():
            known = [cache.get(key) for key in keys]
        each = [
            frozenset(tokens(text)) if held is None else held
            for text, held in zip(texts, known, strict=True)
        ]
        with self._held():
            for key, found in zip(keys, each, strict=True):
                cache.put(key, found)
        return each

    def linked(self, ns: Namespace, ids: Sequence[str]) -> list[str]:
        """Those of some memories that may have relations; `ns`: the snapshot to read from."""
        with self._held():
            return self.views[0].linked(ns, ids)

    def revising(self, ns: Namespace, ids: Sequence[str] | None) -> list[str]:
        """Those of some memories of which another version may be known, see `NamespaceView.revising`."""
        with self._held():
            return self.views[0].revising(ns, ids)

    def said_between(self, first: int, last: int) -> list[str]:
        """What was said from one moment to another (microseconds), oldest first within a view."""
        ids: list[str] = []
        with self._held():
            for view in self.views:
                ids += view.timeline.between(first, last)
        return ids

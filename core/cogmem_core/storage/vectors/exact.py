"""Exact nearest neighbours: one float32 matrix, one product. The truth that every index is measured against.

Pure memory, no I/O. Not thread-safe: the caller holds a lock around every call.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from cogmem_core.errors import StoreError
from cogmem_core.maths.products import dots, normalised, one_core
from cogmem_core.ports import FloatArray, Hit

_FIRST_ROWS = 16
# A uuid string, its entry in the dict and its slot in the list.
_BYTES_PER_ID = 200
# Sums of float32 products differ in the last bits with the row's position; ties are told apart at
# this resolution.
_TIE = 1e-6
_TIE_DECIMALS = 6
# Copying few rows is cheaper than multiplying all of them.
_GATHER_SHARE = 0.125
_SCORES_AT_ONCE = 4_000_000
_WORTH_A_PRODUCT = 8
_NONE = np.empty(0, dtype=np.intp)


class VectorMatrix:
    """Vectors by id, L2-normalised on entry, so that a dot product is a cosine similarity.

    Not thread-safe: hold a lock. 100,000 x 384 take 154 MB; the best 100 of them 11 ms.
    """

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._rows: FloatArray = np.empty((0, dimension), dtype=np.float32)
        self._ids: list[str] = []
        self._row_of: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, id: object) -> bool:  # noqa: A002 - the field's name everywhere
        return id in self._row_of

    @property
    def nbytes(self) -> int:
        """Memory held, ids included."""
        return self._rows.nbytes + _BYTES_PER_ID * len(self._ids)

    def extend(self, ids: Sequence[str], block: FloatArray) -> None:
        """Add many vectors at once; row i of `block` belongs to `ids[i]`, the last row of a repeated id wins.

        Raises:
            StoreError: wrong shape, or a value that is not finite; nothing was added.
        """
        block = np.asarray(block, dtype=np.float32)
        if block.shape != (len(ids), self._dimension):
            raise StoreError(
                f"vectors of shape {block.shape} given; the matrix needs ({len(ids)}, "
                f"{self._dimension})"
            )
        if not np.isfinite(block).all():
            raise StoreError("a vector holds a value that is not finite; embed the text again")
        start = len(self._ids)
        if self._row_of.keys().isdisjoint(ids) and len(set(ids)) == len(ids):
            self._reserve(start + len(ids))
            normalised(block, self._rows[start : start + len(ids)])
            self._row_of.update(zip(ids, range(start, start + len(ids)), strict=True))
            self._ids.extend(ids)
            return
        targets = np.fromiter(map(self._claim, ids), dtype=np.intp, count=len(ids))
        self._reserve(len(self._ids))
        self._rows[targets] = normalised(block)

    def reserve(self, rows: int) -> None:
        """Make room for so many vectors in all, so that it need not grow step by step."""
        if rows > len(self._rows):
            grown = np.empty((rows, self._dimension), dtype=np.float32)
            grown[: len(self._rows)] = self._rows
            self._rows = grown

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a vector; unknown ids are ignored. The last row takes its place."""
        row = self._row_of.pop(id, None)
        if row is None:
            return
        last = self._ids.pop()
        if last != id:
            self._rows[row] = self._rows[len(self._ids)]
            self._ids[row] = last
            self._row_of[last] = row

    def get(self, id: str) -> FloatArray | None:  # noqa: A002
        """A copy of the normalised vector, or None."""
        row = self._row_of.get(id)
        return None if row is None else self._rows[row].copy()

    def rows(self, ids: Sequence[str]) -> tuple[FloatArray, NDArray[np.bool_]]:
        """A copy of the normalised vectors, shape (len(ids), dimension), and which of the ids are known.

        Unknown ids have zeros.
        """
        places = np.fromiter(
            (self._row_of.get(name, -1) for name in ids), dtype=np.intp, count=len(ids)
        )
        is_known = places >= 0
        if not len(self._ids):
            return np.zeros((len(ids), self._dimension), dtype=np.float32), is_known
        block: FloatArray = self._rows[places]
        block[~is_known] = 0.0
        return block, is_known

    def top(self, vector: FloatArray, k: int, allowed: Collection[str] | None = None) -> list[Hit]:
        """The k most similar vectors, best first; equal similarities by id.

        Args:
            vector: the query; a zero vector and one with a value that is not finite match nothing.
            k: at most so many hits.
            allowed: only these ids; unknown ones are ignored.

        Raises:
            StoreError: wrong dimension.
        """
        query = np.asarray(vector, dtype=np.float32)
        if query.shape != (self._dimension,):
            raise StoreError(
                f"a query of shape {query.shape} given; the matrix needs ({self._dimension},)"
            )
        if k < 1 or not np.isfinite(query).all() or not query.any():
            return []
        query = normalised(query.reshape(1, -1))[0]
        rows = None if allowed is None else self._rows_of(allowed)
        scores = self._scores(query, rows)
        chosen = _best(scores, k)
        placed = chosen if rows is None else rows[chosen]
        return self._hits(placed, scores[chosen], k)

    def top_many(
        self, vectors: FloatArray, k: int, *, minimum: float = -math.inf
    ) -> list[list[Hit]]:
        """As `top` for several queries at once (rows of `vectors`); one multiplication of matrices per slice.

        Args:
            minimum: the smallest similarity that counts.
        """
        queries = np.asarray(vectors, dtype=np.float32)
        if len(queries) < _WORTH_A_PRODUCT or queries.shape[1:] != (self._dimension,):
            return [_at_least(minimum, self.top(vector, k)) for vector in queries]
        usable = np.logical_and(np.isfinite(queries).all(axis=1), queries.any(axis=1))
        queries = normalised(np.where(usable[:, None], queries, 0))
        live = self._rows[: len(self._ids)]
        hit_lists = []
        step = max(1, _SCORES_AT_ONCE // max(1, len(self._ids)))
        for start in range(0, len(queries), step):
            with one_core():
                product = queries[start : start + step] @ live.T
            worth = usable[start : start + step] & (
                product.max(axis=1, initial=-math.inf) >= minimum - _TIE
            )
            for scores, worthy in zip(product, worth, strict=True):
                chosen = _best(scores, k) if k > 0 and worthy else _NONE
                hits = self._hits(chosen, scores[chosen], k)
                hit_lists.append(_at_least(minimum, hits))
        return hit_lists

    def _hits(self, rows: NDArray[np.intp], scores: FloatArray, k: int) -> list[Hit]:
        """The k best of some rows, best first."""
        names = map(self._ids.__getitem__, rows.tolist())
        keyed = sorted(zip((-scores).tolist(), names, strict=True))
        return [Hit(name, -score) for score, name in keyed[:k]]

    def _claim(self, id: str) -> int:  # noqa: A002
        row = self._row_of.setdefault(id, len(self._ids))
        if row == len(self._ids):
            self._ids.append(id)
        return row

    def _reserve(self, rows: int) -> None:
        if rows > len(self._rows):
            self.reserve(max(rows, len(self._rows) * 3 // 2, _FIRST_ROWS))

    def _rows_of(self, ids: Collection[str]) -> NDArray[np.intp]:
        rows = {self._row_of[name] for name in ids if name in self._row_of}
        return np.fromiter(sorted(rows), dtype=np.intp, count=len(rows))

    def _scores(self, query: FloatArray, rows: NDArray[np.intp] | None) -> FloatArray:
        live = self._rows[: len(self._ids)]
        if rows is None:
            scores = dots(live, query)
        elif len(rows) < _GATHER_SHARE * len(live):
            scores = dots(live[rows], query)
        else:
            scores = dots(live, query)[rows]
        return scores.astype(np.float32, copy=False)


def _at_least(minimum: float, hits: Sequence[Hit]) -> list[Hit]:
    return [hit for hit in hits if hit.score >= minimum]


def _best(scores: FloatArray, k: int) -> NDArray[np.intp]:
    """Rows of the k highest scores and of all that tie with the last of them, rounded in place to tell ties."""
    if k >= len(scores):
        chosen: NDArray[np.intp] = np.arange(len(scores))
    else:
        floor = np.partition(scores, len(scores) - k)[len(scores) - k]
        chosen = np.flatnonzero(scores >= floor - _TIE)
    scores[chosen] = np.round(scores[chosen], _TIE_DECIMALS)
    return chosen

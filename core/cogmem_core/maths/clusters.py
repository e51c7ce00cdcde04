"""Groups of things that are alike: greedy around the first of each group, or connected by weighted edges.

Pure, no I/O; the same input gives the same groups.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from cogmem_core.maths.products import one_core

__all__ = ["Alike", "by_cosine", "by_labels", "connected_groups", "greedy_groups"]

Mask = NDArray[np.bool_]
Alike = Callable[[int], Mask]
"""Which items, as a mask over all of them, are alike to the item of this index."""
_BLOCK = 256
_ROUNDING = (
    1e-6  # float32 products of one pair differ in the last bits with their place in the matrix
)


def greedy_groups(
    count: int, alike: Alike, *, least: int, most: int, limit: int | None = None
) -> list[tuple[int, ...]]:
    """Walk the items in order; each that is in no group yet takes the following ones that are alike to it.

    A group that stays too small is given up: its members are free again. O(count²) simple
        operations at most.
    Source: seed 003, "greedy clustering with cosine similarity".

    Args:
        count: items; at least 0.
        alike: asked once per item that may begin a group.
        least, most: members of a group, at least 1; the first ones that fit are taken.
        limit: groups; None = as many as there are.

    Returns:
        Indices, ascending, each in one group at most; groups in the order of their first member.
    """
    free = np.ones(count, dtype=np.bool_)
    found: list[tuple[int, ...]] = []
    for seed in range(count):
        if limit is not None and len(found) >= limit:
            break
        if not free[seed]:
            continue
        following = (
            np.flatnonzero(alike(seed)[seed + 1 :] & free[seed + 1 :])[: most - 1] + seed + 1
        )
        if least <= len(following) + 1 <= most:
            free[seed] = False
            free[following] = False
            found.append((seed, *following.tolist()))
    return found


def by_cosine(rows: NDArray[np.float32], similarity: float) -> Alike:
    """Alike are rows whose cosine is at least `similarity`, -1..1; products are made in blocks, when they are needed.

    Args:
        rows: L2-normalised, shape (count, dimension).
    """
    blocks: dict[int, Mask] = {}

    def alike(index: int) -> Mask:
        block = index // _BLOCK
        if block not in blocks:
            blocks.clear()
            with one_core():
                products = rows[block * _BLOCK : (block + 1) * _BLOCK] @ rows.T
            blocks[block] = products >= similarity - _ROUNDING
        found: Mask = blocks[block][index % _BLOCK]
        return found

    return alike


def by_labels(labels: Sequence[Collection[str]], shared: int) -> Alike:
    """Alike are items that have at least `shared` (1 or more) labels in common, by an inverted index."""
    holders: dict[str, list[int]] = {}
    for index, own in enumerate(labels):
        for label in set(own):
            holders.setdefault(label, []).append(index)
    postings = {label: np.array(items, dtype=np.intp) for label, items in holders.items()}

    def alike(index: int) -> Mask:
        own = [postings[label] for label in set(labels[index])]
        met = np.concatenate(own) if own else np.empty(0, dtype=np.intp)
        enough: Mask = np.bincount(met, minlength=len(labels)) >= shared
        return enough

    return alike


def connected_groups(
    edges: Iterable[tuple[str, str, float]], *, least: int, most: int
) -> list[tuple[str, ...]]:
    """Connected components, built from the strongest edge on; an edge that would join more than `most` is left out.

    O(n log n) for n edges.

    Args:
        edges: (one end, other end, weight); of equal weights the first in the order of names counts
            first.
        least, most: members of a group; smaller ones are left out.

    Returns:
        Names, sorted, each in one group at most; the largest group first, of equals the first in
        the order of names.
    """
    ordered = sorted((-weight, min(one, other), max(one, other)) for one, other, weight in edges)
    group_of: dict[str, list[str]] = {}
    for _, one, other in ordered:
        first, second = (group_of.setdefault(name, [name]) for name in (one, other))
        if first is second or len(first) + len(second) > most:
            continue
        small, large = sorted((first, second), key=len)
        large += small
        group_of.update(dict.fromkeys(small, large))
    groups = {id(group): tuple(sorted(group)) for group in group_of.values() if len(group) >= least}
    return sorted(groups.values(), key=lambda names: (-len(names), names))

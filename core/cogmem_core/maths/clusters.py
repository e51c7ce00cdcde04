"""Groups similar items: greedily around the first item of a group, or by weighted edges.

Pure, no I/O; the same input gives the same groups.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from cogmem_core.maths.products import one_core

Mask = NDArray[np.bool_]
Alike = Callable[[int], Mask]
"""From the index of an item to a mask over all items: which of them are alike to it."""
_BLOCK = 256
# float32 products of one pair differ in the last bits with their place in the matrix
_ROUNDING = 1e-6


def greedy_groups(
    count: int, alike: Alike, *, min_size: int, max_size: int
) -> list[tuple[int, ...]]:
    """Walk the items in order; each free item takes the free items after it that are alike to it.

    A group that stays too small is given up: its members are free again. O(count²) simple
    operations at most.

    Args:
        count: items; at least 0.
        alike: called once per item that may begin a group.
        min_size: members of a group, at least 1.
        max_size: members of a group, at least 1; the first items that fit are taken.

    Returns:
        Indices, ascending, each in one group at most; groups in the order of their first member.
    """
    free = np.ones(count, dtype=np.bool_)
    groups: list[tuple[int, ...]] = []
    for first in range(count):
        if not free[first]:
            continue
        start = first + 1
        members = np.flatnonzero(alike(first)[start:] & free[start:])[: max_size - 1] + start
        if min_size <= len(members) + 1 <= max_size:
            free[first] = False
            free[members] = False
            groups.append((first, *members.tolist()))
    return groups


def by_cosine(rows: NDArray[np.float32], similarity: float) -> Alike:
    """Rows are alike if their cosine is at least `similarity`.

    Products are computed in blocks, when they are needed.

    Args:
        rows: L2-normalised, shape (count, dimension).
        similarity: -1..1.
    """
    blocks: dict[int, Mask] = {}

    def alike(index: int) -> Mask:
        block = index // _BLOCK
        if block not in blocks:
            blocks.clear()
            with one_core():
                products = rows[block * _BLOCK : (block + 1) * _BLOCK] @ rows.T
            blocks[block] = products >= similarity - _ROUNDING
        mask: Mask = blocks[block][index % _BLOCK]
        return mask

    return alike


def by_labels(labels: Sequence[Collection[str]], shared: int) -> Alike:
    """Items are alike if they have at least `shared` (1 or more) labels in common."""
    holders: dict[str, list[int]] = {}
    for index, item_labels in enumerate(labels):
        for label in set(item_labels):
            holders.setdefault(label, []).append(index)
    postings = {label: np.array(items, dtype=np.intp) for label, items in holders.items()}

    def alike(index: int) -> Mask:
        rows = [postings[label] for label in set(labels[index])]
        hits = np.concatenate(rows) if rows else np.empty(0, dtype=np.intp)
        mask: Mask = np.bincount(hits, minlength=len(labels)) >= shared
        return mask

    return alike


def connected_groups(
    edges: Iterable[tuple[str, str, float]], *, min_size: int, max_size: int
) -> list[tuple[str, ...]]:
    """Connected components, built from the strongest edge on.

    An edge that would join more than `max_size` names is left out. O(n log n) for n edges.

    Args:
        edges: (one end, other end, weight); of equal weights the first in the order of names counts
            first.
        min_size: members of a group; smaller groups are left out.
        max_size: members of a group.

    Returns:
        Names, sorted, each in one group at most; the largest group first, of equals the first in
        the order of names.
    """
    ordered = sorted((-weight, min(ends), max(ends)) for *ends, weight in edges)
    group_of: dict[str, list[str]] = {}
    for _, start, end in ordered:
        first = group_of.setdefault(start, [start])
        second = group_of.setdefault(end, [end])
        if first is second or len(first) + len(second) > max_size:
            continue
        small, large = sorted((first, second), key=len)
        large += small
        group_of.update(dict.fromkeys(small, large))
    groups = {
        id(group): tuple(sorted(group)) for group in group_of.values() if len(group) >= min_size
    }
    return sorted(groups.values(), key=lambda names: (-len(names), names))

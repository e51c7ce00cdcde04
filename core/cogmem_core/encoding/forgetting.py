"""Which memories somebody means who wants something forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import get_args

from cogmem_core.models import Memory
from cogmem_core.results import ForgetCandidate, NamedBy
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.query.forgetting import Meant, chosen, wish_of

__all__ = ["NOT_FORGOTTEN", "Named", "candidates_of", "meant_of", "memories_named"]

NOT_FORGOTTEN = Filter(states=("active", "dormant", "superseded", "quarantined"))
"""Where a query looks for what it means."""

_BATCH = 500
_CLOSEST: tuple[NamedBy, ...] = get_args(NamedBy)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Named:
    """A memory that a query names, or nearly names.

    Attributes:
        memory: the memory.
        way: how the query names it.
        is_whole: the query stands in it as a whole, so that it may be erased for good.
    """

    memory: Memory
    way: NamedBy
    is_whole: bool


def memories_named(
    ns: Namespace, query: str, *, among: Callable[[Memory], bool] | None = None
) -> list[Named]:
    """The memories that a query names, the closest named first; those that are only near last.

    A query may be a whole wish ("Please forget my salary"): it is read as one if nothing holds it
    as it stands.

    Args:
        ns: the tables of the namespace.
        query: an id, or words.
        among: only memories that it is true of.
    """
    text = query.strip()
    if _ID.fullmatch(text):
        by_id = list(ns.memories.by_ids([text]).values())
        if by_id:
            return [Named(memory, "id", is_whole=True) for memory in by_id]
    named = _search(ns, text, among)
    if not meant_of(named):
        wish = wish_of(text)
        if wish is not None:
            named = _search(ns, wish.query, among) or named
    return named


def _search(ns: Namespace, query: str, among: Callable[[Memory], bool] | None) -> list[Named]:
    meant = Meant(query)
    named: list[Named] = []
    for memory in chain.from_iterable(ns.memories.pages(NOT_FORGOTTEN, limit=_BATCH)):
        if among is not None and not among(memory):
            continue
        way = meant.named_by(memory.content, memory.speaker)
        is_whole = meant.naming.exact(memory.content)
        if way is not None:
            named.append(Named(memory, way, is_whole))
    named.sort(key=lambda item: _CLOSEST.index(item.way))
    return named


def meant_of(named: Sequence[Named]) -> list[Memory]:
    """Those that are meant: of several ways to name memories the closest ones count."""
    ways = chosen(item.way for item in named)
    return [item.memory for item in named if item.way in ways]


def candidates_of(named: Sequence[Named], meant: Sequence[Memory]) -> tuple[ForgetCandidate, ...]:
    """What a receipt says of memories that a query may mean."""
    meant_ids = {memory.id for memory in meant}
    return tuple(
        ForgetCandidate(
            item.memory.id, item.memory.content, item.way, meant=item.memory.id in meant_ids
        )
        for item in named
    )

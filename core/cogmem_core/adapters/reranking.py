"""Reorders the results of any search by the strength and usefulness of the memories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cogmem_core.adapters.options import memory_filter
from cogmem_core.edge.strength import retention_of
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.rights import require
from cogmem_core.errors import InvalidInput
from cogmem_core.maths.fusion import min_max

_NEUTRAL = 0.5
"""The utility of a memory that nobody ever judged, and of anything that is not a memory."""


def admitted(
    bank: MemoryBank, memory_ids: Iterable[str], filters: Mapping[str, Any]
) -> frozenset[str]:
    """Those of some memories that filters admit; what is not in the bank is not.

    Args:
        bank: whose memories.
        memory_ids: their ids.
        filters: checked arguments of a recall.
    """
    require(bank, "read")
    admitting = memory_filter(bank, filters)
    with bank.engine.services.ledger.reading(bank.namespace) as ns:
        memories = ns.memories.by_ids(list(memory_ids))
        return frozenset(m.id for m in ns.tellings.admitted(admitting, memories.values()))


def rerank(
    bank: MemoryBank,
    candidates: Iterable[tuple[str | None, float | None]],
    *,
    strength: float | None = None,
    utility: float | None = None,
) -> tuple[float, ...]:
    """Scores that join relevance with what the bank knows of its memories; changes nothing.

    score = relevance + strength x (retention - 1) + utility x (utility of the memory - 0.5), with
    the relevance scaled to 0..1 within what was found. A result that is not a memory of the bank,
    such as a document, keeps its relevance: it neither fades nor proves itself. A memory that has
    left recall (dormant, superseded) counts as faded.

    Args:
        candidates: (memory's id, relevance); None as id = no memory, None as relevance = unknown,
            which counts as 0. The relevance may be on any scale, higher is better.
        strength: weight >= 0; None = as configured (`retrieval.weights.retention`).
        utility: weight >= 0; None = as configured (`retrieval.weights.proven`).

    Returns:
        A score per item, in the order given.

    Raises:
        InvalidInput: what was found is not made of pairs, a weight or a relevance is not a finite
            number, or a weight is negative.
        BankClosed: the engine was closed.
    """
    require(bank, "read")
    bank.engine.check_open()
    items = _pairs(candidates)
    services = bank.engine.services
    config = services.config
    weights = config.retrieval.weights
    strength_weight = _weight("strength", weights.retention if strength is None else strength)
    utility_weight = _weight("utility", weights.proven if utility is None else utility)
    scaled = _scaled([_relevance(score) for _, score in items])
    ids = [memory_id for memory_id, _ in items if memory_id]
    with services.ledger.reading(bank.namespace) as ns:
        memories = ns.memories.by_ids(ids)
    now = services.runtime.now()
    adjustments = {}
    for memory_id, memory in memories.items():
        retention = retention_of(memory, now, config.strength) if memory.state == "active" else 0.0
        adjustments[memory_id] = strength_weight * (retention - 1.0) + utility_weight * (
            memory.utility - _NEUTRAL
        )
    return tuple(
        score + adjustments.get(memory_id or "", 0.0)
        for (memory_id, _), score in zip(items, scaled, strict=True)
    )


def _scaled(scores: Sequence[float]) -> list[float]:
    """Scores as 0..1: in proportion to the highest; with scores below 0, by the span.

    Cross-encoders give scores below 0.
    """
    if not scores:
        return []
    if min(scores) < 0.0:
        return list(map(float, min_max(scores)))
    highest = max(scores) or 1.0
    return list(map(float, np.asarray(scores) / highest))


def _weight(name: str, value: float) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:
        raise InvalidInput(f"{name} is {value!r}; use a number from 0")
    return float(value)


def _pairs(
    candidates: Iterable[tuple[str | None, float | None]],
) -> list[tuple[str | None, float | None]]:
    try:
        pairs = [(memory_id, score) for memory_id, score in candidates]
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"candidates is {candidates!r:.80}; give pairs of a memory's id and a relevance"
        ) from error
    for memory_id, _ in pairs:
        if not (memory_id is None or isinstance(memory_id, str)):
            raise InvalidInput(
                f"a memory's id is {memory_id!r:.80}; give a string, or None for a result that is "
                "not a memory"
            )
    return pairs


def _relevance(score: float | None) -> float:
    if score is None:
        return 0.0
    try:
        value = math.nan if isinstance(score, (str, bytes)) else float(score)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(f"a relevance is {score!r:.80}; give finite numbers, or None")
    return value

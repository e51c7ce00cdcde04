"""LlamaIndex's `MetadataFilters` as the engine's `where=`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.values import where

__all__ = ["filters_of"]

Conditions = dict[str, Any]


def filters_of(filters: MetadataFilters | Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of `MemoryBank.recall`, `list` and `count` that filters stand for.

    Args:
        filters: `MetadataFilters` with any operator, nested and combined by and, or, not (none of
            them holds); or conditions as `cogmem_core.values.where` takes them; None = no filter. A key
            with dots leads into nested dicts.

    Returns:
        `{"where": conditions}`; empty if there are none.

    Raises:
        InvalidInput: a filter cannot be translated; the message names the operator.

    Example:
        >>> from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
        >>> filters_of(MetadataFilters(filters=[MetadataFilter(key="year", value=2020, operator=">=")]))
        {'where': {'year': {'$gte': 2020}}}
    """
    if filters is None:
        return {}
    if isinstance(filters, MetadataFilters):
        conditions = where.checked("filters", _group(filters))
    elif isinstance(filters, Mapping):
        conditions = where.checked("filters", filters)
    else:
        raise InvalidInput(
            f"filters is a {type(filters).__name__}; give MetadataFilters, or a dict such as "
            "{'city': 'Oslo'}"
        )
    return {"where": dict(conditions)} if conditions else {}


def _group(filters: MetadataFilters) -> Conditions:
    parts = [
        _group(part) if isinstance(part, MetadataFilters) else _condition(part)
        for part in filters.filters
    ]
    if not parts:
        return {}
    if filters.condition == FilterCondition.NOT:
        return {"$not": parts[0] if len(parts) == 1 else {"$or": parts}}
    if len(parts) == 1:
        return parts[0]
    return {"$or" if filters.condition == FilterCondition.OR else "$and": parts}


def _condition(part: MetadataFilter) -> Conditions:
    translate = _TRANSLATED.get(part.operator)
    if translate is None:
        known = ", ".join(operator.value for operator in _TRANSLATED)
        raise InvalidInput(
            f"filters: the operator {part.operator.value!r} (of {checks.display(part.key)}) is unknown; use one "
            f"of {known}"
        )
    return translate(part)


def _plain(operator: str) -> Callable[[MetadataFilter], Conditions]:
    return lambda part: {part.key: {operator: part.value}}


def _text(operator: str) -> Callable[[MetadataFilter], Conditions]:
    def translate(part: MetadataFilter) -> Conditions:
        if not isinstance(part.value, str):
            raise InvalidInput(
                f"filters: the operator {part.operator.value!r} (of {checks.display(part.key)}) compares with "
                f"{checks.display(part.value)}; give a text"
            )
        return {part.key: {operator: part.value}}

    return translate


def _each(group: str) -> Callable[[MetadataFilter], Conditions]:
    def translate(part: MetadataFilter) -> Conditions:
        if not isinstance(part.value, list) or not part.value:
            raise InvalidInput(
                f"filters: the operator {part.operator.value!r} (of {checks.display(part.key)}) compares with "
                f"{checks.display(part.value)}; give a list with entries"
            )
        return {group: [{part.key: {"$contains": value}} for value in part.value]}

    return translate


def _empty(part: MetadataFilter) -> Conditions:
    return {part.key: {"$empty": True}}


_TRANSLATED: Mapping[FilterOperator, Callable[[MetadataFilter], Conditions]] = {
    FilterOperator.EQ: _plain("$eq"),
    FilterOperator.NE: _plain("$ne"),
    FilterOperator.GT: _plain("$gt"),
    FilterOperator.GTE: _plain("$gte"),
    FilterOperator.LT: _plain("$lt"),
    FilterOperator.LTE: _plain("$lte"),
    FilterOperator.IN: _plain("$in"),
    FilterOperator.NIN: _plain("$nin"),
    FilterOperator.CONTAINS: _plain("$contains"),
    FilterOperator.ANY: _each("$or"),
    FilterOperator.ALL: _each("$and"),
    FilterOperator.TEXT_MATCH: _text("$contains"),
    FilterOperator.TEXT_MATCH_INSENSITIVE: _text("$icontains"),
    FilterOperator.IS_EMPTY: _empty,
}

"""Filters as LangChain's vector stores and self-query retrievers write them, as the engine's `where=`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.structured_query import (
    Comparator,
    Comparison,
    Operation,
    Operator,
    StructuredQuery,
    Visitor,
)

from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.values import where

__all__ = ["CogMemTranslator", "filters_of"]

Conditions = dict[str, Any]
_GROUPS = ("$and", "$or")


def filters_of(filter: Mapping[str, Any] | None) -> dict[str, Any]:  # noqa: A002 - LangChain's name
    """The arguments of `MemoryBank.recall`, `list` and `count` that a LangChain filter stands for.

    Args:
        filter: conditions on metadata: `{"city": "Oslo"}`, `{"city": ["Oslo", "Bergen"]}` (any of
            these), `{"stars": {"$gte": 3}}`, combined by `$and`, `$or`, `$not`, `$nor`. Operators:
            those of `cogmem_core.values.where`, and `$between`, `$all`, `$not`, `$not_contains`, `$like`
            and `$ilike` (a pattern such as "%part%", or without "%"). None = no filter.

    Returns:
        `{"where": conditions}`; empty if there are none.

    Raises:
        InvalidInput: it is no such filter; the message names the operator.

    Example:
        >>> filters_of({"stars": {"$between": [3, 5]}})
        {'where': {'$and': [{'stars': {'$gte': 3}}, {'stars': {'$lte': 5}}]}}
    """
    if filter is None:
        return {}
    conditions = where.checked("filter", _conditions("filter", filter))
    return {"where": dict(conditions)} if conditions else {}


def _conditions(place: str, filters: object) -> Conditions:
    if not isinstance(filters, Mapping):
        raise InvalidInput(
            f"{place} is a {type(filters).__name__}; give a dict of metadata keys, such as "
            "{'city': 'Oslo'} or {'stars': {'$gte': 3}}"
        )
    parts: list[Conditions] = []
    for key, value in filters.items():
        at = f"{place}[{checks.display(key)}]"
        if key in (*_GROUPS, "$nor"):
            members = _list(at, value)
            listed = [_conditions(f"{at}[{index}]", part) for index, part in enumerate(members)]
            parts.append({"$not": {"$or": listed}} if key == "$nor" else {key: listed})
        elif key == "$not":
            parts.append({"$not": _conditions(at, value)})
        elif isinstance(value, Mapping) and value and not str(key).startswith("$"):
            parts += (_condition(at, key, name, operand) for name, operand in value.items())
        else:
            parts.append({key: value})
    return _all(parts)


def _all(parts: list[Conditions]) -> Conditions:
    """One dict where no key stands twice, else a list of dicts that must all hold."""
    joined: Conditions = {}
    for part in parts:
        if joined.keys() & part.keys():
            return {"$and": parts}
        joined |= part
    return joined


def _condition(place: str, key: str, operator: str, operand: Any) -> Conditions:
    place = f"{place}[{checks.display(operator)}]"
    translate = _TRANSLATED.get(operator)
    if translate is not None:
        return translate(place, key, operand)
    if operator not in where.OPERATORS:
        names = ", ".join((*where.OPERATORS, *_TRANSLATED))
        raise InvalidInput(
            f"{place}: the operator {checks.display(operator)} is unknown; use one of {names}"
        )
    return {key: {operator: operand}}


def _list(place: str, value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)) or not value:
        raise InvalidInput(f"{place} is {checks.display(value)}; give a list with entries")
    return list(value)


def _between(place: str, key: str, operand: Any) -> Conditions:
    bounds = _list(place, operand)
    if len(bounds) != 2:
        raise InvalidInput(f"{place} has {len(bounds)} entries; give the lowest and the highest")
    return {"$and": [{key: {"$gte": bounds[0]}}, {key: {"$lte": bounds[1]}}]}


def _every(place: str, key: str, operand: Any) -> Conditions:
    return {"$and": [{key: {"$contains": value}} for value in _list(place, operand)]}


def _negated(place: str, key: str, operand: Any) -> Conditions:
    return {"$not": _conditions(place, {key: operand})}


def _like(place: str, key: str, operand: Any) -> Conditions:
    return {key: {"$contains": part}} if (part := _part(place, operand)) else {key: operand}


def _like_any_case(place: str, key: str, operand: Any) -> Conditions:
    part = _part(place, operand)
    if part is None:
        raise InvalidInput(f"{place} is {checks.display(operand)}; give a pattern such as '%part%'")
    return {key: {"$icontains": part}}


def _part(place: str, pattern: Any) -> str | None:
    """What stands between the per cent signs; None if there are none."""
    if not isinstance(pattern, str):
        raise InvalidInput(f"{place} is {checks.display(pattern)}; give a pattern such as '%part%'")
    if not {"%", "_"} & set(pattern):
        return None
    inner = pattern[1:-1]
    if len(pattern) < 3 or pattern[0] + pattern[-1] != "%%" or {"%", "_"} & set(inner):
        raise InvalidInput(
            f"{place} is {checks.display(pattern)}; only patterns such as '%part%' can be searched for"
        )
    return inner


_TRANSLATED: Mapping[str, Callable[[str, str, Any], Conditions]] = {
    "$between": _between,
    "$all": _every,
    "$not": _negated,
    "$not_contains": lambda _place, key, operand: {"$not": {key: {"$contains": operand}}},
    "$like": _like,
    "$ilike": _like_any_case,
}
"""Operators that the engine does not know, each as conditions that it does."""

_COMPARATORS = {
    Comparator.EQ: "$eq",
    Comparator.NE: "$ne",
    Comparator.GT: "$gt",
    Comparator.GTE: "$gte",
    Comparator.LT: "$lt",
    Comparator.LTE: "$lte",
    Comparator.IN: "$in",
    Comparator.NIN: "$nin",
    Comparator.CONTAIN: "$contains",
    Comparator.LIKE: "$like",
}


class CogMemTranslator(Visitor):
    """Translates the queries of a `SelfQueryRetriever` for `CogMemVectorStore`.

    Give it as `structured_query_translator=CogMemTranslator()`.

    Example:
        >>> from langchain_core.structured_query import Comparator, Comparison, StructuredQuery
        >>> year = Comparison(comparator=Comparator.GTE, attribute="year", value=2020)
        >>> query = StructuredQuery(query="soup", filter=year, limit=None)
        >>> CogMemTranslator().visit_structured_query(query)
        ('soup', {'filter': {'year': {'$gte': 2020}}})
    """

    allowed_comparators = tuple(_COMPARATORS)
    allowed_operators = tuple(Operator)

    def visit_operation(self, operation: Operation) -> Conditions:
        """Several conditions, or one that must not hold."""
        parts = [part.accept(self) for part in operation.arguments]
        if operation.operator == Operator.NOT:
            return {"$not": _all(parts)}
        return {f"${operation.operator.value}": parts}

    def visit_comparison(self, comparison: Comparison) -> Conditions:
        """One condition.

        Raises:
            InvalidInput: there is nothing that the comparator stands for.
        """
        operator = _COMPARATORS.get(comparison.comparator)
        if operator is None:
            raise InvalidInput(
                f"filter: the comparator {comparison.comparator.value!r} is unknown; use one of "
                f"{', '.join(known.value for known in _COMPARATORS)}"
            )
        value = comparison.value
        if isinstance(value, Mapping):  # as models write days: {"date": "2026-03-13", ...}
            value = next((value[name] for name in ("date", "datetime") if name in value), value)
        return {comparison.attribute: {operator: value}}

    def visit_structured_query(
        self, structured_query: StructuredQuery
    ) -> tuple[str, dict[str, Any]]:
        """The text to search for, and the arguments of the search."""
        arguments: dict[str, Any] = {}
        if structured_query.filter is not None:
            arguments["filter"] = structured_query.filter.accept(self)
        return structured_query.query, arguments

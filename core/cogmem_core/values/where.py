"""Conditions on what a caller keeps beside memories (`metadata=`), as a plain dict.

```
{"city": "Oslo"}                        the value is "Oslo", or a list that holds "Oslo"
{"city": ["Oslo", "Bergen"]}            it is one of these
{"score": {"$gte": 3, "$lt": 10}}       every operator holds
{"$or": [{"city": "Oslo"}, {"vip": True}]}
```

Operators: `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$contains` (a part of a text, or
an entry of a list), `$icontains` (a part of a text, in upper or lower case), `$exists` and `$empty`
(True or False; empty is what is missing, None, "", [] or {}). `$and` and `$or` take a list of dicts,
`$not` takes one. Keys of one dict must all hold; no keys hold for everything. A key with dots that is
not there as it stands leads into nested dicts: `address.city`. Numbers are compared with numbers and
texts with texts (ISO dates in their order); True is no number. Without a key, `$ne`, `$nin`,
`$exists: False` and `$empty: True` hold, and nothing else does.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any

from cogmem_core.errors import InvalidInput

Where = Mapping[str, Any]

_MOST = 200  # conditions
_DEEPEST = 10
_ABSENT = object()


def checked(name: str, where: object) -> Where:
    """A copy of the conditions.

    Raises:
        InvalidInput: they are no conditions; the message names the argument and what may stand
            there.
    """
    count = _check(name, where, 0)
    if count > _MOST:
        raise InvalidInput(f"{name} has {count} conditions; use at most {_MOST}")
    result: Where = copy.deepcopy(dict(where))  # type: ignore[call-overload]
    return result


def _check(name: str, where: object, depth: int) -> int:
    """How many conditions there are."""
    if not isinstance(where, Mapping) or any(not isinstance(key, str) for key in where):
        raise InvalidInput(
            f"{name} is a {type(where).__name__}; give a dict of metadata keys, such as "
            "{'city': 'Oslo'} or {'score': {'$gte': 3}}"
        )
    if depth > _DEEPEST:
        raise InvalidInput(f"{name} is nested deeper than {_DEEPEST}; use fewer levels")
    count = 0
    for key, condition in where.items():
        place = f"{name}[{key!r}]"
        if key in ("$and", "$or"):
            if not isinstance(condition, (list, tuple)) or not condition:
                raise InvalidInput(f"{place} is no list with entries; give a list of dicts")
            for number, part in enumerate(condition):
                count += _check(f"{place}[{number}]", part, depth + 1)
        elif key == "$not":
            count += _check(place, condition, depth + 1)
        elif key.startswith("$"):
            raise InvalidInput(
                f"{place} stands where a metadata key is expected; write "
                f"{{'key': {{{key!r}: value}}}}, or use $and, $or, $not"
            )
        else:
            count += _check_wanted(place, condition)
    return count


def _check_wanted(place: str, condition: object) -> int:
    if not isinstance(condition, Mapping):
        _check_operand(place, condition)
        return 1
    for operator, operand in condition.items():
        if operator not in OPERATORS:
            operators = ", ".join(OPERATORS)
            raise InvalidInput(f"{place} has no operator {operator!r}; use one of {operators}")
        _check_operand(f"{place}[{operator!r}]", operand, operator)
    if not condition:
        raise InvalidInput(f"{place} is an empty dict; give a value or an operator")
    return len(condition)


def _check_operand(place: str, operand: object, operator: str = "") -> None:
    several = isinstance(operand, (list, tuple))
    if operator in ("$in", "$nin") and not several:
        raise InvalidInput(f"{place} is {operand!r}; give a list of values")
    if operator in ("$exists", "$empty") and not isinstance(operand, bool):
        raise InvalidInput(f"{place} is {operand!r}; use True or False")
    if operator == "$icontains" and not isinstance(operand, str):
        raise InvalidInput(f"{place} is {operand!r}; give a text")
    if operator in _ORDERED and (isinstance(operand, bool) or not isinstance(operand, _COMPARED)):
        raise InvalidInput(f"{place} is {operand!r}; give a number or a text")
    if several and operator not in ("", "$in", "$nin"):
        raise InvalidInput(f"{place} is a list; {operator} takes one value")
    values: Sequence[object] = operand if isinstance(operand, (list, tuple)) else (operand,)
    for value in values:
        if value is not None and not isinstance(value, (str, bool, int, float)):
            raise InvalidInput(
                f"{place} holds a {type(value).__name__}; use texts, numbers, True, False or None"
            )


def holds(where: Where, metadata: Mapping[str, Any]) -> bool:
    """Whether checked conditions hold for what a memory carries."""
    for key, condition in where.items():
        if key == "$and":
            fits = all(holds(part, metadata) for part in condition)
        elif key == "$or":
            fits = any(holds(part, metadata) for part in condition)
        elif key == "$not":
            fits = not holds(condition, metadata)
        else:
            fits = _fits(condition, looked_up(metadata, key, _ABSENT))
        if not fits:
            return False
    return True


def needed_keys(where: Where) -> Iterator[str]:
    """Metadata keys without which the conditions cannot hold."""
    for key, condition in where.items():
        if key == "$and":
            for part in condition:
                yield from needed_keys(part)
        elif not key.startswith("$") and "." not in key and not _fits(condition, _ABSENT):
            yield key


def looked_up(metadata: Mapping[str, Any], key: str, missing: object = None) -> Any:
    """The value of a key, or of the one at the end of its dots; `missing` if there is none."""
    if key in metadata or "." not in key:
        return metadata.get(key, missing)
    value: object = metadata
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return missing
        value = value[part]
    return value


def _fits(condition: object, value: object) -> bool:
    if isinstance(condition, Mapping):
        return all(OPERATORS[operator](value, operand) for operator, operand in condition.items())
    return (
        _in(value, condition) if isinstance(condition, (list, tuple)) else _equal(value, condition)
    )


def _equal(value: object, operand: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_equal(entry, operand) for entry in value)
    return isinstance(value, bool) == isinstance(operand, bool) and value == operand


def _in(value: object, operands: Any) -> bool:
    return any(_equal(value, operand) for operand in operands)


def _contains(value: object, operand: object) -> bool:
    if isinstance(value, str):
        return isinstance(operand, str) and operand in value
    return isinstance(value, (list, tuple)) and _equal(value, operand)


def _contains_any_case(value: object, operand: str) -> bool:
    return isinstance(value, str) and operand.casefold() in value.casefold()


def _empty(value: object) -> bool:
    return value in (_ABSENT, None, "", [], {}, ())


def _compared(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def fits(value: object, operand: object) -> bool:
        texts = isinstance(value, str) and isinstance(operand, str)
        numbers = isinstance(value, (int, float)) and isinstance(operand, (int, float))
        return (texts or (numbers and not isinstance(value, bool))) and compare(value, operand)

    return fits


_COMPARED = (str, int, float)
_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": _compared(gt),
    "$gte": _compared(ge),
    "$lt": _compared(lt),
    "$lte": _compared(le),
}
OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": _equal,
    "$ne": lambda value, wanted: not _equal(value, wanted),
    "$in": _in,
    "$nin": lambda value, wanted: not _in(value, wanted),
    **_ORDERED,
    "$contains": _contains,
    "$icontains": _contains_any_case,
    "$exists": lambda value, wanted: (value is not _ABSENT) == wanted,
    "$empty": lambda value, wanted: _empty(value) == wanted,
}
"""Operator -> whether a value (or the absence of one) fits the operand."""

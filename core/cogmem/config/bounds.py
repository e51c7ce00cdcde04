"""How a setting declares its bounds, and how all violations are found at once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from functools import lru_cache
from typing import Any, get_args, get_type_hints
from zoneinfo import ZoneInfo

__all__ = ["choice", "members", "number", "violations"]


def number(default: float | None, low: float, high: float) -> Any:
    """A dataclass field with an inclusive range."""
    return field(default=default, metadata={"low": low, "high": high})


def choice(default: str, *allowed: str) -> Any:
    """A dataclass field with a closed set of values."""
    return field(default=default, metadata={"allowed": allowed})


def members(default: tuple[str, ...], *allowed: str) -> Any:
    """A dataclass field with several of a closed set of values."""
    return field(default=default, metadata={"members": allowed})


def violations(section: Any, prefix: str) -> Iterator[str]:
    """Every value of a section, and of the sections in it, that is out of bounds, as a sentence with the range."""
    hints = _hints(section.__class__)
    for item in fields(section):
        name, value = prefix + item.name, getattr(section, item.name)
        if dataclasses.is_dataclass(value):
            yield from violations(value, name + ".")
        elif "low" in item.metadata:
            yield from _range_violations(name, value, hints[item.name], item.metadata)
        elif "allowed" in item.metadata and value not in item.metadata["allowed"]:
            yield f"{name} is {value!r}; use one of {', '.join(item.metadata['allowed'])}"
        elif "members" in item.metadata:
            yield from _member_violations(name, value, item.metadata["members"])
        elif hints[item.name] is bool and not isinstance(value, bool):
            yield f"{name} is {value!r}; use true or false"
        elif "zone" in item.metadata and not _is_zone(value):
            yield f"{name} is {value!r}; use the name of a time zone known here, such as 'Europe/Istanbul', or ''"
        elif isinstance(value, Mapping):
            yield from _table_violations(name, value, item.metadata.get("most", math.inf))


@lru_cache(maxsize=64)
def _hints(section: Any) -> dict[str, Any]:
    return get_type_hints(section)


def _is_zone(value: object) -> bool:
    try:
        return value in ("", "UTC") or (isinstance(value, str) and bool(ZoneInfo(value)))
    except (OSError, KeyError, ValueError):
        return False


def _range_violations(name: str, value: Any, kind: Any, bounds: Mapping[str, Any]) -> Iterator[str]:
    low, high, whole = bounds["low"], bounds["high"], kind is int or int in get_args(kind)
    if value is None and type(None) in get_args(kind):
        return
    wanted = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted) or not math.isfinite(value):
        yield f"{name} is {value!r}; use a{'n integer' if whole else ' number'} from {low} to {high}"
    elif not low <= value <= high:
        yield f"{name} is {value!r}; the range is {low} to {high}"


def _member_violations(name: str, values: Any, allowed: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(values, (tuple, list)):
        yield f"{name} is {values!r}; use a list of some of {', '.join(allowed)}"
        return
    for value in values:
        if value not in allowed:
            yield f"{name} holds {value!r}; use some of {', '.join(allowed)}"


def _table_violations(name: str, table: Mapping[str, Any], most: float) -> Iterator[str]:
    bound = "" if math.isinf(most) else f" and at most {most:g}"
    for key, value in table.items():
        number = not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(value)
        if not (number and 0 < value <= most):
            yield f"{name}.{key} is {value!r}; use a number above 0{bound}"

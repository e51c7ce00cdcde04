"""How a setting declares its bounds, and how all violations are found at once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import Field, field, fields
from functools import lru_cache
from typing import Any, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

__all__ = ["choice", "kinds", "members", "number", "optional", "table", "violations"]

ORDERED = (
    ("observer.minimum_characters", "observer.maximum_characters"),
    ("gate.gap_from", "gate.update_from"),
    ("gate.update_from", "gate.reinforce_from"),
    ("importance.boost_low", "importance.boost_high"),
    ("relations.trimmed_to", "relations.maximum"),
    ("tagging.weak_below", "tagging.strong_from"),
    ("feedback.calibrate_from", "feedback.calibrate_most"),
    ("guard.writes_flagged", "guard.writes_most"),
    ("guard.copies_flagged", "guard.copies_most"),
    ("consolidation.fading.least", "consolidation.fading.most"),
    ("consolidation.themes.least", "consolidation.themes.most"),
    ("consolidation.insights.least", "consolidation.insights.most"),
    ("consolidation.promotion.demote_utility", "consolidation.promotion.utility"),
)
"""Pairs of settings of one section: the first may not be above the second."""


def number(default: float | None, low: float, high: float) -> Any:
    """A dataclass field with an inclusive range."""
    return field(default=default, metadata={"low": low, "high": high})


def choice(default: str, *allowed: str) -> Any:
    """A dataclass field with a closed set of values."""
    return field(default=default, metadata={"allowed": allowed})


def members(default: tuple[str, ...], *allowed: str) -> Any:
    """A dataclass field with several of a closed set of values."""
    return field(default=default, metadata={"members": allowed})


def table(default: Mapping[str, float], *names: str, maximum: float) -> Any:
    """A dataclass field with a number above 0 and at most `most` for each of some names of a closed set."""
    return field(default_factory=lambda: dict(default), metadata={"names": names, "most": maximum})


def kinds(section: Any) -> dict[str, Any]:
    """The type of each setting of a section, by name."""
    return _hints(section.__class__)


def optional(kind: Any) -> bool:
    """Whether a setting of that type may be None."""
    return type(None) in get_args(kind)


def violations(section: Any, prefix: str) -> Iterator[str]:
    """Every value of a section, and of the sections in it, that is out of bounds, as a sentence with the fix."""
    hints = kinds(section)
    for item in fields(section):
        name = prefix + item.name
        value = getattr(section, item.name)
        kind = hints[item.name]
        if value is None and optional(kind):
            continue
        if not _fits(value, _base(kind)):
            yield f"{name} is {_shown_value(item, value)}; use {_allowed_values(kind, item.metadata)}"
        elif dataclasses.is_dataclass(value):
            yield from violations(value, name + ".")
        else:
            yield from _out_of_bounds(name, value, kind, item.metadata)
    yield from _misordered_pairs(section, prefix)


@lru_cache(maxsize=64)
def _hints(section: Any) -> dict[str, Any]:
    return get_type_hints(section)


def _base(kind: Any) -> Any:
    """The type without None and without what it holds: `tuple[str, ...]` is a tuple."""
    if optional(kind):
        kind = next(alternative for alternative in get_args(kind) if alternative is not type(None))
    return get_origin(kind) or kind


def _fits(value: Any, kind: Any) -> bool:
    if kind in (int, float):
        return _is_number(value) and (kind is float or isinstance(value, int))
    return isinstance(value, (tuple, list) if kind is tuple else kind)


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _shown_value(item: Field[Any], value: Any) -> str:
    """The value as a message shows it; of what may hold a password only its type."""
    return repr(value) if item.repr else f"of the type {type(value).__name__}"


def _allowed_values(kind: Any, bounds: Mapping[str, Any]) -> str:
    """What a setting may be, after "use"."""
    base = _base(kind)
    if "low" in bounds:
        words = f"{'an integer' if base is int else 'a number'} from {bounds['low']} to {bounds['high']}"
    elif "allowed" in bounds:
        words = f"one of {', '.join(bounds['allowed'])}"
    elif "members" in bounds:
        words = (
            f'a list of some of {", ".join(bounds["members"])}, such as ["{bounds["members"][0]}"]'
        )
    elif "names" in bounds:
        words = f"a table with a number for some of {', '.join(bounds['names'])}"
    else:
        words = {bool: "true or false", str: "a text"}.get(base, f"a {base.__name__}")
    return f"{words}, or none" if optional(kind) else words


def _out_of_bounds(name: str, value: Any, kind: Any, bounds: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a value of the right type."""
    if "low" in bounds and not bounds["low"] <= value <= bounds["high"]:
        unset = ", or none" if optional(kind) else ""
        yield f"{name} is {value!r}; the range is {bounds['low']} to {bounds['high']}{unset}"
    elif "allowed" in bounds and value not in bounds["allowed"]:
        yield f"{name} is {value!r}; use one of {', '.join(bounds['allowed'])}"
    elif "members" in bounds:
        allowed_names = ", ".join(bounds["members"])
        yield from (
            f"{name} holds {member!r}; use some of {allowed_names}"
            for member in value
            if member not in bounds["members"]
        )
    elif "zone" in bounds and not _is_zone(value):
        yield f"{name} is {value!r}; use the name of a time zone known here, such as 'Europe/Istanbul', or ''"
    elif "names" in bounds:
        yield from _wrong_entries(name, value, bounds)


def _is_zone(value: str) -> bool:
    try:
        return value in ("", "UTC") or bool(ZoneInfo(value))
    except (OSError, KeyError, ValueError):
        return False


def _wrong_entries(
    name: str, entries: Mapping[str, Any], bounds: Mapping[str, Any]
) -> Iterator[str]:
    for key, value in entries.items():
        if key not in bounds["names"]:
            yield f"{name}.{key} is not a name that this table knows; use one of {', '.join(bounds['names'])}"
        elif not (_is_number(value) and 0 < value <= bounds["most"]):
            yield f"{name}.{key} is {value!r}; use a number above 0 and at most {bounds['most']:g}"


def _misordered_pairs(section: Any, prefix: str) -> Iterator[str]:
    """The pairs of `ORDERED` in this section of which the first is above the second."""
    for low, high in ORDERED:
        if low.rpartition(".")[0] + "." == prefix:
            first, second = (getattr(section, name.rpartition(".")[2]) for name in (low, high))
            if _is_number(first) and _is_number(second) and first > second:
                yield f"{low} is {first!r}, above {high}, which is {second!r}; lower the one or raise the other"

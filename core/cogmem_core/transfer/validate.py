"""Whether values read from a file fit the fields of a record: a file may be damaged or made by hand. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cogmem_core.base.runtime import is_id
from cogmem_core.storage.ledger.codec import hints_of

_LARGEST = 2**63 - 1
_IDS = ("id", "memory_id", "source_id", "target_id", "superseded_by")
_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        ("importance", "utility", "arousal", "intensity", "source_confidence", "trust"), (0.0, 1.0)
    ),
    **dict.fromkeys(("ratio", "prior", "weight", "confidence"), (0.0, 1.0)),
    **dict.fromkeys(("difficulty", "storage_strength"), (1.0, 10.0)),
    **dict.fromkeys(
        ("access_count", "used_count", "ignored_streak", "retrieval_count"), (0.0, 2**31 - 1)
    ),
    **dict.fromkeys(("stability", "initial_stability"), (math.ulp(0.0), 1e6)),  # days
    "reinforcement_interval": (0.0, math.inf),
    "valence": (-1.0, 1.0),
    "number": (0.0, 2**31 - 1),
    "version": (1.0, 2**31 - 1),
}
"""Of the fields that have these names in any record."""
_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda _value: True,
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    int: lambda value: _is_number(value, int) and abs(value) <= _LARGEST,
    float: lambda value: _is_number(value, int, float) and math.isfinite(value),
    datetime: lambda value: isinstance(value, datetime) and _in_the_calendar(value),
}


def checked(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, if each has the type that the record declares for its field.

    Raises:
        ValueError: one has not; says which.
    """
    for name, hint in hints_of(kind).items():
        if name in values and not (_fits(hint, values[name]) and _in_range(name, values[name])):
            raise ValueError(f"{name} cannot be {str(values[name])[:60]!r}")
    return dict(values)


def identified(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The line, if every id in it is a UUID as this package writes them.

    Raises:
        ValueError: one is not; says which.
    """
    for name in _IDS:
        value = line.get(name)
        if value is not None and not (isinstance(value, str) and is_id(value)):
            raise ValueError(f"{name} cannot be {str(value)[:60]!r}: it is no UUID")
    return line


def _in_range(name: str, value: Any) -> bool:
    low, high = _RANGES.get(name, (-math.inf, math.inf))
    return not _is_number(value, int, float) or low <= value <= high


def _fits(hint: Any, value: Any) -> bool:
    origin = get_origin(hint)
    arguments = get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin in (Union, UnionType):
        return any(_fits(argument, value) for argument in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(arguments[0], item) for item in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(
            _fits(arguments[1], item) for item in value.values()
        )
    return _PLAIN[hint](value) if hint in _PLAIN else isinstance(value, hint)


def _in_the_calendar(moment: datetime) -> bool:
    """Aware, and a moment of the years 1 to 9999 also in UTC, in which it is stored."""
    try:
        return moment.utcoffset() is not None and bool(moment.astimezone(timezone.utc))
    except OverflowError:
        return False


def _is_number(value: Any, *kinds: type) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)

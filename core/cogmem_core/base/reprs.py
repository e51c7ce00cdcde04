"""How records show themselves: in a notebook or a log on one line, to other programs as JSON values. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any

_LONGEST = 60
"""Characters of a text that are shown."""
_LISTED = 3
"""Entries of a list that are shown."""


def brief(record: object, *names: str, **more: Any) -> str:
    """`Class(name=value, ...)` of these attributes, without those that are empty.

    Args:
        record: whose class is named.
        names: its attributes, in order.
        more: what is no attribute of it.
    """
    parts = [f"{name}={_shown(value)}" for name, value in filled(record, names, more)]
    return f"{type(record).__name__}({', '.join(parts)})"


def filled(record: object, names: Sequence[str], more: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """These attributes of a record, and what is none, by name, without those that are empty."""
    values = {name: getattr(record, name) for name in names} | more
    for name, value in values.items():
        if value is not None and value not in ("", (), [], {}):
            yield name, value


def _shown(value: object) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M%z}"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, Sequence):
        parts = list(map(_shown, value[:_LISTED]))
        if len(value) > _LISTED:
            parts.append(f"... {len(value) - _LISTED} more")
        return f"[{', '.join(parts)}]"
    return repr(value)


def plain(value: Any) -> Any:
    """The value as JSON knows it: dataclasses as objects, dates as ISO 8601, tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value) if item.repr}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

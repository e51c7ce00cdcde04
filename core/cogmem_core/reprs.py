"""How records show themselves in a notebook or a log: on one line, with what tells them apart. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

__all__ = ["brief"]

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
    values = {name: getattr(record, name) for name in names} | more
    shown = [f"{name}={_shown(value)}" for name, value in values.items() if _tells(value)]
    return f"{type(record).__name__}({', '.join(shown)})"


def _tells(value: object) -> bool:
    return value is not None and value not in ("", (), [], {})


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

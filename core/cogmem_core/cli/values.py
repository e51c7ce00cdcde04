"""Values for output: JSON for programs, harmless text for terminals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

from cogmem_core.text.plural import first_of

__all__ = ["SHORT_ID", "clean", "document", "line", "plain", "short", "some"]

SHORT_ID = 12
"""Characters of an id that tables show: its last group, which is random and can be typed instead of the whole id."""
_NAMED = 5

# A stored text could steer the terminal (titles, colours, cursor): escapes and other controls become visible signs.
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_CONTROLS |= {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)


def plain(value: Any) -> Any:
    """The value as JSON knows it: dataclasses as objects, dates as ISO 8601, tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value) if item.repr}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def document(value: Any, encoding: str | None) -> str:
    """One JSON document, indented; escaped to ASCII where the stream cannot take more."""
    utf8 = (encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(plain(value), ensure_ascii=not utf8, indent=2)


def clean(text: str) -> str:
    """The text without the power to steer a terminal."""
    return text.translate(_CONTROLS)


def line(text: str) -> str:
    """The text on one line, cleaned."""
    return clean(" ".join(text.split()))


def short(memory_id: str) -> str:
    """The part of an id that tables show; every command accepts it."""
    return memory_id[-SHORT_ID:]


def some(names: Sequence[str]) -> str:
    """The first names on one line, and how many more there are."""
    return first_of([line(name) for name in names], _NAMED)

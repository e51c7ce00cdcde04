"""How records show themselves in a notebook: as tables. Pure.

What people said is only ever text in these tables: an XML library writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree

from cogmem_core.base.reprs import filled

NOTEBOOK_ROWS = 20
"""Rows that a notebook shows of a long report."""
_LISTED = 3
CONTROLS = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
_LONGEST_CELL = 500


def visible(text: str) -> str:
    """The text with marks in place of control characters and of lone surrogates, which no page may hold."""
    return text.translate(CONTROLS).encode("utf-8", "replace").decode("utf-8")


def html_table(
    caption: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    most: int | None = None,
    more: int = 0,
) -> str:
    """A table for `_repr_html_`.

    Args:
        caption: what it shows.
        headings: of the columns.
        rows: their values.
        most: so many rows are shown; None = all.
        more: how many further rows there are.
    """
    table = ElementTree.Element("table", {"class": "cogmem"})
    _add(table, "caption", caption).set("style", _CAPTION)
    head = ElementTree.SubElement(ElementTree.SubElement(table, "thead"), "tr")
    for heading in headings:
        _add(head, "th", heading).set("style", _CELL)
    body = ElementTree.SubElement(table, "tbody")
    for row in rows[:most]:
        line = ElementTree.SubElement(body, "tr")
        for value in row:
            _add(line, "td", value).set("style", _CELL)
    more += len(rows) - len(rows[:most])
    if more:
        last = _add(ElementTree.SubElement(body, "tr"), "td", f"... and {more} more")
        last.set("style", _CELL)
        last.set("colspan", str(len(headings)))
    return ElementTree.tostring(table, encoding="unicode", method="html")


def html_card(record: object, *names: str, **more: Any) -> str:
    """A table with a line for each of these attributes, without those that are empty.

    Args:
        record: whose class is named.
        names: its attributes, in order.
        more: what is no attribute of it.
    """
    rows = [(name.replace("_", " "), value) for name, value in filled(record, names, more)]
    return html_table(type(record).__name__, ("what", "value"), rows)


_CAPTION = "text-align: left; font-weight: bold; padding: 0.3em 0.6em 0.3em 0"
_CELL = "text-align: left; vertical-align: top; white-space: pre-wrap; max-width: 60ch"


def _add(parent: ElementTree.Element, tag: str, value: object) -> ElementTree.Element:
    """An element with a text, whose direction is its own and does not reach beyond it."""
    element = ElementTree.SubElement(parent, tag, {"dir": "auto"})
    element.text = visible(_told(value))
    return element


def _told(value: object) -> str:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_CELL else f"{value[: _LONGEST_CELL - 1]}…"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_told(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        parts = [_told(item) for item in value[:_LISTED]]
        parts += [f"... {len(value) - _LISTED} more"] if len(value) > _LISTED else []
        return "; ".join(parts)
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M%z}"
    if isinstance(value, float):
        return f"{value:.3g}"
    return "" if value is None else str(value)

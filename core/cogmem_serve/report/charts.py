"""The elements of the page, and its drawings as SVG: when things were said, and what is related to what. Pure.

An XML library writes the elements, so that what people said is only ever text in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element, tostring

from cogmem_core.base.html_tables import visible
from cogmem_core.models import Memory, Relation

Child = Element | str


def el(tag: str, *children: Child, **attributes: object) -> Element:
    """An element; `class_` is the attribute class, `stroke_width` is stroke-width."""
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    element = Element(tag, {name: _attribute(value) for name, value in names.items()})
    for child in children:
        if isinstance(child, str):
            _append_text(element, visible(child))
        else:
            element.append(child)
    return element


def said(text: str) -> Element:
    """What somebody said: its direction is its own, and does not reach beyond it."""
    return el("span", text, class_="said", dir="auto")


def written(element: Element) -> str:
    """As HTML."""
    return tostring(element, encoding="unicode", method="html")


def _attribute(value: object) -> str:
    return (
        f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else visible(str(value))
    )


def _append_text(element: Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


_WIDTH = 960.0
_LEFT = 110.0
_LANE = 26.0
_AXIS = 28.0
_ROW = 22.0
_LABEL = 560.0
_LONGEST = 72
_MOST_ARCS = 36
"""Memories that the arcs join; more would be a tangle."""
RELATION_KINDS = 6
"""So many kinds of relations have a colour of their own."""


def timeline(memories: Sequence[Memory]) -> Element:
    """A dot for each memory at the time when it was said, in the lane of its category."""
    names = _by_frequency(memory.category for memory in memories)
    first = min(memory.recorded_at for memory in memories)
    last = max(memory.recorded_at for memory in memories)
    span = max(last - first, timedelta(hours=1))
    height = len(names) * _LANE + _AXIS

    def x(moment: datetime) -> float:
        return _LEFT + (_WIDTH - _LEFT - 16) * ((moment - first) / span)

    drawing = _svg(height, "When it was said, by category")
    for position, name in enumerate(names):
        y = position * _LANE + _LANE / 2
        drawing.append(el("text", name, x=0, y=y + 4, class_="lane"))
        drawing.append(el("line", x1=_LEFT, x2=_WIDTH, y1=y, y2=y, class_="rail"))
    for moment, label in _ticks(first, last):
        drawing.append(el("text", label, x=x(moment), y=height - 6, class_="tick"))
    for memory in memories:
        lane = names.index(memory.category)
        state = "dot" if memory.state == "active" else "dot gone"
        title = f"{memory.recorded_at:%Y-%m-%d}  {memory.content}"
        dot = el(
            "circle",
            el("title", title if memory.state == "active" else f"{title} ({memory.state})"),
            cx=x(memory.recorded_at),
            cy=lane * _LANE + _LANE / 2,
            r=3.0 + 3.0 * memory.importance,
            class_=f"{state} hue{lane % RELATION_KINDS}",
        )
        drawing.append(dot)
    return drawing


def _ticks(first: datetime, last: datetime) -> list[tuple[datetime, str]]:
    """Six moments from the first to the last; in days, in months or in years."""
    span = last - first
    form = "%Y-%m-%d" if span < timedelta(days=900) else "%Y"
    if span < timedelta(days=2):
        form = "%m-%d %H:%M"
    moments = [first + span * part / 5 for part in range(6)] if span else [first]
    return [(moment, f"{moment:{form}}") for moment in moments]


def arcs(memories: Sequence[Memory], relations: Sequence[Relation]) -> Element:
    """Memories one below the other, oldest first, and an arc between two that are related."""
    strongest = sorted(relations, key=lambda relation: -relation.weight)
    ids: set[str] = set()
    for relation in strongest:
        both = ids | {relation.source_id, relation.target_id}
        if len(both) <= _MOST_ARCS:
            ids = both
    shown_memories = [memory for memory in memories if memory.id in ids]
    rows = {memory.id: position * _ROW + _ROW / 2 for position, memory in enumerate(shown_memories)}
    kinds = relation_kinds(relations)
    drawing = _svg(len(shown_memories) * _ROW, "What is related to what")
    for memory in shown_memories:
        text = " ".join(memory.content.split())
        label = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        y = rows[memory.id]
        drawing.append(el("text", label, x=_LABEL - 12, y=y + 4, class_="end", text_anchor="end"))
        drawing.append(el("circle", cx=_LABEL, cy=y, r=2.5, class_="knot"))
    for relation in strongest:
        if relation.source_id in rows and relation.target_id in rows:
            drawing.append(_arc(rows, relation, kinds.index(relation.type)))
    return drawing


def relation_kinds(relations: Sequence[Relation]) -> list[str]:
    """The types of relations, the most frequent first."""
    return _by_frequency(relation.type for relation in relations)


def _by_frequency(names: Iterable[str]) -> list[str]:
    counts = Counter(names)
    return sorted(counts, key=lambda name: (-counts[name], name))


def _arc(rows: dict[str, float], relation: Relation, kind: int) -> Element:
    top, bottom = sorted((rows[relation.source_id], rows[relation.target_id]))
    reach = min(_WIDTH - _LABEL - 20, 24 + (bottom - top) * 0.75)
    near = f"{_LABEL + 5:g}"
    far = f"{_LABEL + reach:.1f}"
    path = f"M{near} {top:g} C{far} {top:g} {far} {bottom:g} {near} {bottom:g}"
    return el(
        "path",
        el("title", f"{relation.type}, weight {relation.weight:.2f}"),
        d=path,
        class_=f"arc hue{kind % RELATION_KINDS}",
        stroke_width=0.8 + 2.0 * relation.weight,
    )


def _svg(height: float, label: str) -> Element:
    return el(
        "svg",
        viewBox=f"0 0 {_WIDTH:g} {height:g}",
        role="img",
        aria_label=label,
        class_="chart",
    )

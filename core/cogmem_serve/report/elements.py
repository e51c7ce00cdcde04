"""Elements of a page. An XML library writes them, so that what people said is only ever text in them."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

from cogmem_core.base.html_tables import visible

__all__ = ["Child", "Element", "el", "said", "written"]

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

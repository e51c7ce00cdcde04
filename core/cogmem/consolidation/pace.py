"""What keeps a step from working too long without a pause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from cogmem.consolidation.tools import Tools

__all__ = ["paced"]

Item = TypeVar("Item")
_STRIDE = 500


def paced(tools: Tools, items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a breath after every few hundred of them."""
    for number, item in enumerate(items, 1):
        yield item
        if number % _STRIDE == 0:
            tools.breathe()

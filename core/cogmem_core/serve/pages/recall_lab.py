"""The recall lab: what a question finds and why, what was withheld, and why something is not there."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from cogmem_core.errors import InvalidInput
from cogmem_core.serve.pages.charts import parts
from cogmem_core.serve.pages.page import Page

__all__ = ["show"]

_MOST = 50
_WITHHELD = 10


def show(page: Page) -> Response:
    """Ask, and show what each result is made of."""
    query = page.asked("q")
    kept = {
        "q": query or "",
        "k": page.asked("k") or "8",
        "mode": page.asked("mode") or "current",
        "deep": page.asked("deep"),
        "why": page.asked("why") or "",
    }
    found: Any = None
    missing = ""
    if query is not None:
        found = page.bank.recall(
            query, k=_count(kept["k"] or ""), mode=str(kept["mode"]), deep=bool(kept["deep"])
        )
        if kept["why"]:
            missing = found.missed(page.bank.get(str(kept["why"])).id)
    return page.show(
        "recall.html",
        found=found,
        context="" if found is None else found.context(),
        parts=parts,
        withheld=() if found is None else found.withheld[:_WITHHELD],
        missing=missing,
        kept=kept,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= _MOST:
        raise InvalidInput(f"k is not a number from 1 to {_MOST}")
    return int(text)

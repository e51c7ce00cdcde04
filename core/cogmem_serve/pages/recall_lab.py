"""The recall lab: what a question finds and why, what was withheld, and why something is not there."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from cogmem_core.errors import InvalidInput
from cogmem_serve.pages.charts import parts
from cogmem_serve.pages.page import Page

_MOST = 50
_WITHHELD = 10


def show(page: Page) -> Response:
    """Ask, and show what each result is made of."""
    query = page.asked("q")
    parameters = {
        "q": query or "",
        "k": page.asked("k") or "8",
        "mode": page.asked("mode") or "current",
        "deep": page.asked("deep"),
        "why": page.asked("why") or "",
    }
    recall: Any = None
    missing = ""
    if query is not None:
        recall = page.bank.recall(
            query,
            k=_count(parameters["k"] or ""),
            mode=str(parameters["mode"]),
            deep=bool(parameters["deep"]),
        )
        if parameters["why"]:
            missing = recall.missed(page.bank.get(str(parameters["why"])).id)
    return page.show(
        "recall.html",
        found=recall,
        context="" if recall is None else recall.context(),
        parts=parts,
        withheld=() if recall is None else recall.withheld[:_WITHHELD],
        missing=missing,
        kept=parameters,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= _MOST:
        raise InvalidInput(f"k is not a number from 1 to {_MOST}")
    return int(text)

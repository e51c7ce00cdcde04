"""The first page: how much is there, what was learnt, what is new, what is due, how the night was."""

from __future__ import annotations

from starlette.responses import Response

from cogmem_core.models import STATES
from cogmem_serve.pages.page import Page

_NEWEST = 8
_DUE = 5


def show(page: Page) -> Response:
    """Counts, the newest memories, what is due, the last dream."""
    bank = page.bank
    counts = {state: bank.count(state=state) for state in STATES}
    return page.show(
        "overview.html",
        counts=counts,
        learnt=bank.learnt(),
        newest=bank.list(state="active", limit=_NEWEST, newest_first=True),
        due=bank.intentions(("due", "proposed"))[:_DUE],
        coming=bank.intentions("open")[:_DUE],
        runs=bank.consolidation_runs(limit=1),
    )

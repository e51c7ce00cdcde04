"""The page of what waits for a person: doubts, what is proposed, what it would replace, and the decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.responses import Response

from cogmem_core.engine import MemoryBank
from cogmem_core.models import Memory, Review
from cogmem_serve.pages.lines import known
from cogmem_serve.pages.memories import settle_versions
from cogmem_serve.pages.page import Page
from cogmem_serve.refusal import Problem

_SHOWN = 50
_UNDECIDED = ("waiting", "expired")
_DECISIONS: Mapping[str, Callable[[MemoryBank, str], Review]] = {
    "approve": lambda bank, review_id: bank.approve(review_id),
    "keep-both": lambda bank, review_id: bank.approve(review_id, keep_both=True),
    "reject": lambda bank, review_id: bank.reject(review_id),
}


def show(page: Page) -> Response:
    """Doubts, the newest first; what waits, the oldest first, and what nobody decided in time."""
    bank = page.bank
    undecided = bank.reviews(_UNDECIDED)
    reviews = [
        (review, known(bank, review.target_id), _memories(bank, review.replaces))
        for review in undecided[:_SHOWN]
    ]
    more = len(undecided) - len(reviews)
    return page.show("review.html", doubts=bank.doubts(_SHOWN), reviews=reviews, more=more)


def _memories(bank: MemoryBank, ids: Sequence[str]) -> list[Memory]:
    memories = (known(bank, memory_id) for memory_id in ids)
    return [memory for memory in memories if memory is not None]


def decide(page: Page) -> Response:
    """Approve or reject one."""
    decision = page.request.path_params["decision"]
    if decision not in _DECISIONS:
        raise Problem(404, "there is no such decision")
    _DECISIONS[decision](page.bank, page.request.path_params["review_id"])
    return page.go("/ui/review", done=decision)


def settle(page: Page) -> Response:
    """Say which of two versions holds."""
    _, undo = settle_versions(page.bank, page.request.path_params["memory_id"], page)
    return page.back("/ui/review", done="settle", undo=undo)

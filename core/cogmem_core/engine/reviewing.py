"""Reviews, as users call them: arguments checked, the op log written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cogmem_core import checks, reviews
from cogmem_core.models import Review
from cogmem_core.services import Services

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine

__all__ = ["decide", "list_reviews"]


def list_reviews(
    services: Services, namespace: str, state: str | Sequence[str] | None
) -> tuple[Review, ...]:
    """Reviews in some states, oldest first; in all of them if None."""
    states = None
    if state is not None:
        given = (state,) if isinstance(state, str) else checks.listed("state", state)
        states = [checks.choice("state", name, reviews.STATES) for name in given]
    return reviews.all_of(services, namespace, states)


def decide(
    engine: Engine, namespace: str, review_id: object, *, approve: bool, keep_both: object = False
) -> Review:
    """Approve or reject what waits."""
    services = engine.open_services
    checked_id = checks.identifier("review_id", review_id)
    both = checks.flag("keep_both", keep_both)
    op = "approve" if approve else "reject"
    with services.log_operation(op, namespace=namespace, id=checked_id):
        review = reviews.decide(services, namespace, checked_id, approve=approve, keep_both=both)
    engine.changed()
    return review

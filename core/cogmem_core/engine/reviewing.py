"""Reviews, as users call them: arguments checked, rights asked, the op log written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from cogmem_core.access import OPERATOR
from cogmem_core.changes import Actor
from cogmem_core.edge import checks
from cogmem_core.engine.filters import checked_states
from cogmem_core.engine.sharing import not_its_own, parts
from cogmem_core.errors import NotFound
from cogmem_core.upkeep import reviews
from cogmem_core.values.models import Review

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank


def list_reviews(bank: MemoryBank, state: str | Sequence[str] | None) -> tuple[Review, ...]:
    """Reviews in some states, oldest first; in all of them if None."""
    services = bank.engine.open_services
    states = checked_states(state, reviews.STATES)
    by_namespace = [reviews.all_of(services, name, states) for name in parts(bank, "review")]
    if len(by_namespace) == 1:
        return by_namespace[0]
    return tuple(sorted(chain.from_iterable(by_namespace), key=lambda review: review.created_at))


def decide(
    bank: MemoryBank, review_id: object, *, approve: bool, keep_both: object = False
) -> Review:
    """Approve or reject what waits, in the namespace or in one of its compartments."""
    services = bank.engine.open_services
    checked_id = checks.identifier("review_id", review_id)
    both = checks.flag("keep_both", keep_both)
    namespace = _place_of(bank, checked_id)
    if bank.principal != OPERATOR:
        not_its_own(bank, reviews.target_of(services, namespace, checked_id))
    with bank._changing("approve" if approve else "reject", id=checked_id):
        return reviews.decide(
            services,
            namespace,
            checked_id,
            approve=approve,
            keep_both=both,
            actor=Actor("user", principal=bank.principal),
        )


def _place_of(bank: MemoryBank, review_id: str) -> str:
    """The part of a bank that has the review; the namespace itself if none has."""
    services = bank.engine.open_services
    for name in parts(bank, "review")[1:]:
        try:
            reviews.target_of(services, name, review_id)
        except NotFound:
            continue
        return name
    return bank.namespace

"""What waits for a person: listed with its texts, approved, rejected, or settled because nobody looked in time.

`changes.reviewed` holds back and closes; here it is said what a decision changes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import get_args

from cogmem_core.changes import (
    Actor,
    Applied,
    Change,
    Move,
    Revive,
    Touch,
    apply,
    carry_out,
)
from cogmem_core.edge import checks
from cogmem_core.encoding.answers import undoubted
from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.forgetting import drop_notes, forget_recent, put_away
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.encoding.withdrawals import denied_clauses
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.intentions import as_it_stands
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.values.access_records import HELD_BY, THE_OPERATOR, WRITTEN_BY
from cogmem_core.values.models import Intention, Memory, Procedure, Review, ReviewState

STATES: tuple[ReviewState, ...] = get_args(ReviewState)
Target = Memory | Procedure | Intention
"""What may wait."""
_SYSTEM = Actor("review")
_APPROVED = "approved in review"
_REJECTED = "rejected in review"
_OVERDUE = "nobody decided in time"


def all_of(
    services: Services, namespace: str, states: Collection[str] | None
) -> tuple[Review, ...]:
    """Reviews with the texts that are proposed, oldest first; `states`: only those in one of them."""
    with services.ledger.reading(namespace) as ns:
        return _with_texts(ns, ns.reviews.all(None if states is None else tuple(states)))


def target_of(services: Services, namespace: str, review_id: str) -> Target:
    """What waits by that id, or by that of its review.

    Raises:
        NotFound: there is no such review.
        InvalidInput: it was decided already.
    """
    with services.ledger.reading(namespace) as ns:
        target_id = _open(ns, namespace, review_id).target_id
        return targets_of(ns, [target_id])[target_id]


def is_open(services: Services, namespace: str, target_id: str) -> bool:
    """Whether somebody may still decide about a memory, procedure or intention."""
    with services.ledger.reading(namespace) as ns:
        return bool(ns.reviews.of_targets([target_id], ("waiting", "expired")))


def targets_of(ns: Namespace, ids: Sequence[str]) -> dict[str, Target]:
    """What reviews may be about, by id."""
    return {**ns.memories.by_ids(ids), **ns.procedures.by_ids(ids), **ns.intentions.by_ids(ids)}


def _with_texts(ns: Namespace, reviews: Sequence[Review]) -> tuple[Review, ...]:
    targets = targets_of(ns, [review.target_id for review in reviews])
    return tuple(
        replace(review, content=_text(targets.get(review.target_id))) for review in reviews
    )


def _text(target: Target | None) -> str:
    if isinstance(target, Procedure):
        return f"{target.trigger}: {' > '.join(target.steps)}"
    if isinstance(target, Intention):
        return f"{target.text} ({_occasion(target)})"
    return "" if target is None else target.content


def _occasion(intention: Intention) -> str:
    """When an intention is to come up, in words."""
    if intention.when is not None:
        return f"when: {intention.when}"
    if intention.at is not None:
        return f"at {intention.at.isoformat(timespec='minutes')}"
    return "in a session"


def decide(
    services: Services,
    namespace: str,
    review_id: str,
    *,
    approve: bool,
    keep_both: bool = False,
    actor: Actor,
) -> Review:
    """Approve or reject what waits.

    Args:
        services: the parts of the engine.
        namespace: where.
        review_id: of the review, or of the memory, procedure or intention that waits.
        approve: what is decided.
        keep_both: what it would take the place of stays as it is.
        actor: who decides.

    Raises:
        NotFound: there is no such review.
        InvalidInput: it was decided already.
    """
    with services.ledger.reading(namespace) as ns:
        review = _open(ns, namespace, review_id)
    former: list[Memory] = []

    def work(writer: Transaction) -> Applied:
        ns = writer.at(namespace)
        current = _open(ns, namespace, review_id)
        target = targets_of(ns, [current.target_id])[current.target_id]
        now = services.runtime.now()
        former.clear()
        if not approve:
            former.extend([target] if isinstance(target, Memory) else [])
            changes = _rejecting(ns, target)
        else:
            services.guard_embedder(writer, namespace)
            replaces = () if keep_both else current.replaces
            former.extend(ns.memories.by_ids(replaces).values())
            changes = _approving(target, former, now)
            changes += _standing_for(target, current, actor)
            if keep_both:
                changes += undoubted(ns, {target.id, *current.replaces})
        applied = apply(writer, namespace, changes, now=now, actor=actor)
        if not approve:
            drop_notes(ns, former)
        if applied.refused and applied.refused[0].change is changes[0]:
            # Only where nobody decided: what a person rejected meanwhile is not approved.
            refused = replace(current, state="rejected", reason=applied.refused[0].reason)
            return apply(writer, namespace, [Move(refused, "reviewed")], now=now, actor=actor)
        return applied

    applied = services.ledger.write(namespace, work)
    services.update_indexes(namespace, applied)
    forget_recent(services, namespace, former)
    with services.ledger.reading(namespace) as ns:
        return _with_texts(ns, list(ns.reviews.by_ids([review.id]).values()))[0]


def _open(ns: Namespace, namespace: str, review_id: str) -> Review:
    """The review of that id, or of what waits by that id, if it can still be decided."""
    found = ns.reviews.by_ids([review_id]).get(review_id)
    review = found or ns.reviews.of_targets([review_id], STATES).get(review_id)
    if review is None:
        raise NotFound(
            f"no review {checks.display(review_id)} in namespace {namespace!r}; bank.reviews() "
            "shows them"
        )
    if review.state not in ("waiting", "expired"):
        raise InvalidInput(
            f"review {review_id!r} is {review.state} already; bank.forget and bank.restore change "
            "what came of it"
        )
    return review


def _approving(new: Target, replaced: Sequence[Memory], now: datetime) -> list[Change]:
    if isinstance(new, Procedure):
        return [Move(replace(new, state="candidate", reason=_APPROVED), _APPROVED)]
    if isinstance(new, Intention):
        standing = as_it_stands(new, now)  # it comes too late once its moment is over
        if standing.state != "expired":
            standing = replace(new, state="open")
        return [Move(standing, _APPROVED)]
    changes: list[Change] = [Revive(new.id, _APPROVED, {"last_reinforced_at": now})]
    for old in replaced:
        if old.state != "active" or old.protected:
            continue
        parts = denied_clauses(old, new.content, same_speaker=voice_of(old) == voice_of(new))
        rejects = new.data_source == "user_message"
        changes += superseding(old, new, _APPROVED, now, parts=parts, rejects=rejects)
    return changes


def _standing_for(new: Target, review: Review, actor: Actor) -> list[Change]:
    """Whoever approves what an agent wrote, or somebody else's bank told, holds it."""
    if not isinstance(new, Memory) or not actor.is_person:
        return []
    if review.kind != "shared" and WRITTEN_BY not in new.metadata:
        return []
    metadata = {**new.metadata, HELD_BY: actor.principal or THE_OPERATOR}
    return [Touch(new.id, {"metadata": metadata}, _APPROVED)]


def _rejecting(ns: Namespace, target: Target) -> list[Change]:
    if isinstance(target, Procedure):
        return [Move(replace(target, state="retired", reason=_REJECTED), _REJECTED)]
    if isinstance(target, Intention):
        return [Move(replace(target, state="rejected"), _REJECTED)]
    return put_away(ns, [target], _REJECTED)


def settle_overdue(services: Services, namespace: str) -> int:
    """Do what `guard.review_default` says with what nobody looked at in time; returns how many."""
    now = services.runtime.now()
    with services.ledger.reading(namespace) as ns:
        overdue = ns.reviews.due(now)
    default = services.config.guard.review_default
    for review in overdue:
        if default == "expire":
            move = Move(replace(review, state="expired", reason=_OVERDUE), _OVERDUE)
            carry_out(services, namespace, [move], actor=_SYSTEM)
        else:
            approve = default == "approve"
            with suppress(InvalidInput, NotFound):  # somebody decided meanwhile
                decide(services, namespace, review.id, approve=approve, actor=_SYSTEM)
    return len(overdue)

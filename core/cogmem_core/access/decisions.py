"""Decides whether a principal may do something, and writes every decision down."""

from __future__ import annotations

from typing import cast

from cogmem_core.access.patterns import home_of
from cogmem_core.access.policy import Policy
from cogmem_core.errors import NotAllowed
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.access_records import AccessEntry, Right

OPERATOR = ""
"""Whoever opened the engine: everything is allowed, and nothing is decided."""


def policy_of(services: Services) -> Policy:
    """The policy as it is now."""
    with services.ledger.whole() as reader:
        return read_policy(services, reader)


def read_policy(services: Services, reader: Transaction) -> Policy:
    """The policy as a transaction sees it; read once per change."""

    def read() -> Policy:
        tables = reader.access
        principals = {principal.name: principal for principal in tables.principals()}
        return Policy(seq, principals, tables.grants(), tuple(tables.compartments()))

    seq = reader.access.seq()
    if not seq:  # nobody shares anything here
        return Policy()
    return cast(Policy, services.decisions.policy(seq, read))


def may(services: Services, principal: str, namespace: str, right: Right) -> bool:
    """Whether a principal has a right in a namespace; the decision is written down.

    A decision holds until a principal or a grant changes or ends: it stands in the access log once,
    by each process.
    """
    if principal == OPERATOR:
        return True
    policy = policy_of(services)
    decision = policy.decide(principal, namespace, right, services.runtime.now())
    key = (policy.seq, principal, namespace, right)
    recorded = services.decisions.is_recorded(key, allowed=decision.allowed)
    if not recorded and not services.ledger.read_only:
        about = {"namespaces": home_of(namespace), "reason": "; ".join(decision.reasons)}
        with services.ledger.beside() as writer:
            record(services, writer, principal, right, allowed=decision.allowed, **about)
    return decision.allowed


def allow(services: Services, principal: str, namespace: str, right: Right) -> None:
    """Go on if a principal has a right in a namespace.

    Raises:
        NotAllowed: it has not, whether the namespace exists or not.
    """
    if not may(services, principal, namespace, right):
        raise refused(principal, namespace, right)


def refused(principal: str, namespace: str, right: Right) -> NotAllowed:
    """The error of a refusal; it says nothing but what was asked."""
    return NotAllowed(
        f"{principal!r} has no right to {right} in {home_of(namespace)!r}; ask who administers it "
        "for a grant"
    )


def record(
    services: Services,
    writer: Transaction,
    principal: str,
    act: str,
    *,
    allowed: bool = True,
    **about: str,
) -> None:
    """Append to the access log; `about`: namespaces, reason and by."""
    entry = AccessEntry(
        id=services.runtime.new_id(),
        at=services.runtime.now(),
        principal=principal,
        act=act,
        allowed=allowed,
        **{"namespaces": "", **about},
    )
    writer.access.record(entry)

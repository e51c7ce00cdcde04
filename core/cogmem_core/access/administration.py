"""Principals and grants: adding, listing, revoking; each change stands in the access log."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from cogmem_core.access.decisions import OPERATOR, policy_of, read_policy, record, refused
from cogmem_core.access.patterns import checked_pattern
from cogmem_core.access.policy import Policy
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.process.services import Services
from cogmem_core.text.safety.secrets import redact
from cogmem_core.values.access_records import (
    EFFECTS,
    KINDS,
    RIGHTS,
    AccessEntry,
    Grant,
    Principal,
    PrincipalKind,
    Right,
)

_REASON_BYTES = 10_000


def checked_name(services: Services, argument: str, value: object) -> str:
    """The name of a principal, as it is stored.

    Raises:
        InvalidInput: it is unusable.
    """
    config = services.config
    name = checks.label(argument, value, config.limits)
    if name is None:
        raise InvalidInput(f"{argument} is None; give the name of a principal")
    return checks.without_secret(argument, name, config.encoding.secrets)


def require_principal(policy: Policy, argument: str, name: str) -> None:
    """Refuse a name that nobody has.

    Raises:
        NotFound: there is no such principal.
    """
    if name not in policy.principals:
        raise NotFound(
            f"{argument} is {checks.display(name)}, which is no principal; add it with "
            "engine.add_principal(name)"
        )


def add_principal(services: Services, name: object, *, kind: str, owner: str | None) -> Principal:
    """Add a principal, or change its kind and its owner.

    Raises:
        InvalidInput: an argument is unusable; an agent has no owner, or another principal has one;
            the ownership would run in a circle.
        NotFound: there is no such owner.
    """
    checked = checked_name(services, "name", name)
    checked_kind: PrincipalKind = checks.choice("kind", kind, KINDS)  # type: ignore[assignment]
    if (checked_kind == "agent") != (owner is not None):
        raise InvalidInput(
            f"kind is {kind!r} and owner is {checks.display(owner)}; an agent needs an owner, and only an agent "
            "has one"
        )
    checked_owner = None if owner is None else checked_name(services, "owner", owner)
    with services.ledger.writing() as writer:
        policy = read_policy(services, writer)
        if checked_owner is not None:
            if checked_owner == checked or checked in policy.owners(checked_owner):
                raise InvalidInput(
                    f"owner is {checks.display(owner)}, which {checked!r} owns itself; ownership cannot run in a "
                    "circle"
                )
            require_principal(policy, "owner", checked_owner)
        now = services.runtime.now()
        existing = policy.principals.get(checked)
        principal = Principal(
            checked, checked_kind, checked_owner, existing.created_at if existing else now
        )
        if principal == existing:
            return principal
        writer.access.put_principal(principal)
        description = f"{checked_kind} of {checked_owner}" if checked_owner else checked_kind
        record(services, writer, checked, "principal", reason=description)
    return principal


def principals(services: Services) -> tuple[Principal, ...]:
    """All principals, by name."""
    policy = policy_of(services)
    return tuple(policy.principals[name] for name in sorted(policy.principals))


def add_grant(
    services: Services,
    principal: object,
    namespaces: object,
    right: str,
    *,
    effect: str,
    reason: str,
    until: datetime | None,
    by: str = OPERATOR,
) -> Grant:
    """Grant a right, or deny it; the same grant that holds already is not stored twice.

    Raises:
        InvalidInput: an argument is unusable; `until` is over.
        NotFound: there is no such principal.
        NotAllowed: `by` does not administer all of these namespaces.
    """
    name = checked_name(services, "principal", principal)
    pattern = checked_pattern(namespaces, services.config)
    checked_right: Right = checks.choice("right", right, RIGHTS)  # type: ignore[assignment]
    if reason:
        reason = checks.text("reason", reason, _REASON_BYTES)
        if services.config.encoding.secrets != "keep":
            reason = redact(reason)
    now = services.runtime.now()
    end = None if until is None else checks.moment("until", until)
    if end is not None and end <= now:
        raise InvalidInput(f"until is {until}, which is over; give a later moment, or None")
    grant = Grant(
        id=services.runtime.new_id(),
        principal=name,
        namespaces=pattern,
        right=checked_right,
        effect=checks.choice("effect", effect, EFFECTS),  # type: ignore[arg-type]
        reason=reason,
        until=end,
        granted_by=by,
        granted_at=now,
    )
    with services.ledger.writing() as writer:
        policy = read_policy(services, writer)
        if by != OPERATOR and not policy.may_administer(by, pattern, now):
            raise refused(by, pattern, "admin")
        require_principal(policy, "principal", name)
        for other in policy.grants:
            if replace(other, id=grant.id, granted_by=by, granted_at=now, reason=reason) == grant:
                return other
        writer.access.add_grant(grant)
        description = f"{grant.effect} {right}"
        description += f" until {end.isoformat()}" if end else ""
        description += f": {reason}" if reason else ""
        record(services, writer, name, "grant", namespaces=pattern, reason=description, by=by)
    return grant


def grants(services: Services, principal: object, *, revoked: bool) -> tuple[Grant, ...]:
    """Grants, oldest first.

    Args:
        services: of the engine.
        principal: only those of this principal; None = all.
        revoked: also those that were revoked.

    Raises:
        NotFound: there is no such principal.
    """
    checks.flag("revoked", revoked)
    policy = policy_of(services)
    if principal is not None:
        require_principal(policy, "principal", checked_name(services, "principal", principal))
    with services.ledger.whole() as reader:
        all_grants = reader.access.grants(revoked=revoked)
    return tuple(grant for grant in all_grants if principal in (None, grant.principal))


def revoke(services: Services, grant_id: object, *, by: str = OPERATOR) -> Grant:
    """Revoke a grant; it stays on record.

    Raises:
        NotFound: there is no such grant, or it was revoked before.
        NotAllowed: `by` does not administer all of its namespaces.
    """
    checked_id = checks.identifier("grant_id", grant_id)
    now = services.runtime.now()
    with services.ledger.writing() as writer:
        policy = read_policy(services, writer)
        grant = next((grant for grant in policy.grants if grant.id == checked_id), None)
        hidden = by != OPERATOR and (
            grant is None or not policy.may_administer(by, grant.namespaces, now)
        )
        # To a principal a grant that it does not administer is as unknown as one that is not there.
        if grant is None or hidden:
            raise NotFound(
                f"no grant {checks.display(checked_id)} holds; engine.grants() shows the ids"
            )
        writer.access.revoke(checked_id, now, by)
        description = f"{grant.effect} {grant.right}"
        record(
            services,
            writer,
            grant.principal,
            "revoke",
            namespaces=grant.namespaces,
            reason=description,
            by=by,
        )
    return replace(grant, revoked_at=now, revoked_by=by)


def log(services: Services, *, limit: int, principal: str | None) -> tuple[AccessEntry, ...]:
    """The newest entries of the access log, oldest first; of one principal if it is given."""
    size = checks.positive("limit", limit)
    name = None if principal is None else checked_name(services, "principal", principal)
    with services.ledger.whole() as reader:
        return tuple(reader.access.log(size, name))

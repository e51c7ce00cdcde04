"""Who may do what where: principals, grants, and what was decided; read them from `cogmem_core.models`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

PrincipalKind = Literal["person", "agent", "service"]
Right = Literal["read", "write", "review", "admin"]
Effect = Literal["allow", "deny"]
Standing = Literal["", "witnessed", "held"]

KINDS: tuple[PrincipalKind, ...] = get_args(PrincipalKind)
RIGHTS: tuple[Right, ...] = get_args(Right)
"""Each right includes those before it."""
EFFECTS: tuple[Effect, ...] = get_args(Effect)

COMPARTMENT = "\x1f"
"""Between the names in that of a compartment (see `access_patterns`): no namespace of a caller's holds
a control character."""
WRITTEN_BY = "cogmem_written_by"
"""In the metadata of a turn and of its memories: the principal that wrote it (who said it is its speaker)."""
HELD_BY = "cogmem_held_by"
"""In the metadata of a memory: the reviewer who holds it."""
THE_OPERATOR = "operator"
"""The operator among those who hold memories."""
OF_THE_LEDGER = (WRITTEN_BY, HELD_BY)
"""What a principal may not say of what it writes: it is written down for it."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may be granted rights.

    Attributes:
        name: unique in the ledger.
        kind: `person`, `agent` (acts for its owner) or `service` (acts for nobody).
        owner: of an agent, the principal that it acts for; None for the others.
        created_at: when it was added.
    """

    name: str
    kind: PrincipalKind
    owner: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Grant:
    """A right of a principal in the namespaces of a pattern, or its denial.

    Attributes:
        principal: whose right.
        namespaces: the pattern: a namespace; a folder of them (`team/*`: what stands behind the
            last `/`, `:` or `.`); `*` = all.
        right: `read`, `write`, `review` or `admin`; each includes those before it. The denial of
            one denies those after it, too.
        effect: `allow`, or `deny`, which wins.
        reason: why, in the words of who granted it.
        until: the end; None = open.
        granted_by: the principal who granted it; "" = the operator.
        revoked_at: when it was revoked; None = it was not.
        revoked_by: the principal who revoked it; "" = the operator.
    """

    id: str
    principal: str
    namespaces: str
    right: Right
    effect: Effect
    reason: str
    until: datetime | None
    granted_by: str
    granted_at: datetime
    revoked_at: datetime | None = None
    revoked_by: str = ""

    def holds_at(self, now: datetime) -> bool:
        """Whether it counts at a moment."""
        return self.revoked_at is None and (self.until is None or now < self.until)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a principal has a right, and why.

    Attributes:
        principal: who.
        namespace: where.
        right: what for.
        allowed: the answer.
        reasons: sentences, one per grant and per owner that counted.
        grants: ids of the grants that counted.
        standing: of a memory in a shared namespace: `witnessed` (one agent's word) or `held` (a
            second source, a person or a reviewer stands for it); else "".
        witnesses: of a memory: the principals that wrote it.
    """

    principal: str
    namespace: str
    right: Right
    allowed: bool
    reasons: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    standing: Standing = ""
    witnesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AccessEntry:
    """One entry of the access log: what was decided, or changed, when, and why.

    Attributes:
        at: when.
        principal: who asked; of a change, whom it is about.
        act: a right that was asked for, or `principal`, `grant`, `revoke`, `withdraw`.
        namespaces: the namespace, or the pattern of a grant.
        allowed: the answer; True for a change.
        reason: why.
        by: of a change: the principal who made it; "" = the operator.
    """

    id: str
    at: datetime
    principal: str
    act: str
    namespaces: str
    allowed: bool
    reason: str
    by: str = ""

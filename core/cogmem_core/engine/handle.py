"""What a principal may do with an engine: its banks, and the namespaces it administers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, cast

from cogmem_core import access
from cogmem_core.base.async_twin import async_twin
from cogmem_core.edge import checks
from cogmem_core.engine import sharing
from cogmem_core.engine.bank import MemoryBank
from cogmem_core.values.access_records import RIGHTS, Right
from cogmem_core.values.models import Grant

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


class Handle:
    """An engine in the hands of a principal; made by `Engine.as_`; thread-safe.

    Rights are looked up at each call: what is granted or revoked, here or in another process, counts
    at once. A handle keeps honest code within its rights; it is no sandbox for code that imports
    what it likes. What has no grant is refused in the same words, whether it exists or not.

    Every method but `bank` has an async twin of the same name with an `a` in front.

    Attributes:
        principal: whose rights count.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     _ = engine.add_principal("ann")
        ...     _ = engine.grant("ann", "team/*", "write")
        ...     bank = engine.as_("ann").bank("team/plans")
        ...     _ = bank.remember("We moved the launch to May")
        ...     print(bank.recall("launch").results[0].memory.metadata)
        {'cogmem_written_by': 'ann'}
    """

    def __init__(self, engine: Engine, principal: str) -> None:
        self._engine = engine
        self.principal = principal

    def bank(self, namespace: str) -> MemoryBank:
        """The memories of one namespace, as far as the principal's rights go. Cheap.

        Each method of it raises `NotAllowed` where they do not.

        Raises:
            InvalidInput: no such name.
            BankClosed: the engine is closed.
        """
        config = self._engine.open_services.config
        return MemoryBank(self._engine, checks.namespace(namespace, config), self.principal)

    def namespaces(self) -> list[str]:
        """Every namespace that holds something, or did, and may be read; sorted."""
        services = self._engine.open_services
        policy = access.policy_of(services)
        now = services.runtime.now()
        return [
            name
            for name in self._engine.namespaces()
            if policy.may(self.principal, name, "read", now)
        ]

    def may(self, namespace: str, right: str) -> bool:
        """Whether the principal has a right in a namespace, now; nothing is written into the access log.

        Args:
            namespace: where.
            right: "read", "write", "review" or "admin".

        Raises:
            InvalidInput: there is no such right, or no such name.
        """
        services = self._engine.open_services
        name = checks.namespace(namespace, services.config)
        chosen = cast(Right, checks.choice("right", right, RIGHTS))
        return access.policy_of(services).may(self.principal, name, chosen, services.runtime.now())

    def grant(
        self,
        principal: str,
        namespaces: str,
        right: str,
        *,
        effect: str = "allow",
        reason: str = "",
        until: datetime | None = None,
    ) -> Grant:
        """As `Engine.grant`, where the principal administers all of these namespaces.

        Raises:
            NotAllowed: it does not.
            InvalidInput: an argument is unusable.
            NotFound: there is no such principal.
        """
        new_grant = access.add_grant(
            self._engine.open_services,
            principal,
            namespaces,
            right,
            effect=effect,
            reason=reason,
            until=until,
            by=self.principal,
        )
        return sharing.granted(self._engine, new_grant)

    def grants(self) -> tuple[Grant, ...]:
        """The principal's own grants, and those it may revoke; not those of whom it acts for."""
        services = self._engine.open_services
        policy = access.policy_of(services)
        now = services.runtime.now()
        return tuple(
            grant
            for grant in policy.grants
            if grant.principal == self.principal
            or policy.may_administer(self.principal, grant.namespaces, now)
        )

    def revoke(self, grant_id: str) -> Grant:
        """As `Engine.revoke`, of a grant whose namespaces the principal administers.

        Raises:
            NotFound: there is no such grant among them.
        """
        return sharing.revoke(self._engine, grant_id, by=self.principal)

    anamespaces = async_twin(namespaces)
    amay = async_twin(may)
    agrant = async_twin(grant)
    agrants = async_twin(grants)
    arevoke = async_twin(revoke)

    def __repr__(self) -> str:
        return f"<cogmem_core.Handle of {self.principal!r} on {self._engine!r}>"

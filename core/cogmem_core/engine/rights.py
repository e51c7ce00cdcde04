"""Which right each method of a handle needs; without a principal nothing is asked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from cogmem_core.access import OPERATOR, allow, may, policy_of
from cogmem_core.errors import NotAllowed
from cogmem_core.process.services import Services
from cogmem_core.values.access_records import OF_THE_LEDGER, WRITTEN_BY, Right

INCOGNITO = (
    "this is incognito: nothing is kept; use a bank, or send a request, that is not incognito"
)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Guarded(Protocol):
    """A bank, or its documents, in the hands of a principal.

    Attributes:
        namespace: where.
        principal: whose rights count; "" = the operator's.
        keeps: False = incognito: nothing is written.
    """

    namespace: str
    principal: str
    keeps: bool

    def _services(self) -> Services:
        """The parts of its engine; `BankClosed` if that was closed."""


Owner = TypeVar("Owner", bound=Guarded)


def needs(
    right: Right, *, incognito: bool = False
) -> Callable[
    [Callable[Concatenate[Owner, Arguments], Result]],
    Callable[Concatenate[Owner, Arguments], Result],
]:
    """A method that only principals with this right may call.

    Args:
        right: the right.
        incognito: it may be called incognito, though it writes otherwise: then it keeps nothing.
    """

    def guard(
        method: Callable[Concatenate[Owner, Arguments], Result],
    ) -> Callable[Concatenate[Owner, Arguments], Result]:
        @functools.wraps(method)
        def guarded(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            if self.principal != OPERATOR:
                require(self, right)
            if not (self.keeps or incognito or right == "read"):
                raise NotAllowed(f"{method.__name__} would write, and {INCOGNITO}")
            return method(self, *args, **kwargs)

        guarded.__dict__["right"] = right
        return guarded

    return guard


def require(owner: Guarded, right: Right) -> None:
    """Go on if the principal has the right.

    Raises:
        NotAllowed: it has not.
    """
    allow(owner._services(), owner.principal, owner.namespace, right)


def may_write(owner: Guarded) -> bool:
    """Whether the principal has the right to write, and does not look at it incognito."""
    return owner.keeps and may(owner._services(), owner.principal, owner.namespace, "write")


def words_wait(owner: Guarded) -> bool:
    """Whether what a principal says waits: it is an agent or a service, and others read it, too."""
    services = owner._services()
    if owner.principal == OPERATOR or "shared" not in services.config.guard.review:
        return False
    policy = policy_of(services)
    principal = policy.principals.get(owner.principal)
    if principal is not None and principal.kind == "person":
        return False
    return policy.is_shared(owner.namespace, services.runtime.now())


def stamped(principal: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata as a principal may write them: who wrote it is not for it to say."""
    if principal == OPERATOR:
        return dict(metadata)
    own = {name: value for name, value in metadata.items() if name not in OF_THE_LEDGER}
    return {**own, WRITTEN_BY: principal}

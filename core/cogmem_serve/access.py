"""Who calls, what they may do, and in which namespaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cogmem_core.access.patterns import covers
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.engine.handle import Handle
from cogmem_core.errors import NotFound
from cogmem_serve.problems import Problem

Scope = Literal["read", "write", "review", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
_INCLUDES: Mapping[str, tuple[str, ...]] = {
    "read": ("read",),
    "write": ("read", "write"),
    "review": ("read", "review"),
    "admin": SCOPES,
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever sent a request.

    Attributes:
        name: the name of the key, or "owner".
        scopes: what the key was made for.
        namespaces: patterns, see `access.patterns.covers`.
        key_id: of the key; empty for the owner, who came by the login URL.
        principal: whose rights decide besides what the key opens; empty = no one's.
    """

    name: str
    scopes: tuple[str, ...]
    namespaces: tuple[str, ...]
    key_id: str = ""
    principal: str = ""

    @property
    def is_everywhere(self) -> bool:
        """Whether the key itself keeps them out of no namespace."""
        return "*" in self.namespaces

    def may(self, scope: str) -> bool:
        """Whether a scope is one of theirs, or included in one."""
        return any(scope in _INCLUDES[held] for held in self.scopes)

    def sees(self, namespace: str) -> bool:
        """Whether a namespace is one of theirs."""
        return any(covers(pattern, namespace) for pattern in self.namespaces)

    def need(self, scope: str) -> None:
        """Refuse without the scope.

        Raises:
            Problem: 403.
        """
        if not self.may(scope):
            raise Problem(
                403, f"the key {self.name!r} has no scope {scope!r}; ask for one that has"
            )

    def enter(self, namespace: str | None) -> str:
        """The namespace that is meant: the given one, or the only one of the key.

        Raises:
            Problem: 400 where none is given and the key has several; 403 where it is not theirs,
                whether there is such a namespace or not.
        """
        if namespace is None:
            if len(self.namespaces) == 1 and not self.namespaces[0].endswith("*"):
                return self.namespaces[0]
            raise Problem(400, "namespace is missing; give it as a parameter of the address")
        if not self.sees(namespace):
            raise Problem(
                403,
                f"the key {self.name!r} is not for this namespace; ask whoever runs the server for "
                "one that is",
            )
        return namespace

    def bank(self, engine: Engine, namespace: str | None) -> MemoryBank:
        """The memories of the namespace that is meant, see `enter`; of a principal's key as its rights go.

        Raises:
            Problem: as of `enter`; 403, there is no such principal.
        """
        name = self.enter(namespace)
        return self.handle(engine).bank(name) if self.principal else engine.bank(name)

    def handle(self, engine: Engine) -> Handle:
        """The engine in the hands of the key's principal.

        Raises:
            Problem: 403, there is no such principal.
        """
        try:
            return engine.as_(self.principal)
        except NotFound as error:
            raise Problem(403, str(error)) from error

    def namespaces_of(self, engine: Engine) -> list[str]:
        """The namespaces of theirs that hold something, and that they may read; sorted."""
        names = self.handle(engine).namespaces() if self.principal else engine.namespaces()
        return [name for name in names if self.sees(name)]

    def need_in(self, engine: Engine, namespace: str, scope: Scope) -> None:
        """Refuse without the scope or, if rights decide, the right.

        Raises:
            Problem: 403.
        """
        self.need(scope)
        if not self.may_in(engine, namespace, scope):
            raise Problem(
                403,
                f"{self.principal or self.name!r} has no right to {scope} in this namespace; ask who "
                "administers it for a grant",
            )

    def may_in(self, engine: Engine, namespace: str, scope: Scope) -> bool:
        """Whether they have the scope and, if rights decide, the right."""
        if not self.may(scope) or not self.sees(namespace):
            return False
        return not self.principal or self.handle(engine).may(namespace, scope)


OWNER = Caller("owner", ("admin",), ("*",))
"""Who came by the login URL that was printed where the server was started."""

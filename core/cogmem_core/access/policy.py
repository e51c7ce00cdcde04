"""What the grants on record say; pure, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from cogmem_core.access.patterns import covers, home_of, parts_of
from cogmem_core.base.grouping import grouped
from cogmem_core.values.access_records import RIGHTS, Decision, Grant, Principal, Right


class _Level(NamedTuple):
    """How far rights go: 0 = none, 1 = read, ... 4 = admin; and the grants that say so."""

    level: int
    grants: tuple[Grant, ...]


@dataclass(frozen=True)
class Policy:
    """Principals, grants and compartments as they are after one change.

    The rights are a ladder: each includes those before it, so that the lesser of two is well
    defined. An agent has the lesser of its own and its owner's, at every namespace; a denial takes
    away its right and those after it, whatever else is granted. Nothing is granted by default.

    Attributes:
        seq: the number of the change.
        principals: by name.
        grants: those that were not revoked.
        compartments: that hold something, sorted.
    """

    seq: int = 0
    principals: Mapping[str, Principal] = field(default_factory=dict)
    grants: Sequence[Grant] = ()
    compartments: tuple[str, ...] = ()

    def owners(self, name: str) -> tuple[str, ...]:
        """A principal, its owner, the owner's owner and so on."""
        chain: list[str] = []
        current: str | None = name
        while current is not None and current in self.principals and current not in chain:
            chain.append(current)
            current = self.principals[current].owner
        return tuple(chain)

    def root(self, name: str) -> str:
        """For whom a principal acts in the end."""
        return (name, *self.owners(name))[-1]

    def may(self, name: str, namespace: str, right: Right, now: datetime) -> bool:
        """Whether a principal has a right in a namespace; in a compartment, and may read all that it rests on."""
        return self.decide(name, namespace, right, now).allowed

    def decide(self, name: str, namespace: str, right: Right, now: datetime) -> Decision:
        """As `may`, with the grants that counted."""
        needed_rank = RIGHTS.index(right) + 1
        allowed = True
        reasons: list[str] = []
        counted: dict[str, None] = {}
        for place, part in enumerate(parts_of(namespace)):
            needed = needed_rank if place == 0 else 1
            for owner in self.owners(name) or (name,):
                own = self._level(owner, part, now)
                allowed = allowed and own.level >= needed
                reasons.append(_told(owner, part, own))
                counted.update(dict.fromkeys(grant.id for grant in own.grants))
        return Decision(name, home_of(namespace), right, allowed, tuple(reasons), tuple(counted))

    def _level(self, name: str, namespace: str, now: datetime) -> _Level:
        """What a principal's own grants say, its owner's aside."""
        level = 0
        cap = len(RIGHTS)
        counted: list[Grant] = []
        for grant in self._by_principal.get(name, ()):
            if not (grant.holds_at(now) and covers(grant.namespaces, namespace)):
                continue
            counted.append(grant)
            rank = RIGHTS.index(grant.right) + 1
            if grant.effect == "deny":
                cap = min(cap, rank - 1)
            else:
                level = max(level, rank)
        return _Level(min(level, cap), tuple(counted))

    def is_shared(self, namespace: str, now: datetime) -> bool:
        """Whether principals that act for different ones may read a namespace."""
        readers = {
            self.root(name) for name in self._by_principal if self.may(name, namespace, "read", now)
        }
        return len(readers) > 1

    def may_administer(self, name: str, pattern: str, now: datetime) -> bool:
        """Whether a principal, and all it acts for, may administer every namespace of a pattern."""
        return all(self._administers(owner, pattern, now) for owner in self.owners(name) or (name,))

    def _administers(self, name: str, pattern: str, now: datetime) -> bool:
        granted = False
        for grant in self._by_principal.get(name, ()):
            if not grant.holds_at(now):
                continue
            covered = covers(grant.namespaces, pattern)
            if grant.effect == "deny" and (covered or covers(pattern, grant.namespaces)):
                return False
            granted = granted or (covered and grant.effect == "allow" and grant.right == "admin")
        return granted

    def compartments_of(self, namespace: str) -> tuple[str, ...]:
        """The compartments of a namespace."""
        return tuple(self._by_home.get(namespace, ()))

    @cached_property
    def _by_principal(self) -> Mapping[str, Sequence[Grant]]:
        return grouped((grant.principal, grant) for grant in self.grants)

    @cached_property
    def _by_home(self) -> Mapping[str, Sequence[str]]:
        return grouped((home_of(name), name) for name in self.compartments)


def _told(name: str, namespace: str, own: _Level) -> str:
    """One sentence about the grants of one principal at one namespace."""
    if not own.grants:
        return f"{name} has no grant in {namespace!r}"
    granted = []
    for grant in own.grants:
        reason = f" ({grant.reason})" if grant.reason else ""
        granted.append(f"{grant.effect} {grant.right} on {grant.namespaces!r}{reason}")
    right = RIGHTS[own.level - 1] if own.level else "nothing"
    return f"{name} has {right} in {namespace!r}: {', '.join(granted)}"

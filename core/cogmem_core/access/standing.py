"""Whose word a memory of a shared namespace is: one agent's, or more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cogmem_core.access.decisions import read_policy
from cogmem_core.access.policy import Policy
from cogmem_core.base.grouping import grouped
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.access_records import HELD_BY, WRITTEN_BY, Standing
from cogmem_core.values.models import Memory

REWORDED = "cogmem_reworded"
"""In the metadata of a memory: a principal gave it another text, so the turns it came from do not stand for it."""


class Witnessed(NamedTuple):
    """How a memory stands.

    Attributes:
        standing: `witnessed`, `held`, or "" where nobody else reads, or nobody wrote it down.
        witnesses: the principals that wrote it, in order.
    """

    standing: Standing = ""
    witnesses: tuple[str, ...] = ()


def standings(
    services: Services, reader: Transaction, memories: Sequence[Memory]
) -> Mapping[str, Witnessed]:
    """How memories stand, by id.

    In a namespace that principals read who act for different ones, what an agent or a service
    wrote is `witnessed`. It is `held` once somebody else stands for it: a turn of a principal that
    acts for another one, of a person, or of the operator, or a reviewer (see `MemoryBank.hold`).
    """
    policy = read_policy(services, reader)
    now = services.runtime.now()
    witnessed: dict[str, Witnessed] = {}
    by_namespace = grouped((memory.namespace, memory) for memory in memories)
    for namespace, members in by_namespace.items():
        shared = policy.is_shared(namespace, now)
        turn_ids = [s.episode_id for memory in members for s in memory.sources if s.episode_id]
        turns = reader.at(namespace).turns.by_ids(turn_ids)
        for memory in members:
            sources = (turns.get(source.episode_id) for source in memory.sources)
            writers = [turn.metadata.get(WRITTEN_BY) for turn in sources if turn is not None]
            witnessed[memory.id] = _stands(policy, memory, writers, shared=shared)
    return witnessed


def _stands(
    policy: Policy, memory: Memory, writers: Sequence[object], *, shared: bool
) -> Witnessed:
    """How a memory stands.

    Args:
        policy: who acts for whom.
        memory: the memory.
        writers: who wrote the turns that it came from, in order; None = the operator.
        shared: whether others read it.
    """
    written_by = memory.metadata.get(WRITTEN_BY)
    if REWORDED in memory.metadata:
        writers = ()
    elif memory.version > 1:  # the turns before the last one said something else
        written_by = None
        writers = writers[-1:]
    names = tuple(dict.fromkeys(str(name) for name in (written_by, *writers) if name))
    if not names or not shared:
        return Witnessed("", names)
    operators = any(name is None for name in writers)
    people = any(
        name in policy.principals and policy.principals[name].kind == "person" for name in names
    )
    several = len({policy.root(name) for name in names}) > 1
    if operators or people or several or HELD_BY in memory.metadata:
        return Witnessed("held", names)
    return Witnessed("witnessed", names)

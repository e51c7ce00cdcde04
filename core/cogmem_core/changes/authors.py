"""Whose word a change is: a person's, or that of an agent in a namespace that others read, too."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from cogmem_core.access.patterns import home_of
from cogmem_core.access.policy import Policy
from cogmem_core.changes.batch import Actor
from cogmem_core.changes.erased import ErasedTexts, erased_apart
from cogmem_core.changes.proposed import Change, Put, Rewrite
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.access_records import COMPARTMENT, WRITTEN_BY


class Authors:
    """Who wrote what the changes of one transaction state; nothing is read before somebody asks.

    Args:
        writer: the transaction.
        namespace: of the changes.
        actor: who proposes them.
        now: the moment of the changes.

    Attributes:
        writer: the transaction.
        ns: its tables of the namespace.
        actor: who proposes the changes.
        now: their moment.
    """

    def __init__(self, writer: Transaction, namespace: str, actor: Actor, now: datetime) -> None:
        self.writer = writer
        self.ns = writer.at(namespace)
        self.actor = actor
        self.now = now

    def is_agents_word(self, change: Change) -> bool:
        """Whether a change is the word of an agent or a service, where others read it, too.

        Where only the agent's owner reads, it is the owner who speaks through it. A compartment
        counts as the namespace that it belongs to, whose reviewers decide.
        """
        policy = self._policy
        if not policy.seq:
            return False
        name = self._author(change)
        principal = policy.principals.get(name)
        if not name or (principal is not None and principal.kind == "person"):
            return False
        return policy.is_shared(home_of(self.ns.name), self.now)

    @cached_property
    def erased(self) -> ErasedTexts:
        """What was erased for good where the changes are made."""
        return erased_apart(self.writer, self.ns.name)

    def wider(self) -> tuple[str, ...]:
        """Namespaces that every reader of this one reads: its home, and compartments that rest on less."""
        home, *sources = self.ns.name.split(COMPARTMENT)
        if not sources:
            return ()
        smaller = []
        for name in self.writer.access.compartments():
            its_home, *parts = name.split(COMPARTMENT)
            if its_home == home and set(parts) < set(sources):
                smaller.append(name)
        return (home, *smaller)

    def _author(self, change: Change) -> str:
        """The principal whose text it is; "" = the operator."""
        if self.actor.principal:
            return self.actor.principal
        if not isinstance(change, (Put, Rewrite)):
            return ""
        memory = change.stored.memory
        # After a rewrite its metadata may be those of a former text.
        named = memory.metadata.get(WRITTEN_BY) if isinstance(change, Put) else None
        if named:
            return str(named)
        last_turn = [source.episode_id for source in memory.sources if source.episode_id][-1:]
        turns = self.ns.turns.by_ids(last_turn).values()
        return "".join(str(turn.metadata.get(WRITTEN_BY) or "") for turn in turns)

    @cached_property
    def _policy(self) -> Policy:
        tables = self.writer.access
        seq = tables.seq()
        if not seq:  # nobody shares anything here
            return Policy()
        principals = {principal.name: principal for principal in tables.principals()}
        return Policy(seq, principals, tables.grants())

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
from cogmem_core.values.models import Memory


class Authors:
    """Who wrote what the changes of one transaction state; nothing is read before somebody asks.

    Args:
        writer: the transaction.
        namespace: of the changes.
        actor: who proposes them.
        now: the moment of the changes.
    """

    def __init__(self, writer: Transaction, namespace: str, actor: Actor, now: datetime) -> None:
        self._writer = writer
        self.namespace = namespace
        self.actor = actor
        self._now = now

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
        return policy.is_shared(home_of(self.namespace), self._now)

    @cached_property
    def erased(self) -> ErasedTexts:
        """What was erased for good where the changes are made."""
        return erased_apart(self._writer, self.namespace)

    def wider(self) -> tuple[str, ...]:
        """Namespaces that every reader of this one reads: its home, and compartments that rest on less."""
        home, *sources = self.namespace.split(COMPARTMENT)
        if not sources:
            return ()
        names = self._writer.access.compartments()
        smaller = [
            name
            for name in names
            if name != self.namespace
            and name.split(COMPARTMENT)[0] == home
            and set(name.split(COMPARTMENT)[1:]) < set(sources)
        ]
        return (home, *smaller)

    def _author(self, change: Change) -> str:
        """The principal whose text it is; "" = the operator."""
        if self.actor.principal:
            return self.actor.principal
        if not isinstance(change, (Put, Rewrite)):
            return ""
        memory = change.stored.memory
        turn_writer = self._writer_of_turn(memory)
        if isinstance(change, Rewrite):  # its metadata may be those of a former text
            return turn_writer
        return str(memory.metadata.get(WRITTEN_BY) or turn_writer)

    def _writer_of_turn(self, memory: Memory) -> str:
        """Who wrote the turn that a memory was last stated in."""
        turn_ids = [source.episode_id for source in memory.sources if source.episode_id][-1:]
        turns = self._writer.at(self.namespace).turns.by_ids(turn_ids) if turn_ids else {}
        return "".join(str(turn.metadata.get(WRITTEN_BY) or "") for turn in turns.values())

    @cached_property
    def _policy(self) -> Policy:
        tables = self._writer.access
        seq = tables.seq()
        if not seq:  # nobody shares anything here
            return Policy()
        principals = {principal.name: principal for principal in tables.principals()}
        return Policy(seq, principals, tables.grants())

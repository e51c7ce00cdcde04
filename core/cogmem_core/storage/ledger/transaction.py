"""The tables of one namespace in one transaction: its shard and its name are fixed here, once."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from cogmem_core.storage.ledger.access import DerivationTable
from cogmem_core.storage.ledger.agents import (
    IntentionTable,
    ProcedureTable,
    ReviewTable,
    TaskRunTable,
)
from cogmem_core.storage.ledger.audit import AuditTable
from cogmem_core.storage.ledger.clauses import ClauseTable
from cogmem_core.storage.ledger.documents import DocumentTable
from cogmem_core.storage.ledger.erasure_table import ErasureTable
from cogmem_core.storage.ledger.feedback import FeedbackTable
from cogmem_core.storage.ledger.history import HistoryTable
from cogmem_core.storage.ledger.journal import JournalTable
from cogmem_core.storage.ledger.memories import MemoryTable
from cogmem_core.storage.ledger.meta import SETTINGS
from cogmem_core.storage.ledger.notes import NoteTable
from cogmem_core.storage.ledger.overview import MemoryOverview
from cogmem_core.storage.ledger.rejections import RejectionTable
from cogmem_core.storage.ledger.relations import RelationTable
from cogmem_core.storage.ledger.runs import RunTable
from cogmem_core.storage.ledger.schema import shard_of
from cogmem_core.storage.ledger.seals import SealTable
from cogmem_core.storage.ledger.synaptic_tags import SynapticTagTable
from cogmem_core.storage.ledger.table import KEPT, SEQS, Table
from cogmem_core.storage.ledger.tellings import TellingTable
from cogmem_core.storage.ledger.turns import RefTable, TranscriptTable, TurnTable
from cogmem_core.storage.ledger.whole import WholeLedger

AnyTable = TypeVar("AnyTable", bound=Table)


class Namespace:
    """The tables of a namespace, each made when it is first used.

    Args:
        connection: the transaction's connection.
        name: the namespace.
        now: the time of the transaction; None = a snapshot, in which nothing can be written.
    """

    def __init__(self, connection: Connection, name: str, now: datetime | None) -> None:
        self.name = name
        self._connection = connection
        self._shard = shard_of(name)
        self._now = now

    def _table(self, kind: type[AnyTable]) -> AnyTable:
        return kind(self._connection, self._shard, self.name, self._now)

    @cached_property
    def memories(self) -> MemoryTable:
        """Memories by id, by filter and by content."""
        return self._table(MemoryTable)

    @cached_property
    def clauses(self) -> ClauseTable:
        """What the clauses of memories say of whom."""
        return self._table(ClauseTable)

    @cached_property
    def overview(self) -> MemoryOverview:
        """Questions about all memories at once."""
        return self._table(MemoryOverview)

    @cached_property
    def history(self) -> HistoryTable:
        """Former versions of memories."""
        return self._table(HistoryTable)

    @cached_property
    def journal(self) -> JournalTable:
        """Changes of memories, and the numbers that indexes follow."""
        return self._table(JournalTable)

    @cached_property
    def audit(self) -> AuditTable:
        """The journal as a chain of hashes."""
        return self._table(AuditTable)

    @cached_property
    def turns(self) -> TurnTable:
        """Turns as they were said."""
        return self._table(TurnTable)

    @cached_property
    def refs(self) -> RefTable:
        """Turns by the callers' own ids of them."""
        return self._table(RefTable)

    @cached_property
    def transcripts(self) -> TranscriptTable:
        """Turns that are read back as they were handed in."""
        return self._table(TranscriptTable)

    @cached_property
    def tellings(self) -> TellingTable:
        """The turns in which memories were said."""
        return self._table(TellingTable)

    @cached_property
    def relations(self) -> RelationTable:
        """Relations between memories."""
        return self._table(RelationTable)

    @cached_property
    def synaptic_tags(self) -> SynapticTagTable:
        """Synaptic tags, and facts of the short term."""
        return self._table(SynapticTagTable)

    @cached_property
    def notes(self) -> NoteTable:
        """Notes of what was observed, and their traces."""
        return self._table(NoteTable)

    @cached_property
    def documents(self) -> DocumentTable:
        """Documents by path and key."""
        return self._table(DocumentTable)

    @cached_property
    def runs(self) -> RunTable:
        """The lease, and the consolidation runs."""
        return self._table(RunTable)

    @cached_property
    def feedback(self) -> FeedbackTable:
        """Judgements of recalled memories."""
        return self._table(FeedbackTable)

    @cached_property
    def intentions(self) -> IntentionTable:
        """What is to come up later."""
        return self._table(IntentionTable)

    @cached_property
    def procedures(self) -> ProcedureTable:
        """Ways to do a kind of task."""
        return self._table(ProcedureTable)

    @cached_property
    def reviews(self) -> ReviewTable:
        """Writes that wait for a person."""
        return self._table(ReviewTable)

    @cached_property
    def task_runs(self) -> TaskRunTable:
        """Attempts at tasks."""
        return self._table(TaskRunTable)

    @cached_property
    def derivations(self) -> DerivationTable:
        """Which memories rest on memories of other namespaces."""
        return self._table(DerivationTable)

    @cached_property
    def seals(self) -> SealTable:
        """What is never to be kept."""
        return self._table(SealTable)

    @cached_property
    def rejections(self) -> RejectionTable:
        """Digests of what a person rejected."""
        return self._table(RejectionTable)

    @cached_property
    def erasures(self) -> ErasureTable:
        """Erasures that are not finished."""
        return self._table(ErasureTable)


class Transaction(WholeLedger):
    """One transaction over the whole ledger.

    Args:
        connection: the transaction's connection.
        now: the time of the transaction; None = a snapshot, in which nothing can be written.
    """

    def __init__(self, connection: Connection, now: datetime | None = None) -> None:
        super().__init__(connection)
        self._now = now
        self._namespaces: dict[str, Namespace] = {}

    def at(self, namespace: str) -> Namespace:
        """The tables of one namespace; the same ones for the whole transaction."""
        tables = self._namespaces.get(namespace)
        if tables is None:
            tables = Namespace(self._connection, namespace, self._now)
            self._namespaces[namespace] = tables
        return tables

    def keep_known(self, namespace: str) -> None:
        """Keep a namespace's counters, and settings, for the next transaction on this connection.

        They are kept if this one is committed. Only for who has changed them by `journal` and `meta`
        alone, and changes nothing more.
        """
        kept = self._connection.info.get(KEPT)
        if kept is not None:
            kept[SEQS, namespace] = self.at(namespace).journal.counters()
            kept[SETTINGS] = self.meta.known


def tables_of(source: Transaction | Namespace, namespace: str) -> Namespace:
    """The tables of a namespace, of whichever form of transaction."""
    return source if isinstance(source, Namespace) else source.at(namespace)

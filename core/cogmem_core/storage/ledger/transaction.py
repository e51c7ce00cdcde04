"""The tables of one namespace in one transaction: its shard and its name are fixed here, once."""

from __future__ import annotations

from datetime import datetime

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
from cogmem_core.storage.ledger.seals import SealTable
from cogmem_core.storage.ledger.synaptic_tags import SynapticTagTable
from cogmem_core.storage.ledger.table import KEPT, SEQS, Made
from cogmem_core.storage.ledger.tellings import TellingTable
from cogmem_core.storage.ledger.turns import RefTable, TranscriptTable, TurnTable
from cogmem_core.storage.ledger.whole import WholeLedger


class Namespace:
    """The tables of a namespace, each made when it is first used.

    Args:
        connection: the transaction's connection.
        name: the namespace.
        now: the time of the transaction; None = a snapshot, in which nothing can be written.
    """

    memories = Made(MemoryTable)
    """Memories by id, by filter and by content."""
    clauses = Made(ClauseTable)
    """What the clauses of memories say of whom."""
    overview = Made(MemoryOverview)
    """Questions about all memories at once."""
    history = Made(HistoryTable)
    """Former versions of memories."""
    journal = Made(JournalTable)
    """Changes of memories, and the numbers that indexes follow."""
    audit = Made(AuditTable)
    """The journal as a chain of hashes."""
    turns = Made(TurnTable)
    """Turns as they were said."""
    refs = Made(RefTable)
    """Turns by the callers' own ids of them."""
    transcripts = Made(TranscriptTable)
    """Turns that are read back as they were handed in."""
    tellings = Made(TellingTable)
    """The turns in which memories were said."""
    relations = Made(RelationTable)
    """Relations between memories."""
    synaptic_tags = Made(SynapticTagTable)
    """Synaptic tags, and facts of the short term."""
    notes = Made(NoteTable)
    """Notes of what was observed, and their traces."""
    documents = Made(DocumentTable)
    """Documents by path and key."""
    runs = Made(RunTable)
    """The lease, and the consolidation runs."""
    feedback = Made(FeedbackTable)
    """Judgements of recalled memories."""
    intentions = Made(IntentionTable)
    """What is to come up later."""
    procedures = Made(ProcedureTable)
    """Ways to do a kind of task."""
    reviews = Made(ReviewTable)
    """Writes that wait for a person."""
    task_runs = Made(TaskRunTable)
    """Attempts at tasks."""
    derivations = Made(DerivationTable)
    """Which memories rest on memories of other namespaces."""
    seals = Made(SealTable)
    """What is never to be kept."""
    rejections = Made(RejectionTable)
    """Digests of what a person rejected."""
    erasures = Made(ErasureTable)
    """Erasures that are not finished."""

    def __init__(self, connection: Connection, name: str, now: datetime | None) -> None:
        self.name = name
        self.made_of = (connection, name, now)


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

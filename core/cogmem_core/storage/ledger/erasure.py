"""The rows of an erasure: what goes with a memory, and what the journal says of memories that stay."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.audit import BLANKED
from cogmem_core.storage.ledger.erasure_table import RelatedRows, RowsToErase
from cogmem_core.storage.ledger.memories import TOLD
from cogmem_core.storage.ledger.record_kinds import AGENTS, KINDS
from cogmem_core.storage.ledger.table import BATCH, chunks
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.models import JournalEntry

_TEXT = ("content", "content_hash", "entities", "reading", "clause_states", "version")
"""What a memory has of its text."""

__all__ = ["RelatedRows", "RowsToErase", "erase_rows"]


def erase_rows(ns: Namespace, rows: RowsToErase) -> None:
    """Delete rows for ever and leave tombstones: id, namespace and journal number only."""
    first, _ = ns.journal.allocate(len(rows.memories) + 1)
    ns.erasures.begin(rows.job, rows.at, whole=rows.whole)
    affected_ids: set[str] = set()
    for part in chunks(list(enumerate(rows.memories, first)), BATCH):
        affected_ids |= _erase_memories(ns, part, rows.at)
    affected_ids |= _forget_past(ns, rows.related.blanked)
    for kind in KINDS:
        kind.drop(ns, rows.rows.get(kind.name, ()))
    if any(rows.rows.get(name) for name in AGENTS):
        ns.journal.record_agent_seq(first + len(rows.memories))
    ns.reviews.drop_of(rows.memories)
    ns.transcripts.unlist(rows.related.unlisted)
    _rekey(ns, rows.related.rekeyed, rows.at)
    ns.history.rekey(rows.related.former)
    _vouch(ns, sorted(affected_ids - set(rows.memories)), rows.at)
    if rows.whole:
        ns.erasures.drop_namespace()


def _erase_memories(ns: Namespace, numbered: Sequence[tuple[int, str]], now: datetime) -> set[str]:
    """Delete memories, numbered for the journal; returns the other memories whose past lost words with them.

    What the audit trail keeps of them are digests without their salt.
    """
    ids = [memory_id for _, memory_id in numbered]
    affected_ids = _forget_words(ns, ids)
    ns.memories.drop([(memory_id, seq) for seq, memory_id in numbered])
    ns.relations.drop_of(ids)
    ns.synaptic_tags.drop_of(ids)
    ns.feedback.drop_of(ids)
    ns.derivations.drop_of(ids)
    ns.journal.record([_entry("erase", memory_id, seq, now) for seq, memory_id in numbered])
    return affected_ids


def _forget_words(ns: Namespace, ids: Sequence[str]) -> set[str]:
    """Blank what quotes memories beside them; returns the other memories whose past lost words with them."""
    # A question may hold the words of what it brought up.
    ns.feedback.blank_questions(ns.feedback.recalls_of(ids))
    # Why a memory superseded or contradicted another quotes both: "Lisbon, now Porto".
    affected_ids = ns.relations.opponents(ids)
    ns.journal.blank_reasons(affected_ids)
    ns.journal.blank_all(ids)
    return affected_ids


def _forget_past(ns: Namespace, memory_ids: Collection[str]) -> set[str]:
    """Of memories that stay without a part of their text: former texts, and what the journal says."""
    affected_ids = set(memory_ids)
    for part in chunks(sorted(memory_ids), BATCH):
        affected_ids |= _forget_words(ns, part)
        for memory_id in part:
            ns.history.drop_versions(memory_id, 0)
    return affected_ids


def _rekey(ns: Namespace, rows: Sequence[Stored], now: datetime) -> None:
    """Set new keys and vectors; journal numbers move, so every index follows."""
    if not rows:
        return
    first, _ = ns.journal.allocate(len(rows))
    updates = {}
    entries = []
    for seq, stored in enumerate(rows, first):
        memory_id = stored.memory.id
        updates[memory_id] = {
            "key": stored.key,
            "vector": stored.vector,
            "fingerprint": stored.fingerprint,
            "seq": seq,
            **{name: getattr(stored.memory, name) for name in (*TOLD, *_TEXT)},
        }
        reason = "a turn that it came from was erased, or a part of it"
        entries.append(JournalEntry(seq, memory_id, "rekey", "user", reason, now))
    ns.memories.update(updates)
    ns.clauses.put([stored.memory for stored in rows])
    ns.journal.record(entries)


def _entry(kind: str, memory_id: str, seq: int, now: datetime) -> JournalEntry:
    """What the journal says of an erasure: that it happened, and nothing of what was erased."""
    return JournalEntry(seq, memory_id, kind, "user", BLANKED, now)


def _vouch(ns: Namespace, ids: Sequence[str], now: datetime) -> None:
    """Record for memories that stay that words of their past are gone, and how they stand."""
    memories = ns.memories.by_ids(ids)
    first, _ = ns.journal.allocate(len(memories))
    entries = []
    states = {}
    for seq, memory in enumerate(memories.values(), first):
        entries.append(_entry("blank", memory.id, seq, now))
        states[seq] = memory.audit_state
    ns.journal.record(entries, states)

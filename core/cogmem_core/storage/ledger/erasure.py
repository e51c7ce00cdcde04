"""The rows of an erasure: what goes with a memory, and what is said of those that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from cogmem_core.models import JournalEntry
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.audit import BLANKED
from cogmem_core.storage.ledger.codec import encode_time, encode_vector
from cogmem_core.storage.ledger.documents import ItemKey
from cogmem_core.storage.ledger.journal import chunks
from cogmem_core.storage.ledger.schema import adding, shard_of
from cogmem_core.storage.ledger.writer import Writer

__all__ = ["Beside", "Going", "erase"]


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes, or changes, together with memories and turns that are erased.

    Attributes:
        notes: ids of notes and traces to delete.
        items: documents to delete.
        asked: ids of recalls whose question is to be forgotten.
        rekeyed: memories that stay, with a new key and vector.
        former: versions that stay (of the number `memory.version`), with a new key and vector.
        unlisted: ids of turns that leave their transcript (see `Writer.unlist`).
    """

    notes: Sequence[str] = ()
    items: Sequence[ItemKey] = ()
    asked: Sequence[str] = ()
    rekeyed: Sequence[Stored] = ()
    former: Sequence[Stored] = ()
    unlisted: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Going:
    """What goes for ever.

    Attributes:
        job: stays on record until the indexes and files are clean, too, so that a crash in between is resumed.
        memories, turns: ids. at: the time.
        whole: the namespace itself goes too: its name, its journal, its notes, its documents and its tombstones.
    """

    job: str
    memories: Sequence[str]
    turns: Sequence[str]
    at: datetime
    whole: bool = False
    beside: Beside = Beside()


def erase(writer: Writer, namespace: str, going: Going) -> None:
    """Delete rows for ever and leave tombstones (id, namespace and journal number only)."""
    connection, shard, now = writer.connection, shard_of(namespace), going.at
    first, _ = writer.allocate(namespace, len(going.memories) or 1)
    stamp = {"id": going.job, "namespace": "" if going.whole else namespace, "requested_at": encode_time(now)}
    connection.execute(adding(schema.erasures), stamp)
    related: set[str] = set()
    for part in chunks(list(enumerate(going.memories, first)), 400):
        ids = [memory_id for _, memory_id in part]
        # A question may hold the words of what it brought up.
        writer.blank_questions(namespace, writer.recalls_of(namespace, ids))
        related |= _erase_rows(connection, shard, ids)
        writer.record(namespace, [_told("erase", i, seq, now) for seq, i in part])
        stones = [{"shard": shard, "id": i, "namespace": namespace, "seq": seq} for seq, i in part]
        # An erased memory may have come back by an import.
        t = schema.tombstones.c
        connection.execute(delete(schema.tombstones).where(t.shard == shard, t.id.in_(ids)))
        connection.execute(adding(schema.tombstones), stones)
    for turns in chunks(going.turns, 400):
        e = schema.episodes.c
        connection.execute(delete(schema.episodes).where(e.shard == shard, e.id.in_(turns)))
    writer.drop_notes(namespace, going.beside.notes)
    writer.drop_items(namespace, going.beside.items)
    writer.blank_questions(namespace, going.beside.asked)
    writer.unlist(namespace, going.beside.unlisted)
    _rekey(connection, writer, namespace, going.beside, now)
    _vouch(writer, namespace, sorted(related - set(going.memories)), now)
    if going.whole:
        rest = (schema.notes, schema.items, schema.dreams, schema.runs)
        for table in (schema.journal, schema.tombstones, schema.namespaces, *rest):
            connection.execute(delete(table).where(table.c.shard == shard, table.c.namespace == namespace))


def _rekey(connection: Connection, writer: Writer, namespace: str, beside: Beside, now: datetime) -> None:
    """New keys and vectors; journal numbers move, so every index follows."""
    if beside.rekeyed:
        first, _ = writer.allocate(namespace, len(beside.rekeyed))
        numbered = list(enumerate(beside.rekeyed, first))
        rows = {
            stored.memory.id: {
                "key": stored.key,
                "vector": stored.vector,
                "fingerprint": stored.fingerprint,
                "seq": seq,
            }
            for seq, stored in numbered
        }
        writer.update(namespace, rows)
        reason = "a turn that it came from was erased"
        writer.record(
            namespace, [JournalEntry(seq, stored.memory.id, "rekey", "user", reason, now) for seq, stored in numbered]
        )
    v = schema.versions
    for stored in beside.former:
        same = (v.c.memory_id == stored.memory.id, v.c.version == stored.memory.version)
        values = {"index_key": stored.key, "fingerprint": stored.fingerprint, "vector": encode_vector(stored.vector)}
        connection.execute(update(v).where(v.c.shard == shard_of(namespace), *same).values(**values))


def _told(kind: str, memory_id: str, seq: int, now: datetime) -> JournalEntry:
    """What the journal says of an erasure: that it was, and nothing of what went."""
    return JournalEntry(seq, memory_id, kind, "user", BLANKED, now)


def _vouch(writer: Writer, namespace: str, ids: Sequence[str], now: datetime) -> None:
    """Say of memories that stay that words of their past are gone, and how they stand."""
    memories = writer.memories(namespace, ids)
    first, _ = writer.allocate(namespace, len(memories))
    entries = [_told("blank", memory_id, seq, now) for seq, memory_id in enumerate(memories, first)]
    writer.record(namespace, entries, {e.seq: memories[e.memory_id].audit_state for e in entries})


def _erase_rows(connection: Connection, shard: int, ids: Sequence[str]) -> set[str]:
    """Delete rows; returns the other memories whose past lost words with them.

    What the audit trail keeps of them are digests without their salt.
    """
    m, v, j, r = schema.memories.c, schema.versions.c, schema.journal, schema.relations.c
    related = _blank_reasons(connection, shard, ids)
    connection.execute(delete(schema.memories).where(m.shard == shard, m.id.in_(ids)))
    connection.execute(delete(schema.versions).where(v.shard == shard, v.memory_id.in_(ids)))
    connection.execute(delete(schema.relations).where(r.shard == shard, r.source_id.in_(ids) | r.target_id.in_(ids)))
    for table in (schema.synaptic_tags, schema.short_term, schema.feedback):
        connection.execute(delete(table).where(table.c.shard == shard, table.c.memory_id.in_(ids)))
    where = (j.c.shard == shard, j.c.memory_id.in_(ids))
    connection.execute(update(j).where(*where).values(before="{}", reason=BLANKED, salt=""))
    return related


def _blank_reasons(connection: Connection, shard: int, ids: Sequence[str]) -> set[str]:
    """Why a memory superseded or contradicted another quotes both: "residence of speaker: lisbon, now porto"."""
    r, j = schema.relations.c, schema.journal
    ends = ((r.source_id, r.target_id), (r.target_id, r.source_id))
    kinds = r.type.in_(("supersedes", "contradicts"))
    related = {
        other
        for here, there in ends
        for other in connection.scalars(select(there).where(r.shard == shard, here.in_(ids), kinds))
    }
    for part in chunks(sorted(related - set(ids)), 400):
        kinds_told = (j.c.memory_id.in_(part), j.c.kind.in_(("put", "retire", "rewrite")))
        connection.execute(update(j).where(j.c.shard == shard, *kinds_told).values(reason=BLANKED, salt=""))
    return related - set(ids)

"""The journal of a namespace: every change of its memories, with the numbers that indexes follow."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, case, or_, select

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.audit import BLANKED, chained
from cogmem_core.storage.ledger.codec import (
    ANALYSER_MARK,
    decode_entry,
    decode_terms,
    dump,
    encode_fields,
    encode_row,
    encode_time,
)
from cogmem_core.storage.ledger.meta import ACCESS_KEY, REJECTIONS_KEY, SETTINGS, MetaTable
from cogmem_core.storage.ledger.table import (
    COUNTERS,
    KNOWN,
    SEQS,
    Counters,
    Table,
    select_in,
    unique_chunks,
    update_in,
    upserting,
    within,
)
from cogmem_core.values.models import JournalEntry

_M = schema.memories.c
_J = schema.journal.c
_T = schema.tombstones.c
# Built once: composing a statement costs more than running it.
_COUNTERS = select_in(schema.namespaces, *COUNTERS)
_SETTINGS_AND_COUNTERS = (
    select(schema.meta.c.key, schema.meta.c.value, *COUNTERS)
    .select_from(schema.meta.outerjoin(schema.namespaces, and_(*within(schema.namespaces))))
    .where(schema.meta.c.key.in_(bindparam("keys", expanding=True)))
)
_KEY_IF_NEEDED = case((_M.terms.startswith(ANALYSER_MARK, autoescape=True), ""), else_=_M.index_key)
_TAIL = (
    _M.id,
    _M.namespace,
    _M.seq,
    _M.state,
    _M.terms,
    _KEY_IF_NEEDED,
    _M.vector,
    _M.fingerprint,
    _M.session_id,
    _M.recorded_at,
    _M.speaker,
)


class TailRow(NamedTuple):
    """What an index needs to follow the ledger.

    Attributes:
        state: `erased` for a hard-forgotten memory.
        terms: the stored tokens, see `codec.encode_terms`.
        key: the text they were made of; left out (empty) where the stored tokens can be used.
    """

    id: str
    namespace: str
    seq: int
    state: str
    terms: str
    key: str
    vector: bytes
    fingerprint: str
    session_id: str | None
    recorded_at: int
    speaker: str | None

    def tokens(self) -> list[str]:
        """The tokens of the index key."""
        return decode_terms(self.terms, self.key)


class JournalTable(Table):
    """Changes by memory, by run and by number; a writing transaction appends to them."""

    # How far the namespace is: a snapshot stays as it is, and nobody else writes beside a
    # transaction that does.
    _known: Counters | None = None
    # Numbers were reserved, and `record` is to tell the namespace of it.
    _is_ahead = False

    def last_seq(self) -> int:
        """The namespace's newest journal number; 0 if it has none."""
        return self.counters().last_seq

    def agent_seq(self) -> int:
        """The number of the newest change of an intention or procedure; 0 if there never was one.

        It was read with the newest journal number: whoever asked for that asks no more here.
        """
        return self.counters().agent_seq

    def record_agent_seq(self, seq: int) -> None:
        """Tell that an intention or procedure changed."""
        self._change(update_in(schema.namespaces).values(agent_seq=seq))
        self._set(agent_seq=seq)

    def counters(self) -> Counters:
        """How far the namespace is; read once in a transaction."""
        if self._known is None:
            self._known = self._fact(
                SEQS, lambda: Counters(*(self._execute(_COUNTERS).first() or ()))
            )
        return self._known

    def _set(self, **values: Any) -> None:
        if self._known is not None:
            self._known = self._known._replace(**values)

    def tail(
        self, after_seq: int, limit: int, *, states: tuple[str, ...] | None = None
    ) -> list[TailRow]:
        """Rows that changed after a journal number, in order.

        Args:
            after_seq: the number.
            limit: the largest number of rows.
            states: None = all, erased ones too; else only rows that are in one of these states now,
                at a cost that grows with their number and not with the namespace.
        """
        if states is None:
            return self._tail(after_seq, limit)
        # Sums, because by the number itself SQLite would walk the whole namespace.
        changed = select_in(schema.memories, _M.seq).where(
            _M.state.in_(states), _M.seq + 0 > after_seq
        )
        seqs = changed.order_by(_M.seq + 0).limit(limit)
        query = select_in(schema.memories, *_TAIL).where(_M.seq.in_(seqs)).order_by(_M.seq)
        return list(map(TailRow._make, self._execute(query)))

    def _tail(self, after_seq: int, limit: int) -> list[TailRow]:
        live = select_in(schema.memories, *_TAIL).where(_M.seq > after_seq)
        rows = list(map(TailRow._make, self._execute(live.order_by(_M.seq).limit(limit))))
        erased = select_in(schema.tombstones, _T.id, _T.seq).where(_T.seq > after_seq)
        for memory_id, seq in self._execute(erased.order_by(_T.seq).limit(limit)):
            rows.append(
                TailRow(memory_id, self._namespace, seq, "erased", "", "", b"", "", None, 0, None)
            )
        return sorted(rows, key=lambda row: row.seq)[:limit]

    def of_memory(self, memory_id: str) -> list[JournalEntry]:
        """Every change of a memory, oldest first."""
        query = select_in(schema.journal).where(_J.memory_id == memory_id)
        return self._entries(query.order_by(_J.seq))

    def of_run(self, run_id: str) -> list[JournalEntry]:
        """What a cycle changed, oldest first."""
        return self._entries(select_in(schema.journal).where(_J.run_id == run_id).order_by(_J.seq))

    def after(self, seq: int, memory_ids: Collection[str]) -> list[JournalEntry]:
        """What happened to some memories after a journal number, oldest first."""
        entries: list[JournalEntry] = []
        for part in unique_chunks(sorted(memory_ids)):
            query = select_in(schema.journal).where(_J.memory_id.in_(part), _J.seq > seq)
            entries += self._entries(query)
        return sorted(entries, key=lambda entry: entry.seq)

    def changed_since(self, seq: int, limit: int) -> tuple[set[str], bool]:
        """Which memories changed after a journal number, also those whose rows keep their numbers.

        Args:
            seq: the number.
            limit: the largest number of changes that are read.

        Returns:
            The ids of memories, and of what relations lead to; False if there were more changes.
        """
        query = select_in(schema.journal, _J.memory_id, _J.kind, _J.before).where(_J.seq > seq)
        rows = self._execute(query.limit(limit + 1)).all()
        ids: set[str] = set()
        for memory_id, kind, former_values in rows[:limit]:
            ids.add(memory_id)
            if kind == "link":
                ids.add(json.loads(former_values).get("target_id", memory_id))
        return ids, len(rows) <= limit

    def restored_since(self, since: datetime) -> set[str]:
        """Memories that a person restored, or brought back by undoing a cycle, from a moment on."""
        restored = and_(_J.kind == "revive", _J.actor == "user")
        undone = and_(_J.kind == "reset", _J.before.contains('"state"'))
        query = select_in(schema.journal, _J.memory_id).where(_J.at >= encode_time(since))
        return set(self._scalars(query.where(or_(restored, undone))))

    def _entries(self, query: Select[Any]) -> list[JournalEntry]:
        return list(map(decode_entry, self._rows(query)))

    def allocate(self, count: int, *, record_follows: bool = False) -> tuple[int, int]:
        """Reserve journal numbers.

        Args:
            count: how many.
            record_follows: `record` is called afterwards, and tells the namespace of them.

        Returns:
            The first one, and the namespace's last one before.
        """
        self._check_writable()
        previous = self.last_seq()
        dialect = self._connection.dialect.name
        # One statement: on PostgreSQL writers of several namespaces may be the shard's first at the
        # same time.
        counting = upserting(dialect, schema.shards, ("seq",), adding_up=True)
        shard = {"shard": self._binding["in_shard"], "seq": count}
        last = int(self._connection.execute(counting, shard).scalar_one())
        self._set(last_seq=last)
        self._is_ahead = True
        if not record_follows:
            self._tell("last_seq")
        return last - count + 1, previous

    def _tell(self, *changed: str) -> None:
        """Set what changed of the namespace's counters; the first change makes its row."""
        counters = self.counters()
        values = {name: getattr(counters, name) for name in changed}
        row = {**values, "created_at": encode_time(self._now)}
        self._upsert(schema.namespaces, [row], *changed)
        self._is_ahead = False

    def record(
        self, entries: Sequence[JournalEntry], states: Mapping[int, str] | None = None
    ) -> None:
        """Append to the journal, which is a chain (see `audit`).

        Args:
            entries: in the order of their numbers.
            states: how the memories stand after an entry (see `Memory.audit_state`), by journal
                number.
        """
        self._check_writable()
        if not entries:
            if self._is_ahead:
                self._tell("last_seq")
            return
        counters = self.counters()
        rows = [self._own(_row(entry)) for entry in entries]
        head = (counters.position, counters.chain)
        linked_rows, (position, chain) = chained(rows, states or {}, head)
        self._set(position=position, chain=chain)
        self._tell("last_seq", "position", "chain")
        self._insert(schema.journal, linked_rows)

    def claim_setting(self, settings: MetaTable, key: str, value: str) -> str:
        """As `settings.claim`; the statement also reads what is needed next, unless this is the first claim.

        That are the namespace's counters, and settings of rejections and rights. Where the last transaction
        on this connection left them (`Transaction.keep_known`), and nobody wrote since, nothing is read. To be
        called before anything is changed.
        """
        keys = [key, REJECTIONS_KEY, ACCESS_KEY]
        facts = self._connection.info.get(KNOWN, {})
        counters = facts.get((SEQS, self._namespace))
        values = facts.get(SETTINGS, {})
        if counters is not None and values.keys() >= set(keys):
            self._known = counters
            settings.take(values)
            return settings.claim(key, value)
        rows = self._execute(_SETTINGS_AND_COUNTERS, keys=keys).all()
        settings.take({**dict.fromkeys(keys), **{row[0]: row[1] for row in rows}})
        if rows:
            self._known = Counters() if rows[0][2] is None else Counters(*rows[0][2:])
        return settings.claim(key, value)

    def blank_all(self, memory_ids: Sequence[str]) -> None:
        """Erase reasons and former values of all entries of some memories."""
        query = update_in(schema.journal, keyed=True).where(_J.memory_id.in_(memory_ids))
        self._change(query.values(before="{}", reason=BLANKED, salt=""))

    def blank_reasons(self, memory_ids: Collection[str]) -> None:
        """Erase the reasons for which some memories came, went or were rewritten."""
        for part in unique_chunks(sorted(memory_ids)):
            query = update_in(schema.journal, keyed=True).where(
                _J.memory_id.in_(part), _J.kind.in_(("put", "retire", "rewrite", "withdraw"))
            )
            self._change(query.values(reason=BLANKED, salt=""))


def _row(entry: JournalEntry) -> dict[str, Any]:
    return {**encode_row(entry), "before": dump(encode_fields(entry.before))}

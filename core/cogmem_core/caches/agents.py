"""What an agent is to do and how, as far as it may come up by itself, read once per change."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from cogmem_core.base.lru import LRUCache
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.values.models import Intention, Procedure

_NAMESPACES = 1_000
_SESSIONS = 10_000


class AgentRecords(NamedTuple):
    """The live records of a namespace.

    Attributes:
        seq: journal number of their newest change; 0 if there never was one.
        intentions: those that may still fire.
        procedures: those that may be shown.
        compartments: whether the namespace has any.
    """

    seq: int = 0
    intentions: tuple[Intention, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    compartments: bool = False


class AgentCache:
    """Live intentions and procedures of the namespaces asked for last. Thread-safe.

    A namespace that never had any costs no statement: its journal's number tells that it is 0.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: LRUCache[str, AgentRecords] = LRUCache(_NAMESPACES)
        self._shown: LRUCache[tuple[str, str], frozenset[str]] = LRUCache(_SESSIONS)

    def of(self, ns: Namespace) -> AgentRecords:
        """The records as the snapshot has them."""
        seq = ns.journal.agent_seq()
        compartments = bool(ns.journal.counters().compartments)
        if not seq:
            return AgentRecords(compartments=compartments)
        with self._lock:
            records = self._records.get(ns.name)
        if records is None or records.seq != seq:
            records = AgentRecords(seq, tuple(ns.intentions.live()), tuple(ns.procedures.live()))
            with self._lock:
                self._records.put(ns.name, records)
        return records._replace(compartments=compartments)

    def first_for_task(
        self, namespace: str, session_id: str | None, procedures: Sequence[Procedure]
    ) -> tuple[Procedure, ...]:
        """Those that the session has not been shown for its present task; they count as shown now."""
        if session_id is None or not procedures:
            return tuple(procedures)
        with self._lock:
            shown_ids = self._shown.get((namespace, session_id)) or frozenset()
            ids = frozenset(procedure.id for procedure in procedures)
            self._shown.put((namespace, session_id), shown_ids | ids)
        return tuple(procedure for procedure in procedures if procedure.id not in shown_ids)

    def begin_task(self, namespace: str, session_id: str) -> None:
        """A task came to its end: what is shown next belongs to another one."""
        with self._lock:
            self._shown.pop((namespace, session_id))

    def forget(self, namespace: str) -> None:
        """Drop what is held of a namespace."""
        with self._lock:
            self._records.pop(namespace)

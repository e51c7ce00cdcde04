"""What is shown whatever the question is: pinned memories, guardian facts, and the hot tier.

The hot tier is a namespace's most useful memories: which ones they are is decided once in a while.
What must always be shown is looked up each time, and what all of them say is read each time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import NamedTuple

from cogmem_core.base.lru import LRUCache
from cogmem_core.config import HotTierConfig
from cogmem_core.edge.clauses import exempt_until, guards_of, in_recall
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.values.models import Memory
from cogmem_core.values.readings import GUARDS

HOT_DAYS = 30.0
"""A memory of the hot tier is younger than so many days."""

SaidLater = Callable[[Sequence[Memory]], Iterable[Memory]]
"""What was said later of memories that must always be shown."""

_NAMESPACES = 1_000
_SESSIONS = 2_000
_READ = 100  # namespaces whose rows are kept


@dataclass(frozen=True, slots=True)
class _Choice:
    """The chosen ids, most useful first; `made_at` in seconds of the tier's clock."""

    ids: tuple[str, ...]
    made_at: float
    config: HotTierConfig


class _Read(NamedTuple):
    """The rows of memories by id, and those of them that must always be shown, then what was said later of these.

    Attributes:
        asked: the newest journal number then, whose rows they are, and by which conditions.
    """

    asked: tuple[int, tuple[str, ...], tuple[str, ...], HotTierConfig]
    rows: Mapping[str, Memory]
    always: Sequence[Memory]


class HotTier:
    """Chooses and remembers the choice, for the namespaces asked for last. Thread-safe.

    Args:
        clock: seconds, never going back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._choices: LRUCache[str, _Choice] = LRUCache(_NAMESPACES)
        self._by_session: LRUCache[tuple[str, str], _Choice] = LRUCache(_SESSIONS)
        self._rows: LRUCache[str, _Read] = LRUCache(_READ)

    def of(
        self,
        reader: Transaction,
        namespace: str,
        config: HotTierConfig,
        now: datetime,
        session_id: str | None = None,
        *,
        said_later: SaidLater = lambda _: (),
    ) -> tuple[Memory, ...]:
        """The memories that are shown whatever the question: what must always be, then the most useful.

        Between them stands what was said later of the former.

        A choice of the useful ones holds for `config.seconds`, and in a session for as long as it goes on, so that the
        beginning of its prompts stays the same; its rows are read afresh, so what was forgotten,
        superseded or has expired since is left out, and an edited memory has its new text. Nothing
        takes a free place before the next choice.

        Args:
            reader: the snapshot to read from.
            config: the conditions; `items` = 0 switches the tier off, `always_tokens` = 0 the rest.
            now: the present, timezone-aware; age counts from `Memory.created_at`.
            session_id: the conversation that goes on.
            said_later: asked when anything of the namespace has changed.
        """
        if not (config.items or config.always_tokens):
            return ()
        tables = reader.at(namespace)
        always_ids = tables.overview.always_shown() if config.always_tokens else ()
        since = now - timedelta(days=HOT_DAYS)
        ids = self._chosen(tables, config, since, session_id) if config.items else ()
        read = self._read_of(tables, tuple(always_ids), ids, config, said_later=said_later)
        current = {name: memory for name, memory in read.rows.items() if in_recall(memory, now)}
        always = [memory for memory in read.always if memory.id in current]
        said = set(map(_said, always))
        useful = (current[name] for name in ids if name in current)
        return (
            *always,
            *(row for row in useful if row.created_at > since and _said(row) not in said),
        )

    def _read_of(
        self,
        tables: Namespace,
        always_ids: tuple[str, ...],
        ids: tuple[str, ...],
        config: HotTierConfig,
        *,
        said_later: SaidLater,
    ) -> _Read:
        """What the memories say: read again as soon as anything of the namespace has changed."""
        asked = (tables.journal.last_seq(), always_ids, ids, config)
        with self._lock:
            read = self._rows.get(tables.name)
        if read is None or read.asked != asked:
            rows = tables.memories.by_ids([*always_ids, *ids]) if always_ids or ids else {}
            first, _ = shown_first([rows[name] for name in always_ids if name in rows], config)
            always = [replace(memory, valid_until=exempt_until(memory)) for memory in first]
            always += said_later(always)
            read = _Read(asked, rows | {memory.id: memory for memory in always}, always)
            with self._lock:
                self._rows.put(tables.name, read)
        return read

    def _chosen(
        self,
        tables: Namespace,
        config: HotTierConfig,
        since: datetime,
        session_id: str | None,
    ) -> tuple[str, ...]:
        seconds = self._clock()
        with self._lock:
            if session_id is not None:
                chosen = self._by_session.get((tables.name, session_id))
                if chosen is not None and chosen.config == config:
                    return chosen.ids
            choice = self._choices.get(tables.name)
        if choice is None or choice.config != config or seconds - choice.made_at >= config.seconds:
            # Not under the lock: a slow query of one namespace must not hold up the others.
            useful_ids = tables.overview.most_useful(
                utility=config.utility,
                accesses=config.accesses,
                since=since,
                limit=config.items,
            )
            choice = _Choice(tuple(useful_ids), seconds, config)
            with self._lock:
                self._choices.put(tables.name, choice)
        if session_id is not None and choice.ids:
            with self._lock:
                self._by_session.put((tables.name, session_id), choice)
        return choice.ids

    def forget(self, namespace: str) -> None:
        """Drop the choice: the next question makes a new one."""
        with self._lock:
            self._choices.pop(namespace)
            self._rows.pop(namespace)


def shown_first(
    memories: Sequence[Memory], config: HotTierConfig
) -> tuple[list[Memory], list[Memory]]:
    """Those that must always be shown, and the others.

    Guardian facts, the most dangerous first, then what is pinned; of one kind the newest comes
    first. What somebody said in the same words, as in two banks that were joined, is shown once.
    """
    ranked: list[tuple[int, Memory]] = []
    for memory in memories:
        kinds = [kind for kind in guards_of(memory) if kind in config.guards]
        if config.always_tokens and (kinds or memory.pinned):
            ranked.append((GUARDS.index(kinds[0]) if kinds else len(GUARDS), memory))
    ranked.sort(key=lambda row: (row[1].recorded_at, row[1].id), reverse=True)
    once: dict[tuple[str | None, str], Memory] = {}
    for _, memory in sorted(ranked, key=itemgetter(0)):
        once.setdefault(_said(memory), memory)
    return list(once.values()), [memory for memory in memories if _said(memory) not in once]


def _said(memory: Memory) -> tuple[str | None, str]:
    return memory.speaker, memory.content_hash

"""What one search works with, and what it has read so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.base.timeouts import Deadline
from cogmem_core.edge.clauses import read_of
from cogmem_core.process.services import Services
from cogmem_core.reading import Reading, of
from cogmem_core.retrieval.plan import Plan, Request
from cogmem_core.retrieval.visibility import Visibility
from cogmem_core.storage.ledger.codec import MEMORY_COLUMNS, decode_reading
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.keys import asked_in
from cogmem_core.values.models import UNMEANT

_CONTENT = MEMORY_COLUMNS.index("content")
_READING = MEMORY_COLUMNS.index("reading")
_TAGS = MEMORY_COLUMNS.index("tags")


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What one search works with.

    Attributes:
        services: of the engine.
        reader: a snapshot of the ledger.
        corpus: the views that are searched: that of active memories and, if they may be seen, that
            of dormant and superseded ones.
        request: what is asked.
        plan: how it is answered.
        visibility: which memories may be seen.
        deadline: when an answer is due.
        allowed: ids that the given filters and moments leave; None = all.
        troubles: what failed or was cut short so far.
        former: texts in force at the moment in question, by id, where they differ from today's.
    """

    services: Services
    reader: Transaction
    corpus: Corpus
    request: Request
    plan: Plan
    visibility: Visibility
    deadline: Deadline
    allowed: frozenset[str] | None = None
    troubles: list[str] = field(default_factory=list)
    former: dict[str, str] = field(default_factory=dict)
    _read: dict[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def tables(self) -> Namespace:
        """Of the namespace that is searched."""
        return self.reader.at(self.request.namespace)

    def allows(self, memory_id: str) -> bool:
        """Whether the given filters and moments leave a memory."""
        return self.allowed is None or memory_id in self.allowed

    def keyed_rows(self, ids: Sequence[str]) -> Mapping[str, Sequence[Any]]:
        """Rows as those of `MemoryTable.keyed`, of at least these memories; each is read once."""
        missing = [memory_id for memory_id in ids if memory_id not in self._read]
        if missing:
            self._read.update(self.corpus.keyed(self.tables, missing))
        return self._read

    def texts(self, ids: Sequence[str]) -> list[str]:
        """What memories say, or said at the moment in question; "" for what is not there any more."""
        rows = self.keyed_rows(ids)
        texts = []
        for memory_id in ids:
            today = rows[memory_id][_CONTENT] if memory_id in rows else ""
            texts.append(self.former.get(memory_id, today))
        return texts

    def reading(self, memory_id: str) -> Reading:
        """What a memory says, or said at the moment in question, taken apart: as it is stored, if it is."""
        row = self.keyed_rows([memory_id]).get(memory_id)
        former = self.former.get(memory_id)
        if row is None or former is not None:
            return of(former or "")
        return read_of(row[_CONTENT], decode_reading(row[_READING]))

    def answered(self, ids: Sequence[str]) -> list[str]:
        """The questions that memories answer; "" where none was asked."""
        rows = self.keyed_rows(ids)
        return [
            asked_in(rows[name][-1], rows[name][_CONTENT]) if name in rows else "" for name in ids
        ]

    def unmeant(self, ids: Sequence[str]) -> list[bool]:
        """Whether memories were said in jest, in a story or in a game."""
        rows = self.keyed_rows(ids)
        return [name in rows and f'"{UNMEANT}"' in (rows[name][_TAGS] or "") for name in ids]

    def note_trouble(self, sentence: str) -> None:
        """Note what failed, once."""
        if sentence not in self.troubles:
            self.troubles.append(sentence)

    def lost(self, kind: str) -> bool:
        """True if `vector` or `lexical` search failed, or a part of it."""
        return any(sentence.startswith(f"{kind}:") for sentence in self.troubles)

    def late(self, step: str) -> bool:
        """True, and noted, if no time is left for a step."""
        if self.deadline.passed:
            self.note_trouble(f"deadline: {step} left out")
            return True
        return False

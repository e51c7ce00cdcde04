"""What an erasure asks for by words or a filter, and which records, of whatever kind, answer to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.edge.clauses import in_sentences, reading_of, said, telling
from cogmem_core.storage.ledger.memories import EVERYTHING, Filter
from cogmem_core.storage.ledger.record_kinds import KINDS, MEMORIES, Kind
from cogmem_core.storage.ledger.table import chunks
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.query.exact import Naming
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Episode, Memory

_PAGE = 500


@dataclass(slots=True)
class Found:
    """What an erasure finds.

    Attributes:
        rows: what goes, by the name of its kind and its key.
        kept: the turns by which memories stay that other turns told, too, by the memory's id.
        left: what stays though it may be meant, and why, in sentences.
    """

    rows: dict[str, dict[Any, Any]] = field(
        default_factory=lambda: {kind.name: {} for kind in KINDS}
    )
    kept: dict[str, list[Episode]] = field(default_factory=dict)
    left: tuple[str, ...] = ()

    @property
    def is_anything(self) -> bool:
        """Whether anything goes, or loses a telling."""
        return bool(self.kept) or any(self.rows.values())


@dataclass(frozen=True, slots=True)
class Asked:
    """What an erasure asks for.

    Attributes:
        naming: words that a record holds as a whole; None = whatever the filter leaves.
        within: only what was said so.
    """

    naming: Naming | None = None
    within: Filter = EVERYTHING

    def names(self, texts: Iterable[str | None]) -> bool:
        """Whether one of these texts holds the words."""
        naming = self.naming
        return naming is not None and any(naming.exact(text) for text in texts if text)

    def clauses_of(self, memory: Memory) -> tuple[Memory, tuple[int, ...]]:
        """The clauses of a memory that hold the words, if it tells something else besides.

        Returns:
            The memory, cut as finely as it can be, and their numbers.
        """
        memory = in_sentences(memory, lambda words: self.names([words]))
        numbers = [
            number
            for number, clause in enumerate(reading_of(memory).clauses)
            if self.names([said(memory, clause)])
        ]
        rest = telling(memory).keys() - set(numbers)
        return memory, tuple(numbers) if rest else ()

    def found(self, ns: Namespace) -> Found:
        """What answers to it among all records of a namespace."""
        if self.naming is None and not self.within.narrows:
            return Found()
        sorting = _Sorting(self, ns, {} if self.naming is None else ns.history.texts())
        kinds = [kind for kind in KINDS if kind.name == MEMORIES or not self.within.of_memory]
        for kind in kinds:
            for records in chunks(list(kind.rows(ns)), _PAGE):
                sorting.add(kind, records)
        sorting.found.left = tuple(sorting.sentences())
        return sorting.found


ANYTHING = Asked()
"""Whatever the caller names by ids."""


@dataclass(slots=True)
class _Sorting:
    """Records, told apart.

    Attributes:
        former: the former texts of memories, by id.
        called: records that stay and are only called by the words, by the name of their kind.
        untold: the words of records that do not tell what the filter asks, with their kind and that.
        gone: index tokens of what goes.
        staying: index tokens of what the filter leaves out.
    """

    asked: Asked
    ns: Namespace
    former: Mapping[str, list[str]]
    found: Found = field(default_factory=Found)
    called: Counter[str] = field(default_factory=Counter)
    untold: list[tuple[str, tuple[str, ...], list[str]]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    staying: set[str] = field(default_factory=set)

    def add(self, kind: Kind, records: list[Any]) -> None:
        """Sort some records of a kind."""
        within = self.asked.within
        told = self._memories(records) if kind.name == MEMORIES else None
        for record in records:
            words = [*kind.words(record)]
            if kind.name == MEMORIES:
                words += self.former.get(record.id, ())
            key = kind.key(record)
            is_told = told is not None and key in told
            untold = () if is_told else kind.untold(within, record)
            may_be_told = told is None or (bool(untold) and not within.of_memory)
            admitted = is_told or (may_be_told and kind.admits(within, record))
            if self.asked.naming is not None and not self.asked.names(words):
                self.called[kind.name] += admitted and self.asked.names(kind.labels(record))
            elif admitted and untold:
                self.untold.append((kind.name, untold, words))
            elif admitted and key not in self.found.kept:
                self.found.rows[kind.name][key] = record
                self.gone.update(*map(tokens, words))
            else:
                self.staying.update(*map(tokens, words))

    def _memories(self, memories: list[Memory]) -> set[str]:
        """Ids of those that the filter leaves, by any telling; those told by others, too, are noted."""
        table = self.ns.tellings
        admitted = table.admitted(self.asked.within, memories)
        self.found.kept |= table.outside(self.asked.within, admitted)
        return {memory.id for memory in admitted}

    def sentences(self) -> Iterator[str]:
        """What stays though it may be meant: of what tells nothing, what says what only the erased said."""
        for name, count in self.called.items():
            if count:
                yield (
                    f"{name} stay that do not say it, but are called so ({count}: by session, speaker, "
                    "id, tag, tool, path or metadata); erase those by a filter or their ids"
                )
        if self.asked.names(self.ns.seals.all()):
            yield "a sealed topic stays that holds these words; bank.unseal(topic) takes it away"
        only = self.gone - self.staying
        counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
        for name, untold, words in self.untold:
            says = self.asked.naming is not None or not only.isdisjoint(
                token for text in words for token in tokens(text)
            )
            counts[name, untold] += says
        for (name, untold), count in counts.items():
            if count:
                yield (
                    f"{name} stay that do not tell their {' and '.join(untold)}, and hold words of what "
                    f"is erased ({count}); erase those by these words or their ids"
                )

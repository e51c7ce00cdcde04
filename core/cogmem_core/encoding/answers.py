"""What a person answers to the question which of two versions holds."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from cogmem_core.changes import Change, Unlink
from cogmem_core.edge.clauses import reading_of, standing
from cogmem_core.encoding.facts import Settled
from cogmem_core.encoding.withdrawals import parts_of
from cogmem_core.process.services import Services
from cogmem_core.reading.doubts import doubt
from cogmem_core.reading.pack import OWN
from cogmem_core.retrieval.doubts import DOUBTING, Doubted, doubted_pairs
from cogmem_core.retrieval.versions import age
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import plain
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import Episode, Memory


class PutQuestions:
    """The questions about doubts that were put in a namespace; read when the first one may be answered."""

    def __init__(self, services: Services, namespace: str) -> None:
        self._services = services
        self._namespace = namespace

    def settled(self, episode: Episode, text: str, question: str) -> Settled | None:
        """What a person's turn settles; None if nothing, or nothing for sure.

        Args:
            episode: the turn.
            text: what is new in it.
            question: what had been asked just before.
        """
        if not question or WRITTEN_BY in episode.metadata:
            return None
        heard = plain(question)
        for pair in self._pairs:
            for code in OWN:
                asked = pair.doubt.asked(code)
                if asked is None or plain(asked.question) not in heard:
                    continue
                choice = pair.doubt.choice(text, code)
                if choice and pair.newer.speaker in (None, episode.speaker):
                    return Settled(choice, pair, pair.doubt.alone(text, code))
        return None

    @cached_property
    def _pairs(self) -> list[Doubted]:
        now = self._services.runtime.now()
        with self._services.ledger.reading(self._namespace) as ns:
            put = ns.relations.of_types(DOUBTING, activated=True)
            return doubted_pairs(ns, put, now)


def undoubted(ns: Namespace, ends: Collection[str]) -> list[Change]:
    """Some memories are versions of each other no more."""
    return [
        Unlink(link, "both hold")
        for link in ns.relations.of_memories(list(ends))
        if link.type in DOUBTING and {link.source_id, link.target_id} <= set(ends)
    ]


def tells_others(other: Memory, keep: Memory) -> bool:
    """Whether a clause of a memory tells other things beside what another one is a version of."""
    older, newer = sorted((other, keep), key=age)
    found = doubt(standing(newer), standing(older))
    return found is not None and found.leaves(found.older if other is older else found.newer)


def version_parts(other: Memory, keep: Memory, *, known: bool = False) -> tuple[int, ...] | None:
    """The clauses of a memory that are a version of what another one says; None if none are.

    Args:
        other: the one that does not hold.
        keep: the one that does.
        known: see `reading.doubts.doubt`.

    Returns:
        Empty if it says nothing else: then it goes as a whole.
    """
    older, newer = sorted((other, keep), key=age)
    found = doubt(standing(newer), standing(older), known=known)
    if found is None:
        return None
    reading = reading_of(other)
    number = reading.clauses.index(found.older if other is older else found.newer)
    return parts_of(other, {number}, reading, standing(keep))

"""What somebody said later of a guardian fact: it may take that back, so a model reads both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice

import numpy as np

from cogmem_core.base.lru import text_cache
from cogmem_core.edge.clauses import guarding_words, guards_of, reading_of, standing
from cogmem_core.process.services import Services
from cogmem_core.reading.between import change
from cogmem_core.reading.facts import is_over_by
from cogmem_core.retrieval.versions import age
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.tokens import held_stems, tokens
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import UNMEANT, Memory

NEAR_FROM = 0.4
"""Cosine of MiniLM from which on a text may bear on a guardian fact, if it has a word of it."""
_ASKED = 32  # guardian facts for which it is looked up
_LOOKED_AT = 16  # memories nearest to each
_TOLD = 2  # of them, at most


def said_later(
    services: Services, reader: Transaction, view: NamespaceView, always: Sequence[Memory]
) -> list[Memory]:
    """What was said later of the guardian facts among some memories, whatever it says; of each the nearest."""
    guardians = [one for one in always if one.state == "active" and guards_of(one)][:_ASKED]
    if not guardians:
        return []
    ids = [memory.id for memory in guardians]
    shown = {memory.id for memory in always}
    tables = reader.at(view.namespace)
    embedder = services.embedder
    vectors = Corpus(view).vectors(
        tables, ids, fingerprint=embedder.fingerprint, dimension=embedder.dimension
    )
    hits = services.searcher.nearest_many(reader, view, vectors, _LOOKED_AT, thorough=False)
    near: list[dict[str, bool]] = []
    for found in hits:
        cosines = np.array([hit.score for hit in found])
        fits = embedder.fitted.of(cosines) >= NEAR_FROM if embedder.fitted else cosines > 0
        names = zip((hit.id for hit in found), fits.tolist(), strict=True)
        near.append({name: fit for name, fit in names if name not in shown})
    rows = tables.memories.by_ids(list(set(chain.from_iterable(near))))
    told: dict[str, Memory] = {}
    for guardian, fitting in zip(guardians, near, strict=True):
        later = ((rows[name], fit) for name, fit in fitting.items() if name in rows)
        bearing = (
            memory
            for memory, fit in later
            if bears_on(memory, guardian) and (fit or _may_end(memory, guardian))
        )
        told |= {memory.id: memory for memory in islice(bearing, _TOLD)}
    return list(told.values())


def bears_on(later: Memory, guardian: Memory) -> bool:
    """Whether somebody said something after a guardian fact of theirs, with a word of it, and meant it."""
    doubtful = (
        later.support
        or later.category == "item"
        or later.trust < guardian.trust
        or UNMEANT in later.tags
    )
    if doubtful or age(later) < age(guardian) or _voice(later) != _voice(guardian):
        return False
    shared = held_stems(_stems(guarding_words(guardian)), _stems(later.content))
    return bool(shared) or is_over_by(guardian.content, later.content)


def _may_end(later: Memory, guardian: Memory) -> bool:
    """Whether a text says that what a guardian fact tells may be over, however unlike its words are."""
    changed = change(reading_of(later), standing(guardian))
    return changed is not None or is_over_by(guardian.content, later.content)


@text_cache(1_024)
def _stems(text: str) -> set[str]:
    return set(tokens(text))


def _voice(memory: Memory) -> tuple[object, ...]:
    return memory.data_source, memory.speaker, memory.metadata.get(WRITTEN_BY)

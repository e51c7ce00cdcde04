"""What somebody said later of a guardian fact: it may take that back, so a model reads both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
ASKED = 32
"""Guardian facts for which it is looked up at once."""
_LOOKED_AT = 16  # memories nearest to each
_TOLD = 2  # of them, at most


def said_later(
    services: Services, reader: Transaction, view: NamespaceView, always: Sequence[Memory]
) -> list[Memory]:
    """What was said later of the guardian facts among some memories, whatever it says; of each the nearest."""
    guardians = [one for one in always if one.state == "active" and guards_of(one)][:ASKED]
    found = later_of(services, reader, view, guardians, {memory.id for memory in always})
    return list({one.id: one for one in chain.from_iterable(found.values())}.values())


def later_of(
    services: Services,
    reader: Transaction,
    view: NamespaceView,
    memories: Sequence[Memory],
    shown: Collection[str],
) -> dict[str, list[Memory]]:
    """What was said later of each of some memories, by their ids, the nearest first.

    Args:
        services: of the engine.
        reader: a snapshot.
        view: of the namespace.
        memories: about which it is asked.
        shown: ids of what is not looked for.
    """
    if not memories:
        return {}
    ids = [memory.id for memory in memories]
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
    told: dict[str, list[Memory]] = {}
    for one, fitting in zip(memories, near, strict=True):
        later = ((rows[name], fit) for name, fit in fitting.items() if name in rows)
        bearing = (
            memory
            for memory, fit in later
            if bears_on(memory, one) and (fit or _may_end(memory, one))
        )
        told[one.id] = list(islice(bearing, _TOLD))
    return told


def bears_on(later: Memory, guardian: Memory) -> bool:
    """Whether somebody said something after a guardian fact of theirs, with a word of it, and meant it.

    Of what guards nobody two words count: "The move to Leeds is off" of "We plan to move to Leeds".
    """
    doubtful = (
        later.support
        or later.category == "item"
        or later.trust < guardian.trust
        or UNMEANT in later.tags
    )
    if doubtful or age(later) < age(guardian) or _voice(later) != _voice(guardian):
        return False
    words = guarding_words(guardian)
    shared = held_stems(_stems(words or guardian.content), _stems(later.content))
    return len(shared) > (not words) or is_over_by(guardian.content, later.content)


def _may_end(later: Memory, guardian: Memory) -> bool:
    """Whether a text says that what a guardian fact tells may be over, however unlike its words are."""
    changed = change(reading_of(later), standing(guardian))
    return changed is not None or is_over_by(guardian.content, later.content)


@text_cache(1_024)
def _stems(text: str) -> set[str]:
    return set(tokens(text))


def _voice(memory: Memory) -> tuple[object, ...]:
    return memory.data_source, memory.speaker, memory.metadata.get(WRITTEN_BY)

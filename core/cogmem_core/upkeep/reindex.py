"""Rebuilding the indexes, and moving a bank to another embedder, deliberately and resumably."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict

from cogmem_core.embedders import CachedEmbedder
from cogmem_core.embedders.factory import BATCH_SIZE
from cogmem_core.embedders.scale import CosineScale, measured_scale
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import Embedder
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.ledger import EMBEDDER_KEY, Ledger
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.text.keys import embedded_text
from cogmem_core.values.results import ReindexReport

_SCALE_KEY = "cosines:"
_KNOWN = ("minilm", "hashing")
"""Embedders that confidence was fitted to, or that only compare words."""

Progress = Callable[[int, int], None]


def reembed(services: Services, embedder: Embedder, progress: Progress | None = None) -> int:
    """Give every memory a vector of `embedder`, in batches that are each committed whole; returns how many.

    Interrupted, it goes on where it stopped when it is called again: vectors name the embedder they
    come from. The bank belongs to the new embedder once all are done.
    """
    count = 0
    with services.ledger.whole() as reader:
        total = reader.embeddings.count_foreign(embedder.fingerprint)
    while True:
        with services.ledger.whole() as reader:
            rows = reader.embeddings.foreign(embedder.fingerprint, BATCH_SIZE)
        if rows:
            _embed(services, embedder, rows)
            count += len(rows)
            if progress:
                progress(count, max(total, count))
        elif _settled(services, embedder):
            return count


def embed_outdated(services: Services) -> bool:
    """Make the vectors of some memories whose text is found otherwise by now; returns whether there were any."""
    with services.ledger.whole() as reader:
        rows = reader.embeddings.outdated(BATCH_SIZE)
    if rows:
        _embed(services, services.embedder, rows)
    return bool(rows)


def _embed(services: Services, embedder: Embedder, rows: Sequence[tuple[str, str, str]]) -> None:
    """Set vectors of the embedder; `rows`: namespace, id and key of memories."""
    vectors = embedder.embed_documents([embedded_text(key) for _, _, key in rows])
    with services.ledger.writing(None) as writer:
        for (namespace, memory_id, _), vector in zip(rows, vectors, strict=True):
            ns = writer.at(namespace)
            seq, _ = ns.journal.allocate(1)
            fields = {"vector": vector, "fingerprint": embedder.fingerprint, "seq": seq}
            ns.memories.update({memory_id: fields})


def recall_scale(ledger: Ledger, embedder: CachedEmbedder) -> bool:
    """Give the embedder the scale of its cosines, if it was measured before; returns whether it was."""
    if embedder.fingerprint.startswith(_KNOWN):
        return True
    with ledger.whole() as reader:
        stored = reader.meta.get(_SCALE_KEY + embedder.fingerprint)
    if stored is None:
        return False
    values = json.loads(stored)
    embedder.scale = None if values is None else CosineScale(**values)
    return True


def calibrate(services: Services) -> None:
    """Measure the scale of the embedder's cosines, so that confidence means the same; the ledger keeps it.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    embedder = services.embedder
    if recall_scale(services.ledger, embedder):
        return
    scale = measured_scale(embedder)
    with services.ledger.writing(None) as writer:
        values = None if scale is None else asdict(scale)
        writer.meta.set(_SCALE_KEY + embedder.fingerprint, json.dumps(values))
    embedder.scale = scale


def _settled(services: Services, embedder: Embedder) -> bool:
    """The bank belongs to the new embedder, unless another one wrote to it meanwhile."""
    with services.ledger.writing(None) as writer:
        if writer.embeddings.foreign(embedder.fingerprint, 1):
            return False
        writer.meta.set(EMBEDDER_KEY, embedder.fingerprint)
    return True


def reindex(
    services: Services, follower: ChromaFollower, embedded: int, progress: Progress | None = None
) -> ReindexReport:
    """Build all indexes anew from the ledger; embeds nothing but what calibrates the embedder."""
    with suppress(EmbedderUnavailable):
        calibrate(services)
    services.searcher.views.fresh(
        fingerprint=services.embedder.fingerprint, dimension=services.embedder.dimension
    )
    follower.rebuild(services.embedder.fingerprint, services.embedder.dimension)
    follower.survey()
    follower.step()
    total = max(1, follower.lag())
    while follower.step():
        if progress:
            progress(total - min(total, follower.lag()), total)
    with services.ledger.whole() as reader:
        indexed = reader.embeddings.count(services.embedder.fingerprint)
    return ReindexReport(embedded, indexed, services.embedder.fingerprint)

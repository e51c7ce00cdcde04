"""Rebuilding the indexes, and moving a bank to another embedder, deliberately and resumably."""

from __future__ import annotations

from collections.abc import Callable

from cogmem_core.embedders.factory import BATCH_SIZE
from cogmem_core.ports import Embedder
from cogmem_core.results import ReindexReport
from cogmem_core.services import Services
from cogmem_core.storage.ledger.ledger import EMBEDDER_KEY
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.text.keys import embedded_text

__all__ = ["reembed", "reindex"]

Progress = Callable[[int, int], None]


def reembed(services: Services, embedder: Embedder, progress: Progress | None = None) -> int:
    """Give every memory a vector of `embedder`, in batches that are each committed whole; returns how many.

    Interrupted, it goes on where it stopped when it is called again: vectors name the embedder they
    come from. The bank belongs to the new embedder once all are done.
    """
    done = 0
    total = 0
    with services.ledger.whole() as reader:
        total = reader.embeddings.count_foreign(embedder.fingerprint)
    while True:
        with services.ledger.whole() as reader:
            rows = reader.embeddings.foreign(embedder.fingerprint, BATCH_SIZE)
        if rows:
            vectors = embedder.embed_documents([embedded_text(key) for _, _, key in rows])
            with services.ledger.writing(None) as writer:
                for (namespace, memory_id, _), vector in zip(rows, vectors, strict=True):
                    ns = writer.at(namespace)
                    seq, _ = ns.journal.allocate(1)
                    fields = {"vector": vector, "fingerprint": embedder.fingerprint, "seq": seq}
                    ns.memories.update({memory_id: fields})
            done += len(rows)
            if progress:
                progress(done, max(total, done))
        elif _settled(services, embedder):
            return done


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
    """Build all indexes anew from the ledger; embeds nothing."""
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

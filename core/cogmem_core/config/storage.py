"""Settings of `[storage]`: where memories live, and when an index is rebuilt."""

from __future__ import annotations

from dataclasses import dataclass, field

from cogmem_core.config.bounds import number

__all__ = ["StorageConfig"]


@dataclass(frozen=True, slots=True)
class StorageConfig:
    """Where memories live, and when an index is rebuilt.

    Attributes:
        ledger_url: SQLAlchemy URL of the ledger; None = SQLite in the bank's folder.
        chroma_url: `http://host:port` of a Chroma server; None = Chroma embedded in the bank's
            folder.
        index_above: a namespace with more active memories has a Chroma collection; others are
            searched exactly, from a cached matrix, and their vectors are in the ledger only.
            Measured: at 20,000 both take as long.
        matrix_cache_mb: memory for cached matrices of all namespaces, in MiB.
        lexical_cache_documents: documents kept in lexical indexes of all namespaces before the
            oldest is dropped.
        write_slice: vectors per Chroma write; a write holds the interpreter lock (measured).
        sync_threshold: Chroma writes its HNSW files after so many vectors. What is not in them yet
            it reads again at every write (20,000 vectors: 323/s at 100,000, 1,827/s at 1,000); a
            torn file is caught by the manifest.
        rebuild_tombstone_share: a new generation is built when so large a share of the index is
            deleted vectors.
        index_linger_seconds: how long the background writer gathers writes before it applies fewer
            than a slice.
        close_drain_seconds: how long `close()` goes on applying writes; what is left is applied
            after the next open.
        busy_timeout_seconds: how long a writer waits for another process, and a call for a
            connection of the pool.
        reach_seconds: how long a call tries to reach a PostgreSQL server that is away, or collided
            transactions go on.
        statement_seconds: how long one statement may take on a PostgreSQL server.
        connections: to a PostgreSQL server that one engine keeps at most.
        prepared_statements: let PostgreSQL prepare what is sent often: faster, but not through a
            transaction pooler.
        search_seconds: how long a recall waits for Chroma before it searches without it.
        write_seconds: how long a call to Chroma that is no search may take before the index counts
            as failed and is built anew.
    """

    ledger_url: str | None = field(default=None, repr=False)
    chroma_url: str | None = None
    index_above: int = number(20_000, 0, 10_000_000)
    matrix_cache_mb: int = number(512, 1, 65_536)
    lexical_cache_documents: int = number(400_000, 1, 100_000_000)
    write_slice: int = number(25, 1, 300)
    sync_threshold: int = number(1_000, 100, 10_000_000)
    rebuild_tombstone_share: float = number(0.25, 0.01, 1.0)
    index_linger_seconds: float = number(1.0, 0.0, 60.0)
    close_drain_seconds: float = number(2.0, 0.0, 3600.0)
    busy_timeout_seconds: float = number(30.0, 0.1, 600.0)
    reach_seconds: float = number(5.0, 0.0, 600.0)
    statement_seconds: float = number(60.0, 0.1, 86_400.0)
    connections: int = number(16, 1, 1_000)
    prepared_statements: bool = False
    search_seconds: float = number(1.0, 0.01, 600.0)
    write_seconds: float = number(60.0, 0.1, 3600.0)

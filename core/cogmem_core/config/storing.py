"""Settings of what lies below: storage, embedding, word index, op log, limits."""

from __future__ import annotations

from dataclasses import dataclass, field

from cogmem_core.config.bounds import number

__all__ = [
    "EmbeddingConfig",
    "LLMConfig",
    "LexicalConfig",
    "LimitsConfig",
    "LogConfig",
    "StorageConfig",
]


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


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """How texts become vectors.

    Attributes:
        batch_size: texts per call of the embedder.
        cache_entries, cache_ttl_seconds: the cache of query vectors (seed 001: 200 entries, 30
            minutes).
        timeout_seconds: for one call of a remote embedder.
        attempts: tries of a remote embedder, with exponential back-off.
        query_seconds: how long a recall waits for the embedder before it searches by words alone.
    """

    batch_size: int = number(256, 1, 2048)
    cache_entries: int = number(200, 0, 1_000_000)
    cache_ttl_seconds: float = number(1800.0, 0.0, 31_536_000.0)
    timeout_seconds: float = number(30.0, 0.1, 600.0)
    attempts: int = number(3, 1, 10)
    query_seconds: float = number(10.0, 0.01, 600.0)


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """BM25 (rank_bm25's Okapi variant).

    Attributes:
        k1, b: 0.9 and 0.4 win on conversations (measured on LoCoMo); the library's own defaults are
            1.5 and 0.75.
        epsilon: floor for negative inverse document frequencies, as a share of the mean.
    """

    k1: float = number(0.9, 0.0, 10.0)
    b: float = number(0.4, 0.0, 1.0)
    epsilon: float = number(0.25, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The op log (seed 001: 10 MB per file, then rotated by date).

    Attributes:
        content: write redacted texts instead of their hashes and lengths.
        max_bytes: size at which the file is rotated.
    """

    content: bool = False
    max_bytes: int = number(10_000_000, 10_000, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """What is refused at the edge.

    Attributes:
        content_bytes: UTF-8 bytes of one turn or memory.
        query_bytes: UTF-8 bytes of a query.
        batch_items: turns per `remember` call.
        metadata_bytes: JSON bytes of one turn's metadata.
        tags: tags per memory; label_characters: characters of a tag, session id, speaker, ref or
            namespace.
    """

    content_bytes: int = number(1_000_000, 1, 100_000_000)
    query_bytes: int = number(100_000, 1, 10_000_000)
    batch_items: int = number(100_000, 1, 10_000_000)
    metadata_bytes: int = number(100_000, 2, 10_000_000)
    tags: int = number(64, 0, 10_000)
    label_characters: int = number(256, 1, 4_096)


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """What may be asked of the language model; None = unlimited.

    Attributes:
        timeout_seconds: for one step, retries included.
        per_call_tokens: estimated tokens of one prompt.
        calls_per_cycle: calls of one dream cycle.
        calls_per_day, tokens_per_day: by UTC day.
        cooldown_failures: so many failures in a row, and the model is left alone for
            `cooldown_seconds`.
    """

    timeout_seconds: float = number(30.0, 0.1, 600.0)
    per_call_tokens: int | None = number(None, 0, 10_000_000)
    calls_per_cycle: int | None = number(25, 0, 1_000_000)
    calls_per_day: int | None = number(None, 0, 10_000_000)
    tokens_per_day: int | None = number(None, 0, 10_000_000_000)
    cooldown_failures: int = number(3, 1, 1_000)
    cooldown_seconds: float = number(60.0, 0.0, 86_400.0)

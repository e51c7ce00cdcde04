"""Settings of `[storage]`: where memories live, and when an index is rebuilt."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from cogmem_core.config.sections import Count, UpToHundredMillion, UpToThousand, section


@section("storage")
class StorageConfig:
    """Where memories live, and when an index is rebuilt."""

    ledger_url: str | None = field(default=None, repr=False)
    """SQLAlchemy URL of the ledger; None = SQLite in the bank's folder."""
    chroma_url: str | None = None
    """`http://host:port` of a Chroma server; None = Chroma embedded in the bank's folder."""
    index_above: Count = 20_000
    """A namespace with more active memories has a Chroma collection; others are searched exactly,
    from a cached matrix, and their vectors are in the ledger only. Measured: at 20,000 both take
    as long (`make bench`, crossing); `health()` says which one answers."""
    matrix_cache_mb: Annotated[StrictInt, Field(ge=1, le=65_536)] = 512
    """Memory for cached matrices of all namespaces, in MiB."""
    lexical_cache_documents: UpToHundredMillion = 400_000
    """Documents kept in lexical indexes of all namespaces before the oldest is dropped."""
    write_slice: Annotated[StrictInt, Field(ge=1, le=300)] = 25
    """Vectors per Chroma write; a write holds the interpreter lock (measured)."""
    sync_threshold: Annotated[StrictInt, Field(ge=100, le=10_000_000)] = 1_000
    """Chroma writes its HNSW files after so many vectors. What is not in them yet it reads again
    at every write (20,000 vectors: 323/s at 100,000, 1,827/s at 1,000); a torn file is caught by
    the manifest."""
    rebuild_tombstone_share: Annotated[StrictFloat, Field(ge=0.01, le=1.0)] = 0.25
    """A new generation is built when so large a share of the index is deleted vectors."""
    index_linger_seconds: Annotated[StrictFloat, Field(ge=0.0, le=60.0)] = 1.0
    """How long the background writer gathers writes before it applies fewer than a slice."""
    close_drain_seconds: Annotated[StrictFloat, Field(ge=0.0, le=3600.0)] = 2.0
    """How long `close()` goes on finishing turns and applying writes; what is left is done after the next open."""
    busy_timeout_seconds: Annotated[StrictFloat, Field(ge=0.1, le=600.0)] = 30.0
    """How long a writer waits for another process, and a call for a connection of the pool."""
    reach_seconds: Annotated[StrictFloat, Field(ge=0.0, le=600.0)] = 5.0
    """How long a call tries to reach a PostgreSQL server that is away, or collided transactions
    go on."""
    statement_seconds: Annotated[StrictFloat, Field(ge=0.1, le=86_400.0)] = 60.0
    """How long one statement may take on a PostgreSQL server."""
    connections: UpToThousand = 16
    """To a PostgreSQL server that one engine keeps at most."""
    prepared_statements: StrictBool = False
    """Let PostgreSQL prepare what is sent often: faster, but not through a transaction pooler."""
    search_seconds: Annotated[StrictFloat, Field(ge=0.01, le=600.0)] = 1.0
    """How long a recall waits for Chroma before it searches without it."""
    write_seconds: Annotated[StrictFloat, Field(ge=0.1, le=3600.0)] = 60.0
    """How long a call to Chroma that is no search may take before the index counts as failed and
    is built anew."""

"""Settings of `[embedding]`: how texts become vectors."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import section


@section("embedding")
class EmbeddingConfig:
    """How texts become vectors."""

    cache_entries: Annotated[StrictInt, Field(ge=0, le=1_000_000)] = 200
    """Query vectors that the cache holds."""
    timeout_seconds: Annotated[StrictFloat, Field(ge=0.1, le=600.0)] = 30.0
    """How long one call of a remote embedder may take."""
    attempts: Annotated[StrictInt, Field(ge=1, le=10)] = 3
    """How often a remote embedder is tried, with exponential back-off."""
    query_seconds: Annotated[StrictFloat, Field(ge=0.01, le=600.0)] = 10.0
    """How long a recall waits for the embedder before it searches by words alone."""

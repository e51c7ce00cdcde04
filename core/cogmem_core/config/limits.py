"""Settings of `[limits]`: what is refused at the edge."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import UpToHundredMillion, UpToTenMillion, section


@section("limits")
class LimitsConfig:
    """What is refused at the edge."""

    content_bytes: UpToHundredMillion = 1_000_000
    """UTF-8 bytes of one turn or memory."""
    query_bytes: UpToTenMillion = 100_000
    """UTF-8 bytes of a query."""
    batch_items: UpToTenMillion = 100_000
    """Turns per `remember` call."""
    metadata_bytes: Annotated[StrictInt, Field(ge=2, le=10_000_000)] = 100_000
    """JSON bytes of one turn's metadata."""
    tags: Annotated[StrictInt, Field(ge=0, le=10_000)] = 64
    """Tags per memory."""
    label_characters: Annotated[StrictInt, Field(ge=1, le=4_096)] = 256
    """Characters of a tag, session id, speaker, ref or namespace."""

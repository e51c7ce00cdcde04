"""Settings of `[working]`: the session's buffer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, section

__all__ = ["WorkingMemoryConfig"]


@section("working")
class WorkingMemoryConfig:
    """The session's buffer."""

    capacity: Annotated[StrictInt, Field(ge=1, le=1_000)] = 9
    """Items per session: Miller's seven plus or minus two, upper bound."""
    recency_minutes: Annotated[StrictFloat, Field(ge=0.1, le=10_000.0)] = 30.0
    """Time after which an item that was not accessed counts 1/e."""
    promote_accesses: Annotated[StrictInt, Field(ge=1, le=1_000)] = 2
    """Accesses that make an item worth keeping beyond the session."""
    promote_importance: Share = 0.6
    """Importance that makes an item worth keeping beyond the session."""

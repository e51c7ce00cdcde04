"""Settings of `[working]`: the session's buffer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import section


@section("working")
class WorkingMemoryConfig:
    """The session's buffer."""

    capacity: Annotated[StrictInt, Field(ge=1, le=1_000)] = 9
    """Items per session: Miller's seven plus or minus two, upper bound."""

"""Settings of `[working]`: the session's buffer."""

from __future__ import annotations

from cogmem_core.config.sections import UpToThousand, section


@section("working")
class WorkingMemoryConfig:
    """The session's buffer."""

    capacity: UpToThousand = 9
    """Items per session: Miller's seven plus or minus two, upper bound."""

"""Settings of `[log]`: the op log."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from cogmem_core.config.sections import section


@section("log")
class LogConfig:
    """The op log (10 MB per file, then rotated by date)."""

    content: StrictBool = False
    """Write redacted texts instead of their hashes and lengths."""
    max_bytes: Annotated[StrictInt, Field(ge=10_000, le=1_000_000_000)] = 10_000_000
    """Size at which the file is rotated."""

"""Settings of `[short_term]`: facts on probation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat

from cogmem_core.config.sections import section


@section("short_term")
class ShortTermConfig:
    """Facts that matter for hours: kept on probation, promoted or let go by the dream cycle."""

    hours: Annotated[StrictFloat, Field(ge=0.01, le=8_760.0)] = 48.0
    """How long a fact stays on probation if it does not say it."""

"""Settings of `[tagging]`: synaptic tagging and capture."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["TaggingConfig"]


@section("tagging")
class TaggingConfig:
    """Synaptic tagging and capture (Frey & Morris 1997)."""

    weak_below: Share = 0.5
    """A memory less important than this is tagged."""
    hours: Annotated[StrictFloat, Field(ge=0.01, le=8_760.0)] = 4.0
    """How long a tag lasts."""
    strong_from: Share = 0.7
    """A memory at least so important captures the tags of its session."""
    capture_factor: Annotated[StrictFloat, Field(ge=1.0, le=10.0)] = 1.3
    """Factor on the stability of what is captured, once."""

    def __post_init__(self) -> None:
        in_order(self, "weak_below", "strong_from")

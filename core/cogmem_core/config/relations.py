"""Settings of `[relations]`: links between memories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import in_order, section


@section("relations")
class RelationsConfig:
    """How many links a namespace keeps."""

    maximum: Annotated[StrictInt, Field(ge=1, le=10_000_000)] = 1_000
    """Links of a namespace above which the weakest that may go are removed."""
    trimmed_to: Annotated[StrictInt, Field(ge=0, le=10_000_000)] = 900
    """Links that remain when the weakest are removed."""

    def __post_init__(self) -> None:
        in_order(self, "trimmed_to", "maximum")

"""Settings of `[relations]`: links between memories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from cogmem_core.config.sections import section

__all__ = ["RelationsConfig"]


@section("relations")
class RelationsConfig:
    """Links that are found without a language model, and how many a namespace keeps."""

    maximum: Annotated[StrictInt, Field(ge=1, le=10_000_000)] = 1_000
    """Links of a namespace above which the weakest that may go are removed."""

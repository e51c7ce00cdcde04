"""Settings of `[llm]`: what the language model may cost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import Seconds, UpToThousand, section


@section("llm")
class LLMConfig:
    """What may be asked of the language model; None = unlimited."""

    timeout_seconds: Annotated[StrictFloat, Field(ge=0.1, le=600.0)] = 30.0
    """How long one step may take, retries included."""
    per_call_tokens: Annotated[StrictInt | None, Field(ge=0, le=10_000_000)] = None
    """Estimated tokens of one prompt, at most; none = unlimited."""
    calls_per_cycle: Annotated[StrictInt | None, Field(ge=0, le=1_000_000)] = 25
    """Calls of one dream cycle, at most; none = unlimited."""
    calls_per_day: Annotated[StrictInt | None, Field(ge=0, le=10_000_000)] = None
    """Calls of one UTC day, at most; none = unlimited."""
    tokens_per_day: Annotated[StrictInt | None, Field(ge=0, le=10_000_000_000)] = None
    """Tokens of one UTC day, at most; none = unlimited."""
    cooldown_failures: UpToThousand = 3
    """After so many failures in a row the model is left alone for `cooldown_seconds`."""
    cooldown_seconds: Seconds = 60.0
    """How long the model is left alone after `cooldown_failures`."""

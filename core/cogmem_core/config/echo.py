"""Settings of `[echo]`: repeated context in a turn."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, section

__all__ = ["EchoConfig"]


@section("echo")
class EchoConfig:
    """What counts as memory that comes back: it creates and reinforces nothing."""

    minutes: Annotated[StrictFloat, Field(ge=0.0, le=100_000.0)] = 60.0
    """How long something recalled counts as injected."""
    pasted_words: Annotated[StrictInt, Field(ge=1, le=1_000)] = 8
    """A person's text counts as pasted from so many words on; who says a short thing again means
    it."""
    candidates: Annotated[StrictInt, Field(ge=0, le=1_000)] = 8
    """Memories that an assistant's turn is compared with."""
    earlier_turns: Annotated[StrictInt, Field(ge=0, le=100)] = 6
    """Earlier turns that an assistant's turn is compared with."""
    told_words: Annotated[StrictInt, Field(ge=1, le=1_000)] = 4
    """A turn repeats a text that was not injected here if it holds so many of its words; small
    talk has a word or two in common with anything."""
    told_share: Share = 0.6
    """A turn repeats a text that was not injected here if it holds such a share of its words."""

"""Settings of what is learnt from use."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt

from cogmem_core.config.sections import Seconds, Share, section


@section("feedback")
class FeedbackConfig:
    """What an answer does to the memories it was given."""

    own_words: StrictBool = True
    """A memory is used where the answer shows it, by what the memory alone adds, and what nothing
    speaks about stays unjudged; False = as in the documents: used from 30 % of its longer words on,
    else ignored."""
    blame_from: Share = 0.5
    """Being ignored counts, and costs a memory something, only if recall held it for at least so
    likely relevant; the documents' presets blame all that was shown (0)."""
    utility_rate: Share | None = None
    """How far utility moves towards 1 (used) or 0 (ignored) with each answer; None = utility is how
    often a memory was used against how often it was expected to be, with a prior."""
    bind_at_once: StrictBool = True
    """What was used together is linked with the feedback, not only by the next dream cycle."""
    calibrate_from: Annotated[StrictInt, Field(ge=20, le=2_000)] = 100
    """Judgements from which on a namespace's own feedback corrects its confidences."""
    calibrate_seconds: Seconds = 300.0
    """How long a correction is kept."""

"""Settings of what is learnt from use."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["FeedbackConfig"]


@section("feedback")
class FeedbackConfig:
    """What an answer does to the memories it was given."""

    used_above: Share = 0.3
    """A memory is used if a larger share of its telling words stands in the answer."""
    own_words: StrictBool = True
    """A word counts the less the more of the shown memories hold it; False = all count alike."""
    asked_weighs: Annotated[StrictFloat, Field(ge=0.0, le=1_000.0)] = 2.0
    """A word of the question counts as if so many more memories held it."""
    blame_from: Share = 0.3
    """Being ignored costs a memory something only if recall held it for at least so likely
    relevant; the documents' presets blame all that was shown (0)."""
    easy_from: Share = 0.6
    """From this share on the recall was easy (FSRS-6 grade 4), else good (3)."""
    utility_rate: Share = 0.1
    """How far utility moves towards 1 (used) or 0 (ignored)."""
    storage_rate: Share = 0.1
    """How far storage strength moves towards 10 with each use."""
    interval_growth: Annotated[StrictFloat, Field(ge=1.0, le=100.0)] = 2.0
    """Factor on the reinforcement interval with each use."""
    ignored: Annotated[StrictFloat, Field(ge=0.1, le=1.0)] = 0.9
    """Factor on the stability of a memory that the answer ignored."""
    ignored_often: Annotated[StrictFloat, Field(ge=0.1, le=1.0)] = 0.5
    """That factor from the `often`-th time in a row on."""
    often: Annotated[StrictInt, Field(ge=1, le=1_000)] = 3
    """Times in a row from which on `ignored_often` applies."""
    floor: Share = 0.25
    """Being ignored never lowers stability below this share of the initial one."""
    coactivation: Share = 0.1
    """What a common use adds to the weight of a pair's relation, up to 1."""
    pairs: Annotated[StrictInt, Field(ge=0, le=10_000)] = 28
    """At most so many pairs per answer, the best results first."""
    bind_at_once: StrictBool = True
    """What was used together is linked with the feedback, not only by the next dream cycle."""
    spreading: Annotated[StrictFloat, Field(ge=1.0, le=2.0)] = 1.02
    """Factor on the stability of what a used memory is related to (A-MEM), and the least one of
    what was used together (Hebb)."""
    calibrate_from: Annotated[StrictInt, Field(ge=20, le=1_000_000)] = 100
    """Judgements from which on a namespace's own feedback corrects its confidences."""
    calibrate_most: Annotated[StrictInt, Field(ge=20, le=1_000_000)] = 2_000
    """Newest judgements that count for the correction."""
    calibrate_prior: Annotated[StrictFloat, Field(ge=0.0, le=1_000_000.0)] = 200.0
    """How many judgements the shipped calibration is worth."""
    calibrate_seconds: Annotated[StrictFloat, Field(ge=0.0, le=86_400.0)] = 300.0
    """How long a correction is kept."""

    def __post_init__(self) -> None:
        in_order(self, "calibrate_from", "calibrate_most")

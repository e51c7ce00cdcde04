"""Settings of trust: what is set aside, what may not rise, when a source is too loud."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, UpToMillion, in_order, section
from cogmem_core.values.agent_records import ReviewKind


@section("guard")
class GuardConfig:
    """Untrusted is what no person said and what is trusted less than fully (`encoding.trust`)."""

    on: StrictBool = True
    """What is untrusted is never pinned, promoted or made a preference or a rule by itself, and
    never replaces, merges away or edits what is trusted more; and quarantine is on."""
    quarantine: StrictBool = True
    """Orders to the model and chat markup in untrusted text are set aside until a person releases
    them."""
    claims_below: Share = 0.7
    """Text of less trust is set aside also for telling what the user wants, or a rule for every
    answer."""
    minutes: Annotated[StrictFloat, Field(ge=0.01, le=10_080.0)] = 10.0
    """Period over which the writes of one untrusted source (data source, speaker, session) are
    counted."""
    writes_flagged: UpToMillion = 300
    """Writes of one untrusted source in `minutes` from which on `health` names the source."""
    writes_most: UpToMillion = 3_000
    """Writes of one untrusted source in `minutes`; what goes beyond is set aside."""
    copies_flagged: Annotated[StrictInt, Field(ge=1, le=64)] = 10
    """Similar writes of one untrusted source in `minutes` from which on `health` names the
    source."""
    copies_most: Annotated[StrictInt, Field(ge=1, le=64)] = 25
    """Similar writes of one untrusted source in `minutes`; what goes beyond is set aside."""

    review: tuple[ReviewKind, ...] = ("erased",)
    """Kinds of writes that wait for a person: "erased" (no person says it, and it comes near to
    what was erased for good), "untrusted", "contradicting", "procedure", "shared"."""
    review_days: Annotated[StrictFloat, Field(ge=0.01, le=3_650.0)] = 30.0
    """Days that a write waits before `review_default` decides."""
    review_default: Literal["expire", "approve", "reject"] = "expire"
    """What becomes of a write that nobody looked at: left in quarantine, approved, or rejected."""

    def __post_init__(self) -> None:
        in_order(self, "writes_flagged", "writes_most")
        in_order(self, "copies_flagged", "copies_most")

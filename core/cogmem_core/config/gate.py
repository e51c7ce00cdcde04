"""Settings of `[gate]`: how a new fact is compared with its neighbours."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from cogmem_core.config.sections import Share, in_order, section

__all__ = ["GateConfig"]


@section("gate")
class GateConfig:
    """The prediction-error gate; all bands are similarities (its column "PE" is mislabelled)."""

    candidates: Annotated[StrictInt, Field(ge=1, le=1_000)] = 8
    """Similar memories that are looked at."""
    floor: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.30
    """The least similarity that counts."""
    contradiction_from: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.70
    """A contradicted memory of at least this similarity is superseded."""
    reinforce_from: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.92
    """Nearly identical."""
    update_from: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.75
    """Overlaps, but adds detail."""
    gap_from: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.70
    """Below `update_from`, a fact is kept only if it is at least as important as
    `gap_importance`."""
    gap_importance: Share = 0.6
    """Least importance of a fact between `gap_from` and `update_from`."""
    entity_jaccard: Share = 0.5
    """From which on entities agree."""
    word_candidates: Annotated[StrictInt, Field(ge=0, le=1_000)] = 4
    """Memories that are found by rare words."""
    word_postings: Annotated[StrictInt, Field(ge=0, le=1_000_000)] = 500
    """Index entries that are read to find `word_candidates`."""
    batch_candidates: Annotated[StrictInt, Field(ge=0, le=1_000)] = 4
    """Facts of the same batch that are looked at."""
    batch_window: Annotated[StrictInt, Field(ge=1, le=100_000)] = 1_000
    """Earlier facts of the same batch among which `batch_candidates` are chosen."""
    near_by_key: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.55
    """Least similarity of index keys from which on two texts are looked at. Keys share date and
    speaker."""
    uncompared: Annotated[StrictFloat, Field(ge=-1.0, le=1.0)] = 0.69
    """The most that keys alone can say about texts: below every band."""
    overlap: Share = 0.5
    """Rules look at two texts if such a share of the shorter one's words stand in the other."""
    other_words: Annotated[StrictInt, Field(ge=0, le=1_000)] = 2
    """Rules look at two texts if no more than so many words of the shorter one are not in the
    other."""

    def __post_init__(self) -> None:
        in_order(self, "gap_from", "update_from")
        in_order(self, "update_from", "reinforce_from")

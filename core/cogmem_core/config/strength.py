"""Settings of `[strength]`: how long memories last."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat

from cogmem_core.config.sections import AboveZero, OneOf, Table, section
from cogmem_core.values.models import CATEGORIES, Category


@section("strength")
class StrengthConfig:
    """How long memories last."""

    curve: Literal["fsrs6", "exponential", "power_v9"] = "fsrs6"
    """Name of the forgetting curve."""
    initial_days: Table[
        Annotated[str, OneOf(CATEGORIES)], Annotated[StrictFloat, Field(gt=0.0, le=36_500.0)]
    ] = field(
        default_factory=lambda: {
            "fact": 5.0,
            "decision": 3.0,
            "plan": 3.0,
            "other": 1.0,
            "pattern": 30.0,
            "procedure": 30.0,
            "summary": 30.0,
        }
    )
    """Initial stability per category, in days."""
    default_days: Annotated[StrictFloat, Field(ge=0.01, le=36_500.0)] = 5.0
    """Initial stability of every other category, in days."""
    permanent: tuple[Category, ...] = ("preference", "entity", "correction")
    """Categories whose retention stays 1."""
    permanent_procedures: StrictBool = True
    """That of procedures too, once they are semantic."""
    retention_floors: Table[Annotated[str, OneOf(CATEGORIES)], AboveZero] = field(
        default_factory=dict
    )
    """Retention below which memories of a category never fall, above 0 and at most 1."""
    maximum_days: Annotated[StrictFloat, Field(ge=1.0, le=36_500.0)] = 365.0
    """Ceiling of stability for one memory's whole life."""
    episodic_multiplier: Annotated[StrictFloat, Field(ge=0.0, le=100.0)] = 3.0
    """Factor on elapsed time for episodic memories."""

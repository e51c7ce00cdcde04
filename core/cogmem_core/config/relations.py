"""Settings of `[relations]`: links between memories."""

from __future__ import annotations

from cogmem_core.config.sections import Count, UpToTenMillion, in_order, section


@section("relations")
class RelationsConfig:
    """How many links a namespace keeps."""

    maximum: UpToTenMillion = 1_000
    """Links of a namespace above which the weakest that may go are removed."""
    trimmed_to: Count = 900
    """Links that remain when the weakest are removed."""

    def __post_init__(self) -> None:
        in_order(self, "trimmed_to", "maximum")

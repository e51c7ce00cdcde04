"""Settings of `[short_term]`: facts on probation."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["ShortTermConfig"]


@dataclass(frozen=True, slots=True)
class ShortTermConfig:
    """Facts that matter for hours: kept on probation, promoted or let go by the dream cycle.

    Attributes:
        hours: how long, if the fact does not say it.
    """

    hours: float = number(48.0, 0.01, 8_760.0)

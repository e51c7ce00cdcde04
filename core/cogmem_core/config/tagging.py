"""Settings of `[tagging]`: synaptic tagging and capture."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["TaggingConfig"]


@dataclass(frozen=True, slots=True)
class TaggingConfig:
    """Synaptic tagging and capture (Frey & Morris 1997).

    Attributes:
        weak_below: a memory less important is tagged; hours: for so long.
        strong_from: a memory at least so important captures the tags of its session.
        capture_factor: stability factor of what is captured, once.
    """

    weak_below: float = number(0.5, 0.0, 1.0)
    hours: float = number(4.0, 0.01, 8_760.0)
    strong_from: float = number(0.7, 0.0, 1.0)
    capture_factor: float = number(1.3, 1.0, 10.0)

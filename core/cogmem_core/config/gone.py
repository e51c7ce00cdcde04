"""Settings that were removed, and what replaced them."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["GONE"]

GONE: Mapping[str, str] = {}
"""By dotted name, a sentence: "gate.near_by_key is fixed now (0.55); remove the line"."""

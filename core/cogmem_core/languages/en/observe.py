"""English: what a sentence is about."""

from __future__ import annotations

from cogmem_core.languages.base import ObserveRules

__all__ = ["OBSERVE"]

OBSERVE = ObserveRules()

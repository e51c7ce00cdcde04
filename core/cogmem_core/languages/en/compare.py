"""English: what one statement means to another."""

from __future__ import annotations

from cogmem_core.languages.base import CompareRules

__all__ = ["COMPARE"]

COMPARE = CompareRules()

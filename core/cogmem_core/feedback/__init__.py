"""What memories learn from answers, or from being retrieved."""

from __future__ import annotations

from cogmem_core.feedback.apply import Similarity, give

__all__ = ["Similarity", "give"]

"""What memories learn from answers, or from being retrieved."""

from __future__ import annotations

from cogmem.feedback.judging import Similarity, give

__all__ = ["Similarity", "give"]

"""What memories learn from answers, or from being retrieved."""

from __future__ import annotations

from cogmem_core.feedback.apply import Similarity, apply_feedback

__all__ = ["Similarity", "apply_feedback"]

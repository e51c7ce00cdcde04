"""What memories learn from answers, or from being retrieved."""

from cogmem_core.feedback.apply import apply_feedback
from cogmem_core.feedback.judging import Similarity

__all__ = ["Similarity", "apply_feedback"]

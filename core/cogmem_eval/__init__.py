"""Measures the memory on files of the user: LoCoMo-format conversations, and dated lives."""

from cogmem_eval.locomo import Extras, evaluate, render
from cogmem_eval.memoized import MemoizedEmbedder

__all__ = ["Extras", "MemoizedEmbedder", "evaluate", "render"]

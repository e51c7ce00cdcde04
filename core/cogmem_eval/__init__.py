"""Measures the memory on files of the user: LoCoMo-format conversations, and dated lives."""

from cogmem_eval.locomo import EngineFactory, Extras, Progress, evaluate
from cogmem_eval.memoized import MemoizedEmbedder
from cogmem_eval.report import (
    Ablation,
    Calibration,
    EvaluationReport,
    Score,
    Timing,
    as_dict,
    render,
)

__all__ = [
    "Ablation",
    "Calibration",
    "EngineFactory",
    "EvaluationReport",
    "Extras",
    "MemoizedEmbedder",
    "Progress",
    "Score",
    "Timing",
    "as_dict",
    "evaluate",
    "render",
]

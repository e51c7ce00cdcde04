"""What every answer of an embedder must satisfy before anyone uses it. Pure; no I/O."""

from __future__ import annotations

from typing import Any

import numpy as np

from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import FloatArray


def as_matrix(answer: Any, *, count: int, dimension: int | None, who: str) -> FloatArray:
    """Check an embedder's answer and turn it into float32 of shape (count, dimension).

    Args:
        answer: lists, tuples or an array, one row per text.
        count: number of texts that were sent.
        dimension: length that every row must have; None accepts any.
        who: name of the embedder in the message.

    Raises:
        EmbedderUnavailable: no numbers, another count or dimension, or a value that float32 cannot
            hold finitely.
    """
    try:
        with np.errstate(over="ignore"):
            matrix = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError) as error:
        # NumPy quotes values that are not numbers.
        raise EmbedderUnavailable(
            f"embedder {who} did not answer with rows of numbers ({type(error).__name__})"
        ) from error
    if count == 0 and matrix.size == 0:
        return np.zeros((0, dimension or 0), dtype=np.float32)
    if matrix.ndim != 2 or len(matrix) != count or not matrix.shape[1]:
        raise EmbedderUnavailable(
            f"embedder {who} answered with shape {matrix.shape} for {count} texts; expected one "
            "vector per text"
        )
    if dimension is not None and matrix.shape[1] != dimension:
        raise EmbedderUnavailable(
            f"embedder {who} answered with vectors of {matrix.shape[1]} numbers; its dimension is "
            f"{dimension}"
        )
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        raise EmbedderUnavailable(
            f"embedder {who} answered with NaN or infinity for {count - int(finite.sum())} of "
            f"{count} texts"
        )
    return matrix

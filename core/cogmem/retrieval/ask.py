"""The vectors of a question: one call of the embedder for the question, its parts and its hypothetical answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogmem.errors import EmbedderUnavailable
from cogmem.patience import Deadline, Overdue
from cogmem.ports import FloatArray
from cogmem.retrieval.plan import Plan
from cogmem.services import Services
from cogmem.storage.views import NamespaceView
from cogmem.text.hyde import hypothetical
from cogmem.text.tokens import strip_words, tokens

__all__ = ["embed"]

Vectors = Sequence[FloatArray | None]


def embed(services: Services, plan: Plan, view: NamespaceView, deadline: Deadline) -> tuple[Vectors, str]:
    """A vector per query of the plan, and why there is none (empty if there is).

    With HyDE a vector is the centroid of the query and its hypothetical answers (Gao et al. 2022).
    """
    settings = services.config.retrieval
    groups = [(_direct(view, text, services), *(hypothetical(text) if settings.hyde else ())) for text in plan.queries]
    texts = list(dict.fromkeys(text for group in groups for text in group))
    seconds = services.config.embedding.query_seconds
    if deadline.left is not None:
        seconds = min(seconds, settings.deadline_share * deadline.left)
    try:
        rows = services.patience.call(lambda: services.embedder.embed_queries(texts), seconds)
    except (EmbedderUnavailable, Overdue) as error:
        return [None] * len(groups), f"vector: {error}"
    known = dict(zip(texts, rows, strict=True))
    return [_centroid([known[text] for text in group]) for group in groups], ""


def _direct(view: NamespaceView, text: str, services: Services) -> str:
    """The text without words that stand in most memories: they carry no direction (measured on LoCoMo)."""
    settings = services.config.retrieval
    if len(view) < settings.frequent_minimum:
        return text
    return strip_words(text, lambda word: any(view.share(term) > settings.frequent_share for term in tokens(word)))


def _centroid(rows: Sequence[FloatArray]) -> FloatArray:
    if len(rows) == 1:
        return rows[0]
    mean: FloatArray = np.mean(np.stack(rows), axis=0, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean

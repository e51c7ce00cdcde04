"""The vectors of a question: one call of the embedder for the question, its parts and its hypothetical answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import FloatArray
from cogmem_core.retrieval.plan import Plan
from cogmem_core.retrieval.request import Request
from cogmem_core.services import Services
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.query.hyde import hypothetical
from cogmem_core.text.tokens import strip_words, tokens
from cogmem_core.timeouts import CallTimeout, Deadline

__all__ = ["Quest", "quest_of"]

Vectors = Sequence[FloatArray | None]


@dataclass(frozen=True, slots=True)
class Quest:
    """What is looked for, with all that it takes to look.

    Attributes:
        vectors: one per query of the plan; None = it could not be embedded.
        trouble: why not; empty if it could.
        deadline: when an answer is due.
    """

    request: Request
    plan: Plan
    vectors: Vectors
    trouble: str
    now: datetime
    deadline: Deadline


def quest_of(
    services: Services,
    view: NamespaceView,
    request: Request,
    plan: Plan,
    *,
    now: datetime,
    deadline: Deadline,
) -> Quest:
    """Embed what is asked.

    An embedder may take its time, so no snapshot of the ledger is held meanwhile.
    """
    return Quest(request, plan, *_embed(services, plan, view, deadline), now, deadline)


def _embed(
    services: Services, plan: Plan, view: NamespaceView, deadline: Deadline
) -> tuple[Vectors, str]:
    """A vector per query of the plan, and why there is none (empty if there is).

    With HyDE a vector is the centroid of the query and its hypothetical answers (Gao et al. 2022).
    """
    settings = services.config.retrieval
    groups = [
        (_direct(view, text, services), *(hypothetical(text) if settings.hyde else ()))
        for text in plan.queries
    ]
    texts = list(dict.fromkeys(text for group in groups for text in group))
    seconds = services.config.embedding.query_seconds
    if deadline.left is not None:
        seconds = min(seconds, settings.deadline_share * deadline.left)
    try:
        rows = services.patience.call(lambda: services.embedder.embed_queries(texts), seconds)
    except (EmbedderUnavailable, CallTimeout) as error:
        return [None] * len(groups), f"vector: {error}"
    known = dict(zip(texts, rows, strict=True))
    return [_centroid([known[text] for text in group]) for group in groups], ""


def _direct(view: NamespaceView, text: str, services: Services) -> str:
    """The text without words that stand in most memories: they carry no direction (measured on LoCoMo)."""
    settings = services.config.retrieval
    if len(view) < settings.frequent_minimum:
        return text
    return strip_words(
        text, lambda word: any(view.share(term) > settings.frequent_share for term in tokens(word))
    )


def _centroid(rows: Sequence[FloatArray]) -> FloatArray:
    if len(rows) == 1:
        return rows[0]
    mean: FloatArray = np.mean(np.stack(rows), axis=0, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean

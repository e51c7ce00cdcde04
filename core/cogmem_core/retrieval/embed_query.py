"""The vectors of a question: one call of the embedder for the question, its parts and its hypothetical answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

import numpy as np

from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import FloatArray
from cogmem_core.retrieval.plan import Plan, Request
from cogmem_core.services import Services
from cogmem_core.storage.search.in_memory_index import NamespaceView
from cogmem_core.text.query.hyde import hypothetical
from cogmem_core.text.tokens import strip_words, tokens
from cogmem_core.timeouts import CallTimeout, Deadline

__all__ = ["EmbeddedQuery", "embed_query"]


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """What is looked for, with all that it takes to look.

    Attributes:
        request: the question.
        plan: how it is answered.
        vectors: one per query of the plan; None = it could not be embedded.
        trouble: why not; empty if it could.
        now: when it was asked.
        deadline: when an answer is due.
    """

    request: Request
    plan: Plan
    vectors: Sequence[FloatArray | None]
    trouble: str
    now: datetime
    deadline: Deadline


def embed_query(
    services: Services,
    view: NamespaceView,
    request: Request,
    plan: Plan,
    *,
    now: datetime,
    deadline: Deadline,
) -> EmbeddedQuery:
    """A vector for each query of the plan.

    An embedder may take its time, so no snapshot of the ledger is held meanwhile. With HyDE a
    vector is the centroid of the query and its hypothetical answers (Gao et al. 2022).
    """
    settings = services.config.retrieval
    groups = []
    for text in plan.queries:
        group = [_without_frequent_words(view, text, services)]
        if settings.hyde:
            group += hypothetical(text)
        groups.append(group)
    texts = list(dict.fromkeys(chain.from_iterable(groups)))
    seconds = services.config.embedding.query_seconds
    if deadline.left is not None:
        seconds = min(seconds, settings.deadline_share * deadline.left)
    vectors: Sequence[FloatArray | None] = [None] * len(groups)
    trouble = ""
    try:
        rows = services.patience.call(lambda: services.embedder.embed_queries(texts), seconds)
        rows_by_text = dict(zip(texts, rows, strict=True))
        vectors = [_centroid([rows_by_text[text] for text in group]) for group in groups]
    except (EmbedderUnavailable, CallTimeout) as error:
        trouble = f"vector: {error}"
    return EmbeddedQuery(request, plan, vectors, trouble, now, deadline)


def _without_frequent_words(view: NamespaceView, text: str, services: Services) -> str:
    """The text without words that stand in most memories: they carry no direction.

    Measured on LoCoMo.
    """
    settings = services.config.retrieval
    if len(view) < settings.frequent_minimum:
        return text

    def frequent(word: str) -> bool:
        return any(view.share(term) > settings.frequent_share for term in tokens(word))

    return strip_words(text, frequent)


def _centroid(rows: Sequence[FloatArray]) -> FloatArray:
    if len(rows) == 1:
        return rows[0]
    mean: FloatArray = np.mean(np.stack(rows), axis=0, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean

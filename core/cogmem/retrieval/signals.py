"""Ranking signals: a literal table of pure functions over the candidate pool. Adding one = one function + one line.

Each returns one value per candidate, 0..1 within the pool; `retrieval.weights` says how much each one counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cogmem.config import RetrievalConfig, StrengthConfig
from cogmem.maths.fusion import min_max
from cogmem.ports import FloatArray
from cogmem.storage.codec import decode_time
from cogmem.storage.reader import Candidate
from cogmem.strength import retention_at
from cogmem.text.datehints import DateHints
from cogmem.text.tokens import tokens

__all__ = ["CONTEXT", "RAW", "RELEVANCE", "SIGNALS", "Pool", "Values"]

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query with what is known about them.

    Attributes:
        vectors: one L2-normalised row per candidate; zeros if its vector comes from another embedder.
        query: the query's vector; None if it could not be had.
        lexical: BM25 scores.
        now: microseconds since 1970 UTC.
        terms: index tokens of the query. hints: the dates it names. asks_when: whether the answer is a date.
        previous: per candidate the place of the turn before it in its session, if that is a candidate too; else -1.
    """

    candidates: Sequence[Candidate]
    vectors: FloatArray
    query: FloatArray | None
    lexical: Sequence[float]
    now: int
    strength: StrengthConfig
    terms: Sequence[str] = ()
    hints: DateHints = field(default_factory=DateHints)
    asks_when: bool = False
    previous: Sequence[int] = ()
    settings: RetrievalConfig = field(default_factory=RetrievalConfig)

    @property
    def cosines(self) -> Values:
        """Cosine of each candidate with the query, -1..1; zeros without a query vector."""
        if self.query is None:
            return np.zeros(len(self.candidates))
        return (self.vectors @ self.query).astype(np.float64)


def _similarity(pool: Pool) -> Values:
    return np.asarray(min_max(pool.cosines)) if pool.query is not None else pool.cosines


def _lexical(pool: Pool) -> Values:
    # A word in common is evidence, none is 0: the scale starts at 0 even if every candidate shares a word.
    scores = np.maximum(np.asarray(pool.lexical, dtype=np.float64), 0.0)
    highest = float(scores.max(initial=0.0))
    return scores / highest if highest > 0.0 else scores


def _retention(pool: Pool) -> Values:
    since = ((row, row.last_reinforced_at or row.created_at) for row in pool.candidates)
    return np.array([retention_at(row, start, pool.now, pool.strength) for row, start in since])


def _importance(pool: Pool) -> Values:
    return np.array([row.importance for row in pool.candidates])


def _utility(pool: Pool) -> Values:
    return np.array([row.utility for row in pool.candidates])


def _speaker(pool: Pool) -> Values:
    """1 for what the one person said whom the question names; names are those of the candidates' speakers."""
    terms = set(pool.terms)
    speakers = {row.speaker for row in pool.candidates if row.speaker}
    named = {name for name in speakers if (spelt := set(tokens(name))) and spelt <= terms}
    only = next(iter(named)) if len(named) == 1 else None
    return np.array([float(only is not None and row.speaker == only) for row in pool.candidates])


def _date(pool: Pool) -> Values:
    """How much of the date that the question names fits when it was said, or the time it speaks of."""
    if not any(pool.hints):
        return np.zeros(len(pool.candidates))
    return np.array([_fit(row, pool.hints) for row in pool.candidates])


def _fit(row: Candidate, hints: DateHints) -> float:
    moments = (decode_time(stamp) for stamp in (row.recorded_at, row.referenced_at))
    return max(hints.share(moment) for moment in moments if moment is not None)


def _when(pool: Pool) -> Values:
    """1 for what names a time, if the question asks for one."""
    return np.array([float(pool.asks_when and row.referenced_at is not None) for row in pool.candidates])


def _length(pool: Pool) -> Values:
    """Longer turns say more: 0 for a word, 1 from `long_characters` on."""
    return np.array(
        [min(1.0, math.log1p(row.characters) / math.log1p(pool.settings.long_characters)) for row in pool.candidates]
    )


def _statement(pool: Pool) -> Values:
    """1 for what does not end in a question: an answer is seldom one."""
    return np.array([float(row.ending != "?") for row in pool.candidates])


def _previous(pool: Pool, relevance: Values) -> Values:
    """The relevance of the turn before: an answer stands behind its question."""
    return np.array([relevance[place] if place >= 0 else 0.0 for place in pool.previous or [-1] * len(relevance)])


def _session(pool: Pool, relevance: Values) -> Values:
    """The mean relevance of the session's best turns: a conversation that speaks of it."""
    best, count = dict[str, list[float]](), pool.settings.session_best
    for row, value in zip(pool.candidates, relevance, strict=True):
        if row.session_id is not None:
            best.setdefault(row.session_id, []).append(float(value))
    mean = {session: sum(sorted(values)[-count:]) / count for session, values in best.items()}
    return np.array([mean.get(row.session_id or "", 0.0) for row in pool.candidates])


SIGNALS: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": _similarity,
    "lexical": _lexical,
    "retention": _retention,
    "importance": _importance,
    "utility": _utility,
    "speaker": _speaker,
    "date": _date,
    "when": _when,
    "length": _length,
    "statement": _statement,
}

# What follows from the relevance of other candidates: the weighted sum of similarity and lexical, scaled to 0..1.
CONTEXT: Mapping[str, Callable[[Pool, Values], Values]] = {
    "previous": _previous,
    "session": _session,
}
RELEVANCE = ("similarity", "lexical")

# What an explanation shows instead of the value within the pool.
RAW: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": lambda pool: pool.cosines,
    "lexical": lambda pool: np.asarray(pool.lexical, dtype=np.float64),
}

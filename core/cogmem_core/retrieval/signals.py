"""Ranking signals: a literal table of pure functions over the candidate pool. Adding one = one function + one line.

Each returns one value per candidate, 0..1 within the pool, but for `entity`, which counts, and
`proven`, -0.5..0.5; `retrieval.weights` says what it is worth. Boosts are factors on the whole
score, 1 = no effect; what a factor adds or takes away is listed like a signal's contribution, so
that an explanation still sums to the score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cogmem_core.config import BoostConfig, RetrievalConfig, StrengthConfig
from cogmem_core.edge.strength import DecayingColumns, retentions_at
from cogmem_core.embedders.scale import AS_THEY_ARE, CosineScale
from cogmem_core.maths.activation import base_levels, seed_activation
from cogmem_core.maths.fusion import min_max, reciprocal_rank_fusion
from cogmem_core.maths.products import dots
from cogmem_core.ports import FloatArray
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.search.candidate_rows import OPEN_BEGIN, CandidateColumns
from cogmem_core.text.time.hints import DateHints

SIMILARITY_SPAN = 0.3
"""Cosines that lie closer together than this are not stretched to 0..1."""
SESSION_BEST = 3
"""Turns of a session whose mean relevance counts for all of it."""
LONG_CHARACTERS = 200
"""A turn of so many says as much as a longer one (both measured on LoCoMo)."""
LONGEST_CHARACTERS = 4_000
"""A turn of so many is no longer a statement."""
RRF_K = 60
"""k of reciprocal rank fusion."""
ACTIVATION_HOURS = 1.0
"""Accesses within so many hours count as equally recent."""
ACTIVATION_DECAY = 0.5
"""D of the ACT-R base level."""
MATCHING_ENTITIES = 3
"""Matching entities that count at most."""
OVER = 1.25
"""Factor on the score of what no longer holds, for a question about what held before."""
ALONE = -2
"""The place of the turn beside the first or the last one of a session: there is none."""
DOUBTFUL_BELOW = 0.3
"""Source confidence below which `doubtful` applies."""

Values = NDArray[np.float64]
Times = NDArray[np.int64]
# microseconds
_DAY = 86_400_000_000
_SECOND = 1_000_000


@dataclass(frozen=True)
class Pool:
    """The candidates of one query with what is known about them.

    Attributes:
        vectors: one L2-normalised row per candidate; zeros if its vector comes from another
            embedder.
        query: the query's vector; None if it could not be had.
        scale: of the embedder's cosines.
        lexical: BM25 scores.
        coverage: how much of the query's words each holds, rare words counting more, 0..1.
        covered: how much of them any memory holds.
        figures: as `coverage`, of its figures.
        now: microseconds since 1970 UTC.
        terms: index tokens of the query.
        hints: the dates it names.
        asks_when: whether the answer is a date.
        speaker: the one person whom it names, if just one.
        entities: URIs of what it names.
        previous: per candidate the place of the turn before it in its session; -1 if that is no
            candidate, `ALONE` if there is none.
        following: as `previous`, of the turn after it.
        links: (place, place of a linked candidate, strength 0..1) for every relation between two
            candidates.
        together: places of candidates that were used together often with another candidate.
        rankings: the ids of each list, best first.
        shares: what each list counts in their fusion.
        session_id: the present conversation.
        favoured: categories that the intent lifts.
        mood: -1..1, 0 = none.
        cold, away: per candidate whether it is outside of normal recall, and whether a second look
            found it there.
        over: per candidate whether it no longer holds, if the question is about what held before.
    """

    candidates: CandidateColumns
    vectors: FloatArray
    query: FloatArray | None
    lexical: Sequence[float]
    now: int
    strength: StrengthConfig
    terms: Sequence[str] = ()
    coverage: Sequence[float] = ()
    covered: float = 0.0
    figures: Sequence[float] = ()
    hints: DateHints = field(default_factory=DateHints)
    asks_when: bool = False
    speaker: str | None = None
    entities: frozenset[str] = frozenset()
    previous: Sequence[int] = ()
    following: Sequence[int] = ()
    links: Sequence[tuple[int, int, float]] = ()
    together: frozenset[int] = frozenset()
    rankings: Sequence[Sequence[str]] = ()
    shares: Sequence[float] | None = None
    session_id: str | None = None
    favoured: frozenset[str] = frozenset()
    mood: float = 0.0
    cold: Sequence[bool] = ()
    away: Sequence[bool] = ()
    over: Sequence[bool] = ()
    scale: CosineScale = AS_THEY_ARE
    settings: RetrievalConfig = field(default_factory=RetrievalConfig)

    @property
    def zeros(self) -> Values:
        """One 0 per candidate."""
        return np.zeros(len(self.candidates))

    @cached_property
    def ids(self) -> list[str]:
        """The candidates' ids."""
        return self.candidates.ids

    @cached_property
    def by_assistant(self) -> Values:
        """1 for what an assistant said: a voice of a chat without a name of its own."""
        voices = zip(
            self.candidates.labels("data_source"), self.candidates.labels("speaker"), strict=True
        )
        return np.array(
            [voice == ("assistant_message", None) for voice in voices], dtype=np.float64
        )

    @cached_property
    def cosines(self) -> Values:
        """Cosine of each candidate with the query, at most 1; zeros without a query vector."""
        if self.query is None:
            return np.zeros(len(self.candidates))
        return self.scale.of(dots(self.vectors, self.query)).astype(np.float64)


def _similarity(pool: Pool) -> Values:
    """Cosines within the pool.

    A span below `SIMILARITY_SPAN` is not stretched, or the last of a few would count 0.
    """
    if pool.query is None or not len(pool.candidates):
        return pool.zeros
    low = float(pool.cosines.min())
    high = float(pool.cosines.max())
    if low == high <= 0.0:
        return pool.zeros
    span = max(high - low, SIMILARITY_SPAN)
    return (pool.cosines - (high - span)) / span


def shares(column: Values) -> Values:
    """Each value as a share of the highest; 0 below 0."""
    highest = float(column.max(initial=0.0))
    return np.maximum(column, 0.0) / (highest or 1.0)


def _retention(pool: Pool) -> Values:
    candidates = pool.candidates
    memories = DecayingColumns(
        candidates.labels("category"),
        candidates.labels("tier"),
        candidates.labels("state"),
        candidates.labels("pinned"),
        candidates.values("stability"),
        _known_or(candidates.moments("last_reinforced_at"), candidates.moments("created_at")),
    )
    return retentions_at(memories, pool.now, pool.strength)


def _known_or(moments: Times, others: Times) -> Times:
    """Each moment, or the other one where it is not known."""
    known: Times = np.where(moments == OPEN_BEGIN, others, moments)
    return known


def _equal(pool: Pool, name: str, value: str | None) -> Values:
    """1 where a column has the value, if there is one."""
    if value is None:
        return pool.zeros
    column = pool.candidates.labels(name)
    return np.array([entry == value for entry in column], dtype=np.float64)


def _date(pool: Pool) -> Values:
    """How much of the date that the question names fits when it was said, or the time it speaks of."""
    if not any(pool.hints):
        return pool.zeros
    recorded_at = pool.candidates.moments("recorded_at").tolist()
    referenced_at = pool.candidates.moments("referenced_at").tolist()
    fits = [_fit(*moments, pool.hints) for moments in zip(recorded_at, referenced_at, strict=True)]
    return np.array(fits, dtype=np.float64)


def _fit(recorded_at: int, referenced_at: int, hints: DateHints) -> float:
    share = hints.share(decode_moment(recorded_at))
    if referenced_at == OPEN_BEGIN:
        return share
    spoken_of = hints.share(decode_moment(referenced_at))
    if hints.periods and spoken_of < share:
        # It was said then, but speaks of another time.
        return (share + spoken_of) / 2
    return max(share, spoken_of)


def _when(pool: Pool) -> Values:
    """1 for what names a time, if the question asks for one."""
    if not pool.asks_when:
        return pool.zeros
    named: Values = 1.0 * (pool.candidates.moments("referenced_at") != OPEN_BEGIN)
    return named


def _length(pool: Pool) -> Values:
    """Longer turns say more: 0 for a word, 1 from `LONG_CHARACTERS` on."""
    characters = pool.candidates.moments("characters").astype(np.float64)
    shares: Values = np.minimum(1.0, np.log1p(characters) / math.log1p(LONG_CHARACTERS))
    return shares


def _brief(pool: Pool) -> Values:
    """1 up to `LONG_CHARACTERS`, 0 from `LONGEST_CHARACTERS` on: long answers hold the words of everything."""
    characters = np.maximum(pool.candidates.moments("characters"), LONG_CHARACTERS)
    beyond = np.log(characters / LONG_CHARACTERS) / math.log(LONGEST_CHARACTERS / LONG_CHARACTERS)
    shares: Values = 1.0 - np.minimum(1.0, beyond)
    return shares


def _own(pool: Pool) -> Values:
    """1 for what no assistant said."""
    return 1.0 - pool.by_assistant


def _given(pool: Pool, column: Sequence[float]) -> Values:
    return np.array(column or [0.0] * len(pool.candidates), dtype=np.float64)


def _statement(pool: Pool) -> Values:
    """1 for what does not end in a question: an answer is seldom one."""
    asks: Values = np.array(pool.candidates.labels("asks"), dtype=np.float64)
    return 1.0 - asks


def _answer(pool: Pool, relevance: Values) -> Values:
    """The relevance of the turn before, if that asks something."""
    asking = np.array(pool.candidates.labels("inquires"), dtype=np.float64)
    return _beside(pool.previous, relevance * asking, alone=0.0)


def _beside(places: Sequence[int], relevance: Values, *, alone: float = 1.0) -> Values:
    """The relevance of what stands at these places.

    Where there is nothing, its own, times `alone`: the first turn of a session is no worse an
    answer than the second one.
    """
    others = np.array(places, dtype=np.intp)
    if not len(others):
        return np.zeros(len(relevance))
    values: Values = np.where(others == ALONE, alone * relevance, 0.0)
    return np.where(others >= 0, relevance[np.maximum(others, 0)], values)


def _session(pool: Pool, relevance: Values) -> Values:
    """The mean relevance of the session's best turns: a conversation that speaks of it."""
    sessions = pool.candidates.labels("session_id")
    best: dict[str | None, list[float]] = {session: [] for session in sessions}
    for session, value in zip(sessions, relevance.tolist(), strict=True):
        best[session].append(value)
    best.pop(None, None)
    mean: dict[str | None, float] = {
        session: sum(sorted(values)[-SESSION_BEST:]) / SESSION_BEST
        for session, values in best.items()
    }
    return np.array([mean.get(session, 0.0) for session in sessions], dtype=np.float64)


def _activation(pool: Pool) -> Values:
    """ACT-R base level over what is known of the accesses (how many, the first, the latest), within the pool.

    Levels that differ by less than 1 (a factor e in odds) are not stretched, and what was accessed
    within `ACTIVATION_HOURS` is equally present: else the order of a single sitting would look like
    memory.
    """
    candidates = pool.candidates
    created_at = candidates.moments("created_at")
    latest = np.maximum(
        _known_or(candidates.moments("last_reinforced_at"), created_at),
        _known_or(candidates.moments("last_retrieved_at"), created_at),
    )
    counts = candidates.moments("access_count")
    if pool.settings.activation == "seed":
        seconds = (pool.now - latest) / _SECOND
        return min_max(list(map(seed_activation, counts.tolist(), seconds.tolist())))
    youngest = ACTIVATION_HOURS / 24
    levels = base_levels(
        (1 + counts).astype(np.float64),
        np.maximum((pool.now - created_at) / _DAY, youngest),
        np.maximum((pool.now - latest) / _DAY, youngest),
        decay=ACTIVATION_DECAY,
    )
    low = float(levels.min(initial=math.inf))
    high = float(levels.max(initial=-math.inf))
    return (levels - low) / max(high - low, 1.0) if len(levels) else levels


def _recency(pool: Pool) -> Values:
    """exp(-age / `recency_days`) of when it was said (Generative Agents)."""
    span = pool.settings.recency_days * _DAY
    ages = np.maximum(0, pool.now - pool.candidates.moments("recorded_at"))
    recent: Values = np.exp(-ages / span)
    return recent


def _rrf(pool: Pool) -> Values:
    """Reciprocal rank fusion of the lists, scaled to 0..1."""
    fused = reciprocal_rank_fusion(pool.rankings, RRF_K, weights=pool.shares)
    return np.array([fused.get(name, 0.0) for name in pool.ids], dtype=np.float64)


def _entity(pool: Pool) -> Values:
    """How many entities of the question it mentions, up to `entities`."""
    if not pool.entities:
        return pool.zeros
    uris = pool.candidates.labels("entities")
    counts = [len(pool.entities.intersection(mentioned)) for mentioned in uris]
    return np.minimum(MATCHING_ENTITIES, np.array(counts, dtype=np.float64))


def _kind(pool: Pool) -> Values:
    """1 for the categories that the question's intent favours."""
    if not pool.favoured:
        return pool.zeros
    categories = pool.candidates.labels("category")
    return np.array([category in pool.favoured for category in categories], dtype=np.float64)


def _coactivation(pool: Pool) -> Values:
    """1 for what was used together, often, with another candidate."""
    values = pool.zeros
    values[list(pool.together)] = 1.0
    return values


def _linked(pool: Pool, relevance: Values) -> Values:
    """The relevance of the best memory it is linked to, times the strength of the link."""
    reached = np.zeros(len(relevance))
    for source, target, weight in pool.links:
        reached[target] = max(reached[target], weight * relevance[source])
    return reached


SIGNALS: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": _similarity,
    # A word in common is evidence, none is 0: the scale starts at 0 even if every candidate shares
    # a word.
    "lexical": lambda pool: shares(np.asarray(pool.lexical, dtype=np.float64)),
    "rrf": _rrf,
    "retention": _retention,
    "activation": _activation,
    "recency": _recency,
    "importance": lambda pool: pool.candidates.values("importance"),
    "utility": lambda pool: pool.candidates.values("utility"),
    # How far answers made more of it, or less, than of a memory that nobody ever judged: -0.5..0.5.
    "proven": lambda pool: pool.candidates.values("utility") - 0.5,
    # 1 for what the one person said whom the question names.
    "speaker": lambda pool: _equal(pool, "speaker", pool.speaker),
    "entity": _entity,
    "date": _date,
    "when": _when,
    "length": _length,
    "brief": _brief,
    "own": _own,
    # How much of the query's words it holds, rare words counting more.
    "coverage": lambda pool: _given(pool, pool.coverage),
    # How many of the query's figures it holds.
    "figures": lambda pool: _given(pool, pool.figures),
    "statement": _statement,
    # 1 for what was said in the present conversation.
    "same_session": lambda pool: _equal(pool, "session_id", pool.session_id),
    "coactivation": _coactivation,
    "kind": _kind,
}

# What follows from the relevance of other candidates.
CONTEXT: Mapping[str, Callable[[Pool, Values], Values]] = {
    # The relevance of the turn before: an answer stands behind its question.
    "previous": lambda pool, relevance: _beside(pool.previous, relevance),
    # The relevance of the turn after: what is spoken of goes on.
    "following": lambda pool, relevance: _beside(pool.following, relevance),
    "answer": _answer,
    "session": _session,
    "linked": _linked,
}
RELEVANCE = {"similarity": 0.6, "lexical": 0.4}
"""What meaning and words say of a candidate beside another one, 0..1."""

# What an explanation shows instead of the value within the pool.
RAW: Mapping[str, Callable[[Pool], Values]] = {
    "similarity": lambda pool: pool.cosines,
    "lexical": lambda pool: np.asarray(pool.lexical, dtype=np.float64),
}


def _cold_factor(pool: Pool, config: BoostConfig) -> Values:
    none = [False] * len(pool.candidates)
    factors = np.where(np.array(pool.away or none, dtype=bool), config.again, 1.0)
    factors = np.where(np.array(pool.over or none, dtype=bool), OVER, factors)
    return np.where(np.array(pool.cold or none, dtype=bool), config.cold, factors)


def _sub_tier_factor(pool: Pool, config: BoostConfig) -> Values:
    names = pool.candidates.labels("sub_tier")
    factors = {name: getattr(config, name) for name in set(names)}
    return np.array([factors[name] for name in names], dtype=np.float64)


def _mood_factor(pool: Pool, config: BoostConfig) -> Values:
    """Mood-congruent memory: the sign of the valence agrees."""
    return np.where(pool.mood * pool.candidates.values("valence") > 0, config.mood, 1.0)


def _doubt_factor(pool: Pool, config: BoostConfig) -> Values:
    confidences = pool.candidates.values("source_confidence")
    return np.where(confidences < DOUBTFUL_BELOW, config.doubtful, 1.0)


BOOSTS: Mapping[str, Callable[[Pool, BoostConfig], Values]] = {
    "sub_tier": _sub_tier_factor,
    "mood": _mood_factor,
    "doubt": _doubt_factor,
    "cold": _cold_factor,
}

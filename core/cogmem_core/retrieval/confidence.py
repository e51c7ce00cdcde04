"""How likely a result is relevant, and how likely anything known is: calibrated, without a language model.

Two logistic models. `relevant` looks at one memory beside the question: its probability is
`Recalled.confidence`. `answerable` looks at the best results together: below a threshold the honest
answer is that nothing is known. Their weights ship with the package (`data/confidence.json`, fitted
by `make confidence` on conversations of our own) and depend on the embedder: there are models for
MiniLM, and models without absolute cosines for any other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from cogmem_core.maths.calibration import LogisticModel, log_odds
from cogmem_core.retrieval.candidates import SearchContext
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.signals import Values
from cogmem_core.text.keys import plain
from cogmem_core.text.tokens import tokens

__all__ = [
    "ABSOLUTE",
    "FEATURES",
    "QUESTION_FEATURES",
    "Models",
    "features",
    "models_for",
    "question_features",
]

ANY = "any"
DEPTH = 10
"""Results of a question that the models look at, and were fitted to."""
_USUAL = (0.1, 0.15)
_SIGNALS = ("speaker", "date", "when")

FEATURES: Mapping[str, str] = {
    "cosine": "of query and memory",
    "best_cosine": "the highest one of the pool",
    "above": "cosine above the mean of the pool, in its standard deviations, /5",
    "coverage": "how much of the query's words it holds, rare words counting more",
    "best_coverage": "the highest one of the pool",
    "known": "how much of the query's words the namespace holds at all",
    "strange": "1 if the query names someone or something that the namespace does not hold",
    "share": "score / best score",
    "lead": "score above that of the next one, over the best score",
    "first": "1 / rank",
    "speaker": "said by the person whom the query names",
    "date": "fits the date that the query names",
    "when": "names a time, and one is asked for",
    "size": "ln of the number of memories, /10",
    "words": "ln of the number of the query's words, /3",
}
QUESTION_FEATURES: Mapping[str, str] = {
    "best": "log-odds of the likeliest result, /5",
    "best_cosine": "see FEATURES",
    "best_coverage": "see FEATURES",
    "strange": "see FEATURES",
    "above": "the highest one of the results",
}
ABSOLUTE = ("cosine", "best_cosine")
_KINDS = ("relevant", "answerable")
_ALIKE = ("best_cosine", "best_coverage", "strange")


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one embedder: of a result, and of a question.

    `threshold`: less answerable ones get no result.
    """

    relevant: LogisticModel
    answerable: LogisticModel
    threshold: float

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        models = {name: json.loads(getattr(self, name).to_json()) for name in _KINDS}
        return {**models, "threshold": self.threshold}


def question_features(
    rows: Sequence[Mapping[str, float]], relevant: LogisticModel
) -> dict[str, float]:
    """`QUESTION_FEATURES` of a question with at least one result."""
    return {
        **{name: rows[0][name] for name in _ALIKE},
        "above": max(row["above"] for row in rows),
        "best": max(log_odds(relevant.probability(row)) for row in rows) / 5,
    }


def features(
    context: SearchContext,
    scored: ScoredPool,
    places: Sequence[int],
    *,
    kind: Sequence[int] = (),
) -> list[dict[str, float]]:
    """`FEATURES` of each chosen candidate, in order; `verbatim`: 1 if it says just the query.

    Args:
        context: of the search.
        scored: the pool.
        places: the chosen candidates.
        kind: candidates of one kind, all of which are asked for: each of the chosen ones is then
            compared with what is not among them, as if it were the only one.
    """
    if not places:
        return []
    pool = scored.pool
    cosines = pool.cosines
    scores = scored.scores
    coverages = [0.0] * len(pool.candidates)
    covered = 0.0
    strange = False
    if not context.lost("lexical"):
        ids = [row.id for row in pool.candidates]
        coverages, covered = context.corpus.coverage(pool.terms, ids)
        for named in context.plan.question.names:
            strange = strange or not any(map(context.corpus.holds, tokens(named.text)))
    outside = np.ones(len(cosines), dtype=np.bool_)
    outside[list(kind)] = False
    mean, spread = _background(cosines[outside])
    best = float(scores.max()) or 1.0
    alike = {
        "best_cosine": float(cosines.max()),
        "best_coverage": max(coverages),
        "known": covered,
        "strange": float(strange),
        "size": math.log1p(len(context.corpus)) / 10,
        "words": math.log1p(len(set(pool.terms))) / 3,
    }
    descending = np.sort(scores[outside])[::-1]
    query = plain(context.request.query)
    rows = []
    for rank, place in enumerate(places, 1):
        lower = descending[descending < scores[place]]
        row = {
            **alike,
            "cosine": float(cosines[place]),
            "above": (float(cosines[place]) - mean) / spread / 5,
            "coverage": coverages[place],
            "share": float(scores[place]) / best,
            "lead": float(scores[place] - lower[0]) / best if len(lower) else 0.0,
            "first": 1.0 if kind else 1.0 / rank,
            "verbatim": float(plain(pool.candidates[place].content) == query),
        }
        for name in _SIGNALS:
            row[name] = float(scored.raw[name][place]) if name in scored.raw else 0.0
        rows.append(row)
    return rows


def _background(cosines: Values) -> tuple[float, float]:
    """Mean and standard deviation of cosines with a question; of too few those of a usual bank."""
    if not len(cosines):
        return _USUAL
    return float(cosines.mean()), float(cosines.std()) or 1.0


@lru_cache(maxsize=8)
def models_for(fingerprint: str) -> Models:
    """The models that fit the embedder of that fingerprint; those of `ANY` need no vector."""
    table = json.loads(
        files("cogmem_core").joinpath("data/confidence.json").read_text(encoding="utf-8")
    )
    name = next((name for name in table if name != ANY and fingerprint.startswith(name)), ANY)
    relevant, answerable = (
        LogisticModel.from_json(json.dumps(table[name][kind])) for kind in _KINDS
    )
    return Models(relevant, answerable, float(table[name]["threshold"]))

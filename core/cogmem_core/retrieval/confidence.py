"""How likely a result is relevant, and how likely anything known is: calibrated, without a language model.

Two logistic models. `relevant` looks at one memory beside the message: its probability is
`Recalled.confidence`. `answerable` looks at the best results together: below a threshold the honest
answer is that nothing is known. Their weights ship with the package (`data/confidence.json`, fitted by
`make confidence` on texts of our own) and depend on the embedder: there are models for MiniLM, which also
look at the meaning of the message, models for cosines on its scale, and models without cosines.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from cogmem_core.embedders.scale import FITTED_TO
from cogmem_core.maths.calibration import LogisticModel, log_odds
from cogmem_core.ports import FloatArray
from cogmem_core.retrieval.ranker import message_kind
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.signals import Pool, Values
from cogmem_core.text.keys import plain
from cogmem_core.text.query.asked import Asked, holds_answer
from cogmem_core.text.tokens import tokens

ANY = "any"
SCALED = "scaled"
DEPTH = 10
"""Results of a question that the models look at, and were fitted to."""
_MISSING = 5
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
    "shared": "share of the query's words that it holds",
    "missing": "the query's words that it does not hold, up to five, /5",
    "fits": "1 if it holds the kind of answer that is asked for (a number, a time, a name), else 0.5",
    "unfit": "1 if a number or a time is asked for, and it holds none",
    "length": "ln of the number of its words, /3",
    "talk": "share of the best results that ask or exclaim, or that people said to each other",
    "request": "1 if the message asks for something to be done",
    "telling": "1 if the message only tells something",
}
QUESTION_FEATURES: Mapping[str, str] = {
    "best": "log-odds of the likeliest result, /5",
    "best_cosine": "see FEATURES",
    "best_coverage": "see FEATURES",
    "strange": "see FEATURES",
    "known": "see FEATURES",
    "size": "see FEATURES",
    "request": "see FEATURES",
    "telling": "see FEATURES",
    "personal": "1 if the message is in the first person",
    "impersonal": "log-odds that no memory bears on a message of such a meaning, /5, from 0 on",
}
TALK_FROM = 0.2
"""From this share of `talk` on the results are taken for a conversation."""
OF_OTHERS = 12.0
"""By so many log-odds per share of the question's words it is less likely that the answer is known, where
others said more of them than the one person who is asked about (the best of 2 to 12 on conversations whose
questions were asked of the other speaker)."""
ABSOLUTE = ("cosine", "best_cosine")
OF_MEANING = ("impersonal",)


class Models(NamedTuple):
    """The models of one embedder.

    Attributes:
        relevant: of a result.
        answerable: of a message.
        quiet: less answerable messages get no result.
        impersonal: of a message's vector: a weight for each dimension, and the bias; () = of none.
    """

    relevant: LogisticModel
    answerable: LogisticModel
    quiet: float
    impersonal: tuple[float, ...] = ()

    def answers(
        self,
        rows: Sequence[Mapping[str, float]],
        relevances: Sequence[float],
        query: FloatArray | None = None,
    ) -> float:
        """How likely any result of a message is relevant.

        Args:
            rows: `FEATURES` of at least one result.
            relevances: what `relevant` says of each.
            query: the message's vector.
        """
        impersonal = 0.0
        if query is not None and len(self.impersonal) == len(query) + 1:
            *weights, bias = self.impersonal
            impersonal = max(0.0, float(np.dot(weights, query)) + bias)
        return self.answerable.probability(question_features(rows, relevances, impersonal))

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "relevant": json.loads(self.relevant.to_json()),
            "answerable": json.loads(self.answerable.to_json()),
            "quiet": self.quiet,
            "impersonal": self.impersonal,
        }


def is_talk(rows: Sequence[Mapping[str, float]]) -> bool:
    """Whether the results of a question are what people said to each other."""
    return bool(rows) and rows[0]["talk"] >= TALK_FROM


def of_whom_it_asks(answerable: float, row: Mapping[str, float]) -> float:
    """How likely the answer is known, where it is `answerable` that anything of its topic is known.

    What Ana's race taught her is no answer to what Ben's race taught him.

    Args:
        answerable: probability.
        row: of one of the results, see `features`.
    """
    if row["of_others"] <= 0.0:
        return answerable
    return 1 / (1 + math.exp(OF_OTHERS * row["of_others"] - log_odds(answerable)))


def question_features(
    rows: Sequence[Mapping[str, float]], relevances: Sequence[float], impersonal: float = 0.0
) -> dict[str, float]:
    """`QUESTION_FEATURES` of a question with at least one result, of known relevances."""
    shared = {name: rows[0][name] for name in QUESTION_FEATURES if name in rows[0]}
    return {"best": max(map(log_odds, relevances)) / 5, "impersonal": impersonal / 5, **shared}


def features(
    context: SearchContext,
    scored: ScoredPool,
    places: Sequence[int],
    *,
    kind: Sequence[int] = (),
) -> list[dict[str, float]]:
    """`FEATURES` of each chosen candidate, in order.

    With them `personal`, see `QUESTION_FEATURES`, `verbatim`, 1 if it says just the query, and
    `of_others`, how much more of the query's words anything holds that others said than what the one
    person said whom it names, 0..1.

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
    coverages = pool.coverage or [0.0] * len(pool.candidates)
    strange = False
    if not context.lost("lexical"):
        for named in context.plan.question.names:
            strange = strange or not any(map(context.corpus.holds, tokens(named.text)))
    outside = np.ones(len(cosines), dtype=np.bool_)
    outside[list(kind)] = False
    mean, spread = _background(cosines[outside])
    values = scores.tolist()
    best = max(values) or 1.0
    message = message_kind(context.request.query)
    alike = {
        "request": float(message == "request"),
        "telling": float(message == "telling"),
        "personal": float(context.plan.question.about_self),
        "best_cosine": float(cosines.max()),
        "best_coverage": max(coverages),
        "known": pool.covered,
        "strange": float(strange),
        "size": math.log1p(len(context.corpus)) / 10,
        "words": math.log1p(len(set(pool.terms))) / 3,
    }
    ascending = np.sort(scores[outside]).tolist()
    query = plain(context.request.query)
    wording = _Wording(frozenset(pool.terms), context.plan.asked)
    ids = [pool.ids[place] for place in places]
    texts = context.texts(ids)
    words = context.corpus.words(ids, texts)
    best_texts = texts[:DEPTH]
    talk = _share_of_talk(pool, places[:DEPTH], best_texts)
    of_others = _said_by_others(pool, coverages)
    rows = []
    for rank, (place, text) in enumerate(zip(places, texts, strict=True), 1):
        value = values[place]
        below = bisect_left(ascending, value) - 1
        row = {
            **alike,
            **wording.features(text, words[rank - 1]),
            "talk": talk,
            "of_others": of_others,
            "verbatim": float(plain(text) == query),
            "cosine": float(cosines[place]),
            "above": (float(cosines[place]) - mean) / spread / 5,
            "coverage": coverages[place],
            "share": value / best,
            "lead": (value - ascending[below]) / best if below >= 0 else 0.0,
            "first": 1.0 if kind else 1.0 / rank,
        }
        for name in _SIGNALS:
            row[name] = float(scored.raw[name][place]) if name in scored.raw else 0.0
        rows.append(row)
    return rows


def _share_of_talk(pool: Pool, places: Sequence[int], texts: Sequence[str]) -> float:
    """How many of the best results ask or exclaim, or stand beside what somebody else says; 0..1."""
    asking = sum("?" in text or "!" in text for text in texts)
    candidates = pool.candidates
    sources = list(zip(candidates.labels("speaker"), candidates.labels("data_source"), strict=True))
    adjacent = list(zip(pool.previous, pool.following, strict=True))
    in_turn = 0
    for place in places if adjacent else ():
        other_places = (other for other in adjacent[place] if other >= 0)
        in_turn += any(sources[other] != sources[place] for other in other_places)
    return max(asking, in_turn) / len(places)


def _said_by_others(pool: Pool, coverages: Sequence[float]) -> float:
    """How much more of the query others hold than the one person whom it names; 0 where it names none."""
    if pool.speaker is None:
        return 0.0
    of_person = of_others = 0.0
    for speaker, coverage in zip(pool.candidates.labels("speaker"), coverages, strict=True):
        if speaker == pool.speaker:
            of_person = max(of_person, coverage)
        else:
            of_others = max(of_others, coverage)
    return max(0.0, of_others - of_person)


class _Wording(NamedTuple):
    """The question's words, each once, and the kind of answer it wants."""

    terms: Set[str]
    asked: Asked | None

    def features(self, text: str, words: Set[str]) -> dict[str, float]:
        """How far a text of these words has those of the question, and what it asks for."""
        terms = self.terms
        held = len(terms & words)
        answers = self.asked is not None and holds_answer(self.asked, terms, text)
        return {
            "shared": held / max(1, len(terms)),
            "missing": min(len(terms) - held, _MISSING) / _MISSING,
            "fits": 1.0 if answers else 0.5,
            "unfit": float(self.asked in ("number", "time") and not answers),
            "length": math.log1p(len(words)) / 3,
        }


def _background(cosines: Values) -> tuple[float, float]:
    """Mean and standard deviation of cosines with a question; of too few those of a usual bank."""
    if not len(cosines):
        return _USUAL
    return float(cosines.mean()), float(cosines.std()) or 1.0


@lru_cache(maxsize=8)
def models_for(fingerprint: str, *, scaled: bool = False) -> Models:
    """The models that fit the embedder of that fingerprint; those of `ANY` need no vector.

    `scaled`: its cosines are given on the scale of MiniLM.
    """
    table = json.loads(
        files("cogmem_core").joinpath("data/confidence.json").read_text(encoding="utf-8")
    )
    other = SCALED if scaled and fingerprint != ANY else ANY
    name = FITTED_TO if fingerprint.startswith(FITTED_TO) else other
    values = table[name]
    relevant, answerable = (
        LogisticModel.from_json(json.dumps(values[part])) for part in ("relevant", "answerable")
    )
    return Models(relevant, answerable, float(values["quiet"]), tuple(values["impersonal"]))

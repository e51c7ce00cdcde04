"""Settings of `[retrieval]`: ranking, routes, the context block, the hot tier."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from cogmem_core.config.sections import (
    Factor,
    Seconds,
    Share,
    TopicNames,
    UpToMillion,
    UpToThousand,
    by_default,
    section,
)
from cogmem_core.values.models import Category
from cogmem_core.values.readings import GUARDS, Guard


@section("retrieval.weights")
class SignalWeights:
    """Weight of each ranking signal in the composite score; 0 switches one off.

    None = as fitted on registers of every kind, with weights of their own for banks in which an
    assistant speaks. `similarity`, `lexical` and `coverage` carry relevance. `proven` is what feedback
    teaches: used memories rise, ignored ones fall, and without feedback it is 0. Strength only breaks
    ties, because forgetting hurts fast in ranking. Relevance, 0..1, is 0.6 `similarity` + 0.4 `lexical`.
    """

    similarity: Share | None = None
    """Cosine with the query, stretched to 0..1 over the candidates; 0 without a query vector."""
    lexical: Share | None = None
    """Words in common with the query (BM25), 0..1, as a share of the best candidate's."""
    retention: Annotated[StrictFloat, Field(ge=0.0, le=0.1)] = 0.02
    """What the forgetting curve has left of it, 0..1; 1 for what never fades."""
    importance: Share = 0.02
    """How much it mattered when it was stored, 0..1."""
    utility: Share = 0.0
    """What answers made of it, 0..1, at first 0.5; some routes add to this weight."""
    proven: Share = 0.5
    """Utility less 0.5, so -0.5..0.5: above 0 for what answers used, below for what they ignored,
    else 0."""
    speaker: Share | None = None
    """1 for what was said by the one person whom the question names; 0 if it names none, or
    several."""
    date: Share = 0.3
    """0..1, how well the day it was said, or the time it speaks of, fits the date that the
    question names."""
    when: Share | None = None
    """1 for what names a time, if the question asks for one; else 0."""
    length: Share | None = None
    """0 for no text to 1 from 200 characters on, by the logarithm: longer turns say
    more."""
    brief: Share | None = None
    """1 up to 200 characters to 0 from 4,000 on, by the logarithm: long answers hold the words of
    every question."""
    own: Share | None = None
    """1 for what no assistant said; a voice with a name of its own is none."""
    coverage: Share | None = None
    """How much of the question's words it holds, 0..1, rare words counting more."""
    figures: Share | None = None
    """How many of the question's figures it holds, 0..1."""
    statement: Share | None = None
    """1 for what does not end in a question mark: an answer is seldom a question."""
    previous: Share | None = None
    """Relevance of the turn before it in its session, 0..1: an answer stands behind its
    question. The first turn of a session has its own relevance instead."""
    following: Share | None = None
    """Relevance of the turn after it, 0..1; the last turn has its own instead."""
    answer: Share | None = None
    """Relevance of the turn before it if that one asks something, 0..1; else 0."""
    session: Share | None = None
    """Mean relevance of the best three turns of its session, 0..1."""
    asked: Share | None = None
    """Of the ten best: 1 for what holds the number or the name that is asked for, 0.5 for a time,
    less 0.5 for what has the question's words only in questions of its own; else 0."""
    activation: Share = 0.02
    """How often and how lately it was accessed (`retrieval.activation`), 0..1 over the
    candidates."""
    recency: Share = 0.0
    """Exp(-age / `retrieval.recency_days`), 0..1, counted from when it was said."""
    rrf: Share = 0.0
    """Reciprocal rank fusion of the lists that found it (k = 60), 0..1."""
    same_session: Share = 0.15
    """1 for what was said in the conversation that goes on; 0 without `session_id=`."""
    entity: Share | None = None
    """How many entities of the question it mentions, 0 up to three (each counts as
    much)."""
    coactivation: Share = 0.05
    """1 for what answers often used together with another candidate."""
    linked: Share = 0.05
    """0..1, relevance of the best candidate that a relation leads from, times the strength of
    that relation."""
    kind: Share | None = None
    """1 for a category that the question's route favours (`favoured`), such as preferences for
    one of taste."""


@section("retrieval.boosts")
class BoostConfig:
    """Factors on the whole score of a memory, by what it is; 1 = no effect."""

    personal: Factor = 1.0
    """Episodic memories that the user told."""
    observed: Factor = 1.0
    """Episodic memories that someone else told."""
    vicarious: Factor = 0.9
    """Episodic memories that another agent told."""
    schematic: Factor = 1.1
    """Semantic memories that are schemas: summaries, themes and patterns."""
    procedural: Factor = 1.05
    """Semantic memories that are procedures."""
    factual: Factor = 1.0
    """Semantic memories that are facts."""
    mood: Factor = 1.1
    """Memories whose valence has the sign of the present mood."""
    doubtful: Annotated[StrictFloat, Field(ge=0.1, le=1.0)] = 1.0
    """Memories whose source confidence is below 0.3: what the observer thought little of."""
    cold: Share = 0.5
    """Dormant and superseded memories."""
    again: Share = 0.8
    """Memories that a second look finds."""


@section("retrieval.routes.KIND")
class Route:
    """How one kind of question is answered (retrieval strategy router)."""

    vector: Annotated[StrictFloat, Field(ge=0.01, le=1.0)] = 0.5
    """Share of meaning in the relevance and in the fusion of the two lists; equal shares = as
    configured."""
    lexical: Annotated[StrictFloat, Field(ge=0.01, le=1.0)] = 0.5
    """Share of words in the relevance and in the fusion of the two lists; equal shares = as
    configured."""
    limit: UpToThousand = 10
    """Results where the caller does not say how many."""
    utility: Share = 0.0
    """Added to the weight of utility."""
    order: Literal["relevance", "newest", "utility"] = "relevance"
    """How the chosen results are ordered: `relevance`, `newest` (valid_from, newest first) or
    `utility`."""
    history: StrictBool = False
    """What was superseded or has expired is searched, too."""
    hops: Annotated[StrictInt, Field(ge=0, le=4)] = 0
    """So many steps along `causes` and `elaborates` bring more candidates."""
    hub: StrictBool = False
    """Everything that mentions an entity of the question is a candidate."""
    only: tuple[Category, ...] = ()
    """Nothing but these categories; empty = all."""
    favoured: tuple[Category, ...] = ()
    """Categories that the signal `kind` lifts."""


@section("retrieval.routes")
class RoutesConfig:
    """A route per intent.

    The defaults keep to what measurement supports, `presets` holds the table of the seed.
    """

    factual: Route = field(default_factory=Route)
    temporal: Route = field(default_factory=by_default(Route, limit=15, history=True))
    causal: Route = field(default_factory=by_default(Route, limit=20, hops=2))
    entity_profile: Route = field(default_factory=by_default(Route, limit=15, hub=True))
    preference: Route = field(
        default_factory=by_default(Route, favoured=("preference", "correction"))
    )
    general: Route = field(default_factory=Route)


@section("retrieval.injection")
class InjectionConfig:
    """What reaches a prompt, by calibrated probabilities."""

    answerable: Share | None = None
    """Where any relevant memory is less likely than this, nothing is returned but the reason;
    None = as fitted for the embedder."""
    full_from: Share = 0.05
    """A memory that is as likely relevant is shown as a whole, with its date and speaker."""
    floor: Share = 0.001
    """One that is less likely is withheld, and logged, and so is one that is 60 times less likely than
    the best. In between it is abbreviated."""


@section("retrieval.hot")
class HotTierConfig:
    """The memories that are shown whatever the question: what must always be, and the hot tier."""

    always_tokens: Annotated[StrictInt, Field(ge=0, le=1_000)] = 150
    """Tokens for what is pinned and for guardian facts, which no other memory takes; 0 = none."""
    guards: tuple[Guard, ...] = GUARDS
    """The kinds of guardian facts that are always shown; what is left out stays protected."""

    utility: Share = 0.8
    """A memory of the hot tier is at least so useful."""
    accesses: Annotated[StrictInt, Field(ge=0, le=1_000_000)] = 10
    """A memory of the hot tier was accessed at least so often."""
    items: Annotated[StrictInt, Field(ge=0, le=1_000)] = 15
    """Memories in the hot tier, at most, the most useful first; 0 = none."""
    seconds: Seconds = 300.0
    """How long the choice is kept."""


@section("retrieval")
class RetrievalConfig:
    """The read path."""

    pool: Annotated[StrictInt, Field(ge=1, le=10_000)] = 64
    """Candidates taken from each ranker; at least 3 k of them."""
    weights: SignalWeights = field(default_factory=SignalWeights)
    """See `SignalWeights`."""
    mmr_lambda: Share = 0.9
    """1 = relevance only; 0.7 costs a point of recall@10 on LoCoMo."""
    source_share: Share = 0.5
    """One untrusted source (data source, speaker, session) has at most this share of the results;
    1 = no bound."""
    max_k: Annotated[StrictInt, Field(ge=1, le=100_000)] = 1_000
    """The largest k accepted."""
    deadline_grace: Annotated[StrictFloat, Field(ge=0.0, le=60.0)] = 0.015
    """Seconds that the last steps may take after a deadline."""
    context_tokens: UpToMillion = 1_500
    """Default budget of `Recall.context()`."""
    private_topics: TopicNames = (
        "health",
        "religion",
        "money",
        "politics",
        "sex",
        "conflicts",
        "job",
        "trouble",
    )
    """What an `audience` hears nothing of unless it is asked for: names of topics, see
    `encoding.never_keep`."""
    boosts: BoostConfig = field(default_factory=BoostConfig)
    """See there."""
    routes: RoutesConfig = field(default_factory=RoutesConfig)
    """See there."""
    injection: InjectionConfig = field(default_factory=InjectionConfig)
    """See there."""
    hot: HotTierConfig = field(default_factory=HotTierConfig)
    """See there."""
    reinforce_on: Literal["use", "retrieval"] = "use"
    """What makes a memory last: `use` in an answer (see `FeedbackConfig`), or also `retrieval`
    alone."""
    second_look: Share = 0.9
    """Where any relevant memory is less likely than this, and something put away is among the first
    few, what was put away for disuse is searched, too, and what was replaced, for which its
    successor is shown; 0 = only deep recall does so. Without it a third of recall@5
    is lost on LoCoMo, replayed with dream cycles."""
    llm_intent: StrictBool = False
    """The language model tells the intent (one call per query), else key words do."""
    decompose: StrictBool = True
    """Compound questions are split, each part searched, and the lists joined by reciprocal rank
    (k = 5)."""
    hyde: StrictBool = False
    """Hypothetical answers are embedded beside the question; measured on LoCoMo: nothing
    gained."""
    activation: Literal["base_level", "seed"] = "base_level"
    """`base_level` (ACT-R, over days) or `seed` (a logistic over seconds, within the pool)."""
    recency_days: Annotated[StrictFloat, Field(ge=0.01, le=36_500.0)] = 30.0
    """Age at which the recency prior is 1/e."""

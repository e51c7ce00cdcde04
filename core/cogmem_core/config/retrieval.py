"""Settings of `[retrieval]`: ranking, routes, the context block, the hot tier."""

from __future__ import annotations

from dataclasses import dataclass, field

from cogmem_core.config.bounds import choice, members, number
from cogmem_core.models import CATEGORIES

__all__ = [
    "BoostConfig",
    "HotTierConfig",
    "InjectionConfig",
    "RetrievalConfig",
    "Route",
    "RoutesConfig",
    "SignalWeights",
    "TipConfig",
]


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """Weight of each ranking signal in the composite score; 0 switches one off.

    `similarity` and `lexical` carry relevance. What a conversation is made of comes next (weights
    measured on LoCoMo): who said it, the date that the question names, the turn before, the
    session. `proven` is what feedback teaches: used memories rise, ignored ones fall, and without
    feedback it is 0. Strength only breaks ties, because forgetting hurts fast in ranking. Relevance
    is the weighted mean of `similarity` and `lexical`, 0..1.

    Attributes:
        similarity: cosine with the query, stretched to 0..1 over the candidates; 0 without a query
            vector.
        lexical: words in common with the query (BM25), 0..1, as a share of the best candidate's.
        retention: what the forgetting curve has left of it, 0..1; 1 for what never fades.
        importance: how much it mattered when it was stored, 0..1.
        utility: what answers made of it, 0..1, at first 0.5; some routes add to this weight.
        proven: utility less 0.5, so -0.5..0.5: above 0 for what answers used, below for what they
            ignored, else 0.
        speaker: 1 for what was said by the one person whom the question names; 0 if it names none,
            or several.
        date: 0..1, how well the day it was said, or the time it speaks of, fits the date that the
            question names.
        when: 1 for what names a time, if the question asks for one; else 0.
        length: 0 for no text to 1 from `retrieval.long_characters` on, by the logarithm: longer
            turns say more.
        statement: 1 for what does not end in a question mark: an answer is seldom a question.
        previous: relevance of the turn before it in its session, 0..1: an answer stands behind its
            question.
        session: mean relevance of the best turns of its session (`retrieval.session_best`), 0..1.
        activation: how often and how lately it was accessed (`retrieval.activation`), 0..1 over the
            candidates.
        recency: exp(-age / `retrieval.recency_days`), 0..1, counted from when it was said.
        rrf: reciprocal rank fusion of the lists that found it (`retrieval.rrf_k`), 0..1.
        same_session: 1 for what was said in the conversation that goes on; 0 without `session_id=`.
        entity: how many entities of the question it mentions, 0 up to `retrieval.entities` (each
            counts as much).
        coactivation: 1 for what answers often used together with another candidate.
        linked: 0..1, relevance of the best candidate that a relation leads from, times the strength
            of that relation.
        kind: 1 for a category that the question's route favours (`favoured`), such as preferences
            for one of taste.
    """

    similarity: float = number(0.5, 0.0, 1.0)
    lexical: float = number(0.5, 0.0, 1.0)
    retention: float = number(0.02, 0.0, 0.1)
    importance: float = number(0.02, 0.0, 1.0)
    utility: float = number(0.0, 0.0, 1.0)
    proven: float = number(0.5, 0.0, 1.0)
    speaker: float = number(0.3, 0.0, 1.0)
    date: float = number(0.3, 0.0, 1.0)
    when: float = number(0.1, 0.0, 1.0)
    length: float = number(0.1, 0.0, 1.0)
    statement: float = number(0.1, 0.0, 1.0)
    previous: float = number(0.3, 0.0, 1.0)
    session: float = number(0.6, 0.0, 1.0)
    activation: float = number(0.02, 0.0, 1.0)
    recency: float = number(0.0, 0.0, 1.0)
    rrf: float = number(0.0, 0.0, 1.0)
    same_session: float = number(0.15, 0.0, 1.0)
    entity: float = number(0.1, 0.0, 1.0)
    coactivation: float = number(0.05, 0.0, 1.0)
    linked: float = number(0.05, 0.0, 1.0)
    kind: float = number(0.05, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class BoostConfig:
    """Factors on the whole score; 1 = no effect.

    Attributes:
        personal, observed, vicarious: episodic memories, by whether the user said it, someone else,
            or another agent.
        schematic, procedural, factual: semantic memories, by what they are.
        mood: memories whose valence has the sign of the present mood. `mood_from`: a message in the
            first person shows a mood from this valence on (either sign); an explicit `mood=` counts
            in any case.
        doubtful: memories whose source confidence is below `doubtful_below`.
        cold: dormant and superseded memories.
        again: those that a second look finds.
    """

    personal: float = number(1.0, 0.1, 2.0)
    observed: float = number(1.0, 0.1, 2.0)
    vicarious: float = number(0.9, 0.1, 2.0)
    schematic: float = number(1.1, 0.1, 2.0)
    procedural: float = number(1.05, 0.1, 2.0)
    factual: float = number(1.0, 0.1, 2.0)
    mood: float = number(1.1, 0.1, 2.0)
    mood_from: float = number(0.4, 0.0, 1.0)
    doubtful: float = number(0.9, 0.1, 1.0)
    doubtful_below: float = number(0.3, 0.0, 1.0)
    cold: float = number(0.5, 0.0, 1.0)
    again: float = number(0.8, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Route:
    """How one kind of question is answered (retrieval strategy router).

    Attributes:
        vector, lexical: the shares of meaning and words, in the relevance and in the fusion of
            their lists; the same share = as configured.
        limit: results where the caller does not say how many.
        utility: added to the weight of utility.
        order: how the chosen results are ordered: `relevance`, `newest` (valid_from, newest first)
            or `utility`.
        history: what was superseded or has expired is searched, too.
        hops: so many steps along `causes` and `elaborates` bring more candidates.
        hub: everything that mentions an entity of the question is a candidate.
        only: nothing but these categories; empty = all.
        favoured: categories that the signal `kind` lifts.
    """

    vector: float = number(0.5, 0.01, 1.0)
    lexical: float = number(0.5, 0.01, 1.0)
    limit: int = number(10, 1, 1_000)
    utility: float = number(0.0, 0.0, 1.0)
    order: str = choice("relevance", "relevance", "newest", "utility")
    history: bool = False
    hops: int = number(0, 0, 4)
    hub: bool = False
    only: tuple[str, ...] = members((), *CATEGORIES)
    favoured: tuple[str, ...] = members((), *CATEGORIES)


@dataclass(frozen=True, slots=True)
class RoutesConfig:
    """A route per intent.

    The defaults keep to what measurement supports, `presets` holds the table of the seed.
    """

    factual: Route = field(default_factory=Route)
    temporal: Route = field(default_factory=lambda: Route(limit=15, history=True))
    causal: Route = field(default_factory=lambda: Route(limit=20, hops=2))
    entity_profile: Route = field(default_factory=lambda: Route(limit=15, hub=True))
    preference: Route = field(default_factory=lambda: Route(favoured=("preference", "correction")))
    general: Route = field(default_factory=Route)


@dataclass(frozen=True, slots=True)
class InjectionConfig:
    """What reaches a prompt, by calibrated probabilities.

    Attributes:
        answerable: where any relevant memory is less likely than this, nothing is returned but the
            reason; None = as fitted for the embedder.
        quiet_from: in namespaces of fewer memories it falls in proportion, because they tell little
            about what is unknown to them.
        full_from: a memory that is as likely relevant is shown as a whole, with its date and
            speaker.
        floor: one that is less likely is withheld, and logged. In between it is abbreviated.
        verbatim: the least confidence of a memory that says the query word for word.
        abbreviated_characters: the length of an abbreviated text, about.
        hot_share, working_share: of the tokens of the context block, at most this part goes to the
            hot tier and to working memory; what they leave over goes to what was recalled.
    """

    answerable: float | None = number(None, 0.0, 1.0)
    quiet_from: int = number(50, 1, 1_000_000)
    full_from: float = number(0.05, 0.0, 1.0)
    floor: float = number(0.005, 0.0, 1.0)
    verbatim: float = number(0.99, 0.0, 1.0)
    abbreviated_characters: int = number(160, 20, 100_000)
    hot_share: float = number(1 / 3, 0.0, 0.5)
    working_share: float = number(0.25, 0.0, 0.5)


@dataclass(frozen=True, slots=True)
class HotTierConfig:
    """The memories that are always shown, whatever the question (hot tier).

    Attributes:
        utility, accesses, days: at least so useful, accessed so often, and younger than so many
            days.
        items: at most so many, the most useful first; 0 = none.
        seconds: how long the choice is kept.
    """

    utility: float = number(0.8, 0.0, 1.0)
    accesses: int = number(10, 0, 1_000_000)
    days: float = number(30.0, 0.0, 36_500.0)
    items: int = number(15, 0, 1_000)
    seconds: float = number(300.0, 0.0, 86_400.0)


@dataclass(frozen=True, slots=True)
class TipConfig:
    """What is on the tip of the tongue (dual strength: stored deeply, hardly retrievable).

    Attributes:
        storage_strength: at least so deeply stored, 1..10; every memory starts at 1, and each use
            adds to it.
        below: retention under which a memory hardly comes to mind; None = endangered, as the curve
            says.
        similarity: cosine from which on a memory matches that shares neither word nor entity with
            the query.
        pool: candidates of the query that are looked at.
        cues: at most so many of each kind.
        characters: of a related memory that a cue shows.
    """

    storage_strength: float = number(2.0, 1.0, 10.0)
    below: float | None = number(None, 0.0, 1.0)
    similarity: float = number(0.2, -1.0, 1.0)
    pool: int = number(200, 1, 10_000)
    cues: int = number(5, 1, 100)
    characters: int = number(60, 10, 10_000)


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """The read path.

    Attributes:
        pool: candidates taken from each ranker; at least 3 k of them.
        weights: see `SignalWeights`.
        mmr_lambda: 1 = relevance only; 0.7 costs a point of recall@10 on LoCoMo.
        similarity_span: cosines that lie closer together than this are not stretched to 0..1.
        frequent_share: words that stand in a larger share of the memories are left out of the
            embedded query.
        frequent_minimum: ... in namespaces of at least so many memories.
        neighbours: so many of each ranker's best hits bring the turns before and after them into
            the pool.
        session_best: turns of a session whose mean relevance counts for all of it.
        long_characters: a turn of so many says as much as a longer one (both measured on LoCoMo).
        source_share: one untrusted source (data source, speaker, session) has at most this share of
            the results; 1 = no bound.
        source_alike: of its memories that are so similar (cosine) only the best one counts.
        max_k: the largest k accepted.
        deadline_grace: seconds that the last steps may take after a deadline.
        deadline_share: of a deadline the embedder may use up so much; the rest is for the search by
            words.
        context_tokens: default budget of `Recall.context()`.
        boosts, routes, injection, hot, tip: see there.
        reinforce_on: what makes a memory last: `use` in an answer (see `FeedbackConfig`), or also
            `retrieval` alone.
        second_look: where any relevant memory is less likely than this, what was put away for
            disuse is searched, too; 0 = only deep recall finds it. Without it a third of recall@5
            is lost on LoCoMo, replayed with dream cycles.
        second_look_utility: of a memory, at least: what answers ignored more than once, and did not
            use, stays away (see `feedback.utility_rate`).
        llm_intent: the language model tells the intent (one call per query), else key words do.
        decompose: compound questions are split, each part searched, and the lists joined by
            reciprocal rank (`rrf_k`).
        hyde: hypothetical answers are embedded beside the question; measured on LoCoMo:
            nothing gained.
        activation: `base_level` (ACT-R, over days) or `seed` (a logistic over seconds,
            within the pool).
        activation_hours: accesses within so many hours count as equally recent.
        activation_decay: d of the ACT-R base level.
        recency_days: age at which the recency prior is 1/e.
        associations: relations of at least this weight, and as sure as `association_confidence`,
            bring the memories at their other end into the pool; `associates` is the most that are
            brought in. Links that rules guessed from common words are less sure: what they lead to
            is found by its words as well.
        association_days: time after which the weight of a `co_activated` relation is 1/e.
        coactivated_from: weight from which a pair counts as used together often.
        entities: matching entities that count at most.
    """

    pool: int = number(64, 1, 10_000)
    weights: SignalWeights = field(default_factory=SignalWeights)
    mmr_lambda: float = number(0.9, 0.0, 1.0)
    similarity_span: float = number(0.3, 0.01, 2.0)
    frequent_share: float = number(0.3, 0.0, 1.0)
    frequent_minimum: int = number(20, 1, 1_000_000)
    neighbours: int = number(10, 0, 1_000)
    session_best: int = number(3, 1, 1_000)
    long_characters: int = number(200, 1, 1_000_000)
    source_share: float = number(0.5, 0.0, 1.0)
    source_alike: float = number(0.95, 0.0, 1.0)
    max_k: int = number(1_000, 1, 100_000)
    deadline_grace: float = number(0.015, 0.0, 60.0)
    deadline_share: float = number(0.7, 0.01, 1.0)
    context_tokens: int = number(1_500, 1, 1_000_000)
    boosts: BoostConfig = field(default_factory=BoostConfig)
    routes: RoutesConfig = field(default_factory=RoutesConfig)
    injection: InjectionConfig = field(default_factory=InjectionConfig)
    hot: HotTierConfig = field(default_factory=HotTierConfig)
    tip: TipConfig = field(default_factory=TipConfig)
    reinforce_on: str = choice("use", "use", "retrieval")
    second_look: float = number(0.9, 0.0, 1.0)
    second_look_utility: float = number(0.44, 0.0, 1.0)
    llm_intent: bool = False
    decompose: bool = True
    hyde: bool = False
    rrf_k: int = number(60, 0, 10_000)
    activation: str = choice("base_level", "base_level", "seed")
    activation_hours: float = number(1.0, 0.001, 8_760.0)
    activation_decay: float = number(0.5, 0.0, 0.99)
    recency_days: float = number(30.0, 0.01, 36_500.0)
    associations: float = number(0.3, 0.0, 1.0)
    association_confidence: float = number(0.6, 0.0, 1.0)
    associates: int = number(32, 0, 10_000)
    association_days: float = number(90.0, 0.01, 36_500.0)
    coactivated_from: float = number(0.25, 0.0, 1.0)
    entities: int = number(3, 1, 8)

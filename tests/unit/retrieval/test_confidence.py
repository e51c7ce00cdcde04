"""How likely a result is relevant: features by hand, the shipped weights, and when it is better to say nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

import cogmem_core
from cogmem_core.base.timeouts import Deadline
from cogmem_core.config import Config, InjectionConfig, RetrievalConfig, SignalWeights
from cogmem_core.maths.calibration import LogisticModel
from cogmem_core.process.services import Services
from cogmem_core.retrieval.confidence import (
    ABSOLUTE,
    FEATURES,
    OF_MEANING,
    QUESTION_FEATURES,
    models_for,
    of_whom_it_asks,
    question_features,
)
from cogmem_core.retrieval.plan import Plan, Request, embed_query, make_plan
from cogmem_core.retrieval.search import Ranking, search
from cogmem_core.retrieval.understand import understand
from cogmem_core.testing import FrozenClock, GivenVectors
from helpers.tables import each_case_of, each_row_of

MINILM = "minilm-1110a243-384"
NO_WEIGHTS = dict.fromkeys(SignalWeights.__slots__, 0.0)
RELEVANCE_ONLY = SignalWeights(**{**NO_WEIGHTS, "similarity": 0.5, "lexical": 0.5})
# Cosines with the query: 0.8, 0.6, 0.
VECTORS = {"harbour": (0.8, 0.6), "Lisbon": (1.0, 0.0), "piano": (0.0, 1.0), "bread": (-0.6, 0.8)}
TOLD = ("I moved to Lisbon", "Ana plays the piano in Lisbon", "We baked bread")


class SomeMiniLM:
    """Has MiniLM's name; if deaf, it fails at every query."""

    fingerprint, dimension = MINILM, 2

    def __init__(self, *, deaf: bool) -> None:
        self.deaf = deaf

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, float(len(text))] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if self.deaf:
            raise RuntimeError("down")
        return self.embed_documents([text])[0]


def walked(
    query: str, *texts: str, config: Config | None = None, embedder: Any = "hashing"
) -> Ranking:
    """The walk of a question over memories that were told just now."""
    with cogmem_core.open(
        embedder=embedder, clock=FrozenClock(), config=config or Config()
    ) as engine:
        bank = engine.bank("alice")
        for text in texts:
            bank.add(text)
        services, now, request = (
            engine.services,
            engine.services.runtime.now(),
            Request("alice", query),
        )
        question = understand(query)
        plan = make_plan(request, question, question.intent, services.config.retrieval, now)
        return looked_up(services, request, plan)


def looked_up(services: Services, request: Request, plan: Plan) -> Ranking:
    """The walk of a plan."""
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, request.namespace)
        embedded = embed_query(
            services, view, request, plan, now=services.runtime.now(), deadline=Deadline()
        )
        return search(services, reader, embedded)


def row(**changes: float) -> dict[str, float]:
    """An ordinary result: somewhat like the query, with half of its words."""
    plain = {
        **dict.fromkeys((*FEATURES, "personal"), 0.0),
        "cosine": 0.5,
        "best_cosine": 0.5,
        "above": 0.4,
        "coverage": 0.5,
        "best_coverage": 0.5,
        "known": 0.8,
        "share": 1.0,
        "lead": 0.2,
        "first": 1.0,
        "size": 0.5,
        "words": 0.5,
        "shared": 0.5,
        "missing": 0.2,
        "fits": 0.5,
        "length": 0.6,
    }
    return {**plain, **changes}


class TestFeatures:
    def test_by_hand(self) -> None:
        """Two memories: cosines 0.8 and 0.6; "Lisbon" is held by one of two, "harbour" by none: ln 2 of ln 2 + ln 6."""
        vectors = {"harbour": (0.8, 0.6), "moved": (1.0, 0.0), "bread": (0.0, 1.0)}
        config = Config(retrieval=RetrievalConfig(weights=RELEVANCE_ONLY))
        found = walked("Lisbon harbour", *TOLD[::2], config=config, embedder=GivenVectors(vectors))
        first, second = (choice.features for choice in found.memories)
        assert first == pytest.approx(
            {
                "cosine": 0.8,
                "best_cosine": 0.8,
                "above": 0.2,
                "coverage": 0.278943,
                "best_coverage": 0.278943,
                "known": 0.278943,
                "strange": 0.0,
                "share": 1.0,
                "lead": 2 / 3,
                "first": 1.0,
                "verbatim": 0.0,
                "speaker": 0.0,
                "date": 0.0,
                "when": 0.0,
                "size": 0.109861,
                "words": 0.366204,
                "shared": 0.5,
                "missing": 0.2,
                "fits": 0.5,
                "unfit": 0.0,
                "length": 0.366204,
                "talk": 0.0,
                "of_others": 0.0,
                "request": 0.0,
                "telling": 0.0,
                "personal": 0.0,
            },
            abs=1e-6,
        )
        assert second == pytest.approx(
            {
                **first,
                "cosine": 0.6,
                "above": -0.2,
                "coverage": 0.0,
                "share": 1 / 3,
                "lead": 0.0,
                "first": 0.5,
                "shared": 0.0,
                "missing": 0.4,
            },
            abs=1e-6,
        )

    def test_the_lead_is_over_the_next_one(self) -> None:
        """Three memories with 1.0, 0.875 and 0 of the best score: cosines 0.8, 0.6, 0, and one word in two of them."""
        config = Config(
            retrieval=RetrievalConfig(weights=SignalWeights(**{**NO_WEIGHTS, "similarity": 0.5}))
        )
        vectors = {
            "harbour": (0.8, 0.6),
            "piano": (0.0, 1.0),
            "moved": (1.0, 0.0),
            "bread": (-0.6, 0.8),
        }
        found = walked("Lisbon harbour", *TOLD, config=config, embedder=GivenVectors(vectors))
        features = [choice.features for choice in found.memories]
        assert [row["cosine"] for row in features] == pytest.approx([0.8, 0.6, 0.0], abs=1e-6)
        assert [row["share"] for row in features] == pytest.approx([1.0, 0.75, 0.0], abs=1e-6)
        assert [row["lead"] for row in features] == pytest.approx([0.25, 0.75, 0.0], abs=1e-6)
        assert [row["first"] for row in features] == pytest.approx([1.0, 0.5, 1 / 3])

    @each_case_of("confidence/a_name_that_nobody_ever_said_is_strange")
    def test_a_name_that_nobody_ever_said_is_strange(self, query: str, strange: float) -> None:
        """A query about somebody or something unknown; words that are no names are not."""
        (choice, *_) = walked(query, *TOLD).memories
        assert choice.features["strange"] == strange

    def test_every_feature_of_a_model_is_there(self) -> None:
        """Named once, in the tables."""
        (choice, *_) = walked("Lisbon harbour", *TOLD).memories
        assert set(choice.features) == {*FEATURES, "personal", "verbatim", "of_others"}

    def test_what_others_said_makes_an_answer_less_likely(self) -> None:
        """Twelve log-odds for all of the question's words: even odds and a tenth of them, 1 / (1 + e^1.2)."""
        assert of_whom_it_asks(0.5, {"of_others": 0.1}) == pytest.approx(0.231475, abs=1e-6)
        assert of_whom_it_asks(0.5, {"of_others": 0.0}) == 0.5

    def test_where_nothing_was_found_nothing_is_likely(self) -> None:
        """No results, no features."""
        found = walked("Lisbon harbour")
        assert (found.memories, found.answerable) == ((), 0.0)


class TestQuestionFeatures:
    def test_by_hand(self) -> None:
        """Log-odds of the likeliest over 5, and what all share: the best cosine and coverage, a strange name."""
        alike = {"best_cosine": 0.9, "best_coverage": 0.7, "strange": 1.0, "known": 0.8}
        alike |= {"size": 0.4, "request": 1.0, "telling": 0.0, "personal": 1.0}
        rows = [row(cosine=cosine, **alike) for cosine in (0.9, 0.5, 0.1)]
        found = question_features(rows, (0.2, 0.880797, 0.5), 2.0)
        assert set(found) == set(QUESTION_FEATURES)
        assert found == pytest.approx({**alike, "best": 0.4, "impersonal": 0.4})

    @pytest.mark.parametrize(("relevance", "best"), [(1.0, 4.144653), (0.0, -4.144653)])
    def test_certainty_stays_finite(self, relevance: float, best: float) -> None:
        """Log-odds of 0 and 1 would not be: ln(1e9) / 5 at most."""
        found = question_features([row()], [relevance])
        assert found["best"] == pytest.approx(best, abs=1e-6)


class TestWhatIsAsked:
    @each_row_of("confidence/a_result_holds_the_kind_of_answer_or_does_not")
    def test_a_result_holds_the_kind_of_answer_or_does_not(
        self, query: str, text: str, fits: float, unfit: float
    ) -> None:
        """A number, a time or a name that the question does not name; nothing is said where the kind is unknown."""
        (choice,) = walked(query, text).memories
        assert (choice.features["fits"], choice.features["unfit"]) == (fits, unfit)

    @each_row_of("confidence/talk_is_what_asks_or_exclaims")
    def test_talk_is_what_asks_or_exclaims(self, texts: tuple[str, ...], talk: float) -> None:
        """Of all results of the question."""
        found = walked("What about Rex?", *texts)
        assert {choice.features["talk"] for choice in found.memories} == {talk}


class TestShipped:
    """`data/confidence.json`."""

    def test_there_are_models_for_minilm_and_for_any_embedder(self) -> None:
        """Absolute cosines mean something with the embedder they were fitted with only."""
        ours, theirs = models_for(MINILM), models_for("hashing-v1-384")
        assert ours.relevant.features == tuple(FEATURES)
        assert ours.answerable.features == tuple(QUESTION_FEATURES)
        assert theirs.relevant.features == _without_cosines(FEATURES)
        assert theirs.answerable.features == _without_cosines(QUESTION_FEATURES)
        assert 0.0 < ours.quiet < 0.5
        assert 0.0 < theirs.quiet < 0.5

    @pytest.mark.parametrize(("deaf", "name"), [(True, "any"), (False, MINILM)])
    def test_without_a_query_vector_only_words_count(self, deaf: bool, name: str) -> None:
        """An embedder that is away leaves no cosine to judge by."""
        found = walked("Lisbon harbour", *TOLD, embedder=SomeMiniLM(deaf=deaf))
        told = [choice.prior for choice in found.memories]
        ours = models_for(name).relevant
        assert told == [ours.probability(choice.features) for choice in found.memories]
        other = models_for(MINILM if deaf else "any").relevant
        assert told != [other.probability(choice.features) for choice in found.memories]

    def test_they_can_be_written_and_read_again(self) -> None:
        """As `eval calibrate` writes them."""
        models = models_for(MINILM)
        written = models.as_json()
        assert sorted(written) == ["answerable", "impersonal", "quiet", "relevant"]
        relevant = written["relevant"]
        assert LogisticModel(**{**relevant, **_tuples(relevant)}) == models.relevant

    def test_a_result_more_like_the_query_is_likelier(self) -> None:
        """MiniLM: monotone in the cosine where what follows from it goes along, the share of the best score."""
        relevant = models_for(MINILM).relevant
        cosines = [place / 10 for place in range(-2, 11)]
        alone = [relevant.probability(row(cosine=each, share=0.5 + each / 2)) for each in cosines]
        best = [relevant.probability(row(cosine=each, best_cosine=each)) for each in cosines]
        assert _rises(alone)
        assert _rises(best)
        assert all(0.0 < probability < 1.0 for probability in (*alone, *best))

    @pytest.mark.parametrize("name", ["best", "best_cosine", "best_coverage"])
    def test_a_question_with_better_results_is_more_answerable(self, name: str) -> None:
        """MiniLM: each alone."""
        models = models_for(MINILM)
        rows = [row(), row(first=0.5, share=0.5)]
        plain = question_features(rows, list(map(models.relevant.probability, rows)))
        values = [
            models.answerable.probability({**plain, name: place / 10}) for place in range(-5, 11)
        ]
        assert _rises(values)

    @pytest.mark.parametrize("fingerprint", [MINILM, "hashing-v1-384"])
    def test_a_name_that_nobody_said_makes_a_result_unlikelier(self, fingerprint: str) -> None:
        """Whatever the embedder."""
        relevant = models_for(fingerprint).relevant
        assert relevant.probability(row(strange=1.0)) < relevant.probability(row())


class TestVerbatim:
    @pytest.mark.parametrize(
        "query", ["Mochi sleeps on the piano", "  mochi SLEEPS on\nthe piano "]
    )
    def test_who_says_just_that_means_it(self, query: str) -> None:
        """A memory that says the query word for word: 0.99, whatever the models say; case and spaces aside."""
        found = walked(query, *TOLD, "Mochi sleeps on the piano")
        assert found.memories[0].features["verbatim"] == 1.0
        assert [choice.confidence for choice in found.memories[:1]] == [0.99]
        assert found.answerable >= 0.99

    def test_almost_the_same_is_not(self) -> None:
        """One word more."""
        found = walked("Mochi sleeps on the piano now", *TOLD, "Mochi sleeps on the piano")
        assert found.memories[0].features["verbatim"] == 0.0
        assert found.memories[0].confidence < 0.99


class TestQuietBelow:
    def test_it_is_as_fitted_for_the_embedder(self) -> None:
        """Whatever was found; of fewer than eight memories less is expected: three eighths of it of three."""
        others, ours = models_for("hashing-v1-384").quiet, models_for(MINILM).quiet
        assert walked("Where is the piano?", *TOLD).quiet == pytest.approx(0.375 * others)
        found = walked("Where is the piano?", *TOLD, embedder=SomeMiniLM(deaf=False))
        assert found.quiet == pytest.approx(0.375 * ours)
        many = [f"{told} {number}" for told in TOLD for number in range(4)]
        assert walked("Where is the piano?", *many).quiet == others

    @each_row_of("confidence/key_words_alone_ask")
    def test_key_words_alone_ask(self, query: str, kind: str) -> None:
        """A telling says something; a request orders."""
        (choice, *_) = walked(query, *TOLD).memories
        told = {name: choice.features[name] for name in ("request", "telling")}
        assert told == {name: float(name == kind) for name in told}

    def test_or_as_configured(self) -> None:
        """Whatever was found."""
        config = Config(retrieval=RetrievalConfig(injection=InjectionConfig(answerable=0.4)))
        assert walked("Where is the piano?", *TOLD, config=config).quiet == 0.4


def _rises(values: Sequence[float]) -> bool:
    return list(values) == sorted(set(values))


def _tuples(model: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(model[name]) for name in ("weights", "features")}


def _without_cosines(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in (*ABSOLUTE, *OF_MEANING))

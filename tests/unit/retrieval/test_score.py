"""From signals to an order: weights, contributions, factors, diversity."""

from typing import Any

import numpy as np
import pytest

from cogmem_core.config import BoostConfig, RetrievalConfig, Route, SignalWeights
from cogmem_core.config.presets import preset
from cogmem_core.retrieval.ranker import fitted_weights
from cogmem_core.retrieval.score import ScoredPool, rank, score, weights_for
from cogmem_core.retrieval.signals import Pool
from helpers.tables import each_row
from unit.helpers.ranking_pools import pool, row

DEFAULT = RetrievalConfig()
OFF = dict.fromkeys(SignalWeights.__slots__, 0.0)
RELEVANCE = {**OFF, "similarity": 0.5, "lexical": 0.5}
PLAIN = RetrievalConfig(mmr_lambda=1.0)


def column(*values: float, **changes: Any) -> ScoredPool:
    """Candidates a, b, c… whose scores are these values, by their words alone; the highest is 1."""
    rows = [row(name) for name, _ in zip("abcdef", values, strict=False)]
    rows = [row(one.id, **changes.pop(one.id)) if one.id in changes else one for one in rows]
    return score(pool(*rows, lexical=values, **changes), {**OFF, "lexical": 1.0})


def ids(scored: ScoredPool, k: int, settings: RetrievalConfig = DEFAULT) -> list[str]:
    return [scored.pool.ids[place] for place in rank(scored, k, settings)]


class TestWeightsFor:
    def test_equal_shares_leave_the_configured_weights(self) -> None:
        """Meaning and words at a half each: as configured, and what no setting says as fitted."""
        found = weights_for(Route(), SignalWeights())
        assert {
            name: weight for name, weight in found.items() if name not in fitted_weights(())
        } == {
            "date": 0.3,
            "rrf": 0.0,
            "retention": 0.02,
            "activation": 0.02,
            "recency": 0.0,
            "importance": 0.02,
            "utility": 0.0,
            "proven": 0.5,
            "same_session": 0.15,
            "coactivation": 0.05,
            "linked": 0.05,
        }
        every = fitted_weights(("every",))
        assert {name: found[name] for name in every} == every

    def test_a_route_shifts_meaning_against_words_and_adds_utility(self) -> None:
        """V9: factual 0.6 / 0.4, utility + 0.2; everything else stays."""
        weights = SignalWeights(similarity=0.5, lexical=0.35, coverage=0.4)
        shifted = weights_for(Route(vector=0.6, lexical=0.4, utility=0.2), weights)
        assert shifted["similarity"] == pytest.approx(0.6)
        assert shifted["lexical"] == pytest.approx(0.28)
        assert shifted["coverage"] == pytest.approx(0.32)
        assert shifted["utility"] == pytest.approx(0.2)
        same = weights_for(Route(), weights)
        assert {name for name, weight in shifted.items() if weight != same[name]} == {
            "similarity",
            "lexical",
            "coverage",
            "utility",
        }

    def test_the_preset_weighs_as_its_seed_says(self) -> None:
        """V9: 0.40 similarity + 0.30 activation + 0.15 importance + 0.15 RRF."""
        v9 = preset("v9").retrieval
        found = weights_for(v9.routes.temporal, v9.weights)
        assert {
            name: found[name] for name in ("activation", "importance", "rrf", "lexical", "utility")
        } == {"activation": 0.3, "importance": 0.15, "rrf": 0.15, "lexical": 0.0, "utility": 0.0}
        assert found["similarity"] == pytest.approx(0.32)
        assert weights_for(v9.routes.entity_profile, v9.weights)["utility"] == pytest.approx(0.3)


def two() -> Pool:
    """Cosines 0.6 and 0.8, words 1 and 4."""
    query, vectors = np.array([0.6, 0.8], dtype=np.float32), np.eye(2, dtype=np.float32)
    return pool(row("a"), row("b"), lexical=(1.0, 4.0), query=query, vectors=vectors)


class TestContributions:
    def test_a_score_is_the_weighted_sum_of_its_signals(self) -> None:
        """By hand: cosines 0.6, 0.8 over a span of 0.3: 1/3, 1; words 1, 4 by the highest; a half of each."""
        scored = score(two(), RELEVANCE)
        assert scored.scores.tolist() == pytest.approx([7 / 24, 1.0])
        assert scored.candidate_scores([0])[0].contributions == pytest.approx(
            {"similarity": 1 / 6, "lexical": 0.125}
        )
        assert scored.candidate_scores([1])[0].contributions == pytest.approx(
            {"similarity": 0.5, "lexical": 0.5}
        )

    def test_an_explanation_shows_cosines_and_bm25_as_they_are(self) -> None:
        """Not their values within the pool."""
        assert score(two(), RELEVANCE).candidate_scores([0])[0].signals == pytest.approx(
            {"similarity": 0.6, "lexical": 1.0}
        )

    def test_a_boost_is_a_contribution_of_its_own(self) -> None:
        """The factor stands among the signals, what it took away among the contributions; all sum to the score."""
        found = column(2.0, 4.0, b={"data_source": "federation"}, cold=[False, True])
        assert found.scores.tolist() == pytest.approx([0.5, 0.45])
        ranked = found.candidate_scores([1])[0]
        assert ranked.signals == pytest.approx({"lexical": 4.0, "sub_tier": 0.9, "cold": 0.5})
        assert ranked.contributions == pytest.approx(
            {"lexical": 1.0, "sub_tier": -0.1, "cold": -0.45}
        )
        assert ranked.score == pytest.approx(0.45)
        assert sum(ranked.contributions.values()) == pytest.approx(0.45)

    def test_a_boost_without_effect_is_not_mentioned(self) -> None:
        """A signal of weight above 0 is, even at 0."""
        ranked = column(0.0, 4.0).candidate_scores([0])[0]
        assert (ranked.id, ranked.score, ranked.contributions) == ("a", 0.0, {"lexical": 0.0})

    def test_a_boost_may_lift(self) -> None:
        """V9: schematic memories, 1.1."""
        ranked = column(4.0, 4.0, a={"tier": "semantic", "category": "pattern"}).candidate_scores(
            [0]
        )[0]
        assert ranked.contributions == pytest.approx({"lexical": 1.0, "sub_tier": 0.1})

    @each_row(
        ("utility", "added"), [(0.5, 0.0), (0.6, 0.05), (1.0, 0.15), (0.4, -0.05), (0.0, -0.15)]
    )
    def test_what_feedback_taught_is_bounded(self, utility: float, added: float) -> None:
        """Of a score of 1 it gives or takes 0.15 at most, however often answers used or ignored it."""
        scored = score(
            pool(row("a", utility=utility), lexical=(4.0,)), {**OFF, "lexical": 1.0, "proven": 0.5}
        )
        ranked = scored.candidate_scores([0])[0]
        assert ranked.contributions == pytest.approx({"lexical": 1.0, "proven": added})
        assert ranked.score == pytest.approx(1.0 + added)

    def test_what_was_put_away_never_overtakes_what_is_active(self) -> None:
        """The factor 0.5 of what was put away."""
        rows = (row("a", utility=0.9), row("b", utility=0.32))
        found = pool(*rows, cold=[True, False], lexical=(4.0, 4.0))
        scored = score(found, {**OFF, "lexical": 1.0, "proven": 0.5})
        assert scored.scores.tolist() == pytest.approx([0.575, 0.91])
        assert ids(scored, 2, PLAIN) == ["b", "a"]

    def test_context_signals_follow_relevance_not_the_weights_of_others(self) -> None:
        """The turn before counts by what meaning and words say of it, 0..1."""
        rows = (row("a"), row("b"))
        found = pool(*rows, lexical=(4.0, 1.0), previous=[-1, 0])
        scored = score(found, {**OFF, "lexical": 0.5, "previous": 0.3, "statement": 0.1})
        assert scored.candidate_scores([1])[0].contributions == pytest.approx(
            {"lexical": 0.125, "statement": 0.1, "previous": 0.12}
        )

    def test_an_empty_pool_has_no_order(self) -> None:
        """Nothing was found."""
        assert rank(score(pool(), weights_for(Route(), SignalWeights())), 8, DEFAULT) == []


class TestRank:
    def test_the_best_come_first_and_equals_by_their_ids(self) -> None:
        """The same question gets the same order."""
        assert ids(column(1.0, 4.0, 4.0, 2.0), 3, PLAIN) == ["b", "c", "d"]
        assert ids(column(4.0, 4.0, 4.0), 8, PLAIN) == ["a", "b", "c"]

    def test_a_factor_may_change_the_order(self) -> None:
        """Half of the best is less than the second."""
        assert ids(column(4.0, 3.0), 2, PLAIN) == ["a", "b"]
        assert ids(column(4.0, 3.0, cold=[True, False]), 2, PLAIN) == ["b", "a"]
        settings = RetrievalConfig(boosts=BoostConfig(cold=1.0))
        assert ids(column(4.0, 3.0, cold=[True, False], settings=settings), 2, PLAIN) == ["a", "b"]

    @pytest.mark.parametrize(
        ("weight", "expected"), [(1.0, ["a", "b"]), (0.9, ["a", "b"]), (0.7, ["a", "c"])]
    )
    def test_what_says_the_same_makes_room(self, weight: float, expected: list[str]) -> None:
        """Maximal marginal relevance: b repeats a, c says something else and is a little worse."""
        vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
        found = column(4.0, 3.8, 3.2, vectors=vectors)
        assert ids(found, 2, RetrievalConfig(mmr_lambda=weight)) == expected

    def test_of_one_turn_only_the_best_as_long_as_that_leaves_k(self) -> None:
        """A turn and its facts say the same; where more is wanted, the others follow behind, so that
        what few results show, more results show too."""
        turn = {"turn": "turn-1"}
        found = column(3.0, 4.0, 2.0, 1.0, a=turn, b=turn)
        assert ids(found, 2, PLAIN) == ["b", "c"]
        assert ids(found, 3, PLAIN) == ["b", "c", "d"]
        assert ids(found, 4, PLAIN) == ["b", "c", "d", "a"]

    def test_how_many_places_one_turn_makes_room_for_may_be_told_apart(self) -> None:
        """Ten places are looked at for two results: the two turns are enough."""
        turn = {"turn": "turn-1"}
        found = column(3.0, 4.0, 2.0, a=turn, b=turn)
        assert [found.pool.ids[place] for place in rank(found, 10, PLAIN, minimum=2)] == ["b", "c"]
        assert [found.pool.ids[place] for place in rank(found, 10, PLAIN)] == ["b", "c", "a"]

    def test_what_has_no_turn_stands_for_itself(self) -> None:
        """Two memories that were added by hand are two."""
        alone = {name: {"turn": name} for name in "ab"}
        assert ids(column(4.0, 3.0, 2.0, **alone), 2, PLAIN) == ["a", "b"]

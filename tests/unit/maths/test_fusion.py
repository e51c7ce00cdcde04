"""Fusion and diversity: scores of several rankers become one order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.maths.diversity import mmr
from cogmem_core.maths.fusion import min_max, reciprocal_rank_fusion, reciprocal_rank_shares
from helpers.tables import each_row

FINITE = st.floats(-1e6, 1e6)
RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=5)


class TestMinMax:
    def test_the_best_becomes_one_and_the_worst_zero(self) -> None:
        """Scores are stretched to 0..1, in their order."""
        assert min_max([3.0, 1.0, 2.0]).tolist() == [1.0, 0.0, 0.5]

    @pytest.mark.parametrize(
        ("scores", "expected"), [([2.0, 2.0], [1.0, 1.0]), ([0.0], [0.0]), ([-1.0, -1.0], [0, 0])]
    )
    def test_equal_scores_are_all_found_or_all_missed(
        self, scores: list[float], expected: list[float]
    ) -> None:
        """A constant list is 1 where positive, else 0."""
        assert min_max(scores).tolist() == expected

    def test_nothing_stays_nothing(self) -> None:
        """An empty list is no error."""
        assert min_max([]).tolist() == []

    def test_a_score_that_is_no_number_is_refused(self) -> None:
        """NaN would silently win or lose every comparison."""
        with pytest.raises(ValueError, match="not finite"):
            min_max([1.0, float("nan")])

    @given(st.lists(FINITE, min_size=1))
    def test_the_result_is_between_zero_and_one_and_keeps_the_order(
        self, scores: list[float]
    ) -> None:
        """Whatever the ranker's scale, the order survives."""
        result = min_max(scores)
        assert (result >= 0).all()
        assert (result <= 1).all()
        assert (np.diff(result[np.argsort(scores)]) >= 0).all()


class TestReciprocalRankFusion:
    def test_first_everywhere_is_one(self) -> None:
        """The score is a share of the best possible one."""
        assert reciprocal_rank_fusion([["a", "b"], ["a", "c"], ["a"]])["a"] == 1.0

    def test_best_first(self) -> None:
        """b is second and first, a first and third, c second and third... and so on."""
        assert list(reciprocal_rank_fusion([["a", "b", "c"], ["b", "c", "a"]])) == ["b", "a", "c"]

    def test_a_repeated_document_counts_once(self) -> None:
        """Repeats neither help the document nor push the next one down."""
        assert reciprocal_rank_fusion([["a", "a", "b"]]) == reciprocal_rank_fusion([["a", "b"]])

    def test_a_ranking_may_count_more_than_another(self) -> None:
        """V9, strategy router: vector weight 0.6, FTS weight 0.4."""
        found = reciprocal_rank_fusion([["a", "b"], ["b", "a"]], weights=(0.6, 0.4))
        assert list(found) == ["a", "b"]
        assert found["a"] == pytest.approx(0.6 + 0.4 * 61 / 62)
        assert found["b"] == pytest.approx(0.4 + 0.6 * 61 / 62)

    @each_row("weights", [(1.0,), (1.0, 0.0), (1.0, float("nan")), (1.0, -1.0)])
    def test_a_weight_is_needed_for_each_ranking(self, weights: tuple[float, ...]) -> None:
        """A ranking that shall not count is left out instead."""
        with pytest.raises(ValueError, match="give one above 0 per ranking"):
            reciprocal_rank_fusion([["a"], ["b"]], weights=weights)

    def test_a_negative_k_is_refused(self) -> None:
        """k = -1 would divide by zero at the first place."""
        with pytest.raises(ValueError, match="k is -1"):
            reciprocal_rank_fusion([["a"]], k=-1)

    @given(RANKINGS, st.randoms(use_true_random=False))
    def test_the_order_of_the_rankings_makes_no_difference(
        self, rankings: list[list[str]], random: object
    ) -> None:
        """Bit for bit, and in the order of the result, too."""
        shuffled = list(rankings)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        assert list(reciprocal_rank_fusion(shuffled).items()) == list(
            reciprocal_rank_fusion(rankings).items()
        )

    @given(RANKINGS)
    def test_scores_are_above_zero_and_at_most_one(self, rankings: list[list[str]]) -> None:
        """Every ranked document has a score."""
        fused = reciprocal_rank_fusion(rankings)
        assert set(fused) == {key for ranking in rankings for key in ranking}
        assert all(0 < score <= 1 for score in fused.values())


class TestReciprocalRankShares:
    def test_each_ranking_adds_its_share(self) -> None:
        """Of two rankings the first place is a half, the second 61/62 of it; ranking 1 does not hold c."""
        assert reciprocal_rank_shares([["a", "b", "c"], ["b", "a"]]) == {
            "a": {0: 0.5, 1: pytest.approx(61 / 124)},
            "b": {0: pytest.approx(61 / 124), 1: 0.5},
            "c": {0: pytest.approx(61 / 126)},
        }

    @given(RANKINGS)
    def test_shares_sum_to_the_fused_score_in_the_same_order(
        self, rankings: list[list[str]]
    ) -> None:
        """What is told of a score is the score."""
        sums = {
            key: sum(shares.values()) for key, shares in reciprocal_rank_shares(rankings).items()
        }
        assert list(sums) == list(reciprocal_rank_fusion(rankings))
        assert sums == pytest.approx(reciprocal_rank_fusion(rankings))


class TestMmr:
    def test_a_repetition_gives_way_to_something_new(self) -> None:
        """The second candidate says the same as the first, so the third comes before it."""
        vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        assert mmr([1.0, 0.9, 0.5], vectors, 3, 0.5) == [0, 2, 1]

    def test_missing_vectors_resemble_nothing(self) -> None:
        """None and NaN rows pay no penalty."""
        assert mmr([1.0, 0.9, 0.5], [[1.0, 0.0], [1.0, 0.0], None], 3, 0.5) == [0, 2, 1]
        assert mmr([1.0, 0.9, 0.5], np.array([[1, 0], [1, 0], [np.nan, 0]]), 3, 0.5) == [0, 2, 1]
        assert mmr([0.1, 0.2], [None, None], 2) == [1, 0]

    @each_row(("k", "expected"), [(0, []), (-1, []), (2, [1, 0]), (9, [1, 0])])
    def test_k_is_a_limit(self, k: int, expected: list[int]) -> None:
        """As many as there are, at most k."""
        assert mmr([0.1, 0.2], np.eye(2), k) == expected

    def test_no_candidates(self) -> None:
        """Nothing to choose from is no error."""
        assert mmr([], [], 5) == []

    @pytest.mark.parametrize(
        ("relevance", "lambda_"), [([0.1], 0.5), ([0.1, 0.2], 1.5), ([0.1, float("inf")], 0.5)]
    )
    def test_unusable_arguments_are_refused(self, relevance: list[float], lambda_: float) -> None:
        """Lengths must agree, scores be finite, λ be in 0..1."""
        with pytest.raises(ValueError, match=r"lambda_|scores"):
            mmr(relevance, np.eye(2), 2, lambda_)

    @settings(max_examples=50)
    @given(st.lists(FINITE, min_size=1, max_size=20), st.integers(0, 2**32 - 1))
    def test_at_lambda_one_relevance_alone_decides(self, relevance: list[float], seed: int) -> None:
        """λ = 1 is the stable order of relevance, whatever the vectors."""
        vectors = np.random.default_rng(seed).normal(size=(len(relevance), 4))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        by_relevance = sorted(range(len(relevance)), key=lambda position: -relevance[position])
        assert mmr(relevance, vectors, len(relevance), 1.0) == by_relevance

    @settings(max_examples=50)
    @given(st.integers(1, 15), st.integers(0, 20), st.floats(0, 1), st.integers(0, 2**32 - 1))
    def test_picks_are_different_candidates(
        self, count: int, k: int, lambda_: float, seed: int
    ) -> None:
        """No candidate is picked twice, none is invented."""
        rng = np.random.default_rng(seed)
        picked = mmr(rng.random(count), rng.normal(size=(count, 3)), k, lambda_)
        assert len(picked) == len(set(picked)) == min(k, count)
        assert set(picked) <= set(range(count))

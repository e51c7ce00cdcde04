"""The ranking metrics, against values worked out by hand."""

import numpy as np
import pytest

from cogmem_eval.metrics import (
    estimate,
    hit_at,
    metric_names,
    ndcg_at,
    question_scores,
    recall_at,
    reciprocal_rank,
)
from helpers.tables import each_row

RANKING = [("a",), ("b", "c"), ("d",), (), ("e",)]


@each_row(
    ("gold", "k", "expected"),
    [
        ({"a"}, 1, 1.0),
        ({"b", "c"}, 1, 0.0),
        ({"b", "c"}, 2, 1.0),
        ({"a", "d", "x", "y"}, 3, 0.5),
        ({"e"}, 4, 0.0),
        ({"e"}, 50, 1.0),
    ],
)
def test_recall_is_the_share_of_gold_refs_found(gold, k, expected):
    """Recall@k counts the gold refs in the first k results, all refs of a result included."""
    assert recall_at(RANKING, gold, k) == expected


def test_recall_counts_a_ref_once():
    """A gold ref that two results carry is found once."""
    assert recall_at([("a",), ("a",)], {"a", "b"}, 2) == 0.5


def test_hit_needs_one_gold_ref():
    """Hit@k is 1 as soon as one of several gold refs is among the first k results."""
    assert hit_at(RANKING, {"c", "x"}, 1) == 0.0
    assert hit_at(RANKING, {"c", "x"}, 2) == 1.0


@each_row(("gold", "expected"), [({"a"}, 1.0), ({"c", "e"}, 0.5), ({"e"}, 0.2), ({"x"}, 0.0)])
def test_reciprocal_rank_is_that_of_the_first_gold_result(gold, expected):
    """1 / rank of the first result with a gold ref; results without any ref keep their rank."""
    assert reciprocal_rank(RANKING, gold) == expected


@each_row(
    ("ranking", "gold", "expected"),
    [
        ([("a",), ("x",)], {"a"}, 1.0),
        ([("x",), ("a",)], {"a"}, 0.6309297536),
        ([("a",), ("x",), ("b",)], {"a", "b"}, 0.9197207891),
        ([("x",), ("y",), ("b",)], {"a", "b"}, 0.3065735964),
        ([("x",)], {"a"}, 0.0),
        ([], {"a"}, 0.0),
    ],
)
def test_ndcg_discounts_by_the_logarithm_of_the_rank(ranking, gold, expected):
    """For instance (1 + 1/2) / (1 + 1/log2 3) = 0.9197 with gold refs at the ranks 1 and 3."""
    assert ndcg_at(ranking, gold) == pytest.approx(expected, abs=1e-9)


def test_ndcg_counts_a_repeated_ref_once():
    """A second result with the same gold ref gains nothing."""
    assert ndcg_at([("a",), ("a",), ("b",)], {"a", "b"}) == pytest.approx(0.9197207891, abs=1e-9)


def test_ndcg_never_exceeds_one():
    """A first result with both gold refs beats the ideal of single-ref results; the value stays 1."""
    assert ndcg_at([("a", "b")], {"a", "b"}) == 1.0


def test_ndcg_looks_no_deeper_than_k():
    """A gold ref at rank 11 is not seen by nDCG@10."""
    assert ndcg_at([("x",)] * 10 + [("a",)], {"a"}, 10) == 0.0


def test_question_scores_hold_every_metric():
    """All metrics of one question, by the names that a report uses."""
    assert question_scores([("x",), ("a",)], {"a"}, (1, 2)) == {
        "recall@1": 0.0,
        "recall@2": 1.0,
        "hit@1": 0.0,
        "hit@2": 1.0,
        "mrr": 0.5,
        "ndcg@10": pytest.approx(0.6309297536, abs=1e-9),
    }
    assert metric_names((5,)) == ("recall@5", "hit@5", "mrr", "ndcg@10")


@pytest.mark.parametrize("measure", [recall_at, hit_at, ndcg_at])
def test_what_cannot_be_scored_is_refused(measure):
    """An empty gold set and a k under 1 have no score."""
    with pytest.raises(ValueError, match="gold is empty"):
        measure(RANKING, set(), 5)
    with pytest.raises(ValueError, match="k is 0"):
        measure(RANKING, {"a"}, 0)


def test_interval_of_equal_values_is_a_point():
    """Where all questions score the same, there is no doubt about the mean."""
    result = estimate([0.25, 0.25, 0.25])
    assert (result.mean, result.low, result.high) == (0.25, 0.25, 0.25)


def test_interval_agrees_with_the_normal_approximation():
    """400 coin flips with 60 % heads: the mean's standard error is 0.0245, so the interval is about 0.552 .. 0.648."""
    result = estimate([1.0] * 240 + [0.0] * 160)
    assert result.mean == pytest.approx(0.6)
    assert result.low == pytest.approx(0.552, abs=0.006)
    assert result.high == pytest.approx(0.648, abs=0.006)


def test_interval_is_reproducible():
    """The same seed gives the same interval, another seed another one."""
    values = [float(value) for value in np.linspace(0, 1, 37)]
    assert estimate(values) == estimate(values)
    assert estimate(values, seed=1) != estimate(values, seed=2)


def test_no_values_have_no_mean():
    """An estimate needs at least one question."""
    with pytest.raises(ValueError, match="no value"):
        estimate([])

"""V9, "Utility Scoring" (three functions), the retention formula and the dual strength model, with the preset.

What feedback does to utility is in `test_v9_feedback`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cogmem_core.config import SignalWeights
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of

V9 = document("v9")
BOAT, QUAY = "the boat leaves at noon", "the quay is old"
NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}


@pytest.fixture
def v9() -> Iterator[Home]:
    """The document's configuration."""
    with home(V9) as one:
        yield one


class TestUpdateOnUse:
    """ "Update on Use"."""

    def test_the_prior_is_neutral(self, v9: Home) -> None:
        """ "Utility (init 0.5)"."""
        assert v9.get(v9.know(BOAT)).utility == 0.5

    def test_success_and_failure_in_turn(self, v9: Home) -> None:
        """ "utility + α × (target - utility)", α = 0.1: 0.5, then used, ignored, used."""
        boat, found = v9.know(BOAT), []
        for act in (v9.use, v9.ignore, v9.use):
            act(boat)
            found.append(v9.get(boat).utility)
        assert found == pytest.approx([0.55, 0.495, 0.5455])


class TestTemporalDecay:
    """ "Temporal Decay", which is the first step of the dream cycle: "Unused memories drift toward 0.5"."""

    @each_case_of("usefulness_and_strength/it_drifts_towards_the_neutral_prior")
    def test_it_drifts_towards_the_neutral_prior(
        self, v9: Home, utility: float, days: float, after: float
    ) -> None:
        """ "utility + 0.01 × daysSince × (0.5 - utility)": high ones down, low ones up."""
        boat = v9.know(BOAT, days=days, utility=utility)
        v9.dream("utility_drift")
        assert v9.get(boat).utility == pytest.approx(after)

    @pytest.mark.parametrize("utility", [1.0, 0.0])
    def test_it_never_drifts_past_the_prior(self, v9: Home, utility: float) -> None:
        """min(1, 0.01·days): the printed formula would overshoot after 100 days."""
        boat = v9.know(BOAT, days=1_000, utility=utility)
        v9.dream("utility_drift")
        assert v9.get(boat).utility == pytest.approx(0.5)

    def test_days_are_not_counted_twice(self, v9: Home) -> None:
        """Ten nights in a row come to what ten days are: 0.5 + 0.4·0.99^10 instead of 0.5 + 0.4·0.9."""
        boat = v9.know(BOAT, utility=0.9)
        v9.dream("utility_drift")
        for _ in range(10):
            v9.clock.advance(days=1)
            v9.dream("utility_drift")
        assert v9.get(boat).utility == pytest.approx(0.8618, abs=5e-5)

    def test_what_was_used_does_not_drift(self, v9: Home) -> None:
        """ "Unused memories"."""
        boat, quay = v9.know(BOAT, utility=0.9), v9.know(QUAY, utility=0.9)
        v9.dream("utility_drift")
        v9.clock.advance(days=10)
        v9.use(boat)
        v9.dream("utility_drift")
        assert [v9.get(memory_id).utility for memory_id in (boat, quay)] == pytest.approx(
            [0.91, 0.86]
        )


class TestWeightedRetrievalScore:
    """ "Weighted Retrieval Score: score = 0.6 × semantic + 0.2 × utility + 0.2 × importance"."""

    @pytest.fixture
    def weighted(self) -> Iterator[Home]:
        """These three weights and no others."""
        nothing = dict.fromkeys(SignalWeights.__dataclass_fields__, 0.0)
        weights = SignalWeights(**{**nothing, "similarity": 0.6, "utility": 0.2, "importance": 0.2})
        routes = replace(
            V9.retrieval.routes, general=replace(V9.retrieval.routes.general, utility=0.0)
        )
        settings = replace(V9.retrieval, weights=weights, routes=routes, hyde=False, mmr_lambda=1.0)
        with home(replace(V9, retrieval=settings), vectors=NEAR) as one:
            yield one

    def test_the_sum_of_the_three(self, weighted: Home) -> None:
        """0.6·1 + 0.2·0.7 + 0.2·0.4 for the nearest; 0.6·0 + 0.2·0.9 + 0.2·1.0 for the farthest."""
        best = weighted.know("zulu", utility=0.7, importance=0.4, data_source="assistant_message")
        last = weighted.know("far", utility=0.9, importance=1.0, data_source="assistant_message")
        found = {item.memory.id: item.score for item in weighted.ask("zulu").results}
        assert found == {best: pytest.approx(0.82), last: pytest.approx(0.38)}

    def test_relevance_dominates(self, weighted: Home) -> None:
        """ "Relevance dominates (60%)": 0.6 against everything that utility and importance can give, 0.4."""
        weighted.know("far away", utility=1.0, importance=1.0)
        weighted.know("zulu", utility=0.0, importance=0.0)
        assert weighted.texts("zulu")[0] == "zulu"

    def test_utility_and_importance_break_ties(self, weighted: Home) -> None:
        """ "utility and importance serve as tiebreakers"."""
        weighted.know("near the lake", utility=0.2, importance=0.5)
        weighted.know("near the pond", utility=0.8, importance=0.5)
        weighted.know("near the sea", utility=0.2, importance=0.9)
        assert weighted.texts("zulu") == ["near the pond", "near the sea", "near the lake"]


class TestRetention:
    """ "R = (1 + t / (9 * S))^(-1/0.5)", as printed; semantic memories decay at this rate itself."""

    @each_case_of("usefulness_and_strength/the_formula")
    def test_the_formula(self, v9: Home, days: float, stability: float, left: float) -> None:
        """t in days since the last access, S the stability."""
        boat = v9.know(BOAT, days=days, tier="semantic", stability=stability)
        assert v9.retention(boat) == pytest.approx(left, abs=5e-5)

    def test_the_tail_is_heavier_than_exponential(self, v9: Home) -> None:
        """ "well-established memories retain meaningful probability even after long periods": a year at S = 60."""
        boat = v9.know(BOAT, days=365, tier="semantic", stability=60.0)
        assert v9.retention(boat) == pytest.approx(0.3560, abs=5e-5)  # e^(-365/60) would be 0.0023


class TestDualStrength:
    """ "Dual Strength Model"."""

    def test_storage_strength_grows_with_each_use(self, v9: Home) -> None:
        """ "storage: number; // 1.0-10.0"; "Storage strength increases with each successful retrieval"."""
        boat, found = v9.know(BOAT), []
        for _ in range(3):
            found.append(v9.get(boat).storage_strength)
            v9.use(boat)
        assert found == pytest.approx([1.0, 1.9, 2.71])
        v9.use(boat, times=60)
        assert 9.9 < v9.get(boat).storage_strength <= 10.0

    def test_storage_strength_does_not_decay(self, v9: Home) -> None:
        """ "no decay — how deeply encoded": neither in ten years nor by being ignored."""
        boat = v9.know(BOAT)
        v9.use(boat)
        v9.ignore(boat)
        v9.clock.advance(days=3_650)
        v9.dream("utility_drift", "rehearsal")
        assert v9.get(boat).storage_strength == pytest.approx(1.9)

    def test_retrieval_strength_decays_and_is_restored_on_access(self, v9: Home) -> None:
        """ "Retrieval strength decays over time but is restored on access"."""
        boat = v9.know(BOAT)
        found = [v9.retention(boat)]
        v9.clock.advance(days=15)
        found.append(v9.retention(boat))
        v9.use(boat)
        found.append(v9.retention(boat))
        assert found == pytest.approx([1.0, 0.25, 1.0])

    def test_tip_of_the_tongue(self, v9: Home) -> None:
        """ "high storage (deeply encoded) but low retrieval (not recently accessed)": both are needed."""
        deep, shallow = v9.know(BOAT), v9.know("the boat is blue")
        v9.use(deep, times=3)
        assert v9.bank.tip_of_tongue("boat").tips == ()
        v9.clock.advance(days=3_000)
        (tip,) = v9.bank.tip_of_tongue("boat").tips
        assert (tip.memory.id, tip.memory.storage_strength) == (deep, pytest.approx(3.439))
        assert tip.retention < 0.3
        assert v9.get(shallow).storage_strength == 1.0

    def test_an_access_ends_that_state(self, v9: Home) -> None:
        """ "restored on access"."""
        boat = v9.know(BOAT)
        v9.use(boat, times=3)
        v9.clock.advance(days=3_000)
        v9.use(boat)
        assert v9.bank.tip_of_tongue("boat").tips == ()

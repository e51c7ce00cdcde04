"""V9, "Utility Scoring" (three functions), the retention formula and the dual strength model, with the preset.

What feedback does to utility is in `test_v9_feedback`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cogmem_core.config import SignalWeights
from helpers.dreaming_bank import Home, document, home

V9 = document("v9")
BOAT, QUAY = "the boat leaves at noon", "the quay is old"
NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}


@pytest.fixture
def v9() -> Iterator[Home]:
    """The document's configuration."""
    with home(V9) as one:
        yield one


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


class TestDualStrength:
    """ "Dual Strength Model"."""

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

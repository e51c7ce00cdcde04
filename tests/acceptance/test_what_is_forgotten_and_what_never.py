"""V9, "Strategic Forgetting", the floating threshold, redundancy and truth anchors, with the preset."""

from collections.abc import Iterator
from typing import Any

import pytest

from helpers.dreaming_bank import Home, document, home

V9 = document("v9")
BOAT = "the boat leaves at noon"


@pytest.fixture
def v9() -> Iterator[Home]:
    """The document's configuration."""
    with home(V9) as one:
        yield one


def crowd(one: Home, count: int, **fields: Any) -> list[str]:
    """So many memories of equal worth."""
    return [one.know(f"note {number}", **fields) for number in range(count)]


class TestContradictionCleanup:
    """ "Contradiction cleanup | Has `contradicts` relation | Older side → dormant"."""

    def test_a_surer_older_side_goes_all_the_same(self, v9: Home) -> None:
        """The document asks for age alone."""
        older = v9.know("the boat leaves at noon", days=2, source_confidence=1.0, importance=1.0)
        newer = v9.know("the boat leaves at dusk", days=1, source_confidence=0.3, importance=0.1)
        v9.link(newer, older, "contradicts")
        v9.dream()
        assert v9.states(older, newer) == ["dormant", "active"]

    def test_other_relations_clean_nothing_up(self, v9: Home) -> None:
        """Only `contradicts`."""
        ids = v9.know("the boat leaves at noon", days=2), v9.know("the boat leaves at dusk", days=1)
        v9.link(*ids, "related_to")
        v9.dream()
        assert v9.states(*ids) == ["active", "active"]


class TestUtilityFloor:
    """ "Utility floor | utility < 0.15 AND 30+ days unused | → dormant"."""

    def test_a_share_is_no_limit(self, v9: Home) -> None:
        """The document takes all of them in one night."""
        ids = crowd(v9, 150, days=40, utility=0.1)
        assert v9.dream("forgetting").pruned == 150
        assert set(v9.states(*ids)) == {"dormant"}


class TestRedundancy:
    """ "Redundancy | cosine > 0.9 with another memory | Lower-utility → dormant"."""

    def test_fifty_per_cycle(self) -> None:
        """ "Max 50 comparisons per cycle": of 51 pairs one is left for the next night."""
        vectors = {
            f"pen {n:02}": tuple(float(n == place) for place in range(51)) for n in range(51)
        }
        with home(V9, vectors=vectors) as one:
            for number in range(51):
                one.know(f"pen {number:02} is in the box")
                one.know(f"in the box is pen {number:02}")
            assert [one.dream("redundancy").pruned for _ in range(3)] == [50, 1, 0]


class TestCapacityTrim:
    """ "Capacity trim | active count > 500 | Trim lowest-utility to 450"."""

    def test_above_500_down_to_450(self, v9: Home) -> None:
        """501 are too many, and then 51 go."""
        crowd(v9, 500)
        for left, gone in ((500, 0), (450, 51)):
            v9.dream("forgetting")
            assert (v9.bank.count(), v9.bank.count(state="dormant")) == (left, gone)
            v9.know("one more note")


class TestFloatingThreshold:
    """ "threshold = average(access_count across all memories)"; "Category-based minimum retention"."""

    def test_it_floats_with_actual_usage(self, v9: Home) -> None:
        """ "Floating threshold based on actual usage": what was enough yesterday is too little today."""
        boat, quay = (
            v9.know(BOAT, days=20, access_count=2),
            v9.know("the quay is old", access_count=2),
        )
        v9.dream("forgetting")
        assert v9.states(boat) == ["active"]
        v9.use(quay)
        v9.dream("forgetting")
        assert v9.states(boat) == ["dormant"]


class TestColdStorage:
    """ "Dormant memories are not deleted — they move to cold storage and can be reactivated"."""

    def test_they_are_whole_and_come_back(self, v9: Home) -> None:
        """Out of recall, in deep recall, by id, and active again with all that they were."""
        boat = v9.know(BOAT, days=40, utility=0.1, tags=("boats",))
        before = v9.get(boat)
        v9.dream("forgetting")
        assert (v9.texts("boat"), v9.texts("boat", deep=True), v9.get(boat).content) == (
            [],
            [BOAT],
            BOAT,
        )
        after = v9.bank.restore(boat)
        assert (after.state, after.tags, after.utility, after.stability) == (
            "active",
            before.tags,
            before.utility,
            before.stability,
        )

    def test_the_next_night_leaves_them_alone(self, v9: Home) -> None:
        """What a person brought back is not put away again at once."""
        boat = v9.know(BOAT, days=40, utility=0.1)
        v9.dream("forgetting")
        v9.bank.restore(boat)
        v9.dream()
        assert v9.states(boat) == ["active"]

    def test_the_reason_is_told(self, v9: Home) -> None:
        """ "always explain"."""
        boat = v9.know(BOAT, days=40, utility=0.1)
        v9.dream("forgetting")
        assert v9.reasons(boat)[-1] == "never useful: utility 0.10, unused for 40 days"

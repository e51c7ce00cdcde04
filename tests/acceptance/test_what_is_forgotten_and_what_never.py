"""V9, "Strategic Forgetting", the floating threshold, redundancy and truth anchors, with the preset."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of

V9 = document("v9")
BOAT = "the boat leaves at noon"
RULES = ("expiry", "conflicts", "redundancy", "forgetting")
NEAR = {"harbour": (1.0, 0.0), "quay": (0.91, 0.414608), "pier": (0.89, 0.455961)}


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

    @pytest.mark.parametrize("newer_first", [True, False])
    def test_the_older_side_goes_dormant(self, v9: Home, newer_first: bool) -> None:
        """Whichever way the pair is linked."""
        older, newer = (
            v9.know("the boat leaves at noon", days=2),
            v9.know("the boat leaves at dusk", days=1),
        )
        v9.link(*((newer, older) if newer_first else (older, newer)), "contradicts")
        v9.dream()
        assert v9.states(older, newer) == ["dormant", "active"]

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


class TestForesightExpiry:
    """ "Foresight expiry | `time_bounded` + past `validUntil`"."""

    def test_a_plan_that_is_over_leaves_recall(self, v9: Home) -> None:
        """The table says dormant, the eighth step superseded: the step holds, and both can be restored."""
        plan = v9.know(BOAT, days=3, category="plan", valid_until=v9.clock() - timedelta(days=1))
        v9.dream()
        assert (v9.states(plan), v9.texts("boat")) == (["superseded"], [])
        assert v9.texts("boat", deep=True) == [BOAT]
        assert v9.bank.restore(plan).state == "active"

    def test_what_is_not_bounded_never_expires(self, v9: Home) -> None:
        """A plan without an end."""
        plan = v9.know(BOAT, days=6, category="plan")
        v9.dream("expiry")
        assert v9.states(plan) == ["active"]


class TestUtilityFloor:
    """ "Utility floor | utility < 0.15 AND 30+ days unused | → dormant"."""

    @each_case_of("what_is_forgotten_and_what_never/useless_and_unused")
    def test_useless_and_unused(self, v9: Home, utility: float, days: float, state: str) -> None:
        """Both conditions, at their boundaries."""
        boat = v9.know(BOAT, days=days, utility=utility)
        v9.dream("forgetting")
        assert v9.states(boat) == [state]

    def test_unused_counts_from_the_last_use(self, v9: Home) -> None:
        """ "30+ days unused": not since it was stored."""
        boat = v9.know(
            BOAT, days=60, utility=0.1, last_reinforced_at=v9.clock() - timedelta(days=10)
        )
        v9.dream("forgetting")
        assert v9.states(boat) == ["active"]

    def test_a_share_is_no_limit(self, v9: Home) -> None:
        """The document takes all of them in one night."""
        ids = crowd(v9, 150, days=40, utility=0.1)
        assert v9.dream("forgetting").pruned == 150
        assert set(v9.states(*ids)) == {"dormant"}


class TestRedundancy:
    """ "Redundancy | cosine > 0.9 with another memory | Lower-utility → dormant"."""

    @pytest.mark.parametrize(("place", "pruned"), [("quay", 1), ("pier", 0)])
    def test_nearly_the_same(self, place: str, pruned: int) -> None:
        """ "Cosine similarity > 0.9": 0.91 is enough, 0.89 is not."""
        with home(V9, vectors=NEAR) as one:
            one.know("the boat lies in the harbour")
            one.know(f"the boat lies at the {place}")
            assert one.dream("redundancy").pruned == pruned

    @each_case_of("what_is_forgotten_and_what_never/the_more_useful_one_is_kept")
    def test_the_more_useful_one_is_kept(
        self, utilities: tuple[float, float], states: list[str]
    ) -> None:
        """ "keep higher-utility, mark lower dormant": age does not count."""
        with home(V9, vectors=NEAR) as one:
            first = one.know("the boat lies in the harbour", days=2, utility=utilities[0])
            second = one.know("the boat lies at the quay", days=1, utility=utilities[1])
            one.dream("redundancy")
            assert one.states(first, second) == states

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

    @pytest.mark.parametrize(("count", "left"), [(500, 500), (501, 450)])
    def test_above_500_down_to_450(self, v9: Home, count: int, left: int) -> None:
        """501 are too many, and then 51 go."""
        crowd(v9, count)
        v9.dream("forgetting")
        assert (v9.bank.count(), v9.bank.count(state="dormant")) == (left, count - left)

    def test_the_least_useful_go(self, v9: Home) -> None:
        """ "Trim lowest-utility": 51 of 60 that were of less use than the other 441."""
        useless = set(crowd(v9, 60, utility=0.3))
        useful = [v9.bank.add(f"letter {number}").id for number in range(441)]
        v9.dream("forgetting")
        gone = {memory.id for memory in v9.bank.list(state="dormant", limit=100)}
        assert (len(gone), gone <= useless, set(v9.states(*useful))) == (51, True, {"active"})


class TestFloatingThreshold:
    """ "threshold = average(access_count across all memories)"; "Category-based minimum retention"."""

    @each_case_of("what_is_forgotten_and_what_never/minimum_retention")
    def test_minimum_retention(self, v9: Home, category: str, days: float, state: str) -> None:
        """ "Decisions 45 days, Facts 14 days, Other 7 days; Corrections, Preferences, Entities permanent"."""
        v9.know("the harbour is busy", access_count=9)
        boat = v9.know(BOAT, days=days, category=category)
        v9.dream("forgetting")
        assert v9.states(boat) == [state]

    @pytest.mark.parametrize(("accesses", "state"), [(3, "dormant"), (4, "active"), (5, "active")])
    def test_the_mean_is_the_threshold(self, v9: Home, accesses: int, state: str) -> None:
        """Of n, 4 and 8 - n accesses the mean is 4, whatever n: what has less goes, what has as much stays."""
        boat = v9.know(BOAT, days=20, access_count=accesses)
        v9.know("the harbour is busy", access_count=4)
        v9.know("the quay is old", access_count=8 - accesses)
        v9.dream("forgetting")
        assert v9.states(boat) == [state]

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


class TestTruthAnchors:
    """ "Two protection flags that override all forgetting and consolidation logic"."""

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_they_survive_every_rule(self, v9: Home, flag: str) -> None:
        """ "Pinned memories survive strategic forgetting": contradicted, over, useless, seldom used."""
        marked: dict[str, Any] = {flag: True}
        until = v9.clock() - timedelta(days=1)
        boat = v9.know(BOAT, days=60, utility=0.0, category="fact", valid_until=until, **marked)
        newer = v9.know("the boat leaves at dusk", access_count=50)
        v9.link(newer, boat, "contradicts")
        report = v9.dream(*RULES)
        assert (v9.states(boat), report.pruned, report.expired) == (["active"], 0, 0)

    def test_without_a_flag_it_would_be_gone(self, v9: Home) -> None:
        """The same memory, unprotected."""
        boat = v9.know(BOAT, days=60, utility=0.0)
        v9.know("the boat leaves at dusk", access_count=50)
        v9.dream(*RULES)
        assert v9.states(boat) == ["dormant"]

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_they_survive_redundancy(self, flag: str) -> None:
        """The less useful side stays, and so does the other."""
        marked: dict[str, Any] = {flag: True}
        with home(V9, vectors=NEAR) as one:
            ids = [
                one.know("the boat lies in the harbour", utility=0.1, **marked),
                one.know("the boat lies at the quay", utility=0.9),
            ]
            one.dream("redundancy")
            assert one.states(*ids) == ["active", "active"]

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_they_survive_the_capacity_trim(self, v9: Home, flag: str) -> None:
        """ "Pinned memories survive ... capacity trim"."""
        marked: dict[str, Any] = {flag: True}
        boat = v9.know(BOAT, utility=0.0, **marked)
        crowd(v9, 500)
        v9.dream("forgetting")
        assert (v9.states(boat), v9.bank.count()) == (["active"], 450)

    def test_flashbulbs_survive_forgetting(self, v9: Home) -> None:
        """ "Pinned: true (immune to forgetting)": a flashbulb is pinned when it is made, and protected by itself."""
        fire = v9.know("the boat burns", days=60, utility=0.0, flashbulb=True)
        v9.know("the harbour is busy", access_count=50)
        v9.dream()
        assert v9.states(fire) == ["active"]

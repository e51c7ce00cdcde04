"""Agentos and v9: what feedback does, sentence by sentence: used or ignored, utility, co-activation, spreading."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

import cogmem_core
from cogmem_core import Config, Feedback, Recall, Relation
from cogmem_core.config import FeedbackConfig
from cogmem_core.models import RelationType
from helpers.exact_memories import Shelf, retrieval, shelf
from helpers.tables import each_case_of

EMMA, NOAH, SOFIA = (
    "Emma keeps rabbits in Lisbon",
    "Noah repairs old radios",
    "Sofia studies marine biology",
)
QUERY, BOTH = "Emma rabbits Noah radios Sofia", "Emma has rabbits and Noah radios."
NOTHING = "No idea."
ALL_WORDS = Config(feedback=FeedbackConfig(own_words=False, blame_from=0.0, utility_rate=0.1))
V9 = retrieval(cogmem_core.preset("v9"), mmr_lambda=1.0, hyde=False)
NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}


@pytest.fixture
def home() -> Iterator[Shelf]:
    """Three facts, ten days old."""
    with shelf(ALL_WORDS) as found:
        for text in (EMMA, NOAH, SOFIA):
            found.know(text, days=10)
        yield found


def memory(home: Shelf, text: str) -> cogmem_core.Memory:
    memories: list[cogmem_core.Memory] = list(home.bank.list(state="any"))
    return next(one for one in memories if one.content == text)


def answer(home: Shelf, text: str, query: str = QUERY) -> dict[str, str]:
    """What an answer to the question makes of each memory that was injected."""
    found = home.ask(query, k=10)
    texts = {item.memory.id: item.content for item in found.results}
    return {texts[row.memory_id]: row.signal for row in home.bank.feedback(found, text)}


def pairs(home: Shelf) -> list[Relation]:
    links = {link for one in home.bank.list(state="any") for link in home.bank.relations(one.id)}
    return [link for link in links if link.type == "co_activated"]


class TestRetrievalFeedbackSignal:
    """Agentos, "Retrieval Feedback Signal"."""

    def test_it_detects_which_injected_memories_were_referenced_and_which_ignored(
        self, home: Shelf
    ) -> None:
        """ "After the LLM generates a response, the feedback signal detects which injected memory traces ..."."""
        assert answer(home, BOTH) == {EMMA: "used", NOAH: "used", SOFIA: "ignored"}

    def test_keywords_are_unique_and_longer_than_four_characters(self, home: Shelf) -> None:
        """ "Extract unique keywords (> 4 characters)": of this one "keeps" and "rabbits"; repeats change nothing."""
        home.know("He also keeps keeps keeps keeps keeps rabbits")
        rows = home.bank.feedback(home.ask("rabbits"), "Old rabbits.")
        ratios = {home.bank.get(row.memory_id).content: row.ratio for row in rows}
        assert ratios["He also keeps keeps keeps keeps keeps rabbits"] == 0.5

    @each_case_of("used_and_ignored/used_means_more_than_thirty_percent")
    def test_used_means_more_than_thirty_percent(self, text: str, signal: str) -> None:
        """ "If matchRatio > 0.30 the trace is marked 'used', otherwise 'ignored'": 3 of 10 are not enough."""
        with shelf(ALL_WORDS) as home:
            home.know(" ".join(f"alpha{number}" for number in range(1, 11)))
            (row,) = home.bank.feedback(home.ask("alpha1"), text)
            assert row.signal == signal

    def test_used_increases_strength_and_stability_and_doubles_the_interval(
        self, home: Shelf
    ) -> None:
        """ "'used' | updateOnRetrieval() — increases strength and stability, doubles reinforcement interval"."""
        before = memory(home, EMMA)
        answer(home, BOTH)
        after = memory(home, EMMA)
        assert (before.stability, before.storage_strength, before.reinforcement_interval) == (
            5.0,
            1.0,
            1.0,
        )
        assert after.stability == pytest.approx(38.908779192599724)
        assert after.storage_strength == pytest.approx(1.9)
        assert after.reinforcement_interval == 2.0
        assert after.next_reinforcement_at == home.clock() + timedelta(days=2)

    def test_ignored_accelerates_decay_for_repeatedly_ignored_traces(self, home: Shelf) -> None:
        """ "'ignored' | penalizeUnused()": a tenth, a tenth, then half; never under a quarter of the initial S."""
        found = []
        for _ in range(5):
            answer(home, NOTHING)
            found.append(round(memory(home, EMMA).stability, 6))
        assert found == [4.5, 4.05, 2.025, 1.25, 1.25]

    def test_there_is_one_judgement_per_injected_trace(self, home: Shelf) -> None:
        """ "feedback: RetrievalFeedback[] — one per injected trace"; the question may be told in other words."""
        found = home.ask(QUERY)
        rows = home.bank.feedback(found, BOTH, query="Who has what?")
        assert [row.memory_id for row in rows] == [item.memory.id for item in found.results]
        assert {(type(row), row.query) for row in rows} == {(Feedback, "Who has what?")}


class TestUtilityScoring:
    """V9, "Utility Scoring"."""

    def test_failure_moves_it_a_tenth_of_the_way_to_zero(self, home: Shelf) -> None:
        """ "... or 0.0 (failure)"."""
        found = []
        for _ in range(3):
            answer(home, BOTH)
            found.append(memory(home, SOFIA).utility)
        assert found == pytest.approx([0.45, 0.405, 0.3645])

    def test_a_single_bad_session_does_not_tank_a_useful_memory(self, home: Shelf) -> None:
        """ "Single bad session won't tank a high-utility memory": 20 good answers, one bad, still above 0.8."""
        for _ in range(20):
            answer(home, BOTH)
        assert memory(home, EMMA).utility == pytest.approx(0.9392, abs=5e-5)
        answer(home, NOTHING)
        assert memory(home, EMMA).utility == pytest.approx(0.8453, abs=5e-5)

    def test_relevance_dominates_and_utility_breaks_ties(self) -> None:
        """ "Relevance dominates (60%), utility and importance serve as tiebreakers": what was used comes first."""
        with shelf(V9, NEAR) as home:
            for text in ("near the lake", "near the pond", "far away"):
                home.know(text)
            for _ in range(3):
                found = home.ask("zulu", k=10)
                home.bank.feedback(
                    found, "x", similarity_fn=lambda text, _: float(text != "near the lake")
                )
            assert home.texts("zulu", k=10) == ["near the pond", "near the lake", "far away"]


class TestHebbianCoactivation:
    """V9, "Hebbian Co-activation" and "Co-activation Tracking"; agentos, "Strengthen"; used together."""

    def test_access_counts_grow(self, home: Shelf) -> None:
        """ "accessCount incremented", of what was used."""
        answer(home, BOTH)
        assert [memory(home, text).access_count for text in (EMMA, NOAH, SOFIA)] == [1, 1, 0]

    def test_stability_grows_by_two_percent_at_least(self, home: Shelf) -> None:
        """ "stability boosted by 2%": a minute after, FSRS-6 gives nothing more; alone it gets nothing."""
        answer(home, BOTH)
        first = memory(home, EMMA).stability
        home.clock.advance(minutes=1)
        answer(home, "Emma and rabbits in the garden.")  # two of four: grade Good
        assert memory(home, EMMA).stability == first
        answer(home, "Emma, rabbits; radios.")
        assert memory(home, EMMA).stability == pytest.approx(first * 1.02)

    def test_the_learning_rate_tells_how_quickly_edges_grow(self) -> None:
        """ "The learning rate (default 0.1) controls how quickly edge weights grow"."""
        with shelf(ALL_WORDS) as home:
            for text in (EMMA, NOAH):
                home.know(text)
            found = []
            for _ in range(3):
                answer(home, BOTH)
                found.append(pairs(home)[0].weight)
            assert found == pytest.approx([0.1, 0.2, 0.3])


class TestSpreadingActivation:
    """V9: "Neighbor evolution based on A-MEM paper"."""

    @pytest.mark.parametrize(
        "kind", ["related_to", "causes", "elaborates", "same_entity", "summarizes"]
    )
    def test_connected_memories_last_two_percent_longer(
        self, home: Shelf, kind: RelationType
    ) -> None:
        """ "connected memories receive a 2% stability boost"; "entity crosslinks" are connections, too."""
        near, far = home.know("Something near"), home.know("Something far")
        home.link(memory(home, EMMA).id, near, kind)
        home.link(near, far, kind)
        self.use_emma(home)
        assert [home.bank.get(one).stability for one in (near, far)] == pytest.approx([5.1, 5.0])

    @pytest.mark.parametrize("kind", ["supersedes", "contradicts"])
    def test_what_it_speaks_against_does_not(self, home: Shelf, kind: RelationType) -> None:
        """A former value is connected, but a use of the new one is none of the former."""
        former = home.know("Something former")
        home.link(memory(home, EMMA).id, former, kind)
        self.use_emma(home)
        assert home.bank.get(former).stability == 5.0

    def test_being_shown_is_not_being_accessed(self, home: Shelf) -> None:
        """ "when a memory is accessed": an ignored one gives its neighbours nothing, and no recall changes anything."""
        near = home.know("Something near")
        home.link(memory(home, SOFIA).id, near, "related_to")
        self.use_emma(home)
        home.ask(QUERY)
        assert home.bank.get(near).stability == 5.0

    def use_emma(self, home: Shelf) -> None:
        found = home.ask(QUERY, k=10)
        shown = tuple(item for item in found.results if item.content in (EMMA, NOAH, SOFIA))
        home.bank.feedback(Recall(found.id, found.query, shown), "Emma and her rabbits.")

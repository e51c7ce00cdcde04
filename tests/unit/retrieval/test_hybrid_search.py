"""V9, "Hybrid search": two lists, RRF, the weighted composite, ACT-R activation, decay by category, MMR."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.testing import FrozenClock
from helpers.exact_memories import Shelf, retrieval, shelf
from helpers.tables import each_row_of, rows_of

V9 = cogmem_core.preset("v9")
PLAIN = retrieval(V9, mmr_lambda=1.0, hyde=False)
"""The preset without what would move the numbers of a single step."""
LIST = {
    "zulu": (1.0, 0.0, 0.0),
    "near": (0.8, 0.6, 0.0),
    "far": (0.0, 1.0, 0.0),
    "off": (0.0, 0.0, 1.0),
}


@pytest.fixture
def v9() -> Iterator[Shelf]:
    with shelf(PLAIN, LIST) as found:
        yield found


class TestTwoSearchPaths:
    """ "Single query triggers two parallel search paths merged via Reciprocal Rank Fusion"."""

    def test_each_path_finds_what_the_other_does_not(self) -> None:
        """ "Vector search" and "FTS/BM25 text search": one by meaning alone, one by a word alone."""
        weights = replace(Config().retrieval.weights, lexical=0.6)
        with shelf(retrieval(Config(), pool=1, mmr_lambda=1.0, weights=weights), LIST) as one:
            ids = [one.know(f"near the lake {number}") for number in range(8)]
            worded = one.know("the code is 4711")
            found = {item.memory.id: item.found_by for item in one.ask("zulu 4711", k=2).results}
        assert found == {worded: {"lexical": 1}, ids[0]: {"vector": 1}}

    @pytest.mark.parametrize(("k", "taken"), [(1, 3), (2, 6)])
    def test_three_times_as_many_vectors_are_fetched_as_are_returned(
        self, k: int, taken: int
    ) -> None:
        """ "1. Vector search (3x overfetch for MMR pool)"; the pool's own minimum is set to 1 here."""
        with shelf(retrieval(PLAIN, pool=1), LIST) as v9:
            for number in range(9):
                v9.know(f"near the lake {number}")
            last = v9.know("far away")
            told = v9.ask("zulu", k=k).missed(last)
        assert f"the last of the {taken} by meaning has 0.800" in told

    def test_no_word_in_common_leaves_the_search_by_meaning(self, v9: Shelf) -> None:
        """ "2. FTS/BM25 text search (graceful fallback ...)": an empty list is no trouble."""
        lake = v9.know("near the lake")
        found = v9.ask("zulu")
        assert ([item.memory.id for item in found.results], found.degraded) == ([lake], ())


class TestFusion:
    """ "RRF fusion: score = 1 / (K + rank + 1), K = 60", ranks from 0; scaled so that first in every list is 1."""

    def test_a_place_in_each_list_counts(self, v9: Shelf) -> None:
        """Both first: 2/61; first and second: 1/61 + 1/62; in one list alone: 1/62; each over 2/61."""
        both = v9.know("zulu tea")
        second = v9.know("near the tea, and much more about this and that")
        alone = v9.know("far away")
        found = {item.memory.id: item for item in v9.ask("zulu tea").results}
        assert found[both].found_by == {"vector": 1, "lexical": 1}
        assert found[second].found_by == {"vector": 2, "lexical": 2}
        assert found[alone].found_by == {"vector": 3}
        assert found[both].signals["rrf"] == 1.0
        assert found[second].signals["rrf"] == pytest.approx(61 / 62)
        assert found[alone].signals["rrf"] == pytest.approx(61 / 63 / 2)

    def test_what_both_lists_hold_is_one_result(self, v9: Shelf) -> None:
        """ "4. Merge unique results"."""
        v9.know("zulu tea")
        assert v9.texts("zulu tea") == ["zulu tea"]


class TestComposite:
    """ "5. Weighted composite"."""

    def test_similarity_is_that_of_the_vectors_and_stretched_over_the_candidates(
        self, v9: Shelf
    ) -> None:
        """ "0.40 × similarity (vector distance)": cosines 1, 0.8 and 0 add 0.40, 0.32 and 0."""
        ids = [v9.know(text) for text in ("zulu", "near", "far")]
        found = {item.memory.id: item for item in v9.ask("zulu").results}
        assert [found[i].signals["similarity"] for i in ids] == pytest.approx([1.0, 0.8, 0.0])
        assert [found[i].contributions["similarity"] for i in ids] == pytest.approx(
            [0.40, 0.32, 0.0]
        )

    def test_importance_decides_between_equals(self, v9: Shelf) -> None:
        """ "0.15 × importance"."""
        v9.know("near the lake", importance=0.2)
        v9.know("near the pond", importance=0.9)
        assert v9.texts("zulu") == ["near the pond", "near the lake"]


class TestActivation:
    """ "ACT-R Activation Model": B rises with the accesses and falls with half the logarithm of the age."""

    @pytest.fixture
    def aged(self) -> Iterator[Shelf]:
        """With ages in days and the history as far as it is known, as by default (Anderson & Lebiere 1998)."""
        with shelf(retrieval(PLAIN, activation="base_level"), LIST) as one:
            yield one

    def test_the_seed_s_own_formula(self, v9: Shelf) -> None:
        """ "B = log(max(n, 1)) - 0.5 × log(age_seconds)", "activation = 1 / (1 + exp(-B))", stretched over the pool."""
        ids = [v9.know(f"near {days}", days=days) for days in (1, 4, 16)]
        # 1 / (1 + √86,400) = 0.003391, 0.001698, 0.000850
        assert self.activation(v9, ids) == pytest.approx([1.0, 0.3339, 0.0], abs=1e-4)

    def activation(self, one: Shelf, ids: Sequence[str]) -> list[float]:
        found = {item.memory.id: item.signals["activation"] for item in one.ask("zulu").results}
        return [found[i] for i in ids]

    def test_it_falls_with_half_the_logarithm_of_the_age(self, aged: Shelf) -> None:
        """ "- 0.5 × log(age)": 1, 4 and 16 days old are equally far apart; within the candidates 1, 1/2 and 0."""
        ids = [aged.know(f"near {days}", days=days) for days in (1, 4, 16)]
        assert self.activation(aged, ids) == pytest.approx([1.0, 0.5, 0.0])

    def test_it_rises_with_the_accesses(self, aged: Shelf) -> None:
        """ "n = access count": of equally old memories the one that was used more often is more available."""
        ids = [aged.know(f"near {count}", days=16, access_count=count) for count in (0, 3, 30)]
        never, seldom, often = self.activation(aged, ids)
        assert (never, often) == (0.0, 1.0)
        assert 0.2 < seldom < 0.8

    def test_the_last_access_counts_more_than_the_creation(self, aged: Shelf) -> None:
        """ "age = seconds since last access": used yesterday, it is more available than one used two weeks ago."""
        ids = []
        for days in (1, 14):
            at = FrozenClock().advance(days=-days)
            ids.append(aged.know(f"near {days}", days=30, access_count=1, last_reinforced_at=at))
        assert self.activation(aged, ids) == pytest.approx([0.994, 0.0], abs=1e-3)

    def test_small_differences_are_not_blown_up(self, aged: Shelf) -> None:
        """Of 10 and 12 days nothing is made that outweighs meaning: ln(12/10)/2 = 0.091."""
        ids = [aged.know(f"near {days}", days=days) for days in (10, 12)]
        assert self.activation(aged, ids) == pytest.approx([0.0912, 0.0], abs=1e-4)


class TestDecayByCategory:
    """ "Category Decay Rates": which kinds fade, and in which order; the curve is that of the preset."""

    def retention(self, one: Shelf, category: str, days: float) -> float:
        memory_id = one.know(f"near {category} {days}", category=category, days=days)
        return one.item("zulu", memory_id).signals["retention"]

    @pytest.mark.parametrize("category", ["preference", "entity", "correction"])
    def test_preferences_entities_and_corrections_do_not_decay(self, category: str) -> None:
        """ "preference, entity, correction | 0 (no decay)"."""
        with shelf(Config(), LIST) as one:
            assert self.retention(one, category, 3_650) == 1.0

    def test_facts_decay_slower_than_decisions_and_these_slower_than_others(self) -> None:
        """ "fact 0.005, decision 0.02, other 0.05"; fsrs6 after 30 days, S = 5, 3 and 1 days, episodic (x 3)."""
        with shelf(Config(), LIST) as one:
            found = [
                self.retention(one, category, 30) for category in ("fact", "decision", "other")
            ]
        assert found == pytest.approx([0.637, 0.591, 0.500], abs=5e-4)


TWINS = {
    "zulu": (1.0, 0.0, 0.0),
    "left": (0.8, 0.6, 0.0),
    "right": (0.8, -0.6, 0.0),
    "off": (0.0, 0.0, 1.0),
}


TURNS = rows_of("hybrid_search/turns")


class TestOneResultPerTurn:
    """A turn and the facts that were taken from it say the same."""

    @each_row_of("hybrid_search/in_a_bank_of_a_few_turns")
    def test_in_a_bank_of_a_few_turns(self, query: str, k: int) -> None:
        """As many results as there are turns, or fewer: none of them shares its turn with another one."""
        with shelf() as one:
            one.bank.remember(TURNS, mode="hybrid")
            found = one.ask(query, k=k).results
        assert len({item.memory.sources[0].episode_id for item in found}) == len(found) == k

    def test_where_there_are_more_results_than_turns_they_are_filled_up(self) -> None:
        """Seven memories of four turns, and five are asked for."""
        with shelf() as one:
            one.bank.remember(TURNS, mode="hybrid")
            assert len(one.ask("red bicycle in Porto", k=5).results) == 5

    def test_each_part_of_a_question_has_its_turn_first(self) -> None:
        """Whether a part prefers the turn or its fact does not split what the parts say of it."""
        with shelf() as one:
            one.bank.remember(TURNS, mode="hybrid")
            found = one.texts("Where did I buy the bicycle? Who plays the cello?", k=2)
        assert sorted(("bicycle" in text, "cello" in text) for text in found) == [
            (False, True),
            (True, False),
        ]


class TestDiversity:
    """ "MMR(d) = λ × relevance(d) - (1-λ) × max_similarity(d, selected)"."""

    def test_a_repetition_gives_way_to_what_says_something_else(self) -> None:
        """ "prevents redundant results": the same vector again costs 0.3, another direction 0.3 · 0.28."""
        expected = {0.7: ["left one", "right", "left two"], 1.0: ["left one", "left two", "right"]}
        for lambda_, order in expected.items():
            with shelf(retrieval(V9, mmr_lambda=lambda_, hyde=False), TWINS) as one:
                for text, importance in (("left one", 0.9), ("left two", 0.8), ("right", 0.7)):
                    one.know(text, importance=importance)
                assert one.texts("zulu", k=3) == order

    def test_diversity_decides_who_is_among_the_best(self) -> None:
        """ "Iteratively selects": with two places the repetition is the one left out, and the answer says why."""
        with shelf(retrieval(V9, hyde=False), TWINS) as one:
            one.know("left one", importance=0.9)
            twin = one.know("left two", importance=0.8)
            one.know("right", importance=0.7)
            found = one.ask("zulu", k=2)
        assert [item.content for item in found.results] == ["left one", "right"]
        assert twin not in {item.memory.id for item in found.results}

"""V9, "Retrieval Strategy Router": the intent of a question, and how each of the six is answered."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config
from helpers.exact_memories import Shelf, retrieval, shelf
from helpers.tables import each_case_of, each_row, rows_of

V9 = retrieval(cogmem_core.preset("v9"), mmr_lambda=1.0, hyde=False)
NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}
ASKED = dict(rows_of("intents_of_questions/asked"))
TABLE: dict[str, dict[str, Any]] = {
    "factual": {"vector": 0.6, "lexical": 0.4, "limit": 10, "utility": 0.2},
    "temporal": {"vector": 0.4, "lexical": 0.6, "limit": 15, "order": "newest", "history": True},
    "causal": {"vector": 0.3, "lexical": 0.3, "limit": 20, "hops": 2},
    "entity_profile": {
        "vector": 0.5,
        "lexical": 0.5,
        "limit": 15,
        "hub": True,
        "utility": 0.3,
        "order": "utility",
    },
    "preference": {
        "vector": 0.5,
        "lexical": 0.5,
        "limit": 10,
        "only": ("preference", "correction"),
        "order": "utility",
    },
    "general": {"vector": 0.5, "lexical": 0.5, "limit": 10, "utility": 0.2},
}
"""Both tables of the seed. What a row does not name is off."""
OFF = dict(rows_of("intents_of_questions/off"))


@pytest.fixture
def v9() -> Iterator[Shelf]:
    with shelf(V9, NEAR) as found:
        yield found


class TestIntents:
    """ "Classifies query intent and selects optimal retrieval strategy"."""

    @pytest.mark.parametrize(
        ("query", "intent"),
        [(query, intent) for intent, queries in ASKED.items() for query in queries],
    )
    def test_key_words_tell_the_intent(self, v9: Shelf, query: str, intent: str) -> None:
        """ "keyword heuristic fallback (EN + TR patterns)"; the answer says what it was taken for."""
        assert v9.ask(query).intent == intent


class TestTable:
    """The six rows, by the preset."""

    @each_row("intent", list(TABLE))
    def test_a_route_is_that_of_the_seed(self, intent: str) -> None:
        """Vector weight, FTS weight, limit, special handling, sort."""
        route = getattr(cogmem_core.preset("v9").retrieval.routes, intent)
        expected = {**OFF, **TABLE[intent]}
        assert {name: getattr(route, name) for name in expected} == expected

    @each_case_of("intents_of_questions/it_sets_the_limit_where_the_caller_names_none")
    def test_it_sets_the_limit_where_the_caller_names_none(
        self, v9: Shelf, intent: str, limit: int
    ) -> None:
        """ "Limit"; who asks for three gets three."""
        for number in range(25):
            v9.know(f"near {number}", category="preference")
        query = ASKED[intent][0]
        assert (len(v9.texts(query, k=None)), len(v9.texts(query, k=3))) == (limit, 3)

    def test_utility_lifts_what_proved_useful(self, v9: Shelf) -> None:
        """ "utility boost: 0.2": 0.2 · (0.9 - 0.1) for a question about facts, nothing for one about time."""
        useful, useless = (
            v9.know("near the lake", utility=0.9),
            v9.know("near the pond", utility=0.1),
        )
        for intent, lead in (("factual", 0.16), ("temporal", 0.0)):
            added = [
                v9.item(ASKED[intent][0], i).contributions.get("utility", 0.0)
                for i in (useful, useless)
            ]
            assert added[0] - added[1] == pytest.approx(lead)


class TestTemporal:
    """ "temporal | hybrid | validFrom desc | include superseded"."""

    def test_what_was_superseded_is_included(self, v9: Shelf) -> None:
        """Only for this kind of question: the others know what is true today."""
        old, new = v9.know("near Rome", days=9), v9.know("near Oslo")
        v9.retire(old, "superseded", superseded_by=new)
        assert set(v9.texts(ASKED["temporal"][0])) == {"near Rome", "near Oslo"}
        assert v9.texts(ASKED["factual"][0]) == ["near Oslo"]

    def test_the_newest_truth_comes_first(self, v9: Shelf) -> None:
        """ "Sort by validFrom": not when it was said, and not how well it fits."""
        for text, days in (("zulu itself", 30), ("near Rome", 20), ("near Oslo", 10)):
            v9.know(text, valid_from=v9.clock() - timedelta(days=days))
        assert v9.texts(ASKED["temporal"][0]) == ["near Oslo", "near Rome", "zulu itself"]


def reached(one: Shelf, query: str, ids: Sequence[str]) -> list[bool]:
    """Whether each memory is among the candidates of a question for three results."""
    found = one.ask(query, k=3)
    return ["no list brought it in" not in found.missed(memory_id) for memory_id in ids]


class TestCausal:
    """ "causal | graph traversal | relevance | causes/elaborates, 2 hops"."""

    @pytest.fixture
    def chain(self) -> Iterator[tuple[Shelf, list[str]]]:
        """A hit among others like it, and three memories that no list holds."""
        with shelf(retrieval(V9, pool=1), NEAR) as one:
            hit = one.know("zulu ended")
            for number in range(20):
                one.know(f"near {number}")
            yield one, [hit, *(one.know(f"far {number}") for number in range(3))]

    @pytest.mark.parametrize(
        "kinds", [("causes", "causes"), ("elaborates", "causes"), ("elaborates", "elaborates")]
    )
    @pytest.mark.parametrize("backwards", [False, True])
    def test_two_steps_are_walked(
        self, chain: tuple[Shelf, list[str]], kinds: tuple[Any, Any], backwards: bool
    ) -> None:
        """Along both relations, toward the cause as toward the effect; the third step is not taken."""
        one, ids = chain
        assert reached(one, ASKED["causal"][0], ids) == [True, False, False, False]
        for source, target, kind in zip(ids[:3], ids[1:], (*kinds, "causes"), strict=True):
            one.link(*((target, source) if backwards else (source, target)), kind, 0.9)
        assert reached(one, ASKED["causal"][0], ids) == [True, True, True, False]

    def test_another_question_takes_one_step(self, chain: tuple[Shelf, list[str]]) -> None:
        """Elsewhere a strong relation brings in its other end, and that is all (associative expansion)."""
        one, ids = chain
        one.link(ids[0], ids[1], "causes", 0.9)
        one.link(ids[1], ids[2], "causes", 0.9)
        assert reached(one, ASKED["general"][0], ids) == [True, True, False, False]

    def test_other_relations_are_no_reasons(self, chain: tuple[Shelf, list[str]]) -> None:
        """ "type filters": from what was reached, nothing but causes and elaborations leads on."""
        one, ids = chain
        one.link(ids[0], ids[1], "causes", 0.9)
        one.link(ids[1], ids[2], "related_to", 0.9)
        one.link(ids[0], ids[3], "related_to", 0.9)
        assert reached(one, ASKED["causal"][0], ids) == [True, True, False, True]

    def test_a_guessed_cause_counts_for_a_causal_question(
        self, chain: tuple[Shelf, list[str]]
    ) -> None:
        """Links by rule have the confidence 0.5: good enough where reasons are asked for, and only there."""
        one, ids = chain
        one.link(ids[0], ids[1], "elaborates", 0.9, confidence=0.5)
        assert [reached(one, ASKED[intent][0], ids)[1] for intent in ("causal", "general")] == [
            True,
            False,
        ]

    def test_a_reason_is_told_with_how_it_was_found(self) -> None:
        """It stands behind the memory it was reached from: `linked` holds that one's rank."""
        with shelf(retrieval(V9, pool=1), NEAR) as one:
            hit = one.know("zulu ended")
            for number in range(20):
                one.know(f"blank {number}", importance=0.0)
            cause = one.know("a reason", importance=1.0)
            one.link(cause, hit, "causes", 0.9)
            assert one.item(ASKED["causal"][0], cause, k=3).found_by == {"linked": 1}

    def test_a_reason_that_is_no_longer_true_is_not_given(
        self, chain: tuple[Shelf, list[str]]
    ) -> None:
        """The walk ends at what may be seen."""
        one, ids = chain
        one.link(ids[0], ids[1], "causes", 0.9)
        one.retire(ids[1], "superseded")
        assert "it was superseded" in one.ask(ASKED["causal"][0]).missed(ids[1])


class TestEntityProfile:
    """ "entity_profile | entity hub | utility desc | utility boost: 0.3"."""

    @pytest.mark.parametrize(("opening", "found"), [("Tell me about", True), ("notes on", False)])
    def test_the_hub_brings_all_that_mention_the_entity(self, opening: str, found: bool) -> None:
        """ "Entity hub queries find all memories mentioning a specific entity", also one that other words crowd out."""
        words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet"]
        with shelf(retrieval(V9, pool=1), NEAR) as one:
            for word, following in zip(words, [*words[1:], words[0]], strict=True):
                one.know(f"{word} {following}")
            mentioned = one.know("He has a whale called Docker")
            assert reached(one, f"{opening} Docker {' '.join(words)}", [mentioned]) == [found]

    def test_the_most_useful_comes_first(self, v9: Shelf) -> None:
        """ "utility desc": of what was chosen."""
        for text, utility in (("zulu", 0.2), ("near the lake", 0.9), ("near the pond", 0.5)):
            v9.know(text, utility=utility)
        assert v9.texts(ASKED["entity_profile"][0]) == ["near the lake", "near the pond", "zulu"]


class TestPreference:
    """ "preference | hybrid + filter | utility desc | category: preference, correction"."""

    def fill(self, one: Shelf) -> None:
        for category, utility in (
            ("fact", 0.9),
            ("preference", 0.4),
            ("correction", 0.6),
            ("decision", 0.8),
        ):
            one.know(f"near {category}", category=category, utility=utility)

    def test_only_preferences_and_corrections_are_searched(self, v9: Shelf) -> None:
        """ "Category filter: preference, correction", the most useful first; EN and TR."""
        self.fill(v9)
        for query in ASKED["preference"]:
            assert v9.texts(query) == ["near correction", "near preference"]

    def test_the_caller_may_ask_for_other_categories(self, v9: Shelf) -> None:
        """What is said explicitly comes before what is guessed."""
        self.fill(v9)
        assert v9.texts(ASKED["preference"][0], categories=["fact"]) == ["near fact"]

    def test_by_default_they_are_favoured_and_nothing_is_left_out(self) -> None:
        """A preference is often told as a fact: + 0.075 instead of a filter."""
        with shelf(Config(), NEAR) as one:
            self.fill(one)
            found = one.ask(ASKED["preference"][0])
        assert {item.memory.category: item.contributions["kind"] for item in found.results} == {
            "preference": 0.075,
            "correction": 0.075,
            "fact": 0.0,
            "decision": 0.0,
        }


class TestGeneral:
    """ "general | hybrid | relevance"."""

    @pytest.mark.parametrize("intent", ["factual", "causal", "general"])
    def test_the_best_comes_first(self, v9: Shelf, intent: str) -> None:
        """ "Sort: relevance"; neither age nor utility turns the order round."""
        v9.know("near the lake", utility=0.6, valid_from=v9.clock())
        v9.know("zulu", utility=0.5, valid_from=v9.clock() - timedelta(days=9))
        assert v9.texts(ASKED[intent][0]) == ["zulu", "near the lake"]

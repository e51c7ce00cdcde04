"""The step that decides what becomes of new facts."""

import json
from datetime import timedelta
from typing import Any

import pytest

from cogmem_core.skills.decide import DecideCandidate, DecideInput, Decision, NewFact, deciding
from helpers.tables import each_row_of
from unit.helpers.skill_answers import NOON, run


def candidate(id_: str, content: str) -> DecideCandidate:
    return DecideCandidate(id_, content, "fact", NOON - timedelta(days=9), NOON - timedelta(days=2))


DESK = candidate("id-desk", "Bob uses a standing desk since 2024.")
TEA = candidate("id-tea", "Bob drinks green tea.")
FACTS = DecideInput(
    facts=(
        NewFact("Bob switched back to sitting.", (DESK,)),
        NewFact("Bob drinks 3 cups of green tea a day.", (TEA,)),
        NewFact("Bob adopted a cat called Miso.", (DESK, TEA)),
    ),
    said_at=NOON,
)
DECIDE = deciding()


def decision(
    fact: int,
    action: str,
    id: str | None = None,  # noqa: A002
    relation: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    return {"fact": fact, "action": action, "id": id, "relation": relation, "text": None, **more}


TEA_TEXT = "Bob drinks 3 cups of green tea a day."


class TestDecide:
    """One call per message: ADD, UPDATE, DELETE or NOOP for every fact."""

    def test_each_fact_gets_its_decision(self) -> None:
        """Ids are the short names of the prompt; they come back as the memories' own."""
        answer = [
            decision(2, "ADD"),
            decision(0, "DELETE", "m1", "contradictory"),
            decision(1, "UPDATE", "m2", "subsumes", text=TEA_TEXT),
        ]

        assert run(DECIDE, FACTS, {"decisions": answer}).value == (
            Decision("DELETE", "id-desk", "contradictory"),
            Decision("UPDATE", "id-tea", "subsumes", TEA_TEXT),
            Decision("ADD"),
        )

    @each_row_of("skills_decide/what_is_not_allowed_leaves_its_fact_undecided")
    def test_what_is_not_allowed_leaves_its_fact_undecided(self, bad: list[dict[str, Any]]) -> None:
        """The other decisions of the same answer stand."""
        good = decision(1, "NOOP", "m2", "subsumed")

        assert run(DECIDE, FACTS, {"decisions": [good, *bad]}).value == (
            None,
            Decision("NOOP", "id-tea", "subsumed"),
            None,
        )

    def test_an_update_that_loses_something_brings_no_text(self) -> None:
        """The decision stands; the caller merges. A correction may drop what it corrects, and only that."""
        old = candidate("id-old", "Bob lives in Porto since 2019.")
        given = DecideInput((NewFact("Bob lives in Faro.", (old,)),), NOON)

        def text(relation: str, proposed: str) -> str | None:
            answer = {"decisions": [decision(0, "UPDATE", "m1", relation, text=proposed)]}
            (decided,) = run(DECIDE, given, answer).value
            return decided.text  # type: ignore[no-any-return]

        assert text("contradictory", "Bob lives in Faro.") == "Bob lives in Faro."
        assert text("compatible", "Bob lives in Faro.") is None
        assert text("compatible", "Bob lives in Porto since 2019 and in Faro.") == (
            "Bob lives in Porto since 2019 and in Faro."
        )
        assert text("contradictory", "Bob lives in Faro since 2031.") is None
        assert text("contradictory", "") is None

    def test_a_fact_may_be_linked_to_its_candidates(self) -> None:
        """V9 "LLM-primary detection": typed links from the fact, by short name or by id."""
        links = [{"id": "m2", "type": "same_entity"}, {"id": "id-desk", "type": "causes"}]
        value = run(DECIDE, FACTS, {"decisions": [decision(2, "ADD", links=links)]}).value

        assert value == (
            None,
            None,
            Decision("ADD", links=(("id-tea", "same_entity"), ("id-desk", "causes"))),
        )

    @each_row_of("skills_decide/a_bad_link_is_dropped_and_its_decision_stays")
    def test_a_bad_link_is_dropped_and_its_decision_stays(self, bad: Any) -> None:
        """Ids of links are as strict as those of decisions; an updated memory has no link to itself."""
        answer = [decision(1, "UPDATE", "m2", "subsumes", text=TEA_TEXT, links=[bad])]

        assert run(DECIDE, FACTS, {"decisions": answer}).value == (
            None,
            Decision("UPDATE", "id-tea", "subsumes", TEA_TEXT),
            None,
        )

    @pytest.mark.parametrize("links", [None, "m1", 7])
    def test_links_that_are_no_list_are_none(self, links: Any) -> None:
        """The decision is what was asked for."""
        value = run(DECIDE, FACTS, {"decisions": [decision(2, "ADD", links=links)]}).value

        assert value == (None, None, Decision("ADD"))

    def test_a_fact_has_at_most_three_links_each_once(self) -> None:
        """The first ones count."""
        kinds = ["related_to", "related_to", "same_entity", "elaborates", "causes"]
        links = [{"id": "m1", "type": kind} for kind in kinds]
        (_, _, decided) = run(DECIDE, FACTS, {"decisions": [decision(2, "ADD", links=links)]}).value

        assert decided.links == (
            ("id-desk", "related_to"),
            ("id-desk", "same_entity"),
            ("id-desk", "elaborates"),
        )

    def test_nothing_is_linked_to_a_memory_that_goes(self) -> None:
        """Whichever fact deletes it; the links that remain are counted after that."""
        links = [{"id": "m1", "type": kind} for kind in ("causes", "elaborates", "related_to")]
        answer = [
            decision(2, "ADD", links=[*links, {"id": "m2", "type": "related_to"}]),
            decision(0, "DELETE", "m1", "contradictory", links=links),
        ]

        assert run(DECIDE, FACTS, {"decisions": answer}).value == (
            Decision("DELETE", "id-desk", "contradictory"),
            None,
            Decision("ADD", links=(("id-tea", "related_to"),)),
        )

    def test_two_facts_cannot_rewrite_one_memory(self) -> None:
        """The second text knows nothing of the first; it stays undecided."""
        given = DecideInput(
            (NewFact("Bob drinks tea.", (TEA,)), NewFact("Bob likes tea.", (TEA,))), NOON
        )
        answer = [
            decision(number, "UPDATE", "m1", "contradictory", text="Bob drinks likes tea.")
            for number in (0, 1)
        ]
        first, second = run(DECIDE, given, {"decisions": answer}).value

        assert (first.action, second) == ("UPDATE", None)

    def test_the_model_is_told_which_links_there_are(self) -> None:
        """In the task and in the schema."""
        schema = json.dumps(DECIDE.response_model.model_json_schema())

        for kind in ("causes", "elaborates", "same_entity", "related_to", "contradicts"):
            assert f"{kind}: " in DECIDE.prompt(FACTS)[0]["content"]
            assert f'"{kind}"' in schema

    def test_the_prompt_shows_dates_and_only_short_ids(self) -> None:
        """Recency can be weighed (unified-update, problem 8); one memory has one name."""
        data = json.loads(
            DECIDE.prompt(FACTS)[1]["content"].removeprefix("<data>\n").removesuffix("\n</data>")
        )

        assert data["facts"][0]["candidates"] == [
            {
                "id": "m1",
                "text": "Bob uses a standing desk since 2024.",
                "category": "fact",
                "created": "2026-05-23",
                "updated": "2026-05-30",
                "about": None,
            }
        ]
        assert [shown["id"] for shown in data["facts"][2]["candidates"]] == ["m1", "m2"]

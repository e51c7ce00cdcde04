"""V9: what raises or lowers a score: entities, session, sub-tiers, mood, co-activation, uncertainty, anchors."""

from collections.abc import Iterator
from typing import Any

import pytest

import cogmem_core
from cogmem_core.changes import Actor, Retire, apply
from helpers.exact_memories import Shelf, retrieval, shelf
from helpers.tables import each_case_of

V9 = retrieval(cogmem_core.preset("v9"), mmr_lambda=1.0, hyde=False)
NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0), "Docker": (1.0, 0.0)}


@pytest.fixture
def v9() -> Iterator[Shelf]:
    with shelf(V9, NEAR) as found:
        yield found


class TestEntityBoost:
    """ "6. Entity boost: +0.1 per matching entity"."""

    @each_case_of("what_raises_or_lowers_a_score/each_entity_of_the_question_adds_a_tenth")
    def test_each_entity_of_the_question_adds_a_tenth(
        self, v9: Shelf, entities: tuple[str, ...], added: float
    ) -> None:
        """As much for each; one that the question does not name adds nothing."""
        memory_id = v9.know("near the harbour", entities=entities)
        assert v9.item("Docker and Redis notes", memory_id).contributions[
            "entity"
        ] == pytest.approx(added)

    def test_what_is_stated_names_as_much_as_what_is_said(self) -> None:
        """`add` and `remember` find the same entities; without a name there is none."""
        with cogmem_core.open(embedder="hashing") as engine:
            bank = engine.bank("alice")
            stated = bank.add("Our invoices are kept in PostgreSQL, behind Docker.")
            said = bank.remember("The archive is kept in PostgreSQL, behind Docker.").memories[0]
            assert stated.entities == ("entity://tech/postgresql", "entity://tech/docker")
            assert said.entities == stated.entities
            assert bank.add("The tea is cold.").entities == ()

    def test_it_lifts_a_memory_above_a_nearer_one(self, v9: Shelf) -> None:
        """0.1 is worth a quarter of the whole range of similarity."""
        v9.know("near the harbour", entities=("entity://tech/docker",))
        v9.know("near the lake")
        v9.know("far away")
        assert v9.texts("Docker notes")[0] == "near the harbour"


class TestSessionBoost:
    """ "7. Episode boost: +0.15 for same session episode"."""

    @pytest.mark.parametrize(
        ("asked_in", "added"), [("monday", 0.15), ("tuesday", 0.0), (None, 0.0)]
    )
    def test_the_same_session_adds(self, v9: Shelf, asked_in: str | None, added: float) -> None:
        """Only in the conversation that is going on."""
        memory_id = v9.know("near the lake", session_id="monday")
        item = v9.item("zulu", memory_id, session_id=asked_in)
        assert item.contributions["same_session"] == pytest.approx(added)

    def test_a_session_asks_for_itself(self, v9: Shelf) -> None:
        """`Session.recall` names its own conversation."""
        v9.know("near the lake", session_id="monday")
        with v9.bank.session("monday") as session:
            assert (
                session.recall("zulu", floor=0.0).results[0].contributions["same_session"] == 0.15
            )


class TestSubTiers:
    """ "Sub-Tier Classification"."""

    def test_the_tier_decides_which_table_counts(self, v9: Shelf) -> None:
        """An episodic memory with "always" in it is what the user said, not a schema of the agent's."""
        memory_id = v9.know(
            "She always rests near noon", tier="episodic", data_source="assistant_message"
        )
        assert "sub_tier" not in v9.item("zulu", memory_id).signals

    def test_it_comes_before_diversity(self) -> None:
        """ "before MMR re-ranking": of two equal texts the personal one is chosen, the other gives way."""
        with shelf(retrieval(V9, mmr_lambda=0.7), NEAR) as one:
            one.know("near the lake", data_source="federation")
            personal = one.know("near the lake, I said")
            assert one.ask("zulu", k=1).results[0].memory.id == personal


class TestMood:
    """ "Mood-Congruent Retrieval": score *= 1.1 if the valences have the same sign."""

    @each_case_of("what_raises_or_lowers_a_score/a_mood_that_the_message_shows")
    def test_a_mood_that_the_message_shows(self, v9: Shelf, message: str, favoured: str) -> None:
        """ "When user mood is detected from the current message": in the first person, EN and TR."""
        v9.know("near grief", valence=-0.6)
        v9.know("near joy", valence=0.6)
        assert [item.content for item in v9.ask(message).results if "mood" in item.signals] == [
            favoured
        ]

    def test_a_question_about_somebodys_misery_is_no_mood(self, v9: Shelf) -> None:
        """The mood is the user's, not that of what is asked about."""
        v9.know("near grief", valence=-0.6)
        assert "mood" not in v9.ask("Was zulu a terrible, awful disaster?").results[0].signals

    def test_a_mood_that_is_told_wins_over_the_shown_one(self, v9: Shelf) -> None:
        """The caller may know better."""
        memory_id = v9.know("near joy", valence=0.6)
        assert "mood" in v9.item("I feel terrible, zulu is awful", memory_id, mood=0.9).signals


class TestCoactivation:
    """ "Pairs with co-activation count >= 3 receive a retrieval boost (0.05) when either is a search result"."""

    def boosts(self, one: Shelf, *ids: str) -> list[float]:
        found = {
            item.memory.id: item.contributions["coactivation"] for item in one.ask("zulu").results
        }
        return [found[memory_id] for memory_id in ids]

    @pytest.mark.parametrize(
        ("uses", "weight", "added"), [(2, 0.19, 0.0), (3, 0.271, 0.05), (4, 0.3439, 0.05)]
    )
    def test_from_the_third_use_on_both_are_lifted(
        self, v9: Shelf, uses: int, weight: float, added: float
    ) -> None:
        """Weights after so many uses at learning rate 0.1: 1 - 0.9^uses."""
        assert weight == pytest.approx(1 - 0.9**uses)
        one, other, third = (
            v9.know("near the lake"),
            v9.know("near the pond"),
            v9.know("near the sea"),
        )
        v9.link(one, other, "co_activated", weight)
        assert self.boosts(v9, one, other, third) == [added, added, 0.0]

    def test_what_is_no_longer_used_together_loses_it(self, v9: Shelf) -> None:
        """0.3·exp(-days/90) falls below 0.25 between the 16th and the 17th day."""
        one, other = v9.know("near the lake"), v9.know("near the pond")
        v9.link(one, other, "co_activated", 0.3)
        v9.clock.advance(days=16)
        assert self.boosts(v9, one, other) == [0.05, 0.05]
        v9.clock.advance(days=1)
        assert self.boosts(v9, one, other) == [0.0, 0.0]

    def test_a_weak_pair_brings_nothing_in(self) -> None:
        """The boost is for what is found; only relations of 0.3 and more bring further memories."""
        with shelf(retrieval(V9, pool=1), NEAR) as one:
            ids = [one.know(f"near {number}") for number in range(3)]
            beyond = one.know("far away")
            one.link(ids[0], beyond, "co_activated", 0.271)
            weak = one.ask("zulu", k=1).missed(beyond)
            one.link(ids[0], beyond, "co_activated", 0.3439)
            strong = one.ask("zulu", k=1).missed(beyond)
        assert "no list brought it in" in weak
        assert "it was a candidate, but others were better" in strong


class TestTruthAnchors:
    """ "Two protection flags that override all forgetting and consolidation logic", as far as reading sees them."""

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    @pytest.mark.parametrize("state", ["dormant", "superseded"])
    def test_the_system_cannot_take_them_out_of_recall(
        self, v9: Shelf, flag: str, state: Any
    ) -> None:
        """ "Pinned memories survive strategic forgetting, capacity trim, and demotion"; the refusal is told."""
        memory_id = v9.know("near the lake", **{flag: True})
        with v9.engine.services.ledger.writing() as writer:
            retire = Retire(memory_id, state, "faded")
            applied = apply(writer, "alice", [retire], now=v9.clock(), actor=Actor("dream"))
        assert [refusal.reason for refusal in applied.refused] == [flag]
        assert v9.texts("zulu") == ["near the lake"]

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_being_protected_is_no_relevance(self, v9: Shelf, flag: str) -> None:
        """The flags keep a memory; they do not push it to the front of every answer."""
        v9.know("far away", **{flag: True})
        v9.know("near the lake")
        assert v9.texts("zulu") == ["near the lake", "far away"]

"""Agentos, "Retrieval Feedback Signal", with the preset of the document: what it does to decay, and what the nights
make of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of

AGENTOS = document("agentos")
HERON, ROBIN = "the heron nests by the lake", "the robin sings in the old oak"


@pytest.fixture
def agentos() -> Iterator[Home]:
    """The document's configuration: Ebbinghaus' curve, a stability of 5 days at an importance of 0.5."""
    with home(AGENTOS) as one:
        yield one


def answer(one: Home, question: str, text: str) -> dict[str, str]:
    """What an answer makes of each memory that was injected."""
    return {
        one.get(row.memory_id).content: row.signal
        for row in one.bank.feedback(one.ask(question), text)
    }


class TestDetection:
    """ "Detection Heuristic"."""

    def test_it_needs_no_model(self) -> None:
        """ "RetrievalFeedbackSignal | LLM Required | No": a model that is there is not asked."""
        model = ScriptedLLM()
        with home(AGENTOS, llm=model) as one:
            one.know(HERON)
            found = one.ask("heron")
            asked = len(model.calls)
            (row,) = one.bank.feedback(found, "A heron nests there.")
        assert (row.signal, len(model.calls)) == ("used", asked)

    @each_case_of("feedback_changes_decay/keywords_of_the_trace_in_the_response")
    def test_keywords_of_the_trace_in_the_response(
        self, agentos: Home, text: str, signal: str
    ) -> None:
        """ "Check how many of those keywords appear in the LLM's response text"; no response judges nothing."""
        agentos.know(HERON)
        assert answer(agentos, "heron", text).get(HERON, "none") == signal

    def test_words_that_only_contain_a_keyword_do_not_count(self, agentos: Home) -> None:
        """ "share found as words": "pineapple" does not mention an apple."""
        agentos.know("apple trees")
        assert answer(agentos, "apple", "pineapple, treesome") == {"apple trees": "ignored"}


class TestUsed:
    """ "'used' | updateOnRetrieval() — increases strength and stability, doubles reinforcement interval"."""

    def test_strength_is_whole_again(self, agentos: Home) -> None:
        """After 10 days e^(-10/5) = 0.1353 is left; used, it is 1."""
        heron = agentos.know(HERON, days=10)
        assert agentos.retention(heron) == pytest.approx(0.1353, abs=5e-5)
        agentos.use(heron)
        assert agentos.retention(heron) == 1.0

    def test_stability_grows(self, agentos: Home) -> None:
        """Ten days later more is left of what was used than there was before."""
        heron = agentos.know(HERON, days=10)
        agentos.use(heron)
        assert agentos.get(heron).stability > 5.0
        agentos.clock.advance(days=10)
        assert agentos.retention(heron) > 0.6

    def test_the_interval_doubles_each_time(self, agentos: Home) -> None:
        """ "doubles reinforcement interval": 1, 2, 4, 8 days."""
        heron = agentos.know(HERON)
        found = [agentos.get(heron).reinforcement_interval]
        for _ in range(3):
            agentos.clock.advance(days=1)
            agentos.use(heron)
            found.append(agentos.get(heron).reinforcement_interval)
        assert found == [1.0, 2.0, 4.0, 8.0]

    def test_what_was_used_outlives_the_prune_step(self, agentos: Home) -> None:
        """Both are 20 days old, above the 14.98 days at which a strength of 5 days falls below 0.05."""
        heron, robin = agentos.know(HERON, days=10), agentos.know(ROBIN, days=10)
        agentos.use(heron)
        agentos.clock.advance(days=10)
        agentos.dream()
        assert agentos.states(heron, robin) == ["active", "dormant"]


class TestIgnored:
    """ "'ignored' | penalizeUnused() — accelerates decay for repeatedly-ignored traces"."""

    @pytest.mark.parametrize(
        ("times", "stability"), [(0, 5.0), (1, 4.5), (2, 4.05), (3, 2.025), (4, 1.25), (9, 1.25)]
    )
    def test_decay_accelerates(self, agentos: Home, times: int, stability: float) -> None:
        """A tenth at first, half from the third time in a row, a quarter of the first stability is always left."""
        heron = agentos.know(HERON)
        agentos.ignore(heron, times)
        assert agentos.get(heron).stability == pytest.approx(stability)

    def test_the_same_days_leave_less(self, agentos: Home) -> None:
        """ "accelerates decay": after 5 days e^(-5/2.025) = 0.0847 instead of e^(-5/5) = 0.3679."""
        heron, robin = agentos.know(HERON), agentos.know(ROBIN)
        agentos.ignore(heron, 3)
        agentos.clock.advance(days=5)
        assert agentos.retention(heron) == pytest.approx(0.0847, abs=5e-5)
        assert agentos.retention(robin) == pytest.approx(0.3679, abs=5e-5)

    @pytest.mark.parametrize(
        ("days", "states"), [(6.0, ["active", "active"]), (6.1, ["dormant", "active"])]
    )
    def test_what_was_ignored_is_pruned_sooner(
        self, agentos: Home, days: float, states: list[str]
    ) -> None:
        """At a stability of 2.025 days the strength falls below 0.05 after 6.07 days instead of 14.98."""
        heron, robin = agentos.know(HERON), agentos.know(ROBIN)
        agentos.ignore(heron, 3)
        agentos.clock.advance(days=days)
        agentos.dream()
        assert agentos.states(heron, robin) == states

    def test_one_use_ends_the_streak(self, agentos: Home) -> None:
        """ "repeatedly-ignored": the third in a row halves it, the third with a use in between does not."""
        heron = agentos.know(HERON)
        agentos.ignore(heron, 2)
        agentos.use(heron)
        before = agentos.get(heron).stability
        agentos.ignore(heron)
        assert agentos.get(heron).stability == pytest.approx(before * 0.9)

    def test_ignoring_deletes_nothing(self, agentos: Home) -> None:
        """It decays; only a night puts it away."""
        heron = agentos.know(HERON)
        agentos.ignore(heron, 20)
        assert agentos.states(heron) == ["active"]


class TestPersistence:
    """ "Each feedback event is written synchronously to the retrieval_feedback table"."""

    def test_events_outlive_the_process(self, tmp_path: Path) -> None:
        """ "in the agent's brain database": signal, query and time are there when it is opened again."""
        clock = FrozenClock()
        with cogmem_core.open(
            tmp_path / "brain", embedder="hashing", clock=clock, config=AGENTOS
        ) as engine:
            one = Home(engine, engine.bank("alice"), clock)
            ids = [one.know(HERON), one.know(ROBIN)]
            signals = answer(one, "heron robin", "The heron nests.")
        assert signals == {HERON: "used", ROBIN: "ignored"}
        with cogmem_core.open(
            tmp_path / "brain", embedder="hashing", clock=clock, config=AGENTOS
        ) as engine:
            with engine.services.ledger.whole() as reader:
                rows = {
                    row.memory_id: (row.signal, row.query, row.at)
                    for row in reader.at("alice").feedback.all()
                }
            counted = engine.bank("alice").health()["feedback"]
        assert rows == {
            ids[0]: ("used", "heron robin", clock()),
            ids[1]: ("ignored", "heron robin", clock()),
        }
        assert counted == {"used": 1, "ignored": 1, "unjudged": 0}

    def test_co_usage_waits_on_disk_for_the_next_cycle(self, tmp_path: Path) -> None:
        """ "Read retrieval-feedback co-usage signals from the retrieval_feedback table": also those of before."""
        clock = FrozenClock()
        with cogmem_core.open(
            tmp_path / "brain", embedder="hashing", clock=clock, config=AGENTOS
        ) as engine:
            one = Home(engine, engine.bank("alice"), clock)
            one.use(one.know(HERON), one.know(ROBIN))
        with cogmem_core.open(
            tmp_path / "brain", embedder="hashing", clock=clock, config=AGENTOS
        ) as engine:
            assert Home(engine, engine.bank("alice"), clock).dream().strengthened == 1


class TestWhatTheNightMakesOfIt:
    """The three components "work together"."""

    @pytest.mark.parametrize(("times", "tier"), [(2, "episodic"), (3, "semantic")])
    @pytest.mark.parametrize("used", [True, False])
    def test_three_retrievals_compact_an_old_trace(
        self, agentos: Home, used: bool, times: int, tier: str
    ) -> None:
        """ "Retrieval count | >= 3" and "> 7 days": a retrieval counts, whatever came of it."""
        heron = agentos.know(HERON, days=8, stability=50.0)
        if used:
            agentos.use(heron, times=times)
        else:
            agentos.ignore(heron, times)
        agentos.dream()
        assert agentos.get(heron).tier == tier

    def test_what_was_ignored_is_not_bound(self, agentos: Home) -> None:
        """ "co-usage": found by the same question, used in no common answer."""
        heron, robin = agentos.know(HERON), agentos.know(ROBIN)
        assert answer(agentos, "heron robin", "The heron nests.") == {
            HERON: "used",
            ROBIN: "ignored",
        }
        assert (agentos.dream().strengthened, agentos.links("co_activated")) == (0, [])
        agentos.use(heron, robin)
        assert agentos.dream().strengthened == 1

    def test_an_insight_grows_out_of_common_uses(self) -> None:
        """Feedback → CO_ACTIVATED edges → cluster of five → insight. Edges fade, so two uses leave just under 0.2."""
        with home(
            AGENTOS, llm=ScriptedLLM(default={"text": "the birds all nest near the lake"})
        ) as one:
            ids = [
                one.know(f"the {bird} nests near the lake")
                for bird in ("heron", "robin", "stork", "crane", "egret")
            ]
            found = []
            for _ in range(4):
                one.clock.advance(minutes=1)
                one.use(*ids)
                found.append(one.dream("synaptic_replay", "insights").derived)
            assert found == [0, 0, 1, 0]
            assert {round(edge.weight, 3) for edge in one.links("co_activated")} == {0.4}
            assert {edge.source_id for edge in one.links("schema_instance")} == set(ids)

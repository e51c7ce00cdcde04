"""Agentos, "Retrieval Feedback Signal", with the preset of the document: what it does to decay, and what the nights
make of it."""

from collections.abc import Iterator

import pytest

from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home

AGENTOS = document("agentos")
HERON, ROBIN = "the heron nests by the lake", "the robin sings in the old oak"


@pytest.fixture
def agentos() -> Iterator[Home]:
    """The document's configuration: Ebbinghaus' curve, a stability of 5 days at an importance of 0.5."""
    with home(AGENTOS) as one:
        yield one


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


class TestUsed:
    """ "'used' | updateOnRetrieval() — increases strength and stability, doubles reinforcement interval"."""

    def test_strength_is_whole_again(self, agentos: Home) -> None:
        """After 10 days e^(-10/5) = 0.1353 is left; used, it is 1."""
        heron = agentos.know(HERON, days=10)
        assert agentos.retention(heron) == pytest.approx(0.1353, abs=5e-5)
        agentos.use(heron)
        assert agentos.retention(heron) == 1.0

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


class TestWhatTheNightMakesOfIt:
    """The three components "work together"."""

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

"""Unified-update: short-term promotion (tier 1), forgetting (tier 3), the hygiene pass (tier 4), with the preset.

The problems that these tiers answer to are 6 ("only promotes") and 9 ("no decay"); tier 1's decisions at write time
are in `test_unified_update`.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core.testing import ScriptedLLM
from helpers.dreaming_bank import Home, document, home
from helpers.tables import each_case_of, each_row

UNIFIED = document("unified-update")
CAT = "The cat of User sleeps on the old sofa"
AIRPORT = "I'm at the airport in Lisbon right now"
FACT = "User is at the airport in Lisbon right now"


@pytest.fixture
def unified() -> Iterator[Home]:
    """The document's configuration, without a language model."""
    with home(UNIFIED) as one:
        yield one


def passing(one: Home) -> str:
    """A fact of the hour, as it is taken in; its id."""
    one.bank.remember(AIRPORT, mode="semantic")
    (fact,) = [memory for memory in one.bank.list() if memory.valid_until is not None]
    assert (fact.content, fact.valid_until) == (FACT, one.clock() + timedelta(hours=48))
    return fact.id


def on_probation(one: Home) -> int:
    with one.engine.services.ledger.whole() as reader:
        return len(reader.at("alice").synaptic_tags.short_term())


class TestShortTermPromotion:
    """ "Consolidation ... promotes surviving short-term → long-term and deletes expired rows"."""

    @pytest.mark.parametrize("proof", [{"importance": 0.6}, {"access_count": 2}])
    def test_what_proved_its_worth_becomes_long_term(
        self, unified: Home, proof: dict[str, Any]
    ) -> None:
        """ "promotes surviving short-term → long-term": without an end, for good."""
        fact = passing(unified)
        unified.change(cogmem_core.changes.Touch(fact, proof, "as the test needs it"))
        assert unified.dream().total("kept") == 1
        unified.clock.advance(days=3)
        unified.dream()
        kept = unified.get(fact)
        assert (kept.state, kept.valid_until, kept.temporal_type) == ("active", None, "persistent")
        assert on_probation(unified) == 0

    @pytest.mark.parametrize(
        ("hours", "state", "rows"), [(47.9, "active", 1), (48.0, "superseded", 0)]
    )
    def test_what_did_not_leaves_when_its_time_is_over(
        self, unified: Home, hours: float, state: str, rows: int
    ) -> None:
        """ "deletes expired rows": the row goes, the memory is archived, the turn stays."""
        fact = passing(unified)
        unified.clock.advance(hours=hours)
        unified.dream()
        assert (unified.states(fact), on_probation(unified)) == ([state], rows)
        assert [memory.content for memory in unified.bank.list() if memory.id != fact] == [AIRPORT]

    def test_a_failing_model_keeps_nothing_on_probation(self) -> None:
        """ "deleted from the short-term buffer once promoted or expired, also when the LLM fails"."""
        with home(UNIFIED, llm=ScriptedLLM(default=RuntimeError("refused"))) as one:
            passing(one)
            one.clock.advance(hours=48)
            assert (one.dream().expired, on_probation(one)) == (1, 0)

    @each_row("name", ["agentos", "v9", "unified-update", "cognitive-memory", "default"])
    def test_probation_ends_in_every_document(self, name: str) -> None:
        """Whoever takes in facts of the hour has to let them go: none is left behind as active and out of date."""
        with home(document(name)) as one:
            fact = passing(one)
            one.clock.advance(hours=48)
            one.dream()
            assert (one.states(fact), on_probation(one)) == (["superseded"], 0)


class TestTier3:
    """ "Decay/archive cold, low-importance memories instead of unbounded growth (fixes #9)"."""

    def test_recall_reinforces(self, unified: Home) -> None:
        """ "Reinforce on recall (bump last_accessed/access_count)"."""
        cat = unified.know(CAT, days=10)
        unified.bank.recall("cat sofa")
        unified.engine.resume()
        unified.engine.flush()
        memory = unified.get(cat)
        assert (memory.access_count, memory.last_retrieved_at) == (1, unified.clock())
        assert unified.retention(cat) == 1.0

    @each_case_of("short_term_expires_or_stays/cold_memories_are_archived_unimportant_ones_sooner")
    def test_cold_memories_are_archived_unimportant_ones_sooner(
        self, unified: Home, importance: float, days: float, state: str
    ) -> None:
        """ "cold, low-importance": half of it is left after 75, 150 and 226 days at an importance of 0, 0.5 and 1."""
        cat = unified.know(CAT, days=days, importance=importance)
        unified.dream()
        assert unified.states(cat) == [state]

    def test_what_was_recalled_lately_is_not_cold(self, unified: Home) -> None:
        """Of two equal facts the one that was recalled a month ago stays."""
        cold, warm = unified.know("The lift was slow", days=170), unified.know(CAT, days=170)
        unified.clock.advance(days=-30)
        unified.bank.recall("cat sofa", k=1)
        unified.engine.resume()
        unified.engine.flush()
        unified.engine.pause()
        unified.clock.advance(days=30)
        unified.dream()
        assert unified.states(cold, warm) == ["dormant", "active"]

    def test_growth_is_bounded_by_use(self, unified: Home) -> None:
        """ "instead of unbounded growth": a fact a week for two years; what is left is what is not cold."""
        for week in range(104):
            unified.know(f"note {week}", days=7.0 * (104 - week))
        unified.dream()
        assert (unified.bank.count(), unified.bank.count(state="any")) == (21, 104)


class TestTier4:
    """ "Long-term hygiene pass"; problem 6: "Never merges existing long-term duplicates or prunes stale ones"."""

    def test_stale_ones_are_pruned_in_the_same_pass(self, unified: Home) -> None:
        """ "or prunes stale ones — long-term only grows": one pass for both, which is safe to repeat."""
        unified.know("The lift was slow", days=200)
        unified.know(CAT, days=3)
        unified.know(CAT, days=1)
        report = unified.dream()
        assert (report.pruned, report.merged, unified.bank.count()) == (1, 1, 1)
        assert unified.dream().changes == ()

"""V9 while writing: uncertainty tracking, the two temporal dimensions, truth anchors."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.models import Memory
from cogmem_core.testing import MANUAL, FrozenClock, GivenVectors, ScriptedLLM
from helpers.model_answers import decided, formed
from helpers.tables import each_case_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MORE = "I play chess with my brother"

ENGINE = {"embedder": "minilm", "paused": True}


@pytest.fixture
def near(clock: FrozenClock) -> Iterator[MemoryBank]:
    """Whatever is said about chess is 0.8 like "I play chess"."""
    vectors = {MORE: [0.8, 0.6], "I play chess": [1.0, 0.0]}
    with cogmem_core.open(embedder=GivenVectors(vectors), clock=clock, config=MANUAL) as engine:
        engine.pause()
        yield engine.bank("alice")


def said(bank: MemoryBank, text: str, **more: Any) -> Memory:
    return bank.remember(text, **more).memories[0]


def links(bank: MemoryBank, memory: Memory) -> set[tuple[str, str]]:
    return {
        (link.type, link.target_id)
        for link in bank.relations(memory.id)
        if link.source_id == memory.id
    }


class TestUncertainty:
    """ "Source confidence ... Write source and data source track full provenance chain."."""

    def test_source_confidence_is_propagated_from_the_observer(self, bank: MemoryBank) -> None:
        """B3: "Source confidence now propagated to stored memories": plain, less plain, hardly anything."""
        found = [
            said(bank, text)
            for text in ("Actually, I live in Oslo", "I drink oat milk", "The cat sat quietly")
        ]
        assert [memory.source_confidence for memory in found] == [0.7, 0.25, 0.25]
        assert all(0.0 <= bank.get(memory.id).source_confidence <= 1.0 for memory in found)

    def test_write_source_tells_how_it_was_written(self, bank: MemoryBank) -> None:
        """ "writeSource: "observer" | "formation" | "dream" | "manual""."""
        assert said(bank, "I moved to Lisbon").write_source == "observer"
        assert said(bank, "I play the cello", mode="semantic").write_source == "formation"
        assert bank.add("Tea").write_source == "manual"

    @each_case_of("doubts_and_two_times/data_source_tells_who_said_it")
    def test_data_source_tells_who_said_it(
        self, bank: MemoryBank, role: Any, source: str, trust: float
    ) -> None:
        """ "dataSource: "user_message" | "assistant_message" | "system" | "federation""."""
        memory = said(bank, "We decided to move to Berlin", role=role, mode="raw")
        assert (memory.data_source, memory.trust) == (source, trust)


class TestTemporalDimensions:
    """ "Every memory carries two temporal dimensions"."""

    def test_recorded_at_is_when_it_was_said(self, bank: MemoryBank) -> None:
        """ "recordedAt: When system stored it": said and learnt are both kept."""
        memory = said(bank, "I moved to Lisbon", at=NOON - 30 * DAY)
        assert (memory.recorded_at, memory.created_at) == (NOON - 30 * DAY, NOON)

    @pytest.mark.parametrize(
        ("text", "since"),
        [
            ("I have lived in Lisbon since May 2019", datetime(2019, 5, 1, tzinfo=timezone.utc)),
            ("I moved to Lisbon yesterday", datetime(2026, 5, 31, tzinfo=timezone.utc)),
            ("I live in Lisbon", NOON),
            ("The exam in Lisbon is on Friday", NOON),
        ],
    )
    def test_valid_from_is_when_it_became_true(
        self, bank: MemoryBank, text: str, since: datetime
    ) -> None:
        """ "validFrom: When information became true": the past time that it names, else when it was said."""
        assert said(bank, text).valid_from == since

    def test_the_older_one_ends_when_the_newer_one_began(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """ "validUntil: When it stops being true": when she moved, not when she spoke of it."""
        old = said(bank, "I live in Lisbon")
        clock.advance(days=30)
        said(bank, "I moved to Porto yesterday")
        assert bank.get(old.id).valid_until == datetime(2026, 6, 30, tzinfo=timezone.utc)

    def test_no_memory_ends_before_it_begins(self, bank: MemoryBank) -> None:
        """The newer one dates from before the older: the end is not before the start."""
        old = said(bank, "I live in Lisbon", at=NOON - HOUR)
        said(bank, "I moved to Porto yesterday", at=NOON)
        kept = bank.get(old.id)
        assert (kept.state, kept.valid_from, kept.valid_until) == ("superseded", NOON - HOUR, NOON)

    def test_what_happened_before_is_no_end_before_the_beginning(self, bank: MemoryBank) -> None:
        """Who says today that he moved on 3 May no longer lives where he said yesterday."""
        old = said(bank, "I live in Lisbon", at=NOON - DAY)
        said(bank, "I moved to Porto on 3 May", at=NOON)
        kept = bank.get(old.id)
        assert (kept.state, kept.valid_from, kept.valid_until) == ("superseded", NOON - DAY, NOON)

    def test_a_move_of_an_earlier_year_ends_nothing(self, bank: MemoryBank) -> None:
        """Who lives in Lisbon now may have moved to Porto in 2019: it tells of the past."""
        old = said(bank, "I live in Lisbon", at=NOON - DAY)
        new = said(bank, "I moved to Porto in 2019", at=NOON)
        kept = bank.get(old.id)
        assert (kept.state, kept.valid_from, kept.valid_until) == ("active", NOON - DAY, None)
        assert bank.get(new.id).state == "active"


class TestTruthAnchors:
    """ "Two protection flags that override all forgetting and consolidation logic"."""

    @pytest.mark.parametrize(
        "flags", [{"pinned": True}, {"immutable": True}, {"pinned": True, "immutable": True}]
    )
    def test_protected_memories_are_not_merged_into(
        self, near: MemoryBank, flags: dict[str, bool]
    ) -> None:
        """ "Immutable memories additionally cannot be modified by UPDATE": the new fact stands beside, linked."""
        old = near.add("I play chess", **flags)
        report = near.remember(MORE)
        assert (near.get(old.id).content, near.get(old.id).version) == ("I play chess", 1)
        assert report.receipts[0].status == "stored"
        assert links(near, report.memories[0]) == {("elaborates", old.id)}

    @pytest.mark.parametrize("flags", [{"pinned": True}, {"immutable": True}])
    def test_protected_memories_are_not_superseded(
        self, bank: MemoryBank, flags: dict[str, bool]
    ) -> None:
        """ "User-protected", "System-protected": both sides stay, and the conflict is on record."""
        old = bank.add("I live in Lisbon", **flags)
        new = said(bank, "I moved to Porto")
        assert (bank.get(old.id).state, bank.get(new.id).state) == ("active", "active")
        assert links(bank, new) == {("contradicts", old.id)}

    @pytest.mark.parametrize("flags", [{"pinned": True}, {"immutable": True}])
    def test_saying_it_again_still_strengthens(
        self, near: MemoryBank, flags: dict[str, bool]
    ) -> None:
        """Protection is against change and forgetting, not against memory."""
        old = near.add("I play chess", **flags)
        assert near.remember("I play chess").receipts[0].status == "reinforced"
        assert near.get(old.id).access_count == 1

    @pytest.mark.parametrize("flags", [{"pinned": True}, {"immutable": True}])
    @pytest.mark.parametrize(
        ("action", "relation"), [("UPDATE", "subsumes"), ("DELETE", "contradictory")]
    )
    def test_no_model_changes_what_is_protected(
        self, clock: FrozenClock, flags: dict[str, bool], action: str, relation: str
    ) -> None:
        """ "override all ... logic": neither UPDATE nor DELETE of a model touches it."""
        llm = ScriptedLLM(formed(MORE), decided(action, "m1", relation=relation, text=MORE))
        vectors = {MORE: [0.8, 0.6], "I play chess": [1.0, 0.0]}
        with cogmem_core.open(
            embedder=GivenVectors(vectors), clock=clock, llm=llm, config=MANUAL
        ) as engine:
            bank = engine.bank("alice")
            old = bank.add("I play chess", **flags)
            report = bank.remember([Turn(MORE)])
            assert (report.degraded, len(llm.calls)) == ((), 2)
            assert (bank.get(old.id).content, bank.get(old.id).state) == ("I play chess", "active")
            assert bank.get(report.memories[0].id).content == MORE

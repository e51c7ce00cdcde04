"""V9, synaptic tagging and capture, and the emotional memory system, through `bank.remember`."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core import Engine, MemoryBank
from cogmem_core.models import Memory, SynapticTag
from cogmem_core.testing import FrozenClock
from helpers.tables import each_case_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
WEAK = "The cello stands in the corner"
FIRE = "Our house is on fire, I'm panicking, HELP US NOW!!!"
FIRE_TR = "Evimiz yanıyor, panikteyim, HEMEN YARDIM EDİN!!!"
CRASH = "I had a car accident today, I'm terrified!!!"

ENGINE = {"embedder": "hashing", "paused": True}


def said(bank: MemoryBank, text: str, session: str | None = "s", **more: Any) -> Memory:
    return bank.remember(text, session_id=session, **more).memories[0]


def tags(engine: Engine, namespace: str = "alice") -> dict[str, SynapticTag]:
    with engine.services.ledger.whole() as reader:
        return {tag.memory_id: tag for tag in reader.at(namespace).synaptic_tags.all()}


class TestTagging:
    """ "Tagging: When a memory is stored with importance < 0.5 (weak), it receives a synaptic tag"."""

    def test_a_weak_memory_receives_a_tag(self, engine: Engine, bank: MemoryBank) -> None:
        """ "interface SynapticTag: memoryId, taggedAt, ttlMs (4 hours default), sessionId, captured"."""
        memory = said(bank, WEAK)
        assert memory.importance < 0.5
        assert tags(engine) == {
            memory.id: SynapticTag(memory.id, "s", NOON, NOON + 4 * HOUR, captured=False)
        }

    def test_a_memory_that_is_not_weak_receives_none(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """ "importance < 0.5": a decision with a name in it is worth 0.50."""
        memory = said(bank, "We decided to move to Berlin")
        assert 0.5 <= memory.importance < 0.7
        assert tags(engine) == {}

    def test_outside_a_session_there_is_no_tag(self, engine: Engine, bank: MemoryBank) -> None:
        """ "sessionId: string": without one nothing could capture it."""
        said(bank, WEAK, session=None)
        assert tags(engine) == {}


class TestCapture:
    """ "Capture: If a strong memory (importance >= 0.7) is stored within the tag TTL, ..."."""

    def test_a_strong_memory_stabilises_the_tagged_ones_of_its_session(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """ "all tagged memories in the same session get a stability boost (x1.3)"; "captured: true once stabilized"."""
        weak = [said(bank, WEAK), said(bank, "The window is open a little")]
        strong = said(bank, FIRE)
        assert strong.importance >= 0.7
        for memory in weak:
            assert bank.get(memory.id).stability == pytest.approx(memory.stability * 1.3)
            assert tags(engine)[memory.id].captured

    def test_another_session_is_not_touched(self, engine: Engine, bank: MemoryBank) -> None:
        """ "in the same session"."""
        weak = said(bank, WEAK, session="other")
        said(bank, FIRE)
        assert bank.get(weak.id).stability == weak.stability
        assert not tags(engine)[weak.id].captured

    def test_another_namespace_with_the_same_session_is_not_touched(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Principle 6."""
        weak = said(engine.bank("bob"), WEAK)
        said(bank, FIRE)
        assert engine.bank("bob").get(weak.id).stability == weak.stability

    @pytest.mark.parametrize(("hours", "factor"), [(3.999, 1.3), (4.0, 1.0), (5.0, 1.0)])
    def test_a_tag_lives_for_four_hours(
        self, bank: MemoryBank, clock: FrozenClock, hours: float, factor: float
    ) -> None:
        """ "with a 4-hour TTL": by the engine's clock; at its end it is over."""
        weak = said(bank, WEAK)
        clock.advance(hours=hours)
        said(bank, FIRE)
        assert bank.get(weak.id).stability == pytest.approx(weak.stability * factor)

    def test_a_tag_is_captured_once(self, bank: MemoryBank) -> None:
        """ "S x 1.3, once": two alarms in a row do not multiply."""
        weak = said(bank, WEAK)
        said(bank, FIRE)
        said(bank, CRASH)
        assert bank.get(weak.id).stability == pytest.approx(weak.stability * 1.3)

    def test_order_inside_one_batch_counts(self, bank: MemoryBank) -> None:
        """What comes after the strong event waits for the next one."""
        before, _, after = bank.remember(
            [WEAK, FIRE, "The window is open a little"], session_id="s"
        ).memories
        stored = {memory.id: bank.get(memory.id) for memory in (before, after)}
        assert stored[before.id].stability == pytest.approx(
            stored[before.id].initial_stability * 1.3
        )
        assert stored[after.id].stability == stored[after.id].initial_stability

    def test_capture_is_in_the_memorys_history(self, bank: MemoryBank) -> None:
        """Principle 1: always explain; nothing but the stability changes."""
        weak = said(bank, WEAK)
        said(bank, FIRE)
        assert [change.reason for change in bank.history(weak.id).changes] == ["new", "captured"]
        assert bank.get(weak.id).access_count == 0
        assert bank.get(weak.id).version == 1


class TestEmotion:
    """ "Detects emotional valence and arousal in messages, creating differentiated memory handling"."""

    @each_case_of("strong_moments_and_moods/valence_and_category_are_stored", "en tr")
    def test_valence_and_category_are_stored(
        self, bank: MemoryBank, text: str, sign: int, label: str
    ) -> None:
        """ "Valence: positive/negative keyword lists (EN + TR)"; "Category: joy, anger, fear, ... (Ekman basic)"."""
        memory = said(bank, text)
        assert (memory.valence * sign > 0.2, memory.emotion) == (True, label)

    def test_arousal_and_intensity_are_stored(self, bank: MemoryBank) -> None:
        """ "Arousal: Exclamation marks, caps, urgency words, profanity"."""
        calm, loud = (
            said(bank, "They left Porto with Emma"),
            said(bank, "Tom LOST his keys in Rome, urgent, DAMN!!!"),
        )
        assert calm.arousal < 0.1
        assert loud.arousal >= 0.6
        assert 0.0 <= calm.intensity < loud.intensity <= 1.0

    def test_detection_costs_no_model(self, bank: MemoryBank) -> None:
        """ "Pattern-based detection (no LLM cost) across EN and TR"."""
        report = bank.remember([FIRE, FIRE_TR])
        assert report.llm_calls == 0
        assert [memory.emotion for memory in report.memories] == ["fear", "fear"]

    def test_strong_feelings_last_longer(self, bank: MemoryBank) -> None:
        """ "differentiated memory handling": initial S times (1 + intensity)."""
        memory = said(bank, "I am furious about the noise in Porto")
        expected = 1.0 * (0.5 + memory.importance) * (1.0 + memory.intensity)
        assert (memory.category, memory.intensity > 0.2) == ("other", True)
        assert memory.stability == pytest.approx(expected)


class TestFlashbulb:
    """ "High-arousal events (arousal >= 0.8) create flashbulb memories — vivid, persistent, protected"."""

    @pytest.mark.parametrize("text", [FIRE, FIRE_TR, CRASH])
    def test_high_arousal_makes_a_flashbulb(self, bank: MemoryBank, text: str) -> None:
        """ "Tag: flashbulb: true"; "Pinned: true (immune to forgetting)"."""
        memory = said(bank, text)
        assert memory.arousal >= 0.8
        assert (memory.flashbulb, memory.pinned) == (True, True)
        assert bank.get(memory.id).flashbulb

    @each_case_of("strong_moments_and_moods/ordinary_turns_make_none")
    def test_ordinary_turns_make_none(self, bank: MemoryBank, text: str) -> None:
        """ "arousal >= 0.8"."""
        memory = said(bank, text)
        assert memory.arousal < 0.8
        assert (memory.flashbulb, memory.pinned) == (False, False)

    def test_importance_is_at_least_09(self, bank: MemoryBank) -> None:
        """ "Importance: min 0.9 (overrides calculated importance if lower)"."""
        assert said(bank, FIRE).importance == 0.9

    def test_stability_is_boosted_by_15(self, bank: MemoryBank) -> None:
        """ "Stability: x1.5 boost (enhanced encoding)"."""
        memory = said(bank, FIRE)
        usual = 5.0 * (0.5 + 0.9) * (1.0 + memory.intensity)
        assert memory.category == "fact"
        assert memory.stability == memory.initial_stability == pytest.approx(usual * 1.5)

    def test_a_flashbulb_is_never_passing(self, bank: MemoryBank) -> None:
        """ "vivid, persistent": not even if it says "right now"."""
        text = "I am in a car accident right now, I'm terrified, HELP NOW!!!"
        memories = bank.remember(text, mode="semantic").memories
        assert any(memory.flashbulb for memory in memories)
        assert {memory.valid_until for memory in memories if memory.flashbulb} == {None}

    def test_a_calm_memory_becomes_one_when_it_is_said_in_terror(self, bank: MemoryBank) -> None:
        """ "High-arousal events (arousal >= 0.8) create flashbulb memories": also where the words are known already."""
        calm = said(bank, "I had a car accident, help")
        report = bank.remember("I HAD A CAR ACCIDENT, HELP!!!", session_id="s")
        memory = bank.get(calm.id)
        assert report.receipts[0].status == "reinforced"
        assert (memory.arousal >= 0.8, memory.flashbulb, memory.pinned, memory.importance) == (
            True,
            True,
            True,
            0.9,
        )
        assert memory.stability == pytest.approx(calm.stability * 1.02 * 1.5)

    def test_a_flashbulb_survives_a_contradiction(self, bank: MemoryBank) -> None:
        """ "automatically protected": it is linked, not retired."""
        memory = said(bank, "I LIVE IN LISBON, HELP ME NOW, I'm terrified, the house is on fire!!!")
        said(bank, "I moved to Porto")
        assert bank.get(memory.id).state == "active"

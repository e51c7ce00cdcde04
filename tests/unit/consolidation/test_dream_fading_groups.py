"""Step 11 of the dream cycle: which fading memories belong together, and which are left alone (cognitive-memory)."""

import pytest

from cogmem_core.config import FadingConfig
from cogmem_core.testing import FrozenClock
from helpers.fading_hikes import HIKES, hiked
from helpers.step_modules import step_module
from helpers.store_kinds import touched
from unit.helpers.derived_memories import Opener, alive, derived, ran


class TestGroups:
    def test_members_resemble_the_first_one(self, opened: Opener, clock: FrozenClock) -> None:
        """Cognitive-memory, 3: similarity to mem_i: path and track are both 0.8 to trail, though 0.28 to each other."""
        bank = opened()
        hiked(bank, clock, "trail 1", "path 2", "track 3", "path 4", "track 5", "tea 6")
        ran(bank, "fading")

        assert (
            derived(bank, "summary")[0].content
            == "Summary: trail 1 | path 2 | track 3 | path 4 | track 5"
        )
        assert alive(bank) == ["tea 6"]

    def test_what_resembles_only_another_member_stays_out(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """The first is a path: tracks are 0.28 to it."""
        bank = opened()
        hiked(bank, clock, "path 1", "track 2", "trail 3", "track 4", "track 5")

        assert ran(bank, "fading").changes == ()

    def test_categories_are_not_mixed(self, opened: Opener, clock: FrozenClock) -> None:
        """Cognitive-memory, 2: "Only memories of the same category are consolidated together"."""
        bank = opened()
        for number in range(6):
            bank.add(f"trail {number}", category="decision" if number % 2 else "fact")
        clock.advance(days=100)

        assert ran(bank, "fading").changes == ()

    def test_episodic_and_semantic_are_not_mixed(self, opened: Opener, clock: FrozenClock) -> None:
        """Cognitive-memory, 2: "Episodic memories consolidate with episodic, semantic with semantic"."""
        bank = opened()
        for number in range(6):
            bank.add(f"trail {number}", tier="semantic" if number % 2 else "episodic")
        clock.advance(days=4_000)

        assert ran(bank, "fading").changes == ()

    def test_the_groups_of_a_cycle_are_bounded(
        self, opened: Opener, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """ "each with a bound"; the next cycle goes on."""
        monkeypatch.setattr(step_module("fading"), "GROUPS", 1)
        bank = opened(fading=FadingConfig(rules=True))
        hiked(bank, clock, *(f"trail {number}" for number in range(10)))

        assert [ran(bank, "fading").consolidated for _ in range(3)] == [5, 5, 0]

    def test_only_the_most_faded_are_looked_at(
        self, opened: Opener, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Six candidates, of which the five most faded ones are taken: the first is stronger."""
        monkeypatch.setattr(step_module("fading"), "CANDIDATES", 5)
        bank = opened(fading=FadingConfig(rules=True))
        first = hiked(bank, clock, *(f"trail {number}" for number in range(6)))[0]
        touched(bank, first, stability=first.stability * 2)
        ran(bank, "fading")

        assert alive(bank) == ["trail 0"]

    @pytest.mark.parametrize(
        "texts", [(), ("trail 1",), ("nothing 1", "nothing 2", "nothing 3", "nothing 4", "x 5")]
    )
    def test_too_little_comes_to_nothing(
        self, opened: Opener, clock: FrozenClock, texts: tuple[str, ...]
    ) -> None:
        """An empty namespace, one memory, memories whose vectors are zero."""
        bank = opened()
        for text in texts:
            bank.add(text)
        clock.advance(days=100)

        assert ran(bank, "fading").steps["fading"].counts == {}


class TestProtection:
    @pytest.mark.parametrize("flags", [{"pinned": True}, {"immutable": True}])
    def test_truth_anchors_stay(
        self, opened: Opener, clock: FrozenClock, flags: dict[str, bool]
    ) -> None:
        """ "pinned survives 8-11", "immutable in addition is never edited, merged or summarised"."""
        bank = opened()
        hiked(bank, clock, *HIKES[:4])
        bank.add(HIKES[4], **flags)  # type: ignore[arg-type]
        clock.advance(days=100)

        assert ran(bank, "fading").changes == ()

    def test_permanent_categories_stay(self, opened: Opener, clock: FrozenClock) -> None:
        """ "permanent categories never age out"."""
        bank = opened()
        hiked(bank, clock, category="preference")

        assert ran(bank, "fading").changes == ()

    def test_what_has_not_faded_stays(self, opened: Opener, clock: FrozenClock) -> None:
        """Retention below 0.60 fades on the default curve; after a day it is above."""
        bank = opened()
        hiked(bank, clock)
        assert ran(bank, "fading", dry_run=True).consolidated == 5
        clock.advance(days=-99)

        assert ran(bank, "fading").changes == ()

    def test_summaries_are_not_summarised(self, opened: Opener, clock: FrozenClock) -> None:
        """They would lose what they stand for."""
        bank = opened()
        hiked(bank, clock, *(f"trail {number}" for number in range(25)))
        ran(bank, "fading")
        clock.advance(days=4_000)

        assert len(derived(bank, "summary")) == 5
        assert ran(bank, "fading").changes == ()

    def test_a_long_text_is_left_alone(self, opened: Opener, clock: FrozenClock) -> None:
        """Five documents strung together would be no summary."""
        bank = opened()
        hiked(bank, clock, *HIKES[:4], f"trail {'x' * 4_000}")

        assert ran(bank, "fading").changes == ()

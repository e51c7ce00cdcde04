"""Cascade: a derived memory whose ground changed is made again, or goes with it."""

from itertools import combinations
from typing import Any

import pytest

from cogmem_core import Memory, MemoryBank
from cogmem_core.changes import Retire
from cogmem_core.config import ThemeConfig
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.store_kinds import change, touched
from unit.helpers.derived_memories import Opener, alive, derived, linked, ran

THEME = "User likes every trail."
TRAILS = (
    "User likes the trail by the sea",
    "User likes the trail by the lake",
    "User likes the trail by the mill",
)


def themed(
    opened: Opener, *answers: str, **settings: Any
) -> tuple[MemoryBank, ScriptedLLM, list[Memory]]:
    """Three memories with a theme, and a model that says these texts next."""
    llm = ScriptedLLM({"text": THEME}, *({"text": text} for text in answers))
    bank = opened(llm, **settings)
    members = [bank.add(text) for text in TRAILS]
    assert ran(bank, "themes").derived == 1
    return bank, llm, members


def summarised(bank: MemoryBank, clock: FrozenClock, start: int = 0, count: int = 5) -> Memory:
    """The summary of so many memories, without a model."""
    for number in range(start, start + count):
        bank.add(f"trail {number}")
    clock.advance(days=100)
    assert ran(bank, "fading").consolidated == count
    return derived(bank, "summary")[-1]


def found(bank: MemoryBank, text: str) -> Memory:
    (memory,) = [memory for memory in bank.list(state="any") if memory.content == text]
    return memory


def superseded(
    bank: MemoryBank, old: Memory, by: Memory | None, *, contradicts: bool = False
) -> None:
    """As the gate, a merge (no contradiction) or expiry (by nothing) does it."""
    fields = {} if by is None else {"superseded_by": by.id}
    change(bank, Retire(old.id, "superseded", "by hand", fields))
    if by is not None and contradicts:
        linked(bank, by, old, "contradicts")


class TestLost:
    def test_a_forgotten_member_is_left_out_of_the_text(self, opened: Opener) -> None:
        """Nothing derived goes on telling what the user took out of recall."""
        bank, llm, members = themed(opened, "User likes the trail by lake and mill.")
        bank.forget(members[0].id)
        report = ran(bank, "cascade")
        (theme,) = derived(bank, "theme")

        assert report.steps["cascade"].counts == {"rederived": 1}
        assert theme.content == "User likes the trail by lake and mill."
        assert theme.support == (members[1].id, members[2].id)
        assert "by the sea" not in llm.calls[1].messages[1]["content"]
        assert members[0].id not in {link.source_id for link in bank.relations(theme.id)}

    def test_the_loser_of_a_conflict_is_lost(self, opened: Opener) -> None:
        """The older side of a contradiction goes dormant, with a pointer to the winner."""
        bank, _, members = themed(opened, "User likes the trail by lake and mill.")
        winner = bank.add("User hates the trail by the sea")
        linked(bank, members[0], winner, "contradicts")
        change(bank, Retire(members[0].id, "dormant", "by hand", {"superseded_by": winner.id}))
        ran(bank, "cascade")

        assert derived(bank, "theme")[0].support == (members[1].id, members[2].id)

    def test_without_any_member_it_goes(self, opened: Opener) -> None:
        """A derived memory never outlives the last of what it rests on, nor do its words in deep recall."""
        bank, llm, members = themed(opened)
        (theme,) = derived(bank, "theme")
        for memory in members:
            bank.forget(memory.id)
        report = ran(bank, "cascade")

        assert report.steps["cascade"].counts == {"retired": 1}
        assert (bank.get(theme.id).state, len(llm.calls)) == ("forgotten", 1)
        assert "nothing is left that it rests on" in str(bank.explain(theme.id))

    def test_a_model_that_fails_leaves_it_to_the_rules(self, opened: Opener) -> None:
        """What was forgotten must not wait for a model: the sentences of the others, as they were said."""
        bank, _, members = themed(opened)
        bank.forget(members[0].id)
        ran(bank, "cascade")

        assert derived(bank, "theme")[0].content == f"{TRAILS[1]}. {TRAILS[2]}."

    def test_an_edited_member_is_told_anew(self, opened: Opener) -> None:
        """Its text is not what the theme was made of."""
        bank, llm, members = themed(opened, "User likes the trail by sea and shore.")
        bank.edit(members[1].id, "User likes the trail by the shore")
        report = ran(bank, "cascade")

        assert report.total("rederived") == 1
        assert derived(bank, "theme")[0].content == "User likes the trail by sea and shore."
        assert derived(bank, "theme")[0].support == tuple(memory.id for memory in members)
        assert (ran(bank, "cascade").changes, len(llm.calls)) == ((), 2)


class TestLive:
    def test_nothing_changed_nobody_is_asked(self, opened: Opener) -> None:
        """Idempotent."""
        bank, llm, _ = themed(opened)

        assert (ran(bank, "cascade").changes, len(llm.calls)) == ((), 1)

    @pytest.mark.parametrize("state", ["dormant", "superseded"])
    def test_what_rests_or_is_over_still_counts(self, opened: Opener, state: Any) -> None:
        """Dormant memories are true, and what was true for a time was true then."""
        bank, llm, members = themed(opened)
        change(bank, Retire(members[0].id, state, "by hand"))

        assert (ran(bank, "cascade").changes, len(llm.calls)) == ((), 1)

    def test_a_member_that_was_archived_still_counts(
        self, opened: Opener, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It became part of a summary, and says what it said."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_INSIGHT", 2)
        bank = opened(ScriptedLLM({"text": "User likes many a trail."}))
        members = [bank.add(f"User likes trail {number}") for number in range(5)]
        linked(bank, members[0], members[1], "co_activated")
        ran(bank, "insights")
        clock.advance(days=100)
        ran(bank, "fading")
        assert bank.get(members[0].id).state == "superseded"

        assert ran(bank, "cascade").changes == ()

    def test_a_survivor_takes_the_place_of_what_was_merged_into_it(self, opened: Opener) -> None:
        """Older superseded with pointer."""
        bank, _, members = themed(opened, "User likes the trail by every water.")
        survivor = bank.add("User likes the trail by the sea most")
        superseded(bank, members[0], survivor)
        ran(bank, "cascade")
        (theme,) = derived(bank, "theme")

        assert theme.support == (survivor.id, members[1].id, members[2].id)
        assert theme.content == "User likes the trail by every water."
        assert {link.source_id for link in bank.relations(theme.id)} == set(theme.support)

    def test_a_survivor_with_the_same_words_changes_no_text(self, opened: Opener) -> None:
        """Only what it rests on; no request, no new version."""
        bank, llm, members = themed(opened)
        survivor = bank.add(f"{TRAILS[0]} ")
        superseded(bank, members[0], survivor)
        report = ran(bank, "cascade")
        (theme,) = derived(bank, "theme")

        assert report.steps["cascade"].counts == {"updated": 1}
        assert (theme.content, theme.version, len(llm.calls)) == (THEME, 1, 1)
        assert theme.support == (survivor.id, members[1].id, members[2].id)
        assert ran(bank, "cascade").changes == ()


class TestArchives:
    def test_a_restored_member_no_longer_belongs_to_the_summary(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """Else it would be recalled twice."""
        bank = opened()
        summary = summarised(bank, clock)
        bank.restore(found(bank, "trail 2").id)
        ran(bank, "cascade")

        assert bank.get(summary.id).content == "Summary: trail 0 | trail 1 | trail 3 | trail 4"
        assert alive(bank) == ["trail 2"]
        assert bank.get(summary.id).metadata["archives"] is True

    def test_the_last_member_comes_back_in_its_place(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """A summary of one memory is that memory."""
        bank = opened()
        summary = summarised(bank, clock)
        for number in range(4):
            bank.forget(found(bank, f"trail {number}").id)
        report = ran(bank, "cascade")
        left = found(bank, "trail 4")

        assert report.steps["cascade"].counts == {"retired": 1}
        assert (bank.get(summary.id).state, bank.get(summary.id).superseded_by) == (
            "forgotten",
            left.id,
        )
        assert (left.state, left.superseded_by, left.last_reinforced_at) == (
            "active",
            None,
            clock(),
        )
        assert ran(bank, "cascade", "fading").changes == ()

    def test_when_all_are_restored_the_summary_goes(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """Cognitive-memory: consolidation is "effectively undone by migrating originals back to hot storage"."""
        bank = opened()
        summarised(bank, clock)
        for number in range(5):
            bank.restore(found(bank, f"trail {number}").id)
        ran(bank, "cascade")

        assert [memory.content for memory in bank.list()] == [
            f"trail {number}" for number in range(5)
        ]

    def test_a_theme_that_archives_gives_its_members_back_too(self, opened: Opener) -> None:
        """V9 has themes supersede their members."""
        bank, _, members = themed(opened, themes=ThemeConfig(supersede=True))
        bank.forget(members[0].id)
        bank.forget(members[1].id)
        ran(bank, "cascade")

        assert [memory.content for memory in bank.list()] == [TRAILS[2]]


class TestFloors:
    @pytest.fixture(autouse=True)
    def two_make_an_insight(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_INSIGHT", 2)

    def tower(
        self, opened: Opener, clock: FrozenClock, *answers: str
    ) -> tuple[MemoryBank, ScriptedLLM, Memory]:
        """An insight over two summaries of five memories each."""
        llm = ScriptedLLM(*({"text": text} for text in answers))
        bank = opened(llm)
        for start in (0, 5):
            summarised(bank, clock, start)
        for one, other in combinations(derived(bank, "summary"), 2):
            linked(bank, one, other, "co_activated")
        assert ran(bank, "insights").derived == 1
        return bank, llm, derived(bank, "insight")[0]

    ANSWERS = ("", "", "User likes many a trail.", "", "User likes the other trail.")

    def test_a_change_below_reaches_the_top_in_the_same_step(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """The insight is made of the summary as it is now."""
        bank, llm, insight = self.tower(opened, clock, *self.ANSWERS)
        bank.forget(found(bank, "trail 0").id)
        report = ran(bank, "cascade")

        assert report.steps["cascade"].counts == {"rederived": 2}
        assert bank.get(insight.id).content == "User likes the other trail."
        assert (
            "Summary: trail 1 | trail 2 | trail 3 | trail 4" in llm.calls[-1].messages[1]["content"]
        )
        assert "trail 0" not in llm.calls[-1].messages[1]["content"]
        assert ran(bank, "cascade").changes == ()

    def test_a_summary_that_goes_takes_its_part_of_the_insight_with_it(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """All five members of the first summary are forgotten."""
        bank, _, insight = self.tower(
            opened, clock, "", "", "User likes many a trail.", "User likes the other trail."
        )
        first, second = derived(bank, "summary")
        for memory_id in first.support:
            bank.forget(memory_id)
        report = ran(bank, "cascade")

        assert report.steps["cascade"].counts == {"retired": 1, "rederived": 1}
        assert bank.get(insight.id).support == (second.id,)
        assert ran(bank, "cascade").changes == ()

    def test_the_last_member_takes_the_place_of_its_summary(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """The insight rests on it from now on."""
        bank, _, insight = self.tower(
            opened, clock, "", "", "User likes many a trail.", "User likes the other trail."
        )
        first, second = derived(bank, "summary")
        for memory_id in first.support[:4]:
            bank.forget(memory_id)
        ran(bank, "cascade")

        assert bank.get(insight.id).support == (first.support[4], second.id)

    def test_when_all_is_gone_all_goes(self, opened: Opener, clock: FrozenClock) -> None:
        """To a fixpoint, in one step."""
        bank, _, _ = self.tower(opened, clock, "", "", "User likes many a trail.")
        for summary in derived(bank, "summary"):
            for memory_id in summary.support:
                bank.forget(memory_id)

        assert ran(bank, "cascade").steps["cascade"].counts == {"retired": 3}
        assert list(bank.list()) == []


class TestProtection:
    def test_an_immutable_theme_stays_as_it_is(self, opened: Opener) -> None:
        """ "never edited"."""
        bank, _, members = themed(opened)
        touched(bank, derived(bank, "theme")[0], immutable=True)
        bank.forget(members[0].id)

        assert ran(bank, "cascade").changes == ()

    def test_a_pinned_theme_is_not_retired(self, opened: Opener) -> None:
        """Pinned survives; a person has to forget it."""
        bank, _, members = themed(opened)
        bank.pin(derived(bank, "theme")[0].id)
        for memory in members:
            bank.forget(memory.id)

        assert (ran(bank, "cascade").changes, derived(bank, "theme")[0].content) == ((), THEME)

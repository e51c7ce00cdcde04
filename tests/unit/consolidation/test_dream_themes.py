"""Steps 12 and 14 of the dream cycle: themes of clusters, and patterns of the largest of them (v9)."""

from datetime import timedelta
from typing import Any

import pytest

from cogmem_core import Memory, MemoryBank
from cogmem_core.changes import Mark
from cogmem_core.config import ThemeConfig
from cogmem_core.models import ShortTerm
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.store_kinds import change, touched
from unit.helpers.derived_memories import Opener, alive, derived, ran

THEME = "User spends weekends on every trail."
TRAILS = (
    "User likes the trail by the sea",
    "User ran the trail on Sunday",
    "User spends weekends on a trail",
)
NO_GAP = ("cogmem_core.consolidation.clusters.IMPORTANCE_GAP", 0.0)


def told(text: str = THEME) -> ScriptedLLM:
    """A model that always says the same."""
    return ScriptedLLM(default={"text": text})


def stated(bank: MemoryBank, *texts: str, **more: Any) -> list[Memory]:
    return [bank.add(text, **more) for text in texts or TRAILS]


def apart(bank: MemoryBank, *entities: tuple[str, ...]) -> list[Memory]:
    """Memories so different in importance that only their entities can join them."""
    found = [bank.add(f"trail {number}", importance=number / 10) for number in range(len(entities))]
    return [
        touched(bank, memory, entities=names) for memory, names in zip(found, entities, strict=True)
    ]


class TestThemes:
    def test_three_memories_of_a_kind_get_a_theme(self, opened: Opener) -> None:
        """V9, 5 and 6: "Min 3 memories/cluster", "create theme-level memories (importance 0.8)"."""
        llm = told()
        bank = opened(llm)
        members = stated(bank)
        report = ran(bank, "themes")
        (theme,) = derived(bank, "theme")

        assert report.steps["themes"].counts == {"derived": 1, "themes": 1}
        assert (theme.content, theme.importance, theme.tier, theme.category) == (
            THEME,
            0.8,
            "semantic",
            "summary",
        )
        assert theme.support == tuple(memory.id for memory in members)
        # `schema_instance` member → insight; by default nothing leaves recall.
        assert alive(bank) == list(TRAILS)
        assert {
            (link.source_id, link.type, link.target_id) for link in bank.relations(theme.id)
        } == {(memory.id, "schema_instance", theme.id) for memory in members}
        assert "theme that they have in common" in llm.calls[0].messages[0]["content"]

    def test_members_can_be_superseded(self, opened: Opener) -> None:
        """V9, 6: "mark originals superseded"."""
        bank = opened(told(), themes=ThemeConfig(supersede=True))
        stated(bank)
        ran(bank, "themes")

        assert [memory.content for memory in bank.list()] == [THEME]
        assert [memory.content for memory in bank.list(state="superseded")] == list(TRAILS)

    def test_dates_and_numbers_are_no_topic(
        self, opened: Opener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """That three things happened in 2024 does not join them."""
        monkeypatch.setattr(*NO_GAP)
        bank = opened(told())
        apart(bank, *[("entity://date/2024", "entity://number/5-km")] * 3)

        assert ran(bank, "themes").changes == ()

    def test_members_must_resemble_the_first_one(self, opened: Opener) -> None:
        """A category alone would join everything; 0 = as the seed has it."""
        strict, loose = (
            opened(told("User drinks tea.")),
            opened(told("User drinks tea."), themes=ThemeConfig(similarity=0)),
        )
        for bank in (strict, loose):
            stated(bank, "trail 1", "trail 2", "User drinks tea")

        assert (ran(strict, "themes").derived, ran(loose, "themes").derived) == (0, 1)

    def test_semantic_and_derived_memories_are_left_out(self, opened: Opener) -> None:
        """What is proven knowledge already needs no theme, nor has a theme one."""
        bank = opened(told())
        stated(bank, tier="semantic")

        assert ran(bank, "themes").changes == ()

    def test_requests_are_bounded(self, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        """V9, 6: "max 5 calls/cycle"; the next cycle goes on where this one stopped."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_THEME", 2)
        monkeypatch.setattr("cogmem_core.consolidation.clusters.MOST_THEME", 2)
        llm = told()
        bank = opened(llm)
        stated(bank, *(f"User spends weekends on trail {number}" for number in range(14)))

        assert [ran(bank, "themes").derived for _ in range(3)] == [5, 2, 0]
        assert len(llm.calls) == 7

    def test_only_the_newest_are_looked_at(self, opened: Opener) -> None:
        """A bound on rows: four candidates, the oldest one is no member."""
        bank = opened(told(), themes=ThemeConfig(candidates=3))
        stated(bank, "User likes a trail", *TRAILS)
        ran(bank, "themes")

        assert "User likes a trail" not in [
            bank.get(i).content for i in derived(bank, "theme")[0].support
        ]


class TestProtection:
    def test_immutable_memories_are_not_summarised(self, opened: Opener) -> None:
        """ "immutable in addition is never edited, merged or summarised"."""
        bank = opened(told())
        stated(bank, immutable=True)

        assert ran(bank, "themes").changes == ()

    @pytest.mark.parametrize("more", [{"pinned": True}, {"category": "preference"}])
    def test_what_must_stay_is_not_superseded(self, opened: Opener, more: dict[str, Any]) -> None:
        """Pinned and permanent memories; a theme that leaves them in recall they may have."""
        keeping, taking = opened(told()), opened(told(), themes=ThemeConfig(supersede=True))
        for bank in (keeping, taking):
            stated(bank, **more)

        assert (ran(keeping, "themes").derived, ran(taking, "themes").derived) == (1, 0)

    def test_what_is_on_probation_is_left_out(self, opened: Opener, clock: FrozenClock) -> None:
        """Unified-update: it may be gone tomorrow."""
        bank = opened(told())
        first = stated(bank)[0]
        change(bank, Mark(ShortTerm(first.id, clock(), clock() + timedelta(days=1)), "by hand"))

        assert ran(bank, "themes").changes == ()


class TestAnswers:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("", id="empty"),
            pytest.param("User and Marta spend weekends on every trail.", id="name"),
            pytest.param("User spends 7 weekends on every trail.", id="number"),
            pytest.param("User never spends weekends on a trail.", id="negation"),
            pytest.param("User spends weekends. On every trail.", id="two sentences"),
            pytest.param("Bananas ripen quickly beside apples in warm kitchens.", id="foreign"),
            pytest.param(f"User likes the trail {'and the trail ' * 60}.", id="too long"),
        ],
    )
    def test_an_unusable_answer_makes_no_theme(self, opened: Opener, text: str) -> None:
        """Names and numbers come from the members only; there is no theme without a model's words."""
        bank = opened(told(text))
        stated(bank)

        assert ran(bank, "themes").changes == ()

    def test_the_same_cluster_is_left_alone_for_a_day(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """A model that found nothing to say is not asked at every cycle."""
        llm = told("")
        bank = opened(llm)
        stated(bank)
        for hours in (0, 23, 1):
            clock.advance(hours=hours)
            ran(bank, "themes")

        assert len(llm.calls) == 2

    def test_a_model_that_does_not_answer_is_asked_once(
        self, opened: Opener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The rest waits for the next cycle, which asks again."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.LEAST_THEME", 2)
        monkeypatch.setattr("cogmem_core.consolidation.clusters.MOST_THEME", 2)
        llm = ScriptedLLM()
        bank = opened(llm)
        stated(bank, *(f"User spends weekends on trail {number}" for number in range(6)))
        report = ran(bank, "themes")

        assert (report.steps["themes"].note, len(llm.calls)) == (
            "the language model did not answer",
            1,
        )
        llm.enqueue({"text": THEME})
        assert ran(bank, "themes").derived == 1


class TestCycle:
    def test_a_cluster_is_derived_once(self, opened: Opener) -> None:
        """ "A cluster already derived (hash of member ids) is not derived again"."""
        llm = told()
        bank = opened(llm)
        stated(bank)
        ran(bank, "themes", "abstraction")

        assert (
            bank.consolidate(steps=["cascade", "themes", "abstraction"]).changes,
            len(llm.calls),
        ) == ((), 2)

    def test_a_theme_that_was_forgotten_does_not_come_back(self, opened: Opener) -> None:
        """Its hash is known in whatever state it is."""
        bank = opened(told())
        stated(bank)
        ran(bank, "themes")
        bank.forget(derived(bank, "theme")[0].id)

        assert ran(bank, "cascade", "themes").changes == ()

    def test_a_cluster_that_grew_renews_its_theme(self, opened: Opener) -> None:
        """One theme per cluster, not one more for each new member; the former text is kept as a version."""
        llm = ScriptedLLM(
            {"text": THEME}, {"text": "User spends weekends and evenings on every trail."}
        )
        bank = opened(llm)
        stated(bank)
        ran(bank, "themes")
        bank.add("User spends evenings on a trail")
        report = ran(bank, "themes")
        (theme,) = derived(bank, "theme")

        assert report.steps["themes"].counts == {"updated": 1}
        assert theme.content == "User spends weekends and evenings on every trail."
        assert (len(theme.support), theme.version) == (4, 2)
        assert [version.content for version in bank.history(theme.id).versions] == [THEME]
        assert len(bank.relations(theme.id)) == 4


class TestAbstraction:
    def test_the_largest_clusters_get_patterns(self, opened: Opener) -> None:
        """V9, 8: "Pattern-level memories at importance 0.85"."""
        llm = told("User spends weekends on a trail.")
        bank = opened(llm)
        stated(bank)
        report = ran(bank, "abstraction")
        (pattern,) = derived(bank, "pattern")

        assert report.steps["abstraction"].counts == {"derived": 1, "patterns": 1}
        assert (pattern.importance, pattern.category, pattern.tier) == (0.85, "pattern", "semantic")
        assert "pattern of behaviour" in llm.calls[0].messages[0]["content"]

    def test_only_the_top_three(self, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        """V9, 8: "from top 3 clusters"; not the fourth in the next cycle."""
        monkeypatch.setattr("cogmem_core.consolidation.clusters.MOST_THEME", 3)
        bank = opened(told("User spends weekends on a trail."))
        stated(bank, *(f"User spends weekends on a trail {'x' * number}" for number in range(12)))

        assert [ran(bank, "abstraction").derived for _ in range(2)] == [3, 0]

    def test_clusters_that_left_recall_have_patterns_too(self, opened: Opener) -> None:
        """V9 marks originals superseded in step 6 and looks for patterns of the same clusters in step 8."""
        bank = opened(told(), themes=ThemeConfig(supersede=True))
        stated(bank)
        report = ran(bank, "themes", "abstraction")

        assert [step.counts["derived"] for step in report.steps.values()] == [1, 1]
        assert derived(bank, "pattern")[0].support == derived(bank, "theme")[0].support
        assert bank.consolidate(steps=["cascade", "themes", "abstraction"]).changes == ()

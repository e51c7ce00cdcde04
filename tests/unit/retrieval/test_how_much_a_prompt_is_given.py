"""V9: Confidence-Gated Dynamic Injection, Hot Tier, and what working memory adds to a prompt."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import cogmem_core
from cogmem_core.caches.hot_tier import HotTier
from cogmem_core.changes import Actor, Retire, Touch, apply
from cogmem_core.config import Config, HotTierConfig, InjectionConfig, RetrievalConfig
from cogmem_core.testing import FrozenClock

QUESTION = "What is the cat called?"
CAT = "The cat is called Mochi. She sleeps all day on the chair" + " by the window" * 10 + "."
FULL = f"- (2026-06-01, just now) Ana: {CAT}"
MORE = "More of it, and of much else" * 6 + "."
ABBREVIATED = "- (just now, in short) Ana: The cat is called Mochi…"


def configured(*, full_from: float, floor: float) -> Config:
    injection = InjectionConfig(full_from=full_from, floor=floor)
    return Config(retrieval=RetrievalConfig(injection=injection))


def asked(config: Config) -> tuple[cogmem_core.Recall, list[dict[str, Any]]]:
    """The answer of a bank that knows one thing, and what was logged of it."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), config=config) as engine:
        engine.pause()
        engine.bank("alice").remember(CAT, speaker="Ana")
        return engine.bank("alice").recall(QUESTION), engine.log(op="recall")


@pytest.fixture(scope="module")
def confidence() -> float:
    """How sure the engine is of the one thing it knows."""
    found, _ = asked(configured(full_from=0.0, floor=0.0))
    return found.results[0].confidence


def above(value: float) -> float:
    return value + 1e-9


class TestConfidenceGatedInjection:
    """'Memory injection into agent context adjusts based on retrieval confidence'."""

    def test_from_the_upper_threshold_the_text_is_complete_and_has_metadata(
        self, confidence: float
    ) -> None:
        """'>= 0.7: Full injection — complete memory text with metadata'; the threshold itself counts."""
        found, _ = asked(configured(full_from=confidence, floor=0.0))
        assert found.results[0].tier == "full"
        assert found.context().splitlines()[3:-1] == [FULL]

    def test_below_the_upper_threshold_there_is_a_summary_without_metadata(
        self, confidence: float
    ) -> None:
        """'0.4 - 0.7: Abbreviated — summary only, no metadata'."""
        found, _ = asked(configured(full_from=above(confidence), floor=0.0))
        assert found.results[0].tier == "abbreviated"
        assert found.context().splitlines()[3:-1] == [ABBREVIATED]

    def test_the_lower_threshold_itself_is_abbreviated(self, confidence: float) -> None:
        """'0.4 - 0.7: Abbreviated': 0.4 belongs to it."""
        found, _ = asked(configured(full_from=1.0, floor=confidence))
        assert [(item.tier, item.content) for item in found.results] == [("abbreviated", CAT)]
        assert found.withheld == ()

    def test_below_the_lower_threshold_nothing_is_injected(self, confidence: float) -> None:
        """'< 0.4: Skipped — not injected'."""
        found, _ = asked(configured(full_from=1.0, floor=above(confidence)))
        assert found.results == ()
        assert found.context() == ""
        assert [(item.tier, item.content) for item in found.withheld] == [("withheld", CAT)]

    def test_what_is_skipped_is_logged_as_a_low_confidence_hit(self, confidence: float) -> None:
        """'not injected, logged as low-confidence hit'."""
        found, log = asked(configured(full_from=1.0, floor=above(confidence)))
        assert [record["withheld"] for record in log] == [[found.withheld[0].memory.id]]

    def test_a_borderline_match_does_not_amplify_hallucination(self) -> None:
        """'Prevents hallucination amplification from borderline memory matches': it says 'no relevant memory'."""
        found, _ = asked(configured(full_from=1.0, floor=1.0))
        assert found.empty_reason.startswith("no relevant memory")
        assert found.context() == ""

    def test_the_tiers_are_mixed_in_one_block(self) -> None:
        """Each memory by its own confidence; the wording of the seed's thresholds, confidences given."""
        found, _ = asked(configured(full_from=0.0, floor=0.0))
        item = found.results[0]
        tiers = (("full", "a"), ("abbreviated", "b"), ("withheld", "c"))
        mixed = tuple(
            replace(
                item,
                tier=tier,
                memory=replace(item.memory, id=name, content=f"Note {name} is here. {MORE}"),
            )
            for tier, name in tiers
        )
        assert replace(found, results=mixed).context().splitlines()[3:-1] == [
            "- (2026-06-01, just now) Ana: Note a is here. " + MORE,
            "- (just now, in short) Ana: Note b is here…",
        ]


@dataclass
class Desk:
    """An engine, a bank, and a hot tier whose seconds stand still until they are moved."""

    engine: cogmem_core.Engine
    bank: cogmem_core.MemoryBank
    clock: FrozenClock
    seconds: float = 0.0
    tier: HotTier = field(init=False)

    def __post_init__(self) -> None:
        self.tier = HotTier(lambda: self.seconds)

    def know(
        self, text: str, *, utility: float = 0.8, accesses: int = 10, days: float = 1.0
    ) -> cogmem_core.Memory:
        """Something stored so many days ago that has been of use since."""
        self.clock.advance(days=-days)
        memory = self.bank.add(text)
        self.clock.advance(days=days)
        self.change(Touch(memory.id, {"utility": utility, "access_count": accesses}, "was of use"))
        return memory

    def change(self, change: Touch | Retire) -> None:
        with self.engine.services.ledger.writing() as writer:
            applied = apply(writer, "alice", [change], now=self.clock(), actor=Actor("feedback"))
        assert applied.refused == ()

    def hot(self, config: HotTierConfig | None = None) -> tuple[cogmem_core.Memory, ...]:
        with self.engine.services.ledger.whole() as reader:
            return self.tier.of(reader, "alice", config or HotTierConfig(), self.clock())

    def texts(self, config: HotTierConfig | None = None) -> list[str]:
        return [memory.content for memory in self.hot(config)]


@pytest.fixture
def desk() -> Iterator[Desk]:
    clock = FrozenClock()
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        engine.pause()
        yield Desk(engine, engine.bank("alice"), clock)


class TestHotTier:
    """'The top semantic memories that are always injected into agent context'."""

    def test_they_are_injected_regardless_of_query_relevance(self, desk: Desk) -> None:
        """'always injected into agent context, regardless of query relevance'."""
        desk.know("Deploys happen on Tuesdays only")
        desk.bank.remember(CAT)
        found = desk.bank.recall(QUESTION, k=1)
        assert replace(found, hot=desk.hot()).context().splitlines()[2:-1] == [
            "Always worth knowing:",
            "- (2026-05-31, yesterday) Deploys happen on Tuesdays only",
            "Recalled for this question:",
            f"- (2026-06-01, just now) {CAT}",
        ]

    def test_they_are_injected_even_if_nothing_is_recalled(self, desk: Desk) -> None:
        """'always': also where the question finds nothing."""
        desk.know("Deploys happen on Tuesdays only")
        found = desk.bank.recall("hello", floor=1.0)
        assert found.results == ()
        assert replace(found, hot=desk.hot()).context().splitlines()[2:-1] == [
            "Always worth knowing:",
            "- (2026-05-31, yesterday) Deploys happen on Tuesdays only",
        ]

    @pytest.mark.parametrize(("utility", "hot"), [(0.8, True), (0.79, False)])
    def test_utility(self, desk: Desk, utility: float, hot: bool) -> None:
        """'Utility | >= 0.8'."""
        desk.know("I keep bees", utility=utility)
        assert bool(desk.hot()) is hot

    @pytest.mark.parametrize(("accesses", "hot"), [(10, True), (9, False)])
    def test_access_count(self, desk: Desk, accesses: int, hot: bool) -> None:
        """'Access count | >= 10'."""
        desk.know("I keep bees", accesses=accesses)
        assert bool(desk.hot()) is hot

    @pytest.mark.parametrize(("days", "hot"), [(29.99, True), (30, False), (31, False)])
    def test_age(self, desk: Desk, days: float, hot: bool) -> None:
        """'Age | < 30 days'."""
        desk.know("I keep bees", days=days)
        assert bool(desk.hot()) is hot

    def test_max_15_items_sorted_by_utility(self, desk: Desk) -> None:
        """'Max items | 15'; 'Sorted by utility descending'."""
        for number in range(17):
            desk.know(f"Hive {number} gave {number + 30} jars of honey", utility=0.8 + number / 100)
        hot = desk.hot()
        assert [round(memory.utility, 2) for memory in hot[:3]] == [0.96, 0.95, 0.94]
        assert (len(hot), round(hot[-1].utility, 2)) == (15, 0.82)


class TestWorkingMemory:
    """'In-session buffer for the most immediately relevant memories', in the prompt."""

    def test_a_session_recalls_with_what_is_on_its_mind(self, desk: Desk) -> None:
        """The block has a part for it, and what stands there is not repeated."""
        desk.bank.remember("The wifi password is sunflower")
        desk.clock.advance(days=1)
        with desk.bank.session("monday") as session:
            session.remember(CAT)
            desk.clock.advance(minutes=5)
            found = session.recall("What is the wifi password?", floor=0.0)
        assert [item.text for item in found.working] == [CAT]
        assert found.context().splitlines()[2:6] == [
            "On your mind in this conversation:",
            f"- (2026-06-02, 5 minutes ago) {CAT}",
            "Recalled for this question:",
            "- (2026-06-01, yesterday) The wifi password is sunflower",
        ]
        assert found.context().count("Mochi") == 1

    def test_a_bank_has_nothing_on_its_mind(self, desk: Desk) -> None:
        """'Session-Scoped': only a session has working memory."""
        with desk.bank.session("monday") as session:
            session.remember(CAT)
            assert desk.bank.recall(QUESTION).working == ()
            assert "On your mind" not in desk.bank.recall(QUESTION).context()

    def test_other_sessions_do_not_see_it(self, desk: Desk) -> None:
        """'Session-Scoped': nor does another conversation of the same person."""
        with desk.bank.session("monday") as monday, desk.bank.session("tuesday") as tuesday:
            monday.remember(CAT)
            tuesday.remember("I moved to Lisbon")
            assert [item.text for item in tuesday.recall(QUESTION).working] == ["I moved to Lisbon"]

    def test_it_is_shown_as_it_was_when_the_question_came(self, desk: Desk) -> None:
        """An access by this very recall counts from the next one on."""
        with desk.bank.session("monday") as session:
            session.remember(CAT)
            first, second = session.recall(QUESTION), session.recall(QUESTION)
        assert [first.working[0].access_count, second.working[0].access_count] == [0, 1]

    def test_the_most_present_come_first(self, desk: Desk) -> None:
        """'importance * recency * (1 + accessCount * 0.1)' decides the order, too."""
        with desk.bank.session("monday") as session:
            session.working.add([desk.bank.add("I keep bees", importance=0.5)])
            desk.clock.advance(minutes=30)
            session.working.add([desk.bank.add("I moved to Lisbon", importance=0.5)])
            assert [item.text for item in session.recall(QUESTION).working] == [
                "I moved to Lisbon",
                "I keep bees",
            ]

    @pytest.mark.parametrize("hard", [False, True])
    def test_what_was_forgotten_is_off_its_mind(self, desk: Desk, hard: bool) -> None:
        """A long conversation must not go on showing what its owner took back."""
        with desk.bank.session("monday") as session:
            memory = session.remember(CAT).memories[0]
            session.remember("I moved to Lisbon")
            desk.bank.forget(memory.id, hard=hard)
            found = session.recall("Where do I live?")
            assert [item.text for item in found.working] == ["I moved to Lisbon"]
            assert "Mochi" not in found.context()
            assert len(session.working) == 1

    def test_a_former_text_is_off_its_mind(self, desk: Desk) -> None:
        """An edit elsewhere: the old text is neither shown nor kept."""
        with desk.bank.session("monday") as session:
            memory = session.remember("My rent is 900 euros").memories[0]
            desk.bank.edit(memory.id, "My rent is 950 euros")
            found = session.recall("What is my rent?")
            assert found.working == ()
            assert "900" not in found.context()
            assert "950" in found.context()

    def test_what_was_superseded_elsewhere_is_off_its_mind(self, desk: Desk) -> None:
        """Another conversation replaced it."""
        with desk.bank.session("monday") as session:
            memory = session.remember("My rent is 900 euros").memories[0]
            desk.change(Retire(memory.id, "superseded", "replaced"))
            assert session.recall("What is my rent?").working == ()

    def test_after_the_session_nothing_is_left(self, desk: Desk) -> None:
        """'Cleared on session end'; an answer that was given keeps what it showed."""
        with desk.bank.session("monday") as session:
            session.remember(CAT)
            found = session.recall(QUESTION)
        assert session.recall(QUESTION).working == ()
        assert [item.text for item in found.working] == [CAT]

    def test_what_it_showed_and_comes_back_is_no_news(self, desk: Desk) -> None:
        """What went into a prompt from working memory is an echo when it comes back: it strengthens nothing."""
        said = "The cat is called Mochi, she sleeps all day on the piano and bites whoever plays it before breakfast"
        with desk.bank.session("monday") as session:
            memory = session.remember(said).memories[0]
            assert session.recall("Which day is it?", floor=1.0).results == ()
            session.remember(f"{said}\n\nI moved to Lisbon")
            session.remember("As you said, the cat is called Mochi.", role="assistant")
        assert [m.content for m in desk.bank.list()] == [said, "I moved to Lisbon"]
        assert desk.bank.get(memory.id).access_count == memory.access_count

"""The context block in two parts: one that stays the same to the byte, and one that does not flicker."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock

FACTS = ("I am allergic to walnuts.", "My sister Mina lives in Porto.", "I work as a bookbinder.")


def hot(config: Config = MANUAL) -> Config:
    """Whatever is active is always worth knowing."""
    tier = replace(config.retrieval.hot, utility=0.0, accesses=0, seconds=0.0)
    return replace(config, retrieval=replace(config.retrieval, hot=tier))


@pytest.fixture
def bank(clock: FrozenClock) -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing", clock=clock, config=hot()) as engine:
        bank = engine.bank("alice")
        for fact in FACTS:
            bank.add(fact)
            clock.advance(hours=1)
        yield bank


class TestStablePart:
    """`context(stable=True)` is what a provider's cache of the prompt can hold."""

    def test_it_is_the_same_to_the_byte_all_through_a_session(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Whatever is asked, said or used, and whatever time it is; a new session may know more."""
        first = bank.recall("Where does my sister live?", session_id="may").context(stable=True)
        for number in range(6):
            clock.advance(hours=7)
            bank.add(f"I read chapter {number} of the manual.", session_id="may")
            recall = bank.recall(f"What did I read in chapter {number}?", session_id="may")
            assert recall.context(stable=True) == first
        other = bank.recall("Where does my sister live?", session_id="june").context(stable=True)
        assert other != first
        told = [line for line in first.splitlines() if line.startswith("- ")]
        assert [line.partition(") ")[2] for line in told] == list(FACTS)
        assert "ago" not in first

    def test_what_is_forgotten_or_edited_is_not_kept_for_it(self, bank: MemoryBank) -> None:
        """The cache of a prompt is worth less than a person's word."""
        walnuts, sister, _ = bank.list()
        bank.recall("sister", session_id="may")
        bank.forget(walnuts.id)
        bank.edit(sister.id, "My sister Mina lives in Braga.")
        text = bank.recall("sister", session_id="may").context(stable=True)
        assert "walnuts" not in text
        assert "Porto" not in text
        assert "Braga" in text

    def test_both_parts_together_show_each_memory_once_and_hold_the_budget(
        self, bank: MemoryBank
    ) -> None:
        recall = bank.recall("Where does my sister Mina live?", session_id="may", floor=0)
        parts = [recall.block(stable=stable) for stable in (True, False)]
        assert sorted(part.text.count("Mina") for part in parts) == [0, 1]
        assert {*parts[0].shown, *parts[1].shown} == set(recall.block().shown)
        sizes = [len(recall.context(300, stable=stable)) for stable in (True, False, None)]
        assert sizes[0] > 0
        assert sum(sizes[:2]) <= 300 * 6

    def test_without_anything_that_is_always_worth_knowing_there_is_none(self) -> None:
        with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
            bank = engine.bank("alice")
            bank.add(FACTS[1])
            recall = bank.recall("sister", floor=0)
            assert recall.context(stable=True) == ""
            assert recall.context(stable=False) == recall.context()


def test_what_was_shown_stays_for_two_turns_while_it_is_near_the_gate() -> None:
    """A follow-up that is a little too vague does not make it vanish; another subject does."""
    vague = "And the allergic thing?"

    def opened(answerable: float | None) -> cogmem_core.Engine:
        injection = replace(MANUAL.retrieval.injection, answerable=answerable, floor=0.0)
        config = replace(MANUAL, retrieval=replace(MANUAL.retrieval, injection=injection))
        return cogmem_core.open(embedder="hashing", clock=FrozenClock(), config=config)

    def filled(engine: cogmem_core.Engine) -> MemoryBank:
        bank = engine.bank("alice")
        for fact in FACTS:
            bank.add(fact)
        return bank

    with opened(None) as engine:
        bank = filled(engine)
        likely = bank.recall("I am allergic to walnuts.").confidence
        unsure = bank.recall(vague).confidence
        foreign = bank.recall("Which planet has rings?").confidence
    gate = min(0.99 * likely, 1.5 * unsure)
    assert foreign < gate / 2 < unsure < gate < likely
    with opened(gate) as engine:
        bank = filled(engine)

        def shown(query: str) -> list[str]:
            return [item.content for item in bank.recall(query, session_id="may")]

        assert shown(vague) == []
        assert FACTS[0] in shown("I am allergic to walnuts.")
        assert FACTS[0] in shown(vague)
        assert shown("Which planet has rings?") == []
        assert FACTS[0] in shown(vague)
        assert shown("Which planet has rings?") == shown("Which planet has rings?") == []
        assert shown(vague) == []
        assert [item.content for item in bank.recall(vague, session_id="june")] == []

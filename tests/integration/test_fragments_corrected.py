"""A piece of a sentence that corrects what the assistant has just said is a newer version of what it was told."""

import cogmem_core
from cogmem_core import Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row_of


def chain(told: str, said: str, reply: str) -> list[str]:
    """The versions of what was told, after the assistant repeated it and the person replied."""
    clock = FrozenClock()
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(Turn(told, session_id="first"))
        clock.advance(days=20)
        bank.remember([Turn(said, role="assistant", session_id="second")])
        bank.remember([Turn(reply, session_id="second")])
        (memory,) = [m for m in bank.list(state="any").memories if m.content == told]
        assert memory.state == "active"
        return [version.content for version in bank.versions(memory.id)]


@each_row_of("fragments_corrected/a_fragment_that_corrects_the_assistant_leads_the_chain", "en tr")
def test_a_fragment_that_corrects_the_assistant_leads_the_chain(
    told: str, said: str, reply: str
) -> None:
    assert chain(told, said, reply) == [reply, told]


@each_row_of("fragments_corrected/what_corrects_something_else_stands_alone")
def test_what_corrects_something_else_stands_alone(told: str, said: str, reply: str) -> None:
    assert chain(told, said, reply) == [told]


def versions(*turns: tuple[float, str], batch: bool = False) -> list[list[str]]:
    """The chains of what one person said, each turn so many days after the one before, newest first."""
    clock = FrozenClock()
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        if batch:
            bank.remember([text for _, text in turns])
        else:
            for days, text in turns:
                clock.advance(days=days)
                bank.remember(text)
        assert {memory.state for memory in bank.list(state="any")} == {"active"}
        chains = {tuple(v.content for v in bank.versions(m.id)) for m in bank.list()}
        return sorted(list(chain) for chain in chains if len(chain) > 1)


@each_row_of("fragments_corrected/who_takes_back_a_value_means_what_was_said_before", "en tr")
def test_who_takes_back_a_value_means_what_was_said_before(told: str, taken_back: str) -> None:
    """What has it tells more than the right value, so it stays: the piece is its newer version."""
    assert versions((0, told), (0.01, taken_back)) == [[taken_back, told]]
    assert versions((0, told), (0, taken_back), batch=True) == [[taken_back, told]]


def test_the_last_that_has_the_value_is_meant() -> None:
    said = ((0, "My bike is red."), (0.01, "My car is red."), (0.01, "Oops, blue, not red."))
    assert versions(*said) == [["Oops, blue, not red.", "My car is red."]]


@each_row_of("fragments_corrected/what_takes_back_something_else_is_no_version")
def test_what_takes_back_something_else_is_no_version(told: str, days: float, other: str) -> None:
    assert versions((0, told), (days, other)) == []

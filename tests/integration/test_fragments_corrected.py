"""A piece of a sentence that corrects what the assistant has just said is a newer version of what it was told."""

from __future__ import annotations

import cogmem_core
from cogmem_core import Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row


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


@each_row(
    ("told", "said", "reply"),
    [
        ("I drink coffee with regular milk.", "Coffee with regular milk.", "Black now, actually!"),
        ("My yoga course is in the red hall.", "Yoga course, red hall.", "Green hall these days."),
        (
            "I book window seats on trains.",
            "Window seats on trains, noted.",
            "Aisle now, actually.",
        ),
        (
            "We order the paper from Kopal.",
            "You order the paper from Kopal.",
            "No, from Velin now.",
        ),
        ("Sabah kahvesini sade içerim.", "Sabah kahvesini sade.", "Artık sütlü."),
    ],
)
def test_a_fragment_that_corrects_the_assistant_leads_the_chain(
    told: str, said: str, reply: str
) -> None:
    assert chain(told, said, reply) == [reply, told]


@each_row(
    ("told", "said", "reply"),
    [
        ("I drink coffee with regular milk.", "It rains in Porto today.", "Snow now, actually!"),
        ("I drink coffee with regular milk.", "Coffee with regular milk.", "Yes, I love it."),
        ("I drink coffee with regular milk.", "Milk is good for tea.", "Lemon now, actually."),
    ],
)
def test_what_corrects_something_else_stands_alone(told: str, said: str, reply: str) -> None:
    assert chain(told, said, reply) == [told]

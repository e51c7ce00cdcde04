"""Three facts, an answer that uses two of them, and a bank that has known them for ten days: for tests of feedback."""

from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock

__all__ = ["ANSWER", "EMMA", "NOAH", "QUERY", "SOFIA", "three_facts"]

EMMA, NOAH, SOFIA = (
    "Emma keeps rabbits in Lisbon",
    "Noah repairs old radios",
    "Sofia studies marine biology",
)
QUERY, ANSWER = "Emma rabbits Noah radios Sofia", "Emma has rabbits, Noah loves radios, in Lisbon."


def three_facts(engine: Engine, clock: FrozenClock) -> MemoryBank:
    """The bank, ten days after the facts were stated."""
    bank = engine.bank("alice")
    for text in (EMMA, NOAH, SOFIA):
        bank.add(text)
    clock.advance(days=10)
    return bank

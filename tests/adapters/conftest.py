"""A bank with two memories, whose use and neglect every test can see."""

from typing import Any

import pytest

from cogmem_core import Engine, MemoryBank
from helpers.store_kinds import BLAMING


@pytest.fixture
def usual() -> dict[str, Any]:
    return {"embedder": "hashing", "config": BLAMING}


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    """Ann's: she likes hiking, and drinks coffee."""
    bank = engine.bank("ann")
    bank.add("Ann likes hiking on Mount Rainier")
    bank.add("Ann drinks coffee from Guatemala")
    return bank


@pytest.fixture
def town(engine: Engine) -> MemoryBank:
    """Sixty memories: enough to tell that a question is about something else altogether."""
    bank = engine.bank("town")
    for person in ("Ann", "Bob", "Eve", "Joe", "Kim", "Lea", "Max", "Pia", "Tom", "Zoe"):
        for habit in (
            "likes hiking in the Alps",
            "drinks black coffee",
            "plays the cello",
            "has a dog called Rex",
        ):
            bank.add(f"{person} {habit}")
        bank.add(f"{person} works at the harbour")
        bank.add(f"{person} reads old novels")
    return bank

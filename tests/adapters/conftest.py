"""A bank with two memories, whose use and neglect every test can see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cogmem
from cogmem import Engine, MemoryBank
from cogmem.testing import MANUAL


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem.open(embedder="hashing", config=MANUAL) as engine:
        yield engine


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    """Ann's: she likes hiking, and drinks coffee."""
    bank = engine.bank("ann")
    bank.add("Ann likes hiking on Mount Rainier")
    bank.add("Ann drinks coffee from Guatemala")
    return bank

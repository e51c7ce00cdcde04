"""Fixtures of several files: an engine in memory and its embedder, documents, workers on PostgreSQL, observations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, Items, MemoryBank
from cogmem_core.process.services import Services
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.observed_talk import SMALL
from helpers.observed_talk import opened as observing
from helpers.postgres_workers import Open, opening


@pytest.fixture
def embedder() -> CountingEmbedder:
    """Counts what it is asked."""
    return CountingEmbedder()


@pytest.fixture
def engine(clock: FrozenClock, embedder: CountingEmbedder) -> Iterator[Engine]:
    """In memory; many files have another one."""
    with cogmem_core.open(embedder=embedder, clock=clock, config=MANUAL) as made:
        yield made


@pytest.fixture
def reopen(folder: Path, clock: FrozenClock, embedder: CountingEmbedder) -> Callable[..., Engine]:
    """Opens the bank of the folder."""
    return lambda config=MANUAL: cogmem_core.open(
        folder, embedder=embedder, clock=clock, config=config
    )


@pytest.fixture
def items(bank: MemoryBank) -> Items:
    """Alice's documents."""
    return bank.items()


@pytest.fixture
def opened(ledger_url: str) -> Iterator[Open]:
    """Opens workers of one bank on PostgreSQL."""
    with opening(ledger_url) as make:
        yield make


@pytest.fixture
def services() -> Iterator[Services]:
    """Of an engine that compresses when more than four notes wait."""
    with observing(SMALL) as engine:
        yield engine.services

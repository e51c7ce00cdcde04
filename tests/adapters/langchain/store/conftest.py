"""A store on disk, which can be opened again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from langchain_cogmem.store import CogMemStore


@pytest.fixture
def reopen(folder: Path, clock: FrozenClock) -> Callable[[], Engine]:
    return lambda: cogmem_core.open(folder, embedder="hashing", clock=clock, config=MANUAL)


@pytest.fixture
def engine(reopen: Callable[[], Engine]) -> Iterator[Engine]:
    with reopen() as engine:
        yield engine


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    return engine.bank("alice")


@pytest.fixture
def store(bank: MemoryBank) -> CogMemStore:
    return CogMemStore(bank)

"""A served bank: an engine in memory, keys for it, and a client that sends requests without a network."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import GuardConfig
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing
from helpers.served import Served


@pytest.fixture
def engine(clock: FrozenClock) -> Iterator[Engine]:
    """In memory; dreams start only when they are asked for, and what contradicts waits for a person."""
    config = replace(MANUAL, guard=GuardConfig(review=("contradicting",)))
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        yield engine


@pytest.fixture
def ring(clock: FrozenClock) -> KeyRing:
    """No key yet."""
    return KeyRing(None, now=clock)


@pytest.fixture
def served(engine: Engine, ring: KeyRing) -> Iterator[Served]:
    """The application, with a key for each scope."""
    with TestClient(create_app(engine, keys=ring), base_url="http://localhost") as client:
        yield Served(client, engine, ring)

"""The three kinds of store that every test of this folder runs on."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.store_kinds import STORES, Store

Reopen = Callable[..., Engine]


@pytest.fixture(params=STORES)
def backend(request: pytest.FixtureRequest) -> str:
    """In memory; SQLite and embedded Chroma; PostgreSQL and a Chroma server."""
    return str(request.param)


@pytest.fixture
def reopen(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock
) -> Iterator[Reopen]:
    """Opens the store (again), with the given settings."""
    store = Store.of(backend, request)
    with ExitStack() as opened:

        def make(config: Config = MANUAL) -> Engine:
            storage = replace(
                config.storage, ledger_url=store.ledger_url, chroma_url=store.chroma_url
            )
            folder = tmp_path / "brain" if backend == "folder" else None
            engine = cogmem_core.open(
                folder,
                embedder=CountingEmbedder(),
                clock=clock,
                config=replace(config, storage=storage),
            )
            return opened.enter_context(engine)

        yield make


@pytest.fixture
def engine(reopen: Reopen) -> Engine:
    return reopen()

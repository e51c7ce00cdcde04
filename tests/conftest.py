"""What tests share: a clock that stands still, a folder for a bank, the model, servers for the whole run, scripts.

One PostgreSQL and one Chroma run as long as the tests; each test that asks for it gets a database of its own.
"""

import contextlib
import gc
import ssl
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import cogmem_core
from cogmem_core import Engine, Items, MemoryBank
from cogmem_core.embedders import MiniLM, weights
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.script_runner import Scripts, default_model
from helpers.servers import (
    Databases,
    Missing,
    chroma_url,
    examples,
    in_memory,
    postgres_url,
    required,
)

in_memory()

# An example may take as long as it takes: machines differ, and so do their minutes.
settings.register_profile(
    "unhurried",
    deadline=None,
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    """What was imported stays: no collection of garbage goes through the frameworks again, and few are needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def loopback() -> Iterator[None]:
    """No proxy stands between a test and its own servers, and no key or model of the machine is used by accident."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("NO_PROXY", "no_proxy"):
            environment.setenv(name, "127.0.0.1")
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
            environment.delenv(name, raising=False)
        # No test speaks TLS: to read all certificates of the world takes a client as long as a small test.
        environment.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: None)
        yield


@pytest.fixture
def clock() -> FrozenClock:
    """Stands still until a test moves it."""
    return FrozenClock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a bank may be made; not there yet."""
    return tmp_path / "brain"


@pytest.fixture
def embedder() -> CountingEmbedder:
    """Counts what it is asked."""
    return CountingEmbedder()


@pytest.fixture
def usual(clock: FrozenClock, embedder: CountingEmbedder) -> dict[str, Any]:
    """With what an engine is opened where the `ENGINE` of a file says nothing else."""
    return {"clock": clock, "embedder": embedder, "config": MANUAL}


@pytest.fixture
def engine(request: pytest.FixtureRequest, usual: dict[str, Any]) -> Iterator[Engine]:
    """In memory, unless the `ENGINE` of the file says "folder"; "paused" if it says so."""
    asked = usual | getattr(request.module, "ENGINE", {})
    place = request.getfixturevalue("folder") if asked.pop("folder", False) else None
    paused = asked.pop("paused", False)
    with cogmem_core.open(place, **asked) as made:
        if paused:
            made.pause()
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
def bank(request: pytest.FixtureRequest, engine: Engine) -> MemoryBank:
    """Alice's, or that of the `NAMESPACE` of the file, on the engine of the test."""
    return engine.bank(getattr(request.module, "NAMESPACE", "alice"))


@pytest.fixture
def fresh(engine: Engine) -> Callable[[], MemoryBank]:
    """Another empty bank whenever it is asked for: to erase the last one takes as long as several tests."""
    numbers = count()
    return lambda: engine.bank(f"fresh {next(numbers)}")


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The default model, loaded once."""
    return MiniLM(weights.fetch("minilm"))


@pytest.fixture(scope="session", autouse=True)
def kept_model() -> object:
    """No engine of a test loads the weights of the default model anew."""
    return default_model()


def _started(server: Callable[[], contextlib.AbstractContextManager[str]]) -> Iterator[str]:
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(server())
        except Missing as error:
            (pytest.fail if required() else pytest.skip)(str(error))
        yield url


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Makes empty PostgreSQL databases."""
    yield from map(Databases, _started(postgres_url))


@pytest.fixture(scope="session")
def chroma_server() -> Iterator[str]:
    """The address of a Chroma server."""
    yield from _started(chroma_url)


@pytest.fixture
def ledger_url(databases: Databases) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    with databases.fresh() as url:
        yield url


@pytest.fixture(scope="session")
def scripts() -> Iterator[Scripts]:
    """Runs scripts in processes of their own."""
    with Scripts.started() as made:
        yield made

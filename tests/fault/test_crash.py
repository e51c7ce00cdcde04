"""kill -9 at any moment: what was acknowledged is there exactly once, what was erased does not come back."""

from __future__ import annotations

import random
import selectors
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import ConsolidationConfig, StorageConfig
from cogmem_core.testing import CountingEmbedder, FrozenClock

pytestmark = pytest.mark.thorough

resource = pytest.importorskip("resource", reason="needs POSIX limits and signals")

# What was written by a frozen clock is half a year old by the real one: a dream cycle would put it away.
CONFIG = Config(
    storage=StorageConfig(index_above=0, index_linger_seconds=0.0),
    consolidation=ConsolidationConfig(trigger="manual"),
)
PREAMBLE = """
import random, resource, sys
import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig, StorageConfig
from cogmem_core.testing import CountingEmbedder
# A torn index may grow without end.
resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 2**20, 64 * 2**20))
config = Config(
    storage=StorageConfig(index_above=0, index_linger_seconds=0.0),
    consolidation=ConsolidationConfig(trigger="manual"),
)
engine = cogmem_core.open(sys.argv[1], embedder=CountingEmbedder(), config=config)
bank, rng = engine.bank("alice"), random.Random(int(sys.argv[2]))
"""
WRITER = (
    PREAMBLE
    + """
print("ready", flush=True)
for number in range(10_000):
    turns = [f"turn{sys.argv[2]}n{number}i{i} about the garden" for i in range(rng.randint(1, 4))]
    bank.remember(turns, wait=rng.random() < 0.7)
    print("ack", *[turn.split()[0] for turn in turns], flush=True)
    if rng.random() < 0.2:
        bank.edit(bank.list(limit=1)[0].id, f"edited {number} {sys.argv[2]}")
    if rng.random() < 0.1:
        engine.flush()
    if rng.random() < 0.2:
        bank.recall("garden")
"""
)
ROUNDS = 6


def run_until_killed(folder: Path, seed: int, acknowledgements: int, delay: float) -> list[str]:
    """Start a writer, kill it some time after so many acknowledgements, return what it had acknowledged."""
    command = [sys.executable, "-c", WRITER, str(folder), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(acknowledgements + 1)]
        with selectors.DefaultSelector() as nothing:
            nothing.select(timeout=delay)
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.readlines()
        writer.wait()
    assert said[0] == "ready\n"
    # The last line may have been cut off by the kill.
    return [word for line in said[1:] if line.endswith("\n") for word in line.split()[1:]]


def kept_exactly_once(engine: Engine, first_words: list[str]) -> None:
    """Every acknowledged turn is one episode, and it is queued or the source of one memory."""
    with engine.services.ledger.whole() as reader:
        turns = reader.at("alice").turns.page(limit=100_000)
    memories = engine.bank("alice").list(state="any", limit=100_000)
    said = Counter(turn.content.split()[0] for turn in turns)
    sources = Counter(source.episode_id for memory in memories for source in memory.sources)

    assert {word: said[word] for word in first_words if said[word] != 1} == {}
    assert {
        turn.content: (turn.status, sources[turn.id]) for turn in turns if turn.status == "queued"
    } == {turn.content: ("queued", 0) for turn in turns if turn.status == "queued"}
    assert [turn.content for turn in turns if turn.status == "done" and sources[turn.id] != 1] == []


def test_a_killed_writer_loses_nothing_that_it_acknowledged_and_keeps_nothing_twice(
    tmp_path: Path,
) -> None:
    """Twelve kills of one store: turns, rows, journal and index are whole after each, and the text is found."""
    rng, folder, acknowledged = random.Random(11), tmp_path / "brain", list[str]()
    for seed in range(ROUNDS):
        fresh = run_until_killed(folder, seed, rng.randint(1, 12), rng.uniform(0, 0.05))
        acknowledged += fresh
        ledger = sqlite3.connect(folder / "ledger.sqlite")
        problems = ledger.execute("PRAGMA integrity_check").fetchall()
        ledger.close()
        assert (seed, problems) == (seed, [("ok",)])

        # Now and then the next writer has to open what the last one left; else it is looked at first.
        if seed % 3 != 2:
            continue
        embedder = CountingEmbedder()
        with cogmem_core.open(folder, embedder=embedder, config=CONFIG) as engine:
            kept_exactly_once(engine, acknowledged)
            bank = engine.bank("alice")
            engine.flush()
            kept_exactly_once(engine, acknowledged)
            assert bank.health()["queue_length"] == 0
            assert (engine.sync(), engine.health()["warnings"]) == (0, [])
            current = {memory.content.split()[0] for memory in bank.list(limit=100_000)}
            for word in [word for word in fresh if word in current][-5:]:
                assert bank.recall(word, k=20).results[0].content.split()[0] == word
                assert bank.recall(word).degraded == ()
    assert len(acknowledged) > 5 * ROUNDS


# Kills itself at the n-th call of a function of the package: every step of an erasure can be its last.
ERASER = (
    PREAMBLE
    + """
import os, pathlib, signal
package, wanted, calls = str(pathlib.Path(cogmem_core.__file__).parent), int(sys.argv[3]), 0
memory = bank.list(limit=1)[0]
engine.flush()
engine.pause()
bank.remember("A swallow waits for the worker", wait=False)
def count(frame, event, argument):
    global calls
    if event == "call" and frame.f_code.co_filename.startswith(package):
        calls += 1
        if calls == wanted:
            os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(count)
receipt = bank.forget(memory.id, hard=True)
sys.setprofile(None)
print(calls, receipt.remaining, flush=True)
os._exit(0)
"""
)
CANARY = "The canary Tweety3141592 sings at dawn"


def erase_and_die(folder: Path, call: int) -> tuple[int, str]:
    command = [sys.executable, "-c", ERASER, str(folder), "0", str(call)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def prepared(folder: Path) -> None:
    """A store whose first memory is the canary, with versions, in Chroma's files too."""
    with cogmem_core.open(
        folder, embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIG
    ) as engine:
        bank = engine.bank("alice")
        first = bank.remember(CANARY).memories[0]
        bank.remember([f"Sparrow number {i}" for i in range(30)])
        bank.edit(first.id, f"{CANARY} and at dusk")
        engine.flush()


def traces(folder: Path) -> list[str]:
    """Files that hold the text or one of the two vectors of the canary."""
    said = CANARY
    vectors = [
        CountingEmbedder().embed_query(key).tobytes() for key in (said, f"{said} and at dusk")
    ]
    wanted = (b"Tweety3141592", *vectors)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(trace in path.read_bytes() for trace in wanted)]


@pytest.fixture(scope="module")
def erasing_calls(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls an erasure takes that nobody interrupts."""
    folder = tmp_path_factory.mktemp("whole") / "brain"
    prepared(folder)
    assert {"ledger.sqlite", "chroma.sqlite3"} <= set(traces(folder))
    code, said = erase_and_die(folder, -1)
    assert (code, said.split(" ", 1)[1]) == (0, "()\n")
    return int(said.split()[0])


@pytest.mark.parametrize("share", [0.02, 0.15, 0.3, 0.45, 0.6, 0.65, 0.7, 0.75, 0.9, 0.99])
def test_an_erasure_that_is_killed_is_finished_by_the_next_engine(
    tmp_path: Path, erasing_calls: int, share: float
) -> None:
    """Either it had not begun and the memory is whole, or nothing of it is left in any file after open and flush.

    A turn that waited when the process was killed is finished as well.
    """
    folder = tmp_path / "brain"
    prepared(folder)
    code, said = erase_and_die(folder, max(1, int(share * erasing_calls)))
    assert (code, said) == (-signal.SIGKILL, "")

    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.flush()
        bank = engine.bank("alice")
        assert bank.health()["queue_length"] == 0
        left = bank.count(state="any")
        if left == 32:
            assert bank.recall("Tweety3141592").results[0].content == f"{CANARY} and at dusk"
            assert bank.forget("Tweety3141592", hard=True).remaining == ()
        assert engine.services.ledger.pending_erasures() == []
        assert bank.count(state="any") == 31
        assert traces(folder) == []
        found = bank.recall("Sparrow number 7", k=30)
        assert ("Sparrow number 7" in [r.content for r in found.results], found.degraded) == (
            True,
            (),
        )
        assert [r for r in bank.recall("canary", k=30).results if "canary" in r.content] == []
    assert traces(folder) == []

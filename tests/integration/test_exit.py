"""A process that ends without `close()`: what waited is kept, and nobody is closed twice or for somebody else."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.testing import MANUAL
from helpers.script_runner import Scripts
from helpers.tables import each_case_of

OPENING = """
import dataclasses
import sys
import cogmem_core
from cogmem_core.testing import MANUAL

INDEXED = dataclasses.replace(MANUAL, storage=cogmem_core.config.StorageConfig(index_above=0, close_drain_seconds=60.0))

def bank_of(name):
    engine = cogmem_core.open(f"{sys.argv[1]}/{name}", embedder="hashing", config=INDEXED)
    bank = engine.bank("alice")
    bank.remember("I moved to Lisbon in May", mode="raw")
    engine.pause()
    return engine, bank

def credit(bank):
    bank.feedback(bank.recall("Lisbon", floor=0), "You moved to Lisbon in May.", wait=False)

engine, bank = bank_of("bank")
"""


Ended = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def ended(scripts: Scripts, tmp_path: Path) -> Ended:
    """Runs a program on a bank; returns its exit code and what it wrote."""

    def run(source: str) -> tuple[int, str, str]:
        done = scripts.run(OPENING + source, tmp_path, arguments=[tmp_path])
        return done.code, done.out, done.err

    return run


def judged(folder: Path, name: str = "bank") -> int:
    """How often the answers judged the memory."""
    engine = cogmem_core.open(folder / name, embedder="hashing", config=MANUAL)
    with engine, engine.services.ledger.whole() as reader:
        return len(reader.at("alice").feedback.newest(limit=100))


def texts(engine: Engine) -> list[str]:
    engine.flush()
    return [memory.content for memory in engine.bank("alice").list()]


@pytest.mark.parametrize("end", ["sys.exit(3)", "raise SystemExit(3)"])
def test_the_exit_code_stays(tmp_path: Path, ended: Ended, end: str) -> None:
    """Closing does not change how the process ends."""
    assert ended(f"credit(bank)\n{end}") == (3, "", "")
    assert judged(tmp_path) == 1


def test_a_traceback_stays(tmp_path: Path, ended: Ended) -> None:
    """A program that failed fails, and what waited is kept all the same."""
    code, _, error = ended("credit(bank)\nraise ValueError('mine')")
    assert (code, error.splitlines()[-1]) == (1, "ValueError: mine")
    assert judged(tmp_path) == 1


def test_all_engines_are_closed_the_newest_first(tmp_path: Path, ended: Ended) -> None:
    """As nested `with` blocks would."""
    source = """
class Told:
    def __init__(self, name): self.name = name
    def __call__(self, rows): print(self.name)

first, second = bank, bank_of("second")[1]
for name, one in (("first", first), ("second", second)):
    one.feedback(one.recall("Lisbon", floor=0), "You moved to Lisbon in May.", heard=Told(name), wait=False)
"""
    assert ended(source) == (0, "second\nfirst\n", "")
    assert (judged(tmp_path), judged(tmp_path, "second")) == (1, 1)


def test_a_closed_engine_is_not_closed_again(tmp_path: Path, ended: Ended) -> None:
    """Nor is one that is gone."""
    source = "credit(bank)\nengine.close()\ndel engine, bank\nimport gc\ngc.collect()"
    assert ended(source) == (0, "", "")
    assert judged(tmp_path) == 1


def test_what_was_said_in_passing_is_there_after_a_clean_end(tmp_path: Path, ended: Ended) -> None:
    """Also before a worker of the next process could see to it."""
    source = """
engine.resume()
bank.remember([f"Note {number} is about tea" for number in range(270)], mode="raw", wait=False)
engine.close()
"""
    assert ended(source) == (0, "", "")
    with cogmem_core.open(tmp_path / "bank", embedder="hashing", config=MANUAL) as engine:
        engine.pause()
        assert engine.bank("alice").count() == 271
        assert engine.bank("alice").recall("tea").degraded == ()


def test_an_interrupt_ends_the_waiting_and_closes_the_rest(tmp_path: Path, ended: Ended) -> None:
    """Ctrl-C while the last answers are judged: no traceback, and the other engines are closed."""
    source = """
def breaking(text, answer):
    print("judging")
    raise KeyboardInterrupt

second = bank_of("second")[1]
bank.remember("I like tea", mode="raw", wait=False)
second.feedback(second.recall("Lisbon", floor=0), "You moved to Lisbon in May.", similarity_fn=breaking, wait=False)
"""
    assert ended(source) == (0, "judging\n", "")
    with cogmem_core.open(tmp_path / "bank", embedder="hashing", config=MANUAL) as engine:
        assert texts(engine) == ["I moved to Lisbon in May", "I like tea"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_leaves_its_parents_engine_alone(tmp_path: Path, ended: Ended) -> None:
    """What waits is judged once, by the process that opened the engine."""
    source = """
import os
import warnings
warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, of a fork beside threads
credit(bank)
child = os.fork()
if child == 0:
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
assert len(engine._judgements) == 1
"""
    assert ended(source) == (0, "", "")
    assert judged(tmp_path) == 1


def test_the_index_is_left_whole(tmp_path: Path, ended: Ended) -> None:
    """With Chroma at work: what is opened next need not build it anew."""
    source = """
engine.resume()
engine.sync()
assert engine.follower.loaded
"""
    assert ended(source) == (0, "", "")
    with cogmem_core.open(tmp_path / "bank", embedder="hashing", config=MANUAL) as engine:
        generation = engine.services.ledger.load_generation()
        assert generation is not None
        assert not generation.dirty


@each_case_of("exit/a_model_that_loads_is_there_before_the_process_ends")
def test_a_model_that_loads_is_there_before_the_process_ends(
    tmp_path: Path, ended: Ended, call: str
) -> None:
    """Whoever waited has given up: to take the thread away in the middle of it would abort the process."""
    source = f"""
import atexit
import time
from cogmem_core.base import exit_hooks
from cogmem_core.embedders import MiniLM

model = MiniLM(int8=True)
atexit.register(lambda: print(model))
config = dataclasses.replace(MANUAL, embedding=cogmem_core.config.EmbeddingConfig(query_seconds=0.01))
engine = cogmem_core.open(f"{{sys.argv[1]}}/loading", embedder=model, config=config)
bank = engine.bank("alice")
{call}
while not (model.local or exit_hooks._HOLDING): time.sleep(0.001)
print(model)
"""
    assert ended(source) == (0, "MiniLM(int8, not loaded yet)\nMiniLM(int8, loaded)\n", "")

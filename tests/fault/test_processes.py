"""Several processes and many threads on one bank, and processes that fork."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import CogMemError, MemoryBank, NotFound
from cogmem_core.testing import CountingEmbedder
from fault.processes import CONFIG, NAMESPACE, opened, relay, together
from helpers.script_runner import Scripts

HERE = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def test_two_processes_write_while_two_recall(tmp_path: Path) -> None:
    """Nothing is lost or doubled, no lock error reaches a caller, and each sees the others' writes at once."""
    result = together(tmp_path / "brain", 30, timeout=300)
    assert result["troubles"] == []
    assert result["told"]["write a"] == {"wrote": 30}
    assert result["told"]["read c"]["seen"] == 60


def test_processes_go_on_when_others_are_killed(tmp_path: Path) -> None:
    """ "0 acknowledged writes lost", whoever had the bank open as well, owned its index or was erasing."""
    result = relay(tmp_path / "brain", 1, seed=1)
    assert result["troubles"] == []
    assert result["acknowledged"] > 10


FORKED = """
import multiprocessing, os, sys, warnings
import cogmem_core
from fault.processes import CONFIG, NAMESPACE
from cogmem_core.embedders import MiniLM
from cogmem_core.testing import CountingEmbedder

warnings.simplefilter("ignore", DeprecationWarning)
model = MiniLM()
model.embed_query("loaded in the parent")
engine = cogmem_core.open(sys.argv[1], embedder=CountingEmbedder(), config=CONFIG)
bank = engine.bank(NAMESPACE)
bank.remember([f"parent{n}q says something" for n in range(60)], mode="raw")
engine.sync()

def work(child):
    model.embed_query("embedded in the child")
    mine = bank.remember(f"child{child}q was here", mode="raw").memories[0]
    assert bank.recall(f"child{child}q").results[0].memory.id == mine.id
    assert bank.recall("parent7q", floor=0).results
    bank.remember(f"later{child}q as well", wait=False, mode="raw")
    bank.feedback(bank.recall("parent7q"), "parent7q says something")
    engine.flush()
    engine.health()
    if child < 2:
        engine.close()

def forked(child):
    pid = os.fork()
    if pid == 0:
        work(child)
        sys.exit(0)  # as gunicorn's workers end: with all that the libraries do at an exit
    return pid

children = []
for child in range(3):
    # The worker is busy whenever a child is made.
    first = 1_000 + 20 * child
    bank.remember([f"parent{n}q says it again" for n in range(first, first + 20)], wait=False, mode="raw")
    children.append(forked(child))
last = multiprocessing.get_context("fork").Process(target=work, args=(3,))
last.start()
last.join(100)
codes = [*(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children), last.exitcode]
engine.flush()
found = engine.doctor()
words = sorted(m.content.split()[0] for m in bank.list(limit=10_000) if not m.content.startswith("parent"))
print(codes, words, bank.count(), [f.message for f in found.findings], found.skipped)
engine.close()
"""


@needs_fork
@pytest.mark.usefixtures("minilm")
def test_an_engine_that_was_opened_before_a_fork_works_in_parent_and_children(
    tmp_path: Path,
) -> None:
    """gunicorn --preload: the children search the ledger exactly, the parent keeps the index; nobody hangs.

    Nor at the end of a child, when what onnxruntime 1.32 tells its makers would wait for a thread of the parent.
    """
    environment = {**os.environ, "PYTHONPATH": HERE}
    environment.pop("ORT_DISABLE_TELEMETRY", None)  # set where the tests loaded the model
    done = subprocess.run(
        [sys.executable, "-c", FORKED, str(tmp_path / "brain")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    words = sorted([f"child{n}q" for n in range(4)] + [f"later{n}q" for n in range(4)])
    assert done.stdout == f"[0, 0, 0, 0] {words} 128 [] ()\n", done.stderr[-2_000:]


WORKERS = """
import multiprocessing, os, sys, warnings
sys.path.append(os.environ["PYTHONPATH"].split(os.pathsep)[0])
import cogmem_core
from fault.processes import CONFIG, NAMESPACE
from cogmem_core.testing import CountingEmbedder

def work(folder, number):
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        bank = engine.bank(NAMESPACE)
        bank.remember([f"w{number}x{i}q speaks" for i in range(20)], mode="raw")
        engine.flush()
        assert bank.recall(f"w{number}x7q").results[0].content == f"w{number}x7q speaks"

if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    ways, folder = map(multiprocessing.get_context, ("fork", "spawn")), sys.argv[1]
    workers = [way.Process(target=work, args=(folder, number)) for number, way in enumerate(ways)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(100)
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=CONFIG) as engine:
        print([worker.exitcode for worker in workers], engine.bank(NAMESPACE).count(), engine.doctor().clean)
"""


@needs_fork
def test_workers_of_multiprocessing_open_the_bank_themselves(
    tmp_path: Path, scripts: Scripts
) -> None:
    """Two at once, one made in each way."""
    script = tmp_path / "workers.py"
    script.write_text(WORKERS)
    done = scripts.run(script, tmp_path, {**os.environ, "PYTHONPATH": HERE}, [tmp_path / "brain"])
    assert done.out == "[0, 0] 40 True\n", done.err[-2_000:]


def act(bank: MemoryBank, name: str, tag: str, rng: random.Random) -> None:
    """One operation on a memory that another thread may have erased a moment ago."""
    memories = [memory for memory in bank.list(limit=1_000) if memory.category != "item"]
    memory = rng.choice(memories) if memories else bank.add(f"{tag} stated that")
    acts: dict[str, Callable[[], object]] = {
        "remember": lambda: bank.remember(f"{tag} said this", mode="raw", wait=rng.random() < 0.7),
        "add": lambda: bank.add(f"{tag} stated that"),
        "edit": lambda: bank.edit(memory.id, f"{tag} says it in other words"),
        "pin": lambda: bank.pin(memory.id),
        "forget": lambda: bank.forget(memory.id),
        "erase": lambda: bank.forget(memory.id, hard=True),
        "recall": lambda: bank.recall(memory.content.split()[0]),
        "item": lambda: bank.items().put(
            ("threads",), f"key{rng.randint(0, 3)}", {}, texts=[f"{tag} noted"]
        ),
        "dream": lambda: bank.consolidate(steps=["expiry", "promotion", "reindex"]),
    }
    acts[name]()


def busy(bank: MemoryBank, number: int, operations: int) -> Counter[str]:
    """Mixed operations of one thread."""
    rng, told = random.Random(number), Counter[str]()
    often = ("remember", "add", "edit", "pin", "forget", "recall", "item") * 3
    for step in range(operations):
        name = rng.choice((*often, "erase", "dream"))
        try:
            act(bank, name, f"thread{number}x{step}q", rng)
            told[name] += 1
        except NotFound:
            told["not found"] += 1
        except CogMemError as error:
            told[f"{name}: {type(error).__name__}: {error}"] += 1
    return told


def test_sixteen_threads_do_everything_at_once(tmp_path: Path) -> None:
    """No error but that a memory is gone; afterwards index, ledger and files fit together."""
    with opened(tmp_path / "brain") as engine, ThreadPoolExecutor(16) as pool:
        bank = engine.bank(NAMESPACE)
        told = sum(pool.map(lambda number: busy(bank, number, 12), range(16)), Counter[str]())
        engine.flush()
        engine.sync()
        names = ["remember", "add", "edit", "pin", "forget", "erase", "recall", "item", "dream"]
        assert set(told) <= {*names, "not found"}
        assert engine.doctor().findings == ()
    with cogmem_core.open(tmp_path / "brain", embedder=CountingEmbedder(), config=CONFIG) as engine:
        engine.sync()
        assert engine.doctor().findings == ()

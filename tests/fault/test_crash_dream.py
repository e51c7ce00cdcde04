"""kill -9 in the middle of a dream cycle: the bank is as before or after a whole step, and the lease runs out."""

import itertools
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.testing import MANUAL, FrozenClock
from fault.jobs import live
from helpers.script_runner import Scripts

pytest.importorskip("resource", reason="needs POSIX signals")

LATER = 90
DREAMER = f"""
import os, signal, sys
import cogmem_core
from cogmem_core.testing import MANUAL, FrozenClock
from sqlalchemy import event

clock = FrozenClock()
clock.advance(days={LATER})

engine = cogmem_core.open(sys.argv[1], embedder="hashing", clock=clock, config=MANUAL)
engine.pause()
left = int(sys.argv[2])

def count(*_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

event.listen(engine.services.ledger.database.engine, "before_cursor_execute", count)
engine.bank("alice").consolidate()
print("survived", int(sys.argv[2]) - left, flush=True)
"""


@contextmanager
def opened(folder: Path, days: float, **moved: float) -> Iterator[MemoryBank]:
    clock = FrozenClock()
    clock.advance(days=days, **moved)
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=MANUAL) as engine:
        engine.pause()
        yield engine.bank("alice")


def lived(folder: Path) -> None:
    """A bank in which nearly every step finds something to do."""
    with cogmem_core.open(folder, embedder="hashing", clock=FrozenClock(), config=MANUAL) as engine:
        live(engine)


def state_of(bank: MemoryBank) -> list[tuple[object, ...]]:
    """Everything that a cycle may change, without the ids of what it makes."""
    memories = bank.list(state="any", limit=1_000)
    relations = sorted((r.type, round(r.weight, 9)) for m in memories for r in bank.relations(m.id))
    rows = [
        (
            m.content,
            m.state,
            m.tier,
            round(m.stability, 9),
            round(m.utility, 9),
            m.version,
            len(m.support),
        )
        for m in memories
    ]
    return [*sorted(rows), *relations]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dreams") / "brain"
    lived(folder)
    return folder


@pytest.fixture(scope="module")
def stations(
    before: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[list[tuple[object, ...]]]:
    """The bank before the cycle and after each step of it."""
    folder = tmp_path_factory.mktemp("stations") / "brain"
    shutil.copytree(before, folder)
    with opened(folder, LATER) as bank:
        found = [state_of(bank)]
        for name in STEP_NAMES:
            report = bank.consolidate(steps=[name])
            assert [step.error for step in report.steps.values()] == [""]
            found.append(state_of(bank))
    return found


@pytest.fixture(scope="module")
def statements(before: Path, scripts: Scripts, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many statements a whole cycle takes."""
    folder = tmp_path_factory.mktemp("counted") / "brain"
    shutil.copytree(before, folder)
    done = scripts.run(DREAMER, folder, arguments=[folder, 1_000_000])
    assert done.code == 0, done.err
    return int(done.out.split()[1])


def test_the_bank_has_something_to_dream_of(stations: list[list[tuple[object, ...]]]) -> None:
    """Otherwise the test below would prove nothing."""
    changed = sum(one != other for one, other in itertools.pairwise(stations))
    assert changed >= 4


def test_a_killed_cycle_leaves_whole_steps(
    before: Path,
    stations: list[list[tuple[object, ...]]],
    statements: int,
    scripts: Scripts,
    tmp_path: Path,
) -> None:
    """ "after restart the bank equals the state before or after a whole step", the next cycle completes it."""
    for number in range(5):
        at, folder = 1 + number * statements // 5, tmp_path / f"killed-{number}"
        shutil.copytree(before, folder)
        assert scripts.run(DREAMER, folder, arguments=[folder, at]).code == -signal.SIGKILL
        with opened(folder, LATER) as bank:
            assert state_of(bank) in stations, f"killed at statement {at} of {statements}"
            begun = bool(bank.consolidation_runs())
            taken = bank.consolidate()
            assert taken.reason == ("another cycle is running on this namespace" if begun else "")
        with opened(folder, LATER, seconds=120) as bank:
            if not taken.run_id:
                assert bank.consolidate().run_id != ""
            assert {run.state for run in bank.consolidation_runs()} <= {"done", "interrupted"}
            assert [row[:3] for row in state_of(bank)] == [row[:3] for row in stations[-1]]


def test_what_an_interrupted_cycle_did_can_be_undone(
    before: Path,
    stations: list[list[tuple[object, ...]]],
    statements: int,
    scripts: Scripts,
    tmp_path: Path,
) -> None:
    """Its steps are in the journal under its number."""
    folder = tmp_path / "brain"
    shutil.copytree(before, folder)
    at = statements * 7 // 10
    assert scripts.run(DREAMER, folder, arguments=[folder, at]).code == -signal.SIGKILL
    with opened(folder, LATER, seconds=120) as bank:
        assert state_of(bank) != stations[0]
        (run,) = bank.consolidation_runs()
        bank.undo(run.id)
        assert state_of(bank) == stations[0]

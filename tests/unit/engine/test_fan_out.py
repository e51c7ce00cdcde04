"""Dream cycles of many namespaces at once (fan-out): every executor does what one after the other
would have done, whoever dies meanwhile."""

import json
import shutil
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput
from cogmem_core.config.loading import config_of
from cogmem_core.config.settings import as_table
from cogmem_core.consolidation import CycleControl, CycleRequest, consolidate
from cogmem_core.engine.batch import Batch, run_batch
from cogmem_core.engine.executors import EXECUTORS
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.script_runner import Scripts
from helpers.tables import each_case_of

NAMES = [f"user {number}" for number in range(6)]
SHORT = replace(MANUAL, consolidation=replace(MANUAL.consolidation, lease_seconds=1.0))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six namespaces: each says three things twice."""
    folder = tmp_path_factory.mktemp("template") / "brain"
    with cogmem_core.open(folder, embedder="hashing", config=SHORT) as engine:
        for name in NAMES:
            for thing in ("tea", "the sea", "old maps"):
                for _ in range(2):
                    engine.bank(name).add(f"{name} likes {thing}")
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of that bank."""
    return Path(shutil.copytree(template, tmp_path / "brain"))


ENGINE = {"folder": True, "embedder": "hashing", "clock": None}


def left(engine: Engine) -> dict[str, list[tuple[str, str]]]:
    """What there is in each namespace: text and state."""
    return {
        name: sorted(
            (memory.content, memory.state) for memory in engine.bank(name).list(state="any")
        )
        for name in engine.namespaces()
    }


EXPECTED = {
    name: sorted(
        (f"{name} likes {thing}", state)
        for thing in ("tea", "the sea", "old maps")
        for state in ("active", "superseded")
    )
    for name in NAMES
}


def test_one_after_the_other_merges_each_pair(engine: Engine) -> None:
    """What every executor has to come to."""
    for name in NAMES:
        assert engine.bank(name).consolidate().merged == 3
    assert left(engine) == EXPECTED


@pytest.mark.parametrize(("on", "workers"), [("threads", 3), ("threads", 50), ("processes", 2)])
def test_each_namespace_gets_one_cycle(engine: Engine, on: str, workers: int) -> None:
    """The same as one after the other; each cycle once, and on record as such."""
    heard: list[tuple[int, int]] = []
    report = engine.consolidate_all(
        on=on, workers=workers, progress=lambda done, total: heard.append((done, total))
    )

    assert (report.on, report.workers, report.failed, report.troubles) == (on, workers, {}, ())
    assert report.namespaces == {name: {"merged": 3} for name in NAMES}
    assert report.counts == {"merged": 18}
    assert left(engine) == EXPECTED
    assert [[run.cause for run in engine.bank(name).consolidation_runs()] for name in NAMES] == [
        ["fan-out"]
    ] * 6
    assert heard[-1] == (6, 6)
    assert engine.log(op="consolidate_all")[-1]["count"] == 6


def test_a_second_round_runs_again(engine: Engine) -> None:
    """An order is new each time; there is nothing left to merge."""
    engine.consolidate_all()
    report = engine.consolidate_all()
    assert report.namespaces == {name: {} for name in NAMES}
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [2] * 6


def test_only_some_namespaces(engine: Engine) -> None:
    """`namespaces`, each once."""
    report = engine.consolidate_all(namespaces=[NAMES[1], NAMES[4], NAMES[1]])
    assert list(report.namespaces) == [NAMES[1], NAMES[4]]
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [0, 1, 0, 0, 1, 0]


def test_only_where_a_cycle_is_due(folder: Path) -> None:
    """`due_only`: nothing under the trigger `manual`; under `turns` where enough was said."""
    counted = replace(SHORT, consolidation=replace(SHORT.consolidation, trigger="turns", every=2))
    with cogmem_core.open(folder, embedder="hashing", config=SHORT) as engine:
        assert engine.consolidate_all(due_only=True).namespaces == {}
        engine.bank(NAMES[2]).remember(["I have a cat", "I have a dog"])
    with cogmem_core.open(folder, embedder="hashing", config=counted) as engine:
        engine.pause()
        assert list(engine.consolidate_all(due_only=True).namespaces) == [NAMES[2]]


def test_what_somebody_else_did_is_not_done_again(engine: Engine) -> None:
    """Two machines with one order: the second finds it done, also if it learns so only when it holds the lease."""
    order = Batch(("duplicates",), dict.fromkeys(NAMES, 0))
    assert run_batch(engine.services, order, first=4) == {}
    assert run_batch(engine.services, order) == {}
    late = consolidate(engine.services, NAMES[0], CycleRequest(("duplicates",), max_cycles=0))
    assert (late.run_id, late.reason) == ("", "the cycle that was ordered has been made")
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [1] * 6
    assert consolidate(
        engine.services, NAMES[0], CycleRequest(("duplicates",), max_cycles=1)
    ).run_id


def test_a_worker_that_is_told_to_stop_leaves_the_rest(engine: Engine) -> None:
    """`CycleControl.stopping` between two namespaces."""
    done: list[str] = []
    watch = CycleControl(
        stopping=lambda: len(done) >= 2,
        progress=lambda step, _, __: None if step else done.append(step),
    )
    run_batch(engine.services, Batch(("duplicates",), dict.fromkeys(NAMES, 0)), watch=watch)
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [1, 1, 0, 0, 0, 0]


def test_a_namespace_whose_cycle_cannot_run_is_told(engine: Engine) -> None:
    """Three attempts; the others get theirs."""
    with engine.services.ledger.database.writing() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER broken BEFORE INSERT ON runs WHEN new.namespace = 'user 3' "
            "BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    report = engine.consolidate_all()
    assert list(report.failed) == ["user 3"]
    assert report.failed["user 3"].startswith("StoreError: ")
    assert sorted(report.namespaces) == [name for name in NAMES if name != "user 3"]


WORKER = """
import os, signal, sys
from cogmem_core.consolidation import steps
from cogmem_core.engine import worker_process
import cogmem_core.consolidation.cycle as cycle

def killed(scene):
    if scene.namespace == "user 3":
        os.kill(os.getpid(), signal.SIGKILL)
    return dict(steps.STEPS)["duplicates"](scene)

cycle.STEPS = tuple((name, killed if name == "duplicates" else step) for name, step in steps.STEPS)
worker_process.work(sys.argv[1])
"""


def test_what_a_killed_worker_leaves_is_taken_over(
    engine: Engine, scripts: Scripts, tmp_path: Path
) -> None:
    """A process is killed within a cycle: its lease runs out, and the round ends as if nothing had happened."""
    recipe = {**engine.origin, "config": as_table(SHORT), "steps": SHORT.consolidation.steps}
    text = json.dumps({**recipe, "cycles": dict.fromkeys(NAMES, 0), "first": 2})
    assert scripts.run(WORKER, tmp_path, arguments=[text]).code == -signal.SIGKILL
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [0, 0, 1, 1, 0, 0]

    failed = run_batch(
        engine.services, Batch(tuple(SHORT.consolidation.steps), dict.fromkeys(NAMES, 0))
    )

    assert failed == {}
    assert left(engine) == EXPECTED
    assert [run.state for run in engine.bank("user 3").consolidation_runs()] == [
        "done",
        "interrupted",
    ]


def test_processes_that_die_at_once_are_replaced_by_this_one(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One machine falls back to a thread: the round is done, and what happened is told."""
    monkeypatch.setenv("COGMEM_CONFIG", "/nowhere.toml")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    report = engine.consolidate_all(on="processes")
    assert [trouble.split(" ended ")[1] for trouble in report.troubles] == ["with code 1"] * 2
    assert report.namespaces == {name: {"merged": 3} for name in NAMES}


PATIENT = """#!{python}
import os, pathlib, sys, time
heard, until = pathlib.Path({folder!r}), time.monotonic() + 20
sys.stdin.read()
(heard / str(os.getpid())).touch()
while len(list(heard.iterdir())) < 2:
    time.sleep(0.01)
    if time.monotonic() > until:
        sys.exit("the other one was not told")
"""


def test_all_processes_are_told_to_stop_before_one_is_waited_for(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the two goes on until the other one was told, too."""
    heard, worker = tmp_path / "heard", tmp_path / "worker"
    heard.mkdir()
    worker.write_text(PATIENT.format(python=sys.executable, folder=str(heard)))
    worker.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(worker))
    with EXECUTORS["processes"](engine, Batch((), dict.fromkeys(NAMES, 0)), 2) as pool:
        assert not pool.wait(0.0)
    assert (pool.wait(0.0), pool.failures) == (True, [])


def test_a_process_ends_with_the_one_that_started_it(scripts: Scripts, tmp_path: Path) -> None:
    """Its standard input is closed before it was told anything: there is nothing to do."""
    served = "from cogmem_core.engine.worker_process import serve; serve()"
    assert scripts.run(served, tmp_path).code == 0


@pytest.mark.parametrize("on", ["processes", "ray"])
def test_another_process_must_be_able_to_open_the_store(on: str, folder: Path) -> None:
    """A memory of this process alone, or a model that is an object of the caller's."""
    with cogmem_core.open(embedder="hashing", config=SHORT) as engine:
        engine.bank("a").add("x")
        with pytest.raises(InvalidInput, match="in memory only"):
            engine.consolidate_all(on=on)
    with cogmem_core.open(
        folder.parent / "other", embedder=CountingEmbedder(), config=SHORT
    ) as engine:
        engine.bank("a").add("x")
        with pytest.raises(InvalidInput, match="the embedder is an object"):
            engine.consolidate_all(on=on)


@each_case_of("fan_out/bad_arguments_change_nothing")
def test_bad_arguments_change_nothing(engine: Engine, wrong: dict[str, Any], message: str) -> None:
    """A typed error that names the argument."""
    with pytest.raises(InvalidInput, match=message):
        engine.consolidate_all(**wrong)
    assert [len(engine.bank(name).consolidation_runs()) for name in NAMES] == [0] * 6


def test_an_empty_store(tmp_path: Path) -> None:
    """Nothing to do, by nobody."""
    with cogmem_core.open(tmp_path / "new", embedder="hashing", config=SHORT) as engine:
        assert engine.consolidate_all(on="processes").namespaces == {}


def test_recalls_go_on_meanwhile(engine: Engine) -> None:
    """Threads let those pass that somebody waits for."""
    found: list[int] = []
    asking = threading.Thread(
        target=lambda: found.extend(len(engine.bank(n).recall("tea").results) for n in NAMES)
    )
    asking.start()
    engine.consolidate_all(workers=2)
    asking.join()
    assert len(found) == 6
    assert min(found) >= 1


@pytest.mark.parametrize("preset", ["default", "v9", "cognitive-memory"])
def test_a_configuration_survives_being_written_down(preset: str) -> None:
    """What a worker is told is what the engine has."""
    config = cogmem_core.preset(preset)
    assert config_of(json.loads(json.dumps(as_table(config)))) == config
    assert isinstance(config, Config)

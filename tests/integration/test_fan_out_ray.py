"""Fan-out on a Ray cluster of three raylets on one machine, one of which dies.

It takes half a minute, and is run by `make fault`.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="needs ray")
pytestmark = pytest.mark.thorough

CLUSTER = """
import os, sys, threading, time
os.environ["RAY_AUTH_MODE"] = "disabled"
import ray
from ray.cluster_utils import Cluster
import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig

config = Config(consolidation=ConsolidationConfig(trigger="manual", lease_seconds=5.0))
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
doomed = cluster.add_node(num_cpus=1)
cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, log_to_driver=False)
with cogmem_core.open(sys.argv[1], embedder="hashing", config=config) as engine:
    names = [f"user {number}" for number in range(9)]
    for name in names:
        for thing in ("tea", "the sea"):
            for _ in range(2):
                engine.bank(name).add(f"{name} likes {thing}")
    killed = []

    def progress(done, total):
        if done and not killed:
            killed.append(done)
            cluster.remove_node(doomed, allow_graceful=False)

    report = engine.consolidate_all(on="ray", workers=3, progress=progress)
    print(len(killed), len(report.namespaces), dict(report.failed))
    states = [[memory.state for memory in engine.bank(name).list(state="any")].count("superseded") for name in names]
    done = [[run.state for run in engine.bank(name).consolidation_runs()].count("done") for name in names]
    print(states, done)
ray.shutdown()
cluster.shutdown()
"""


def test_three_raylets_one_of_which_dies_do_each_namespace_once(tmp_path: Path) -> None:
    """Each namespace is consolidated once, whoever does it."""
    run = subprocess.run(
        [sys.executable, "-c", CLUSTER, str(tmp_path / "brain")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # The node that dies may tell so on the same output, at any time.
    assert {"1 9 {}", "[2, 2, 2, 2, 2, 2, 2, 2, 2] [1, 1, 1, 1, 1, 1, 1, 1, 1]"} <= set(
        run.stdout.splitlines()
    ), run.stderr[-3_000:]
    assert run.returncode == 0

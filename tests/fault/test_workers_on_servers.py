"""Two stateless processes share one bank on PostgreSQL and a Chroma server; one of them is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from servers import run_sql
from tenacity import retry, retry_if_result, stop_after_delay, wait_fixed

WORKER = Path(__file__).resolve().parents[1] / "worker.py"


class Worker:
    """A process that obeys."""

    def __init__(self, *urls: str) -> None:
        command = [sys.executable, str(WORKER), *urls]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *order: str) -> None:
        """Give an order and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """The next answer; None if the process is dead."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def __call__(self, *order: str) -> Any:
        """Give an order and wait for its answer."""
        self.send(*order)
        return self.answer()

    def kill(self) -> None:
        """kill -9; returns when it is gone."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def close(self) -> None:
        """Let it end by itself."""
        if self._process.poll() is None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(timeout=60)
            if self._process.stdout is not None:
                self._process.stdout.close()


@pytest.fixture
def worker(ledger_url: str, chroma_server: str) -> Iterator[Callable[[], Worker]]:
    """Starts workers of one bank."""
    with ExitStack() as running:

        def start() -> Worker:
            started = Worker(ledger_url, chroma_server)
            running.callback(started.close)
            return started

        yield start


def test_workers_see_each_other_and_a_killed_one_loses_nothing(worker: Callable[[], Worker], ledger_url: str) -> None:
    """FINDINGS B6: what was acknowledged is there, once; what was in flight is whole or absent."""
    one, two = worker(), worker()
    assert one("remember", "alice", "The harbour has twelve boats") == "stored"
    assert two("recall", "alice", "harbour boats") == ["The harbour has twelve boats"]
    assert two("remember", "alice", "The harbour has twelve boats") == "reinforced"
    assert two("remember", "bob", "The harbour has twelve boats") == "stored"

    acknowledged: list[str] = []
    sent = threading.Event()

    def talk() -> None:
        for number in range(1_000):
            text = f"Parcel {number} is in locker {number * 7}"
            try:
                answer = one("remember", "alice", text)
            except (BrokenPipeError, ValueError):
                return
            if answer is None:
                return
            acknowledged.append(text)
            if number == 12:
                sent.set()

    talking = threading.Thread(target=talk)
    talking.start()
    assert sent.wait(120)
    assert two("remember", "alice", "The lighthouse keeper is called Ida") == "stored"
    one.kill()
    talking.join()

    texts = two("texts", "alice")
    parcels = [text for text in texts if text.startswith("Parcel")]
    assert len(texts) == len(set(texts))
    in_flight = f"Parcel {len(acknowledged)} is in locker {len(acknowledged) * 7}"
    assert set(parcels) - set(acknowledged) <= {in_flight}
    assert set(acknowledged) <= set(parcels)
    left = run_sql(ledger_url, "SELECT count(*) FROM episodes WHERE status = 'queued'")[0][0]
    assert left in (0, 1)
    # What the dead one had said and not finished becomes a memory of the next one that looks.
    two("dream", "alice")
    assert run_sql(ledger_url, "SELECT count(*) FROM episodes WHERE status = 'queued'") == [(0,)]
    assert two("sync", "alice") == 0
    assert sorted(two("recall", "alice", "parcel locker"))[0].startswith("Parcel")


def test_the_lease_of_a_killed_worker_is_taken_over(worker: Callable[[], Worker], ledger_url: str) -> None:
    """DESIGN 6: owner, expires_at, fencing number."""
    one, two = worker(), worker()
    assert one("remember", "alice", "The harbour has twelve boats") == "stored"
    assert one("hang", "alice") == 1
    assert two("dream", "alice") == ["another cycle is running on this namespace", 0]
    one.kill()

    @retry(retry=retry_if_result(lambda found: found != ["", 0]), wait=wait_fixed(0.1), stop=stop_after_delay(30))
    def dream() -> Any:
        return two("dream", "alice")

    assert dream() == ["", 0]
    assert run_sql(ledger_url, "SELECT owner, fence FROM dreams") == [(None, 2)]
    assert two("dream", "alice") == ["", 0]

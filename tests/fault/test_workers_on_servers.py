"""Two stateless processes share one bank on PostgreSQL and a Chroma server; one of them is killed."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from helpers.servers import run_sql
from helpers.worker_process import Worker


@pytest.fixture
def worker(ledger_url: str, chroma_server: str) -> Iterator[Callable[[], Worker]]:
    """Starts workers of one bank."""
    with ExitStack() as running:

        def start() -> Worker:
            return running.enter_context(Worker(ledger_url, chroma_server))

        yield start


def test_workers_see_each_other_and_a_killed_one_loses_nothing(
    worker: Callable[[], Worker], ledger_url: str
) -> None:
    """What was acknowledged is there, once; what was in flight is whole or absent; its lease is taken over."""
    one, two = worker(), worker()
    assert one("remember", "alice", "The harbour has twelve boats") == "stored"
    assert two("recall", "alice", "harbour boats") == ["The harbour has twelve boats"]
    assert two("remember", "alice", "The harbour has twelve boats") == "reinforced"
    assert two("remember", "bob", "The harbour has twelve boats") == "stored"

    # It has begun a cycle: owner, expires_at, fencing number.
    assert one("hang", "alice") == 1
    assert two("dream", "alice") == ["another cycle is running on this namespace", 0]
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
    assert two("dream", "alice") == ["another cycle is running on this namespace", 0]
    two("advance", "alice", "3600")
    # What the dead one had said and not finished becomes a memory of the next one that looks.
    assert two("dream", "alice")[0] == ""
    assert run_sql(ledger_url, "SELECT owner, fence FROM dreams") == [(None, 2)]
    assert run_sql(ledger_url, "SELECT count(*) FROM episodes WHERE status = 'queued'") == [(0,)]
    assert two("sync", "alice") == 0
    assert sorted(two("recall", "alice", "parcel locker"))[0].startswith("Parcel")

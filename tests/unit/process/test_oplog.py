"""The op log: one JSON line per operation, rotated, without secrets, never in the way."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cogmem_core import StoreError
from cogmem_core.process import oplog
from cogmem_core.process.oplog import OpLog, read
from cogmem_core.testing import FrozenClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ops-log.jsonl"


def test_a_record_has_the_fields_of_the_document(path: Path) -> None:
    """V9: ts, op, input, output, model, latencyMs, success, fallback, intent, avgRelevance, resultCount."""
    log = OpLog(path, clock=FrozenClock(), content=True)
    log.append(
        "consolidation",
        input="cluster of 5 memories about API routing",
        output="merged into 1 theme memory",
        model="gpt-4o-mini",
        latency_ms=450,
        success=True,
        fallback=False,
        intent="technical",
        avg_relevance=0.72,
        result_count=5,
        prompt_tokens=120,
        completion_tokens=30,
        error=None,
    )
    log.close()

    assert json.loads(path.read_text()) == {
        "ts": "2026-06-01T12:00:00.000Z",
        "op": "consolidation",
        "input": "cluster of 5 memories about API routing",
        "output": "merged into 1 theme memory",
        "model": "gpt-4o-mini",
        "latencyMs": 450,
        "success": True,
        "fallback": False,
        "intent": "technical",
        "avgRelevance": 0.72,
        "resultCount": 5,
        "promptTokens": 120,
        "completionTokens": 30,
    }


def test_texts_are_hashed_unless_asked_for(path: Path) -> None:
    """What was said is in the ledger; the log only tells two texts apart."""
    log = OpLog(path, clock=FrozenClock())
    log.append("form", input="I moved to Lisbon", ids=["m1"])

    assert log.recent() == [
        {
            "ts": "2026-06-01T12:00:00.000Z",
            "op": "form",
            "input": "sha256:3a1eccbc99fb3b2e (17 characters)",
            "ids": ["m1"],
        }
    ]
    log.close()


def test_no_secret_is_ever_written(path: Path) -> None:
    """Whatever the field, however deep."""
    log = OpLog(path, clock=FrozenClock(), content=True)
    log.append(
        "x",
        input="password=hunter2",
        error="key AKIAIOSFODNN7EXAMPLE",
        detail={"a": ["my pin: 4821"]},
        withheld=["00196569-8b96-4e64-baac-313c607b3979"],  # an id, though it begins like a number
    )
    record = log.recent()[0]
    log.close()

    assert record["input"] == "password=[redacted password]"
    assert record["error"] == "key [redacted api key]"
    assert record["detail"] == {"a": ["my pin: [redacted password]"]}
    assert record["withheld"] == ["00196569-8b96-4e64-baac-313c607b3979"]


def test_long_values_are_cut_and_odd_ones_are_written_as_text(path: Path) -> None:
    """A record has a bounded size, and nothing that can be passed breaks the line."""
    log = OpLog(path, clock=FrozenClock())
    log.append("x", reason="a" * 501, where=Path("y"), share=float("nan"), lone="\ud800")
    record = log.recent()[0]
    log.close()

    assert record["reason"] == "a" * 500 + "…"
    assert (record["where"], record["share"], record["lone"]) == ("y", None, "?")


def test_a_full_file_is_rotated_by_date_and_number(path: Path) -> None:
    """`ops-log-{YYYY-MM-DD}.jsonl`, then `.1`, `.2`; no line is split or lost."""
    log = OpLog(path, clock=FrozenClock(), max_bytes=150)
    for number in range(8):
        log.append("x", n=number)
    log.close()

    assert sorted(file.name for file in path.parent.iterdir()) == [
        "ops-log-2026-06-01.1.jsonl",
        "ops-log-2026-06-01.2.jsonl",
        "ops-log-2026-06-01.jsonl",
        "ops-log.jsonl",
    ]
    assert [record["n"] for record in read(path)] == [0, 1, 2, 3, 4, 5, 6, 7]


def test_reading_gives_the_newest_of_an_operation(path: Path) -> None:
    """Across rotated files, oldest first; lines that are no records are passed over."""
    log = OpLog(path, clock=FrozenClock(), max_bytes=150)
    for number in range(8):
        log.append("even" if number % 2 == 0 else "odd", n=number)
    log.close()
    with path.open("a") as file:
        file.write("half a li\n[1]\n")

    assert [record["n"] for record in read(path, 3, "odd")] == [3, 5, 7]
    assert [record["n"] for record in read(path, 2)] == [6, 7]
    assert read(path, 0) == []


def test_reading_a_log_that_does_not_exist_gives_nothing(path: Path) -> None:
    """A new bank has no log yet."""
    assert read(path) == []


def test_an_engine_in_memory_keeps_the_newest_records() -> None:
    """Without a path nothing touches the disk; 1,000 records are kept."""
    log = OpLog(None, clock=FrozenClock())
    for number in range(1_500):
        log.append("x", n=number)
        if number % 500 == 0:
            log.flush()
    newest = log.recent(2_000)
    log.close()

    assert [newest[0]["n"], newest[-1]["n"], len(newest)] == [500, 1499, 1000]
    assert [record["n"] for record in log.recent(1, op="x")] == [1499]


def test_a_disk_that_refuses_is_no_error(tmp_path: Path) -> None:
    """The failure is counted and shown, never raised."""
    log = OpLog(tmp_path / "missing" / "ops-log.jsonl", clock=FrozenClock())
    log.append("x")

    assert log.flush()
    assert log.dropped == 1
    assert isinstance(log.failure, FileNotFoundError)
    log.close()


def test_after_closing_records_are_dropped(path: Path) -> None:
    """Closing writes what is left; a late append is counted, not raised."""
    log = OpLog(path, clock=FrozenClock())
    log.append("x")
    log.close()
    log.close()
    log.append("late")

    assert [record["op"] for record in read(path)] == ["x"]
    assert log.dropped == 1


def test_erased_texts_do_not_come_after_their_hashes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that is being written while texts are hidden is waited for; if it takes too long, that is told."""
    go_on = threading.Event()

    class Slow:
        def __str__(self) -> str:
            go_on.wait(10)
            return "slow"

    monkeypatch.setattr(oplog, "_CLOSE_SECONDS", 0.05)
    log = OpLog(path, clock=FrozenClock(), content=True)
    log.append("recall", input="the canary sings", what=Slow())
    with pytest.raises(StoreError, match="is still being written"):
        log.hide()
    go_on.set()
    assert log.flush()
    log.hide()
    assert "canary" not in path.read_text()
    log.close()


def test_threads_write_whole_lines(path: Path) -> None:
    """1,000 records from 8 threads, each once."""
    log = OpLog(path, clock=FrozenClock(), max_bytes=20_000)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: log.append("x", n=number), range(1_000)))
    log.close()

    assert sorted(record["n"] for record in read(path, 2_000)) == list(range(1_000))


def test_two_logs_may_share_a_file(path: Path) -> None:
    """Two processes on one bank rotate the same file and lose no line."""
    logs = [OpLog(path, clock=FrozenClock(), max_bytes=2_000) for _ in range(2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: logs[number % 2].append("x", n=number), range(1_000)))
    for log in logs:
        log.close()

    assert [(log.dropped, log.failure) for log in logs] == [(0, None), (0, None)]
    assert sorted(record["n"] for record in read(path, 2_000)) == list(range(1_000))

"""What goes wrong around an engine: its folder is exchanged, its clock is wrong, others do the same at once."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import ConfigError, StoreError
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row, each_row_of


@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "gone"])
def test_what_would_go_into_a_folder_that_was_moved_away_is_refused(
    tmp_path: Path, replaced: bool
) -> None:
    """Else it would be told as kept, and nobody would find it; health says so, too."""
    folder = tmp_path / "bank"
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.add("Tea is warm")
        engine.flush()  # the log of operations, too
        folder.rename(tmp_path / "moved")
        if replaced:
            with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as other:
                other.bank("alice").add("Soup is warm")
        with pytest.raises(StoreError, match="no longer the file that was opened"):
            bank.add("Milk is warm")
        assert any("no longer the file that was opened" in one for one in engine.warnings())
    with cogmem_core.open(tmp_path / "moved", embedder="hashing", config=MANUAL) as engine:
        assert [memory.content for memory in engine.bank("alice").list()] == ["Tea is warm"]


@each_row("year", [1, 999, 9900, 9999])
def test_a_clock_from_which_nobody_can_count_on_is_refused(year: int) -> None:
    """Nothing is stored with a time that no later one can be told from."""
    clock = FrozenClock(datetime(year, 1, 1, tzinfo=timezone.utc))
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        with pytest.raises(ConfigError, match="set it right, to a year from 1000 to 9899"):
            bank.add("Tea is warm")
        clock.now = datetime(2026, 6, 1, tzinfo=timezone.utc)
        assert bank.count() == 0


@each_row_of("surroundings/the_first_and_the_last_year_are_like_others")
def test_the_first_and_the_last_year_are_like_others(now: datetime) -> None:
    """Whatever counts back, or a century ahead."""
    clock = FrozenClock(now)
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember(["Yesterday I moved to Rome.", "In two weeks I go home."])
        bank.items().put(("notes",), "one", {"text": "tea"}, texts=["tea"], ttl=1e9)
        recall = bank.recall("What did I do last year?", floor=0)
        bank.feedback(recall, "You moved to Rome.")
        assert bank.consolidate().reason == ""
        assert engine.doctor().clean
        assert bank.forecast(36_500).until >= clock.now
        assert bank.health()["warnings"] == []


def test_a_cycle_of_a_clock_that_went_ahead_does_not_put_off_the_next(tmp_path: Path) -> None:
    """Years ahead, by mistake: when the clock is right again, the namespace is due as before."""
    clock = FrozenClock()
    with cogmem_core.open(tmp_path, embedder="hashing", clock=clock) as engine:
        engine.pause()
        bank = engine.bank("alice")
        bank.add("Tea is warm")
        clock.advance(days=3_650)
        assert bank.consolidate().reason == ""
        clock.advance(days=-3_640)
        reports = [engine.consolidate_all(due_only=True) for _ in range(2)]
        assert [list(report.namespaces) for report in reports] == [["alice"], []]


def test_two_imports_of_one_file_at_once_store_it_once(tmp_path: Path) -> None:
    """Whoever comes second in a transaction finds what the first one stored."""
    file = tmp_path / "mem0.json"
    rows = [{"id": f"id{i}", "memory": f"Note {i} says zq{i}xq"} for i in range(20)]
    file.write_text(json.dumps({"results": rows}))
    with cogmem_core.open(tmp_path / "bank", embedder="hashing", config=MANUAL) as engine:
        bank, start = engine.bank("alice"), threading.Barrier(3)

        def imported(_: int) -> tuple[int, int]:
            start.wait()
            report = bank.import_(file, "mem0")
            return report.stored, report.known

        with ThreadPoolExecutor(3) as threads:
            counts = list(threads.map(imported, range(3)))
        assert bank.count(state="any") == 20
        assert tuple(map(sum, zip(*counts, strict=True))) == (20, 40)

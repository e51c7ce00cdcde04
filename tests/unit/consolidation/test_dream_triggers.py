"""What starts a dream cycle by itself: time, turns, ingestions; by the engine's clock, also after a restart."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, StoreError
from cogmem_core.config import ConsolidationConfig
from cogmem_core.consolidation import CycleControl, due, run_one
from cogmem_core.testing import FrozenClock
from helpers.store_kinds import edit

QUIET = ("expiry", "reindex")


def opened(place: Path | None, clock: FrozenClock, **settings: object) -> Engine:
    dreams = ConsolidationConfig(steps=QUIET, tick=("expiry",), **settings)  # type: ignore[arg-type]
    return cogmem_core.open(
        place, embedder="hashing", clock=clock, config=Config(consolidation=dreams)
    )


def causes(bank: MemoryBank) -> list[str]:
    return [run.cause for run in bank.consolidation_runs()]


def settle(engine: Engine) -> None:
    """What the background worker does when it finds the time."""
    while run_one(engine.services, CycleControl()):
        pass


def waited(condition: threading.Event, check: object) -> bool:
    """Give the worker's thread up to ten seconds."""
    for _ in range(1_000):
        if check():  # type: ignore[operator]
            return True
        condition.wait(0.01)
    return False


def test_a_cycle_is_due_one_hour_after_the_first_write() -> None:
    """Agentos: trigger 'interval', every 3,600,000 ms; 1 h after the first write or the last run."""
    clock = FrozenClock()
    with opened(None, clock) as engine:
        engine.pause()
        engine.bank("a").add("I like tea")
        clock.advance(minutes=59)
        assert due(engine.services) == []
        clock.advance(minutes=1)
        assert due(engine.services) == ["a"]
        settle(engine)
        assert (due(engine.services), causes(engine.bank("a"))) == ([], ["interval"])


def test_namespaces_take_turns_the_one_that_waits_longest_first() -> None:
    """One worker per engine, fair over namespaces."""
    clock = FrozenClock()
    with opened(None, clock) as engine:
        engine.pause()
        for name in ("b", "a", "c"):
            engine.bank(name).add("I like tea")
            clock.advance(minutes=1)
        clock.advance(hours=2)
        assert due(engine.services) == ["b", "a", "c"]
        assert run_one(engine.services, CycleControl()) is True
        engine.bank("b").add("I like coffee")
        clock.advance(hours=1)
        assert due(engine.services) == ["a", "c", "b"]


@pytest.mark.parametrize(("trigger", "expected"), [("turns", ["turns"]), ("ingestions", [])])
def test_turns_and_ingestions_are_counted(trigger: str, expected: list[str]) -> None:
    """Agentos: after every N turns; cognitive-memory: after every N ingestion cycles, each of one or many turns."""
    with opened(None, FrozenClock(), trigger=trigger, every=5) as engine:
        engine.pause()
        bank = engine.bank("a")
        bank.remember(
            [
                "I moved to Lisbon in May",
                "I work at Acme",
                "My cat is called Miso",
                "I play the cello",
            ]
        )
        assert due(engine.services) == []
        bank.remember("My sister lives in Oslo")
        settle(engine)
        assert causes(bank) == expected


def test_five_ingestions_make_a_tick() -> None:
    """Cognitive-memory: "By default, it triggers every 5 ingestion cycles: await mem.tick()"."""
    clock = FrozenClock()
    with opened(None, clock, trigger="ingestions", every=5, automatic="tick") as engine:
        engine.pause()
        bank = engine.bank("a")
        for number in range(10):
            clock.advance(minutes=1)
            bank.remember(f"I read chapter {number} of the book about Lisbon")
            settle(engine)
        assert causes(bank) == ["ingestions", "ingestions"]
        assert [list(run.report["steps"]) for run in bank.consolidation_runs()] == [
            ["expiry"],
            ["expiry"],
        ]


def test_manual_means_never() -> None:
    """Agentos: "Only runs when consolidate() is called explicitly"."""
    clock = FrozenClock()
    with opened(None, clock, trigger="manual") as engine:
        engine.bank("a").add("I like tea")
        clock.advance(days=30)
        assert due(engine.services) == []
        engine.flush()
        assert causes(engine.bank("a")) == []
        engine.bank("a").consolidate()
        assert causes(engine.bank("a")) == ["manual"]


def test_a_user_who_calls_nothing_gets_consolidation(tmp_path: Path) -> None:
    """ "a drop-in user gets consolidation without calling anything", also after a restart."""
    clock, never = FrozenClock(), threading.Event()
    with opened(tmp_path / "brain", clock) as engine:
        plan = engine.bank("a").add("I fly to Rome on Friday", valid_until=clock.now.replace(day=5))
    clock.advance(days=10)
    with opened(tmp_path / "brain", clock) as engine:
        bank = engine.bank("a")
        assert waited(never, bank.consolidation_runs)
        assert waited(never, lambda: bank.get(plan.id).state == "superseded")
        assert causes(bank) == ["interval"]


def test_a_paused_engine_dreams_only_when_asked() -> None:
    """`pause` stops the background worker; `flush` finishes what was written, and starts no cycle."""
    clock = FrozenClock()
    with opened(None, clock) as engine:
        engine.pause()
        engine.bank("a").add("I like tea")
        clock.advance(hours=2)
        engine.flush()
        assert causes(engine.bank("a")) == []
        assert engine.health()["consolidation"] == {"trigger": "interval", "due": 1}
        never = threading.Event()
        engine.resume()
        assert waited(never, engine.bank("a").consolidation_runs)
        assert causes(engine.bank("a")) == ["interval"]


def test_health_tells_of_the_last_cycle() -> None:
    """API.md: `health()` holds the last run, as JSON values."""
    clock = FrozenClock()
    with opened(None, clock, trigger="manual") as engine:
        bank = engine.bank("a")
        assert bank.health()["last_run"] is None
        bank.add("I fly to Rome on Friday", valid_until=clock() + timedelta(days=1))
        clock.advance(days=2)
        report = bank.consolidate()
        assert bank.health()["last_run"] == {
            "id": report.run_id,
            "cause": "manual",
            "state": "done",
            "started_at": "2026-06-03T12:00:00+00:00",
            "counts": {"expired": 1},
            "failed": [],
        }


def test_a_namespace_that_cannot_be_read_holds_up_no_other(tmp_path: Path) -> None:
    """Its trouble is told, once nothing else is left to do; trying leaves nothing behind."""
    clock = FrozenClock()
    with opened(tmp_path / "brain", clock) as engine:
        for name in ("a", "b"):
            engine.bank(name).add("I like tea")
    edit(tmp_path / "brain", "UPDATE memories SET tags = '[' WHERE namespace = 'a'")
    clock.advance(hours=2)
    with opened(tmp_path / "brain", clock) as engine:
        engine.pause()
        assert due(engine.services) == ["a", "b"]
        with pytest.raises(StoreError, match=r"tags of memory .* cannot be read"):
            settle(engine)
        assert (causes(engine.bank("a")), causes(engine.bank("b"))) == ([], ["interval"])
        report = engine.consolidate_all()
        assert (list(report.namespaces), list(report.failed)) == (["b"], ["a"])


def test_a_cycle_that_was_stopped_stays_due() -> None:
    """A process that lives shorter than a cycle takes gets to its last steps all the same."""
    clock, looks = FrozenClock(), iter([False, False, True])
    with opened(None, clock) as engine:
        engine.pause()
        bank = engine.bank("a")
        bank.add("I like tea")
        clock.advance(hours=2)
        assert run_one(engine.services, CycleControl(stopping=lambda: next(looks, True)))
        assert [run.state for run in bank.consolidation_runs()] == ["interrupted"]
        assert due(engine.services) == ["a"]
        settle(engine)
        assert [run.state for run in bank.consolidation_runs()] == ["done", "interrupted"]
        assert due(engine.services) == []

"""The dream cycle as a whole: one lease per namespace, whole steps or nothing, dry runs, the record, undoing."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, Memory, MemoryBank, Turn
from cogmem_core.changes import Actor, Touch, apply
from cogmem_core.testing import MANUAL, FrozenClock

ENGINE = {"embedder": "hashing"}


def plan(bank: MemoryBank, clock: FrozenClock, text: str = "I fly to Rome on Friday") -> Memory:
    return bank.add(text, category="plan", valid_until=clock() + timedelta(days=1))


def touch(bank: MemoryBank, memory_id: str, fields: dict[str, object], name: str = "user") -> None:
    services = bank._engine.services
    with services.ledger.writing() as writer:
        apply(
            writer,
            bank.namespace,
            [Touch(memory_id, fields, "by hand")],
            now=services.runtime.now(),
            actor=Actor(name),
        )


def exported(bank: MemoryBank, place: Path) -> str:
    path = place / "export.jsonl"
    bank.export(path)
    return path.read_text(encoding="utf-8")


def test_a_lease_runs_out(engine: Engine, bank: MemoryBank, clock: FrozenClock) -> None:
    """A process that died holds up the next cycle for `lease_seconds` at most, and no other namespace."""
    with engine.services.ledger.writing() as writer:
        writer.at("alice").runs.take_lease("dead", now=clock(), seconds=120)
    clock.advance(seconds=119)
    assert bank.consolidate().run_id == ""
    assert engine.bank("bob").consolidate().run_id != ""
    clock.advance(seconds=1)
    assert bank.consolidate().run_id != ""


def test_a_lost_lease_stops_the_cycle(engine: Engine, bank: MemoryBank, clock: FrozenClock) -> None:
    """Fencing: who slept through its lease writes nothing any more; the new owner is not disturbed."""
    memory = plan(bank, clock)
    clock.advance(days=2)

    def sleep(_step: str, done: int, _total: int) -> None:
        if done == 0:
            clock.advance(seconds=500)
            with engine.services.ledger.writing() as writer:
                assert writer.at("alice").runs.take_lease("another", now=clock(), seconds=120) == 2

    report = bank.consolidate(progress=sleep)
    assert {step.note for step in report.steps.values()} == {"the cycle was stopped before it"}
    assert bank.get(memory.id).state == "active"
    with engine.services.ledger.whole() as reader:
        assert reader.at("alice").runs.state().owner == "another"


def test_what_was_changed_since_stays_as_it_is(bank: MemoryBank, clock: FrozenClock) -> None:
    """Undoing a cycle does not undo what a person, or an answer, did afterwards."""
    memory = plan(bank, clock)
    clock.advance(days=2)
    report = bank.consolidate()
    touch(bank, memory.id, {"utility": 0.9})
    bank.restore(memory.id)

    undone = bank.undo(report.run_id)

    assert undone.kept == {memory.id: "changed since: state"}
    assert (bank.get(memory.id).state, bank.get(memory.id).utility) == ("active", 0.9)


def test_only_the_steps_that_are_named_run(bank: MemoryBank, clock: FrozenClock) -> None:
    """`steps` chooses; their order stays."""
    memory = plan(bank, clock)
    clock.advance(days=2)
    assert list(bank.consolidate(steps=["reindex"]).steps) in ([], ["reindex"])
    assert bank.get(memory.id).state == "active"
    assert list(bank.consolidate(steps=["expiry"]).steps) == ["expiry"]
    with pytest.raises(InvalidInput, match="steps is 'sleep'; use one of expiry, short_term"):
        bank.consolidate(steps=["sleep"])


def test_a_cycle_is_on_record_and_in_the_log(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """Agentos, step 6: the run is logged with counts and duration; without any text."""
    plan(bank, clock, "My secret plan is Rome")
    clock.advance(days=2)
    report = bank.consolidate()
    (run,) = bank.consolidation_runs()
    assert (run.id, run.cause, run.state, run.started_at) == (
        report.run_id,
        "manual",
        "done",
        clock(),
    )
    assert run.report["steps"]["expiry"] == {"counts": {"expired": 1}, "note": "", "error": ""}
    assert run.report["duration_ms"] > 0
    (record,) = engine.log(op="consolidate")
    assert (record["counts"], record["cause"], record["success"]) == (
        {"expired": 1},
        "manual",
        True,
    )
    assert "secret" not in json.dumps([dict(run.report), record])


def test_progress_names_each_step(bank: MemoryBank) -> None:
    """Called before each step and once at the end."""
    heard: list[tuple[str, int, int]] = []
    report = bank.consolidate(progress=lambda *told: heard.append(told))
    names = list(report.steps)
    assert heard == [
        *((name, n, len(names)) for n, name in enumerate(names)),
        ("", len(names), len(names)),
    ]


def test_a_memory_that_changed_meanwhile_is_left_alone(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """A cycle acts on what it has seen: what somebody touched since is looked at by the next one."""
    memory = plan(bank, clock)
    clock.advance(days=2)

    def meanwhile(_step: str, done: int, _total: int) -> None:
        if done == 0:
            touch(bank, memory.id, {"valid_until": None})

    report = bank.consolidate(steps=["expiry"], progress=meanwhile)
    assert report.steps["expiry"].counts == {"left_alone": 1}
    assert bank.get(memory.id).state == "active"


def test_pinned_plans_do_not_expire(bank: MemoryBank, clock: FrozenClock) -> None:
    """V9, truth anchors: "Pinned memories survive strategic forgetting"."""
    memory = bank.add("We meet every first of May", valid_until=clock(), pinned=True)
    assert bank.consolidate(steps=["expiry"]).expired == 0
    assert bank.get(memory.id).state == "active"


def test_a_plan_without_a_date_is_not_lost(bank: MemoryBank, clock: FrozenClock) -> None:
    """That it is over after a week is a guess, which puts it behind what holds, and no more."""
    bank.remember("The kitchen worktops will be oak.", at=clock())
    bank.remember("I'll fly home tomorrow.", at=clock())
    clock.advance(days=20)
    assert bank.consolidate(steps=["expiry"]).expired == 1
    assert [memory.content for memory in bank.list()] == ["The kitchen worktops will be oak."]
    assert bank.forecast(days=1).events == ()


def test_a_plan_that_names_somebody_is_not_lost(bank: MemoryBank, clock: FrozenClock) -> None:
    """It may be the only one that says who that is; nobody but the speaker is somebody."""
    telling = {
        "Daniel Ortiz at Nordlake wants a demo on 14 April 2027.",
        "My sister, a nurse, visits on 3 May 2027.",
        "I'm meeting my landlord Mr Kaya on 2 April 2027.",
        "My husband Koen works nights at the hospital until June 2027.",
    }
    over = (
        "I'm flying to Naples on 4 April 2027.",
        "I have a dentist appointment on 5 April 2027 at 10.",
    )
    for text in (*telling, *over):
        bank.remember(Turn(content=text, speaker="Rui Sousa"))
    bank.remember(Turn(content="Rui will meet the bank on 6 April 2027.", speaker="Rui Sousa"))
    clock.advance(days=400)
    assert bank.consolidate(steps=["expiry"]).expired == 3
    assert {memory.content for memory in bank.list()} == telling
    assert bank.forecast(days=1).events == ()


def test_a_plan_from_which_something_follows_is_not_lost(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Only an appointment leaves nothing behind; what is no appointment for certain stays."""
    following = {
        "We move to Hull on 1 May 2027.",
        "My passport expires on 2 May 2027.",
        "Her last day is 20 March 2027.",
        "We're getting married on 3 May 2027.",
        "Mein Vertrag endet am 30. April 2027.",
        "Nos mudamos a C\u00e1diz el 1 de mayo de 2027.",
        "1 May\u0131s 2027'de Bursa'ya ta\u015f\u0131n\u0131yoruz.",
        "Je signe le compromis le 3 mai 2027.",
    }
    over = (
        "We have a meeting on 5 May 2027 at 3.",
        "Am 3. Mai 2027 fliege ich nach Rom.",
        "El 4 de mayo de 2027 tengo una cita con el dentista.",
        "5 May\u0131s 2027'de randevum var.",
        "Le 6 mai 2027 on a rendez-vous chez le notaire.",
    )
    for text in (*following, *over):
        bank.remember(text)
    clock.advance(days=400)
    assert bank.consolidate(steps=["expiry"]).expired == len(over)
    assert {memory.content for memory in bank.list()} == following
    (found, *_) = bank.recall("Has my passport expired?").results
    assert found.memory.content == "My passport expires on 2 May 2027."


def test_turns_that_wait_are_encoded_first(tmp_path: Path, clock: FrozenClock) -> None:
    """A queued turn is finished by "a later call or `tick()`"."""
    with cogmem_core.open(
        tmp_path / "brain", embedder="hashing", clock=clock, config=MANUAL
    ) as engine:
        engine.pause()
        bank = engine.bank("a")
        bank.remember("I moved to Lisbon in May", wait=False)
        assert bank.count() == 0
        bank.tick()
        assert bank.count() == 1


def test_forgetting_a_namespace_forgets_its_cycles(tmp_path: Path, clock: FrozenClock) -> None:
    """`forget_all(hard=True)`: not even the name of the namespace is left."""
    with cogmem_core.open(
        tmp_path / "brain", embedder="hashing", clock=clock, config=MANUAL
    ) as engine:
        bank = engine.bank("alice@example.org")
        bank.add("I like tea")
        bank.consolidate()
        assert bank.forget_all(confirm="alice@example.org", hard=True).remaining == ()
        assert bank.consolidation_runs() == ()
        engine.flush()
    assert b"alice@example.org" not in (tmp_path / "brain" / "ledger.sqlite").read_bytes()


def test_an_undone_cycle_is_not_repeated_by_the_next_one(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """What a person brought back stays for 30 days (`respect_days`), whatever the rules say of it."""
    memory = plan(bank, clock)
    clock.advance(days=2)
    bank.undo(bank.consolidate().run_id)
    assert bank.consolidate().steps["expiry"].counts == {"left_alone": 1}
    assert bank.get(memory.id).state == "active"
    clock.advance(days=31)
    assert bank.consolidate().expired == 1


def test_what_was_restored_stays(bank: MemoryBank, clock: FrozenClock) -> None:
    """`restore` says that somebody wants it: the next cycle does not put it away again."""
    memory = plan(bank, clock)
    clock.advance(days=2)
    bank.consolidate()
    bank.restore(memory.id)
    assert bank.consolidate().expired == 0
    assert bank.get(memory.id).state == "active"


def test_a_cycle_can_be_undone_though_a_memory_of_it_was_erased_and_imported_again(
    bank: MemoryBank, clock: FrozenClock, tmp_path: Path
) -> None:
    """Of what was erased the journal knows nothing any more; the memory is back, its place on probation is not."""
    bank.remember("I am at the dentist right now.", mode="semantic")
    bank.export(tmp_path / "alice.jsonl")
    clock.advance(days=2)
    report = bank.consolidate()
    (over,) = (
        m
        for m in bank.list(state="any")
        if any(c.kind == "unmark" for c in bank.history(m.id).changes)
    )
    bank.forget(over.id, hard=True)
    bank.add(over.content)  # said again: else the file would not bring it back
    bank.import_(tmp_path / "alice.jsonl")
    assert bank.undo(report.run_id).restored == ()
    assert bank.get(over.id).state == "active"

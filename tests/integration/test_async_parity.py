"""The async twins: same names with an `a`, same signatures, same results; and what a closed engine answers."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import BankClosed, Config, Engine, Handle, Items, MemoryBank
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.tables import each_row

# These only look at values in memory or wake a thread; there is nothing to wait for.
IMMEDIATE = {
    "as_retriever",
    "bank",
    "incognito",
    "leave",
    "items",
    "session",
    "check_open",
    "changed",
    "judge",
    "prepare_erasure",
    "yield_to_foreground",
    "retrieved",
}
FACADES = (Engine, Handle, MemoryBank, Items)


def twins(facade: type) -> list[tuple[str, str]]:
    """Every public synchronous method with the name that its twin must have (`sync` has `async_`, a keyword apart)."""
    methods = [
        name
        for name, value in vars(facade).items()
        if inspect.isfunction(value) and not name.startswith("_")
    ]
    plain = [
        name
        for name in methods
        if not inspect.iscoroutinefunction(getattr(facade, name)) and name not in IMMEDIATE
    ]
    return [(name, "async_" if name == "sync" else f"a{name}") for name in plain]


PAIRS = [(facade, *pair) for facade in FACADES for pair in twins(facade)]


def test_there_are_twins_to_compare() -> None:
    """The table below is not empty by accident."""
    assert {"remember", "recall", "forget", "import_", "health"} <= {name for _, name, _ in PAIRS}
    assert {"flush", "sync", "reindex", "close", "namespaces"} <= {name for _, name, _ in PAIRS}


@each_row(("facade", "name", "twin"), PAIRS)
def test_every_public_method_has_a_twin_of_the_same_signature(
    facade: type, name: str, twin: str
) -> None:
    """A caller changes the name and adds `await`, nothing else."""
    method, other = getattr(facade, name), getattr(facade, twin)

    assert inspect.iscoroutinefunction(inspect.unwrap(other, stop=inspect.iscoroutinefunction))
    assert inspect.signature(other) == inspect.signature(method)
    assert (other.__name__, other.__qualname__) == (f"a{name}", f"{facade.__name__}.a{name}")
    assert name in (other.__doc__ or "")


def test_there_are_no_twins_without_a_method() -> None:
    """What can be awaited can also be called."""
    for facade in FACADES:
        awaited = {
            name
            for name in vars(facade)
            if inspect.iscoroutinefunction(getattr(facade, name)) and name[0] != "_"
        }
        assert awaited == {twin for _, twin in twins(facade)}


async def test_the_twins_do_what_the_methods_do(tmp_path: Path) -> None:
    """One walk through all of them."""
    async with cogmem_core.open(
        tmp_path / "brain", embedder=CountingEmbedder(), clock=FrozenClock(), config=Config()
    ) as engine:
        bank = engine.bank("alice")
        first = (await bank.aremember("I moved to Lisbon", ref="r1")).memories[0]
        second = await bank.aadd("Prefers tea", category="preference")
        found = await bank.arecall("Lisbon", k=1)
        assert [(r.memory.id, r.refs) for r in found.results] == [(first.id, ("r1",))]
        assert await bank.aget(first.id) == bank.get(first.id)
        assert await bank.acount() == len(await bank.alist()) == 2
        assert (await bank.aedit(first.id, "I moved to Porto")).version == 2
        assert [(await bank.apin(first.id)).pinned, (await bank.aunpin(first.id)).pinned] == [
            True,
            False,
        ]
        assert (await bank.aforget(first.id)).memory_ids == (first.id,)
        assert (await bank.arestore(first.id)).state == "active"
        assert len((await bank.ahistory(first.id)).versions) == 1
        assert await bank.arelations(first.id) == ()
        assert (await bank.aexplain(second.id)).history.memory == second
        # The third is what the edit left in the timeline.
        assert await bank.aexport(tmp_path / "bank.jsonl") == 3
        assert (await bank.aimport_(tmp_path / "bank.jsonl")).known == 3
        await engine.aflush()
        assert (await engine.async_(), await engine.anamespaces()) == (0, ["alice"])
        assert (await engine.areindex()).indexed == 3
        intended = await bank.aintend("call the bank", on_session="s9")
        assert await bank.aintentions("open") == (intended,)
        assert [found.id for found in await bank.adue(session_id="s9")] == [intended.id]
        assert (await bank.asettle(intended.id, "done")).state == "done"
        assert await engine.atick() == 0
        calls = [{"tool": "open"}, {"tool": "close"}]
        for session in ("s1", "s2"):
            run = await bank.aobserve_run("shut the door", calls, session_id=session)
            assert (await bank.aoutcome(run, True)).ok
        (mined,) = await bank.aprocedures()
        assert (await bank.aexport_procedure(mined.id, tmp_path)).name == "SKILL.md"
        await engine.apause()
        await engine.aresume()
        assert (await engine.ahealth())["namespaces"] == (await bank.ahealth())["memories"] - 2
        assert await engine.awarnings() == []
        assert (await engine.adoctor()).clean
        assert (await bank.aforget_all(confirm="alice")).memory_ids == (first.id, second.id)


async def test_fifty_concurrent_calls_neither_fail_nor_mix(tmp_path: Path) -> None:
    """Writes and reads of several namespaces at once: every turn is there once, every answer from its own namespace."""
    async with cogmem_core.open(
        tmp_path / "brain", embedder=CountingEmbedder(), config=Config()
    ) as engine:
        banks = [engine.bank(f"user {i}") for i in range(5)]
        reports = await asyncio.gather(
            *(banks[i % 5].aremember(f"fact {i + 100} of user {i % 5}") for i in range(50))
        )
        answers = await asyncio.gather(
            *(banks[i % 5].arecall(f"fact {i + 100}", k=10, floor=0) for i in range(50))
        )

        assert [report.receipts[0].status for report in reports] == ["stored"] * 50
        assert await asyncio.gather(*(bank.acount() for bank in banks)) == [10] * 5
        for i, answer in enumerate(answers):
            assert len(answer.results) == 10
            assert {result.memory.namespace for result in answer.results} == {f"user {i % 5}"}
            assert answer.results[0].content == f"fact {i + 100} of user {i % 5}"


async def test_the_same_turn_said_fifty_times_at_once_is_one_memory() -> None:
    """Two threads cannot both find it new."""
    async with cogmem_core.open(embedder=CountingEmbedder(), config=Config()) as engine:
        bank = engine.bank("alice")
        reports = await asyncio.gather(*(bank.aremember("It rains") for _ in range(50)))
        statuses = sorted(report.receipts[0].status for report in reports)

        assert statuses == ["reinforced"] * 49 + ["stored"]
        assert [(memory.content, memory.access_count) for memory in bank.list()] == [
            ("It rains", 49)
        ]


async def test_both_kinds_of_with_close_the_engine(tmp_path: Path) -> None:
    """Also if the block raises; closing again is allowed."""
    with (
        pytest.raises(ZeroDivisionError),
        cogmem_core.open(tmp_path / "a", embedder="hashing", config=Config()) as plain,
    ):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        async with cogmem_core.open(tmp_path / "b", embedder="hashing", config=Config()) as awaited:
            raise ZeroDivisionError
    for engine in (plain, awaited):
        with pytest.raises(BankClosed, match=r"open it again with cogmem_core\.open"):
            engine.namespaces()
        engine.close()
        await engine.aclose()


UNKNOWN = "01890000-0000-7000-8000-000000000000"
BANK_CALLS: dict[str, Callable[[MemoryBank], Any]] = {
    "observe": lambda bank: bank.observe("x"),
    "reflect": lambda bank: bank.reflect(),
    "remember": lambda bank: bank.remember("x"),
    "add": lambda bank: bank.add("x"),
    "recall": lambda bank: bank.recall("x"),
    "feedback": lambda bank: bank.feedback(bank.recall("x"), "an answer"),
    "finish_pending": lambda bank: bank.finish_pending(),
    "items": lambda bank: bank.items(),
    "session": lambda bank: bank.session("s1"),
    "consolidate": lambda bank: bank.consolidate(),
    "tick": lambda bank: bank.tick(),
    "undo": lambda bank: bank.undo(UNKNOWN),
    "consolidation_changes": lambda bank: bank.consolidation_changes(UNKNOWN),
    "consolidation_runs": lambda bank: bank.consolidation_runs(),
    "forecast": lambda bank: bank.forecast(),
    "audit": lambda bank: bank.audit(),
    "verify_audit": lambda bank: bank.verify_audit(),
    "tip_of_tongue": lambda bank: bank.tip_of_tongue("x"),
    "get": lambda bank: bank.get(UNKNOWN),
    "list": lambda bank: bank.list(),
    "count": lambda bank: bank.count(),
    "seal": lambda bank: bank.seal("health"),
    "unseal": lambda bank: bank.unseal("health"),
    "seals": lambda bank: bank.seals(),
    "edit": lambda bank: bank.edit(UNKNOWN, "x"),
    "supersede": lambda bank: bank.supersede(UNKNOWN, "x"),
    "end": lambda bank: bank.end(UNKNOWN),
    "pin": lambda bank: bank.pin(UNKNOWN),
    "unpin": lambda bank: bank.unpin(UNKNOWN),
    "restore": lambda bank: bank.restore(UNKNOWN),
    "history": lambda bank: bank.history(UNKNOWN),
    "learnt": lambda bank: bank.learnt(),
    "doubts": lambda bank: bank.doubts(),
    "asked": lambda bank: bank.asked(UNKNOWN),
    "profile": lambda bank: bank.profile(),
    "verify_erasures": lambda bank: bank.verify_erasures(),
    "relations": lambda bank: bank.relations(UNKNOWN),
    "versions": lambda bank: bank.versions(UNKNOWN),
    "settle_versions": lambda bank: bank.settle_versions(UNKNOWN),
    "hold": lambda bank: bank.hold(UNKNOWN),
    "why_allowed": lambda bank: bank.why_allowed("x", UNKNOWN),
    "explain": lambda bank: bank.explain(UNKNOWN),
    "forget": lambda bank: bank.forget("x"),
    "forget_matching": lambda bank: bank.forget_matching("x"),
    "forget_session": lambda bank: bank.forget_session("s1"),
    "forget_all": lambda bank: bank.forget_all(confirm="alice"),
    "export": lambda bank: bank.export("never-written.jsonl"),
    "import_": lambda bank: bank.import_("never-read.jsonl"),
    "health": lambda bank: bank.health(),
    "intend": lambda bank: bank.intend("x", when="y"),
    "due": lambda bank: bank.due("x"),
    "settle": lambda bank: bank.settle(UNKNOWN, "done"),
    "intentions": lambda bank: bank.intentions(),
    "observe_run": lambda bank: bank.observe_run("x", [], session_id="s1"),
    "outcome": lambda bank: bank.outcome(UNKNOWN, True),
    "procedures": lambda bank: bank.procedures(),
    "export_procedure": lambda bank: bank.export_procedure(UNKNOWN, "never-written.md"),
    "reviews": lambda bank: bank.reviews(),
    "approve": lambda bank: bank.approve(UNKNOWN),
    "reject": lambda bank: bank.reject(UNKNOWN),
    "append_messages": lambda bank: bank.append_messages(["x"], session_id="s1"),
    "transcript": lambda bank: bank.transcript("s1"),
    "clear_transcript": lambda bank: bank.clear_transcript("s1"),
}
ENGINE_CALLS: dict[str, Callable[[Engine], Any]] = {
    "bank": lambda engine: engine.bank("alice"),
    "namespaces": lambda engine: engine.namespaces(),
    "sync": lambda engine: engine.sync(),
    "reindex": lambda engine: engine.reindex(),
    "health": lambda engine: engine.health(),
    "metrics": lambda engine: engine.metrics(),
    "warnings": lambda engine: engine.warnings(),
    "backup": lambda engine: engine.backup("never-written.sqlite"),
    "flush": lambda engine: engine.flush(),
    "log": lambda engine: engine.log(),
    "verify_audit": lambda engine: engine.verify_audit(),
    "doctor": lambda engine: engine.doctor(),
    "consolidate_all": lambda engine: engine.consolidate_all(),
    "pause": lambda engine: engine.pause(),
    "resume": lambda engine: engine.resume(),
    "tick": lambda engine: engine.tick(),
    "check_open": lambda engine: engine.check_open(),
    "as_": lambda engine: engine.as_("x"),
    "add_principal": lambda engine: engine.add_principal("x"),
    "principals": lambda engine: engine.principals(),
    "grant": lambda engine: engine.grant("x", "y", "read"),
    "grants": lambda engine: engine.grants(),
    "revoke": lambda engine: engine.revoke(UNKNOWN),
    "access_log": lambda engine: engine.access_log(),
}


def test_the_tables_below_name_every_method() -> None:
    """A method that is added later is tested too."""
    methods = {name for name, _ in twins(MemoryBank)}
    assert BANK_CALLS.keys() == methods | {"items", "session"}
    methods = {name for name, _ in twins(Engine)} - {"close"}
    assert ENGINE_CALLS.keys() == methods | {"bank", "check_open"}


def test_after_closing_every_method_says_that_the_engine_is_closed(tmp_path: Path) -> None:
    """BankClosed names the way back; nothing hangs, nothing half works."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=Config()) as engine:
        bank = engine.bank("alice")
        bank.remember("x")
    for name, call in BANK_CALLS.items():
        with pytest.raises(BankClosed) as caught:
            call(bank)
        assert "cogmem_core.open" in str(caught.value), name
    for name, request in ENGINE_CALLS.items():
        with pytest.raises(BankClosed) as caught:
            request(engine)
        assert "cogmem_core.open" in str(caught.value), name
    assert "closed" in repr(engine)


async def test_two_hundred_recalls_at_once_share_a_few_threads() -> None:
    """They wait for their turn; none of them needs a thread of its own."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock()) as engine:
        bank = engine.bank("alice")
        bank.add("Ana keeps bees.")
        before = threading.active_count()
        recalls = await asyncio.gather(*(bank.arecall("bees") for _ in range(200)))
        assert {recall.results[0].content for recall in recalls} == {"Ana keeps bees."}
        assert threading.active_count() <= before + 16

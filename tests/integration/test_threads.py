"""Several threads, several engines, several processes on one store: nothing fails, nothing is lost or counted twice."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import BankClosed, Config, Engine
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock

THREADS, ROUNDS = 8, 2
# Chroma answers, and is written to while it does.
WITH_CHROMA = Config(storage=StorageConfig(index_above=0, index_linger_seconds=0.0))


def in_threads(work: Callable[[int], None]) -> None:
    """Run it in all threads at once and raise what any of them raised."""
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(run, number) for number in range(THREADS)]:
            done.result()


def test_no_writer_waits_until_another_has_written_all(tmp_path: Path) -> None:
    """Those of one process take turns: when the first is done, each of the others has begun."""
    written = [0] * THREADS
    behind: list[int] = []
    with cogmem_core.open(tmp_path, embedder="hashing", config=MANUAL) as engine:
        engine.pause()
        bank = engine.bank("alice")

        def work(number: int) -> None:
            for turn in range(10):
                bank.add(f"Thread {number} keeps {turn} canaries")
                written[number] += 1
            behind.append(min(written))

        in_threads(work)
        assert behind[0] >= 1
        assert bank.count() == THREADS * 10


def churn(engine: Engine, namespaces: int) -> Callable[[int], None]:
    """Remember two things, recall one of them, forget the other, edit and pin the first."""

    def work(number: int) -> None:
        bank = engine.bank(f"user {number % namespaces}")
        for turn in range(ROUNDS):
            keep, drop = f"I keep apples{number}x{turn}", f"I lend pears{number}x{turn}"
            report = bank.remember([keep, drop], ref=f"{number}-{turn}")
            kept, dropped = report.memories
            assert kept.id in [found.memory.id for found in bank.recall(keep, k=5).results]
            bank.forget(dropped.id, hard=turn == ROUNDS - 1)
            assert dropped.id not in [found.memory.id for found in bank.recall(drop, k=50).results]
            bank.edit(bank.pin(kept.id).id, f"{keep} and plums")
            bank.remember("everyone says this", speaker="all")

    return work


@pytest.mark.parametrize(
    ("place", "config", "namespaces"),
    [
        pytest.param("brain", Config(), 1, id="exact, one"),
        pytest.param("brain", Config(), 4, id="exact, four", marks=pytest.mark.thorough),
        pytest.param("brain", WITH_CHROMA, 1, id="chroma, one", marks=pytest.mark.thorough),
        pytest.param("brain", WITH_CHROMA, 4, id="chroma, four"),
        # One shared connection, taken in turns.
        pytest.param(None, Config(), 2, id="in memory"),
    ],
)
def test_eight_threads_on_one_engine_leave_exact_counts(
    tmp_path: Path, place: str | None, config: Config, namespaces: int
) -> None:
    """Every write is there once, every forgotten memory is gone, what all said is one memory with every mention."""
    folder = tmp_path / place if place else None
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=config) as engine:
        in_threads(churn(engine, namespaces))
        engine.flush()
        banks = [engine.bank(name) for name in engine.namespaces()]
        listed = [memory for bank in banks for memory in bank.list(limit=1000)]
        common = [memory for memory in listed if memory.content == "everyone says this"]
        kept = [memory for memory in listed if memory.content.startswith("I keep")]

        assert len(banks) == len(common) == namespaces
        assert sum(memory.access_count + 1 for memory in common) == THREADS * ROUNDS
        assert sorted(memory.content for memory in kept) == sorted(
            f"I keep apples{n}x{t} and plums" for n in range(THREADS) for t in range(ROUNDS)
        )
        assert {(memory.version, memory.pinned) for memory in kept} == {(2, True)}
        assert len(listed) == len(kept) + len(common)
        assert sum(bank.count(state="forgotten") for bank in banks) == THREADS * (ROUNDS - 1)
        assert sum(bank.count(state="superseded") for bank in banks) == 0
        assert sum(bank.count(state="any") for bank in banks) == (
            len(listed) + THREADS * (ROUNDS - 1)
        )
        # The twins of a hard-forgotten turn in the same batch share nothing, so exactly one turn each is erased.
        assert sum(bank.health()["turns"]["done"] for bank in banks) == THREADS * (3 * ROUNDS - 1)
        assert engine.health()["warnings"] == []
        for memory in kept[::10]:
            found = engine.bank(memory.namespace).recall(memory.content, k=3)
            assert (found.results[0].memory.id, found.degraded) == (memory.id, ())


def test_a_caller_that_waits_is_never_answered_queued(tmp_path: Path) -> None:
    """The worker, awake all the time, does not take a turn away from the call that is to finish it."""
    config = Config(storage=StorageConfig(index_linger_seconds=0.0))
    statuses: list[str] = []
    with cogmem_core.open(tmp_path / "brain", embedder=CountingEmbedder(), config=config) as engine:

        def work(number: int) -> None:
            for turn in range(12):
                if number % 2:
                    engine.flush()
                else:
                    report = engine.bank("alice").remember(f"thing {number}-{turn}")
                    statuses.append(report.receipts[0].status)

        in_threads(work)
        assert statuses == ["stored"] * (12 * THREADS // 2)
        assert engine.health()["worker"]["troubles"] == {}


def test_hard_forgetting_the_same_memory_from_all_threads(tmp_path: Path) -> None:
    """One of them erases it; the others erase nothing or are told that it is not there."""
    with cogmem_core.open(
        tmp_path / "brain", embedder=CountingEmbedder(), config=Config()
    ) as engine:
        bank = engine.bank("alice")
        memory = bank.remember("A secret to be erased by many").memories[0]
        bank.remember("Something that stays")
        answers: list[str] = []

        def work(_number: int) -> None:
            try:
                answers.append(f"remaining {bank.forget(memory.id, hard=True).remaining}")
            except cogmem_core.NotFound:
                answers.append("not found")

        in_threads(work)
        assert set(answers) <= {"remaining ()", "not found"}
        assert "remaining ()" in answers
        assert [found.content for found in bank.list(state="any")] == ["Something that stays"]
        assert bank.health()["turns"] == {"done": 1}


def answers(engine: Engine) -> list[tuple[str, float]]:
    """Ids and scores; float32 sums may differ in the last digits between Chroma and exact search."""
    found = engine.bank("alice").recall("apples of the garden", k=10)
    return [(result.memory.id, round(result.score, 4)) for result in found.results]


@pytest.mark.parametrize("config", [Config(), WITH_CHROMA], ids=["exact", "chroma"])
def test_two_engines_on_one_folder_see_each_others_writes(tmp_path: Path, config: Config) -> None:
    """At once, without flush; the second one searches exactly and finds the same."""
    clock = FrozenClock()
    with (
        cogmem_core.open(
            tmp_path / "brain", embedder=CountingEmbedder(), clock=clock, config=config
        ) as one,
        cogmem_core.open(
            tmp_path / "brain", embedder=CountingEmbedder(), clock=clock, config=config
        ) as two,
    ):
        for number in range(12):
            writer, reader = (one, two) if number % 2 else (two, one)
            memory = writer.bank("alice").remember(f"The apples of garden {number}").memories[0]
            assert reader.bank("alice").get(memory.id) == memory
            assert answers(one) == answers(two)
        one.flush()
        two.flush()
        assert answers(one) == answers(two)
        one.bank("alice").forget("garden 7")
        two.bank("alice").edit(two.bank("alice").list()[0].id, "No fruit here")
        assert answers(one) == answers(two)
        assert one.bank("alice").count() == two.bank("alice").count() == 11


def test_turns_that_wait_are_finished_once_though_two_engines_finish_them(tmp_path: Path) -> None:
    """Whoever is first makes the memory; the other one finds the turn done and does not even reinforce."""
    path = tmp_path / "brain"
    with (
        cogmem_core.open(path, embedder=CountingEmbedder(), config=Config()) as one,
        cogmem_core.open(path, embedder=CountingEmbedder(), config=Config()) as two,
    ):
        engines = (one, two)
        for engine in engines:
            engine.pause()
        for round_number in range(4):
            turns = [f"Round {round_number} turn {i}" for i in range(20)]
            one.bank("alice").remember(turns, wait=False)
            in_threads(lambda number: engines[number % 2].flush())
        found = one.bank("alice").list(limit=1000).memories
        assert (len(found), {memory.access_count for memory in found}) == (80, {0})
        assert one.bank("alice").health()["turns"] == {"done": 80}
        assert [engine.health()["worker"]["troubles"] for engine in engines] == [{}, {}]


def test_a_hard_forget_beside_the_owner_of_the_index_is_finished_by_the_owner(
    tmp_path: Path,
) -> None:
    """The second engine erases the text and says that the vectors wait; the first one's next flush removes them."""
    path = tmp_path / "brain"
    with (
        cogmem_core.open(path, embedder=CountingEmbedder(), config=WITH_CHROMA) as owner,
        cogmem_core.open(path, embedder=CountingEmbedder(), config=WITH_CHROMA) as other,
    ):
        memory = owner.bank("alice").add("A canary that must not sing")
        owner.bank("alice").add("A sparrow that may")
        owner.flush()
        vector = CountingEmbedder().embed_query("A canary that must not sing").tobytes()
        receipt = other.bank("alice").forget(memory.id, hard=True)
        text_left = [name for name, data in contents(path) if b"canary that must" in data]
        owner.flush()

        assert "the engine that holds it erases them" in receipt.remaining[0]
        assert text_left == []
        assert [name for name, data in contents(path) if vector in data] == []
        assert [r.content for r in owner.bank("alice").recall("canary").results] == [
            "A sparrow that may"
        ]


def contents(folder: Path) -> list[tuple[str, bytes]]:
    """Every file with its bytes."""
    return [(path.name, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n"


@pytest.mark.parametrize("where", ["memory", "folder"])
def test_closing_leaves_a_query_that_still_runs_its_connection(tmp_path: Path, where: str) -> None:
    """A recall that was given up goes on in its thread; closing the engine meanwhile once ended the process."""
    engine = cogmem_core.open(
        None if where == "memory" else tmp_path, embedder=CountingEmbedder(), config=Config()
    )
    ledger, reading = engine.services.ledger, threading.Event()

    def read() -> int:
        with ledger.database.reading() as connection:
            reading.set()
            return connection.exec_driver_sql(COUNTING).scalar_one()

    with ThreadPoolExecutor(1) as pool:
        counted = pool.submit(read)
        reading.wait()
        engine.close()
        assert counted.result() == 300_000
    with pytest.raises(BankClosed), ledger.whole():
        pass

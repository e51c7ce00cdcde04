"""Feedback in passing: queued judgements, recalls as JSON, turns that are finished before a recall."""

import json
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import (
    BankClosed,
    EmbedderUnavailable,
    Engine,
    Feedback,
    InvalidInput,
    MemoryBank,
    Recall,
    Turn,
)
from cogmem_core.engine.recall_registry import RecallRegistry
from cogmem_core.feedback.queue import FeedbackQueue, QueuedAnswer
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.bank_contents import files_holding
from helpers.tables import each_row

HIKING = "Ann likes hiking on Mount Rainier"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add(HIKING)
        yield engine


NAMESPACE = "ann"


def test_an_answer_is_learnt_from_in_the_background(engine: Engine, bank: MemoryBank) -> None:
    """API, `engine.flush()`: wait until queued writes, index updates and feedback are done."""
    told: list[tuple[Feedback, ...]] = []
    threads: list[str] = []

    def heard(rows: tuple[Feedback, ...]) -> None:
        told.append(rows)
        threads.append(threading.current_thread().name)

    bank.feedback(bank.recall("hiking?"), "On Mount Rainier, hiking", heard=heard, wait=False)
    engine.flush()

    assert [[row.signal for row in rows] for rows in told] == [["used"]]
    assert bank.list()[0].used_count == 1


def test_a_judgement_that_cannot_be_made_holds_up_no_other(
    engine: Engine, bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """A similarity function that raises is logged; the worker goes on."""

    def broken(_memory: str, _answer: str) -> float:
        raise ZeroDivisionError("my own bug")

    engine.pause()
    bank.feedback(bank.recall("hiking?"), "hiking", similarity_fn=broken, wait=False)
    bank.feedback(bank.recall("hiking?"), "On Mount Rainier, hiking", wait=False)
    engine.flush()

    assert bank.list()[0].used_count == 1
    assert engine.health()["worker"]["troubles"] == {}
    assert "feedback failed, and was done without: ZeroDivisionError" in caplog.text


def test_closing_learns_from_the_last_answers(tmp_path: Path) -> None:
    """Nothing that was answered a moment ago is lost by closing."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        engine.pause()
        bank.feedback(bank.recall("hiking?"), "On Mount Rainier, hiking", wait=False)
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        assert engine.bank("ann").list()[0].used_count == 1


def test_the_queue_is_bounded(engine: Engine, bank: MemoryBank) -> None:
    """The oldest are given up, and counted."""
    queue, found = FeedbackQueue(limit=2), bank.recall("hiking?")
    for answer in ("first", "second", "On Mount Rainier, hiking"):
        queue.put(QueuedAnswer("ann", found, answer))

    assert (len(queue), queue.lost) == (2, 1)
    assert queue.settle(engine.services, late=lambda: True)
    assert len(queue) == 2
    assert not queue.settle(engine.services)
    assert len(queue) == 0


def test_json_stands_for_its_recall_after_a_restart(tmp_path: Path) -> None:
    """An agent that was interrupted goes on in another process (scenario 14)."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        found = bank.recall("hiking?")
        values = json.loads(json.dumps(found.to_json()))
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        again = Recall.from_json(values)
        [judged] = bank.feedback(again, "On Mount Rainier, hiking")

        assert (again.id, again.query) == (found.id, "hiking?")
        assert (judged.recall_id, judged.signal, judged.prior) == (
            found.id,
            "used",
            found.results[0].prior,
        )
        assert bank.feedback(Recall.from_json(values), "On Mount Rainier, hiking") == ()


def test_a_recall_is_a_plain_value(bank: MemoryBank) -> None:
    """It can be compared and pickled, and a copy still tells all that the recall tells."""
    recall = bank.recall("hiking?")
    copy = pickle.loads(pickle.dumps(recall))
    memory_id = bank.list()[0].id

    assert copy == recall
    assert copy.context() == recall.context() != ""
    assert copy.explain() == recall.explain()
    assert copy.missed(memory_id) == recall.missed(memory_id)


def test_the_json_of_a_recall_names_memories_by_their_ids_only(bank: MemoryBank) -> None:
    """A recall that somebody stored does not outlive a hard forget with the words of a memory."""
    recall = bank.recall("hiking?")
    [result] = recall.results

    assert recall.to_json() == {
        "id": recall.id,
        "query": "hiking?",
        "priors": {result.memory.id: result.prior},
        "hot": [],
    }
    assert Recall.from_json(recall.to_json()).to_json() == recall.to_json()


def test_no_file_holds_a_text_that_waits_to_be_learnt_from(tmp_path: Path) -> None:
    """An answer in the queue of the worker holds a recall, and the queue is in memory only."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        engine.pause()
        bank.feedback(bank.recall("hiking?"), "On Mount Rainier, hiking", wait=False)
        bank.forget(bank.list()[0].id, hard=True)

    assert files_holding(tmp_path / "brain", "Rainier") == []


def test_an_answer_judges_a_memory_once(engine: Engine, bank: MemoryBank) -> None:
    """Whoever says which recalls a model read: a memory that several hold is judged under one."""
    bank.add("The cabin is near Mount Rainier")
    recalls = [bank.recall("hiking?", floor=0), bank.recall("Mount Rainier cabin?", floor=0)]
    shared_ids = set(recalls[0].memory_ids) & set(recalls[1].memory_ids)
    answer = "Ann likes hiking on Mount Rainier, near the cabin"

    first = bank.feedback(recalls[0], answer, alongside=recalls)
    second = bank.feedback(recalls[1], answer, alongside=recalls)
    bank.feedback(recalls[1], answer, wait=False)
    engine.flush()

    assert len(shared_ids) == 2
    assert {row.memory_id for row in first} == shared_ids
    assert second == ()
    assert [memory.used_count for memory in bank.list()] == [1, 1]


def test_a_recall_asks_its_own_engine_why_something_is_missing(tmp_path: Path) -> None:
    """Once that is closed, another one on the same memories; with none the error says what to do."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        memory = engine.bank("ann").add(HIKING)
        recall = engine.bank("ann").recall("hiking?")
        sentences = recall.missed(memory.id)
    with pytest.raises(
        BankClosed, match=r"open it with cogmem_core\.open\(\.\.\.\), then call missed"
    ):
        recall.missed(memory.id)
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL):
        again = recall.missed(memory.id)

    assert "it is result 1" in sentences
    assert again == sentences


@each_row("values", [None, {}, {"id": "x", "query": "y", "priors": [], "hot": []}, "recall"])
def test_only_the_values_of_a_recall_are_read(values: object) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=r"give what Recall\.to_json\(\) returned"):
        Recall.from_json(values)  # type: ignore[arg-type]


def test_settling_finishes_what_was_said_a_moment_ago(engine: Engine, bank: MemoryBank) -> None:
    """A script that speaks twice in a row: the second turn knows the first."""
    engine.pause()
    bank.remember("Ann plays the cello", wait=False)
    engine.bank("bob").remember("Bob plays the drums", wait=False)

    assert bank.finish_pending() == 1
    assert bank.recall("cello?").results[0].content == "Ann plays the cello"
    assert bank.finish_pending() == 0
    assert engine.bank("bob").count() == 0


def test_settling_waits_for_the_thread_that_is_at_it(engine: Engine, bank: MemoryBank) -> None:
    """A turn that the worker has begun with is not there before it is done."""
    engine.pause()
    bank.remember("Ann plays the cello", wait=False)
    with engine.services.ledger.whole() as reader:
        [queued] = reader.at("ann").turns.queued(10)
    held, done = threading.Event(), threading.Event()

    def other() -> None:
        with engine.services.claims.taking([queued.id]):
            held.set()
            done.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    held.wait(10)
    settling = threading.Thread(target=lambda: (bank.finish_pending(), None)[1])
    settling.start()
    settling.join(0.05)
    waited = settling.is_alive()
    done.set()
    settling.join(10)
    thread.join(10)

    assert (waited, settling.is_alive()) == (True, False)


def test_settling_leaves_queued_what_cannot_be_finished() -> None:
    """The embedder fails: nothing is lost, nothing is raised."""
    embedder = CountingEmbedder()
    with cogmem_core.open(embedder=embedder, config=MANUAL) as engine:
        bank = engine.bank("ann")
        engine.pause()
        bank.remember("Ann plays the cello", wait=False)
        embedder.failure = EmbedderUnavailable("down")

        assert bank.finish_pending(seconds=0.1) == 0
        embedder.failure = None
        assert bank.finish_pending() == 1


def test_a_conversation_is_forgotten_and_comes_back(bank: MemoryBank) -> None:
    """What was said in other sessions stays."""
    bank.remember(
        [Turn("Ann plays the cello", session_id="s1"), Turn("Ann sings alto", session_id="s2")]
    )

    receipt = bank.forget_session("s1")

    assert [memory.content for memory in bank.list()] == [HIKING, "Ann sings alto"]
    bank.restore(receipt.memory_ids[0])
    assert bank.count() == 3


def test_erasing_leaves_no_recall_in_memory(engine: Engine, bank: MemoryBank) -> None:
    """What was recalled a moment ago held the text."""
    found = bank.recall("hiking?")
    assert engine.recall_registry.find(found.id) is not None
    bank.forget(bank.list()[0].id, hard=True)

    assert engine.recall_registry.find(found.id) is None


def test_recent_recalls_are_bounded_and_grow_old() -> None:
    """The recalls of a quarter of an hour, at most 2,048."""
    now = [0.0]
    kept = RecallRegistry(lambda: now[0])
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        found = bank.recall("hiking?")
        for number in range(3_000):
            kept.register(bank, Recall(str(number), "q", found.results))
        assert len(kept) == 2_048
        now[0] = 901.0
        for number in range(2_000):
            kept.register(bank, Recall(f"later {number}", "q", found.results))

        assert len(kept) == 2_000
        assert kept.find("2999") is None
        kept.register(bank, Recall("empty", "q", ()))
        assert kept.find("empty") is None


def test_a_recall_is_forgotten_after_a_quarter_of_an_hour_though_nothing_follows(
    bank: MemoryBank,
) -> None:
    """Neither its id nor the next prompt leads to it, and it is not counted."""
    now = [0.0]
    kept, found = RecallRegistry(lambda: now[0]), bank.recall("hiking?")
    kept.register(bank, found)
    now[0] = 900.0
    assert (len(kept), [one.recall.id for one in kept.unclaimed(9)]) == (1, [found.id])
    now[0] = 900.1
    assert (kept.find(found.id), kept.unclaimed(9), len(kept)) == (None, [], 0)


def test_the_newest_recall_comes_first_whatever_was_looked_up(bank: MemoryBank) -> None:
    """Looking for an older one by its id makes it no newer."""
    now = [0.0]
    kept, found = RecallRegistry(lambda: now[0]), bank.recall("hiking?")
    for now[0], name in enumerate(("a", "b", "c")):
        kept.register(bank, Recall(name, "q", found.results))
    kept.find("a")
    assert [one.recall.id for one in kept.unclaimed(9)] == ["c", "b", "a"]
    assert [one.recall.id for one in kept.unclaimed(2)] == ["c", "b"]

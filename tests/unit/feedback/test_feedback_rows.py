"""The rows of feedback: once whoever asks, all or nothing, kept, erased, exported, told."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, Feedback, MemoryBank, Recall, StoreError
from cogmem_core.storage.ledger.schema import shard_of
from cogmem_core.testing import FrozenClock
from helpers.bank_contents import files_holding
from helpers.feedback_facts import ANSWER, EMMA, NOAH, QUERY, three_facts
from helpers.store_kinds import BLAMING, edit


@pytest.fixture
def reopen(folder: Path, clock: FrozenClock) -> Callable[[], Engine]:
    return lambda: cogmem_core.open(folder, embedder="hashing", clock=clock, config=BLAMING)


@pytest.fixture
def engine(reopen: Callable[[], Engine]) -> Iterator[Engine]:
    with reopen() as engine:
        yield engine


@pytest.fixture
def bank(engine: Engine, clock: FrozenClock) -> MemoryBank:
    return three_facts(engine, clock)


def asked(bank: MemoryBank, query: str = QUERY) -> Recall:
    return bank.recall(query, floor=0.0, k=10)


def rows(bank: MemoryBank) -> list[Feedback]:
    with bank._engine.services.ledger.whole() as reader:
        return reader.at(bank.namespace).feedback.all()


def known(bank: MemoryBank) -> tuple[Any, ...]:
    """Everything that feedback may change."""
    memories = list(bank.list(state="any"))
    links = {link for memory in memories for link in bank.relations(memory.id)}
    return memories, links, [bank.history(memory.id).changes for memory in memories], rows(bank)


class TestOnce:
    """ "Feedback for the same recall and answer twice counts once"."""

    def test_from_eight_threads(self, bank: MemoryBank) -> None:
        """One of them judges, the others come too late."""
        found = asked(bank)
        with ThreadPoolExecutor(8) as pool:
            given = list(pool.map(lambda _: bank.feedback(found, ANSWER), range(8)))
        assert sorted(map(len, given)) == [0, 0, 0, 0, 0, 0, 0, 3]
        assert [memory.used_count for memory in bank.list()] == [1, 1, 0]
        assert (len(rows(bank)), bank.relations(bank.list()[0].id)[0].weight) == (3, 0.1)

    def test_from_two_engines(self, bank: MemoryBank, reopen: Callable[[], Engine]) -> None:
        """The ledger knows, not the process."""
        found = asked(bank)
        with reopen() as other, ThreadPoolExecutor(2) as pool:
            banks = (bank, other.bank("alice"))
            given = list(pool.map(lambda one: one.feedback(found, ANSWER), banks))
            assert sorted(map(len, given)) == [0, 3]
            assert [memory.retrieval_count for memory in other.bank("alice").list()] == [1, 1, 1]

    def test_after_reopening(
        self, bank: MemoryBank, engine: Engine, reopen: Callable[[], Engine]
    ) -> None:
        """A recall may be judged by another process than the one that made it, but not again."""
        first, second = asked(bank), asked(bank)
        bank.feedback(first, ANSWER)
        engine.close()
        with reopen() as later:
            assert later.bank("alice").feedback(first, ANSWER) == ()
            assert len(later.bank("alice").feedback(second, ANSWER)) == 3

    def test_only_what_was_not_judged_yet_is_judged(self, bank: MemoryBank) -> None:
        """Once per recall and memory: a recall of which a part was judged before is completed."""
        found = asked(bank)
        part = Recall(found.id, found.query, found.results[:1])
        assert [row.memory_id for row in bank.feedback(part, ANSWER)] == [
            found.results[0].memory.id
        ]
        assert [row.memory_id for row in bank.feedback(found, ANSWER)] == [
            x.memory.id for x in found.results[1:]
        ]
        assert [memory.retrieval_count for memory in bank.list()] == [1, 1, 1]


@pytest.mark.parametrize("table", ["feedback", "journal", "relations"])
def test_it_is_all_or_nothing(bank: MemoryBank, folder: Path, table: str) -> None:
    """One transaction: where a row is refused nothing at all was learnt, and the next try learns everything."""
    found, before = asked(bank), known(bank)
    edit(
        folder,
        f"CREATE TRIGGER stop BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no more'); END",
    )
    with pytest.raises(StoreError, match="no more"):
        bank.feedback(found, ANSWER)
    assert known(bank) == before
    edit(folder, "DROP TRIGGER stop")
    assert len(bank.feedback(found, ANSWER)) == 3
    assert [memory.used_count for memory in bank.list()] == [1, 1, 0]


class TestErasure:
    """What holds the erased words goes too."""

    def test_the_rows_of_the_memory_and_the_questions_of_its_recalls_go(
        self, bank: MemoryBank, folder: Path
    ) -> None:
        """The question that brought it up may hold its words; the judgements of the other memories stay."""
        bank.feedback(asked(bank, "Where are Emma's rabbitsxyz?"), ANSWER)
        bank.feedback(
            Recall("other", "What of radiosxyz?", asked(bank, "Noah radios").results[:1]), ANSWER
        )
        emma, noah, sofia = (memory.id for memory in bank.list())
        receipt = bank.forget(emma, hard=True)
        assert receipt.remaining == ()
        left = {(row.memory_id, row.signal, row.query) for row in rows(bank)}
        assert left == {
            (noah, "used", ""),
            (sofia, "ignored", ""),
            (noah, "used", "What of radiosxyz?"),
        }
        files = [path.read_bytes() for path in folder.rglob("ledger.sqlite*")]
        assert any(b"radiosxyz" in content for content in files)
        assert [
            content for content in files if b"rabbitsxyz" in content or EMMA.encode() in content
        ] == []

    def test_feedback_that_comes_later_or_waited_brings_no_question_back(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """A recall that is older than the erasure still teaches what it brought up besides."""
        first, second = asked(bank, "Where are Emma's rabbitsxyz?"), asked(bank)
        engine.pause()
        bank.feedback(first, ANSWER, wait=False)
        bank.forget(bank.list()[0].id, hard=True)
        bank.feedback(second, ANSWER)
        engine.resume()
        engine.flush()
        recalls = {row.recall_id for row in rows(bank)}
        assert (recalls, {row.query for row in rows(bank)}) == ({first.id, second.id}, {""})

    def test_a_question_that_says_it_goes_though_it_brought_up_something_else(
        self, bank: MemoryBank, folder: Path
    ) -> None:
        """Neither is the word in any file, nor does the receipt have to admit one."""
        found = asked(bank, f"Did I say “{EMMA}”?")
        noah = tuple(item for item in found.results if item.content == NOAH)
        bank.feedback(Recall(found.id, found.query, noah), ANSWER)
        assert bank.forget(bank.list()[0].id, hard=True).remaining == ()
        assert [(row.signal, row.query) for row in rows(bank)] == [("used", "")]
        assert files_holding(folder, "rabbits") == []

    def test_a_whole_namespace_takes_its_feedback_along_and_no_other(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Also one in which a recall has the same id, as copies have."""
        twin = engine.bank("carol")
        twin.add(NOAH)
        found = asked(bank)
        bank.feedback(found, ANSWER)
        twin.feedback(Recall(found.id, found.query, asked(twin).results), ANSWER)
        bank.forget_all(confirm="alice", hard=True)
        assert (rows(bank), [row.query for row in rows(twin)]) == ([], [QUERY])

    def test_another_namespace_of_the_same_shard_keeps_its_questions(self, engine: Engine) -> None:
        """Shards hold several namespaces; an id of a recall is not theirs alone."""
        first = engine.bank("n0")
        second = engine.bank(
            next(f"n{i}" for i in range(1, 1_000) if shard_of(f"n{i}") == shard_of("n0"))
        )
        for bank in (first, second):
            bank.add(EMMA)
            bank.feedback(Recall("same", QUERY, asked(bank).results), ANSWER)
        first.forget(first.list()[0].id, hard=True)
        assert (rows(first), [row.query for row in rows(second)]) == ([], [QUERY])


class TestTransfer:
    """Export and import without loss."""

    def test_the_round_trip_is_lossless(
        self, bank: MemoryBank, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """Rows, counters, strength and co-activation; the copy knows what was judged, and exports the same bytes."""
        found = asked(bank)
        bank.feedback(found, ANSWER)
        clock.advance(days=3)
        bank.feedback(asked(bank, "Sofia"), "Sofia studies biology.")
        bank.export(tmp_path / "one")
        with cogmem_core.open(embedder="hashing", clock=clock, config=BLAMING) as other:
            copy = other.bank("alice")
            copy.import_(tmp_path / "one")
            copy.export(tmp_path / "two")
            assert (rows(copy), len(rows(copy))) == (rows(bank), 6)
            assert [memory.used_count for memory in copy.list()] == [1, 1, 1]
            assert copy.feedback(found, ANSWER) == ()
        assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()

    def test_importing_an_older_state_takes_nothing_back(
        self, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """What is there already is left alone: rows, strength, and the weight of what was used together since."""
        bank.feedback(asked(bank), ANSWER)
        bank.export(tmp_path / "one")
        bank.feedback(asked(bank), ANSWER)
        before = known(bank)
        bank.import_(tmp_path / "one")
        assert known(bank) == before


def test_explain_tells_how_often_it_was_used_and_ignored(bank: MemoryBank) -> None:
    """In a sentence before today's state; nothing is said of what was never judged."""
    for answer in (ANSWER, ANSWER, "Noah, radios."):
        bank.feedback(asked(bank), answer)
    assert [bank.explain(memory.id).story[-2] for memory in bank.list()] == [
        "Used in 2 answer(s), ignored by 1, unjudged by 0.",
        "Used in 3 answer(s), ignored by 0, unjudged by 0.",
        "Used in 0 answer(s), ignored by 3, unjudged by 0.",
    ]
    fresh = bank.add("A new fact")
    assert [line for line in bank.explain(fresh.id).story if "answer" in line] == []


def test_health_counts_feedback_by_signal(engine: Engine, bank: MemoryBank) -> None:
    """Of this namespace alone; all signals are always named."""
    assert bank.health()["feedback"] == {"used": 0, "ignored": 0, "unjudged": 0}
    bank.feedback(asked(bank), ANSWER)
    assert bank.health()["feedback"] == {"used": 2, "ignored": 1, "unjudged": 0}
    assert engine.bank("bob").health()["feedback"] == {"used": 0, "ignored": 0, "unjudged": 0}

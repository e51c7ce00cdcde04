"""Parts of the read path fail, hang or are late: the answer comes from what is left, and everything says so."""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, Recall, StoreError
from cogmem_core.config import EmbeddingConfig, RetrievalConfig, StorageConfig
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import FloatArray, Hit
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.late_calls import wait_for_late_calls
from helpers.tables import each_row

TEXTS = [
    f"Remark {i} about {['boats', 'trains', 'cheese', 'violins', 'rain'][i % 5]} and word{i}"
    for i in range(60)
]
QUERY = "cheese word12"
HANGS = 2.0  # seconds, unless it is let go before
WITH_CHROMA = StorageConfig(
    index_above=0, search_seconds=0.5
)  # a busy machine needs more than a tenth


class Gate:
    """What stands in a call's way: nothing, an error, or a wait of `HANGS` seconds that `release` ends."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.calls = self.passed = 0
        self._open = threading.Event()
        self._open.set()

    def hang(self) -> None:
        self._open.clear()

    def release(self) -> None:
        """Let every call go, and wait for those that were given up."""
        self._open.set()
        wait_for_late_calls()

    def go_through(self) -> None:
        self.calls += 1
        self._open.wait(HANGS)
        self.passed += 1
        if self.error is not None:
            raise self.error


class GatedEmbedder(CountingEmbedder):
    """Its queries pass a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate()

    def embed_query(self, text: str) -> FloatArray:
        self.gate.go_through()
        return super().embed_query(text)


class GatedIndex:
    """A vector index whose searches pass a gate."""

    def __init__(self, inner: Any) -> None:
        self._inner, self.gate = inner, Gate()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def search(self, *place: Any, **more: Any) -> list[Hit]:
        self.gate.go_through()
        hits: list[Hit] = self._inner.search(*place, **more)
        return hits


@contextmanager
def opened(
    embedder: CountingEmbedder, folder: Path | None = None, **parts: Any
) -> Iterator[tuple[Engine, MemoryBank]]:
    """An engine without background work, and a bank that holds `TEXTS`."""
    with cogmem_core.open(
        folder, embedder=embedder, clock=FrozenClock(), config=Config(**parts)
    ) as engine:
        engine.pause()
        bank = engine.bank("alice")
        bank.remember(TEXTS)
        yield engine, bank


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[tuple[Engine, MemoryBank, Gate]]:
    """A bank that Chroma answers for, and the gate before it."""
    with opened(CountingEmbedder(), tmp_path / "brain", storage=WITH_CHROMA) as (engine, bank):
        engine.resume()
        engine.sync()
        engine.pause()
        follower: Any = engine.follower
        follower.index = index = GatedIndex(follower.index)
        yield engine, bank, index.gate
        index.gate.release()


@pytest.fixture
def slow() -> Iterator[tuple[Engine, MemoryBank, Gate]]:
    """A bank whose embedder is waited for 50 ms, and the gate before it."""
    embedder = GatedEmbedder()
    with opened(embedder, embedding=EmbeddingConfig(query_seconds=0.05)) as (engine, bank):
        yield engine, bank, embedder.gate
        embedder.gate.release()


def ids(found: Recall) -> list[str]:
    return [item.memory.id for item in found.results]


def told_everywhere(engine: Engine, found: Recall, *troubles: str) -> None:
    """`degraded`, the op log and `explain` say the same."""
    assert found.degraded == troubles
    (record,) = [one for one in engine.log(op="recall") if one["recallId"] == found.id]
    assert (record.get("degraded"), record["success"]) == (list(troubles) or None, True)
    lines = found.explain().splitlines()
    assert [line for line in lines if line.startswith("degraded: ")] == [
        f"degraded: {one}" for one in troubles
    ]


def break_words(engine: Engine, error: Exception) -> None:
    """The words of the bank's view in memory cannot be searched from now on."""
    view = engine.services.searcher.views.loaded("alice")
    assert view is not None

    def torn(_terms: Sequence[str], _k: int, **_: Any) -> list[Hit]:
        raise error

    lexical: Any = view.lexical
    lexical.top = torn


class TestChroma:
    """ "either failing alone degrades the result and is reported, never an exception"."""

    def test_a_hanging_index_costs_one_wait(self, chroma: tuple[Engine, MemoryBank, Gate]) -> None:
        """Config: "how long a recall waits for Chroma before it searches without it"; then it is not asked again."""
        engine, bank, gate = chroma
        sound = bank.recall(QUERY)
        gate.hang()
        found = bank.recall(QUERY)
        told_everywhere(engine, found, "vector: no answer within 0.5 s")
        again = bank.recall(QUERY)
        told_everywhere(engine, again, "vector: an earlier call has not come back yet")
        assert ids(found) == ids(again) == ids(sound)
        assert gate.calls == 2
        gate.release()
        told_everywhere(engine, bank.recall(QUERY))

    def test_a_folder_that_is_gone_is_not_missed(
        self, chroma: tuple[Engine, MemoryBank, Gate]
    ) -> None:
        """ "Chroma and the BM25 index ... can be dropped and rebuilt"."""
        engine, bank, _ = chroma
        sound = bank.recall(QUERY)
        assert engine.folder is not None
        shutil.rmtree(engine.folder / "chroma")
        found = bank.recall(QUERY)
        assert ids(found) == ids(sound)
        assert all(
            trouble.startswith("vector: the vector index failed") for trouble in found.degraded
        )
        told_everywhere(engine, found, *found.degraded)


@pytest.mark.parametrize(
    "error", [RuntimeError("torn"), KeyError("word12"), ZeroDivisionError("no documents")]
)
def test_words_that_cannot_be_searched_are_left_out_and_built_anew(error: Exception) -> None:
    """Meaning answers alone; the next question has its words again."""
    with opened(CountingEmbedder()) as (engine, bank):
        sound = bank.recall(QUERY, floor=0)
        break_words(engine, error)
        found = bank.recall(QUERY, floor=0)
        told_everywhere(engine, found, f"lexical: {type(error).__name__}")
        assert len(found.results) == 8
        assert {name for item in found.results for name in item.found_by} <= {
            "vector",
            "beside",
            "linked",
        }
        assert all(item.signals["coverage"] == 0.0 for item in found.results)
        again = bank.recall(QUERY, floor=0)
        told_everywhere(engine, again)
        assert ids(again) == ids(sound)


def test_a_question_about_somebody_does_without_its_words_too() -> None:
    """The entity hub looks names up by words; without those, meaning answers alone."""
    with opened(CountingEmbedder()) as (engine, bank):
        bank.add("Walter Brandt keeps bees")
        asked = "Tell me everything about Walter Brandt"
        assert bank.recall(asked, floor=0).intent == "entity_profile"
        break_words(engine, RuntimeError("torn"))
        found = bank.recall(asked, floor=0)
        told_everywhere(engine, found, "lexical: RuntimeError")
        assert len(found.results) == 8


class TestEmbedder:
    """The same for the question's vector."""

    def test_a_failing_embedder_leaves_the_words(
        self, slow: tuple[Engine, MemoryBank, Gate]
    ) -> None:
        """By words alone the one memory that holds the rare word is still first, by default."""
        engine, bank, gate = slow
        gate.error = OSError("connection refused")
        found = bank.recall(QUERY)
        (trouble,) = found.degraded
        assert trouble.startswith("vector: ")
        assert "embed_query failed with OSError" in trouble
        told_everywhere(engine, found, trouble)
        assert found.results[0].content == "Remark 12 about cheese and word12"
        assert all("vector" not in item.found_by for item in found.results)
        gate.error = None
        told_everywhere(engine, bank.recall(QUERY))

    def test_a_hanging_embedder_costs_one_wait(self, slow: tuple[Engine, MemoryBank, Gate]) -> None:
        """Config: "how long a recall waits for the embedder before it searches by words alone"; it recovers."""
        engine, bank, gate = slow
        gate.hang()
        found = bank.recall(QUERY)
        told_everywhere(engine, found, "vector: no answer within 0.05 s")
        again = bank.recall("trains word6")
        told_everywhere(engine, again, "vector: an earlier call has not come back yet")
        first = [one.results[0].content for one in (found, again)]
        assert first == ["Remark 12 about cheese and word12", "Remark 6 about trains and word6"]
        assert gate.calls == 1
        gate.release()
        whole = bank.recall("rain word4")
        told_everywhere(engine, whole)
        assert "vector" in whole.results[0].found_by

    def test_a_question_that_is_known_needs_no_embedder(
        self, slow: tuple[Engine, MemoryBank, Gate]
    ) -> None:
        """The same question while the embedder fails has its vector."""
        engine, bank, gate = slow
        sound = bank.recall(QUERY)
        gate.error = OSError("connection refused")
        again = bank.recall(QUERY)
        told_everywhere(engine, again)
        assert ids(again) == ids(sound)

    def test_when_neither_is_left_the_error_names_both(
        self, slow: tuple[Engine, MemoryBank, Gate]
    ) -> None:
        """Bank: "StoreError: neither vectors nor words could be searched"; the next question is answered by words."""
        engine, bank, gate = slow
        bank.recall("warm up")
        gate.error = EmbedderUnavailable("the model is gone")
        break_words(engine, RuntimeError("torn"))
        nothing = r"^nothing is left to search with \(vector: .*gone.*; lexical: RuntimeError\)$"
        with pytest.raises(StoreError, match=nothing):
            bank.recall(QUERY)
        record = engine.log(op="recall")[-1]
        assert (record["success"], record["error"]) == (False, "StoreError")
        assert bank.recall(QUERY).results[0].content == "Remark 12 about cheese and word12"


class TestDeadline:
    """Bank: "deadline: seconds; then comes what was found so far, and `Recall.degraded` says so"."""

    def test_words_answer_in_time_when_the_embedder_does_not(self) -> None:
        """The embedder would take 2 s; the answer comes before, soon after 0.2 s, and is about the question."""
        embedder = GatedEmbedder()
        with opened(embedder) as (engine, bank):
            embedder.gate.hang()
            passed = embedder.gate.passed
            found = bank.recall(QUERY, deadline=0.2)
            assert embedder.gate.passed == passed
            embedder.gate.release()
            assert {trouble.split(":")[0] for trouble in found.degraded} <= {"vector", "deadline"}
            told_everywhere(engine, found, *found.degraded)
            # A machine so busy that even words were late has said so instead.
            late = "deadline: nothing was found within 0.2 s" in found.degraded
            assert late or found.results[0].content == "Remark 12 about cheese and word12"
            assert late or found.degraded[0].startswith("vector: no answer within 0.")

    def test_an_expired_deadline_still_returns(self) -> None:
        """Whatever is found or not, there is a `Recall` that says why it is incomplete, and no error."""
        with opened(CountingEmbedder()) as (engine, bank):
            found = bank.recall(QUERY, deadline=1e-9)
            assert any(trouble.startswith(("deadline: ", "vector: ")) for trouble in found.degraded)
            told_everywhere(engine, found, *found.degraded)
            told_everywhere(engine, bank.recall(QUERY))

    def test_what_is_found_too_late_counts_as_shown_to_nobody(self) -> None:
        """The recall was given up and goes on in its thread: an echo of what it finds is no echo of a prompt."""
        with opened(CountingEmbedder(), retrieval=RetrievalConfig(deadline_grace=0.0)) as (
            engine,
            bank,
        ):
            injected = partial(engine.services.recent.injected, "alice", seconds=60)
            assert bank.recall(QUERY, deadline=1e-9).results == ()
            Gate().release()
            assert injected() == ()
            shown = bank.recall(QUERY).results
            assert sorted(injected()) == sorted(item.content for item in shown) != []

    def test_a_deadline_that_is_met_changes_nothing(self) -> None:
        """The same results with the same scores, and nothing is told."""
        with opened(CountingEmbedder()) as (engine, bank):
            sound, found = bank.recall(QUERY), bank.recall(QUERY, deadline=30)
            told_everywhere(engine, found)
            assert [(x.memory.id, x.score) for x in found.results] == [
                (x.memory.id, x.score) for x in sound.results
            ]

    @each_row("seconds", [0, -1, True, float("nan"), "1", 86_401])
    def test_a_deadline_that_is_none_is_refused(self, seconds: Any) -> None:
        """Checks: "seconds, a number above 0 and at most 86,400"."""
        with (
            opened(CountingEmbedder()) as (_, bank),
            pytest.raises(cogmem_core.InvalidInput, match="deadline"),
        ):
            bank.recall(QUERY, deadline=seconds)


def in_threads(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run it in all threads at once; raises what any of them raised."""
    start = threading.Barrier(count)

    def run(number: int) -> Any:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_sixteen_threads_get_the_same_answer_with_and_without_a_deadline() -> None:
    """Reading is free of side effects; threads neither share nor disturb each other's answers."""
    with opened(CountingEmbedder()) as (_, bank):
        queries = [QUERY, "trains word6", "violins and rain", "a remark about boats"]
        alone = [
            [(x.memory.id, x.score, x.confidence) for x in bank.recall(query).results]
            for query in queries
        ]
        assert all(alone)

        def ask(number: int) -> list[tuple[Any, ...]]:
            deadline = 30.0 if number % 2 else None
            found = [bank.recall(query, deadline=deadline) for query in queries for _ in range(3)]
            return [
                (one.degraded, [(x.memory.id, x.score, x.confidence) for x in one.results])
                for one in found
            ]

        expected = [((), results) for results in alone for _ in range(3)]
        assert in_threads(16, ask) == [expected] * 16

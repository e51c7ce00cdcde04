"""Between planning and committing the world may change: nothing is lost, written over or counted twice."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank
from cogmem_core.encoding.batch import WriteBatch
from cogmem_core.encoding.commit import _commit, finish_queued
from cogmem_core.encoding.encode import encode
from cogmem_core.encoding.keep import keep_turns
from cogmem_core.models import Turn
from cogmem_core.results import Receipt
from cogmem_core.testing import CountingEmbedder

COLOURS = ("red", "blue", "green", "white", "black", "brown", "grey", "pink")
NAMES = ("Emma", "Tom", "Sophie", "Oliver", "Nina", "Paul", "Clara", "Hugo", "Iris", "Max")
LISBON, PORTO = "I live in Lisbon", "I moved to Porto"
CHESS, MORE = "I play chess", "I play chess every evening"

ENGINE = {"embedder": "minilm", "config": Config(), "paused": True}


def planned(engine: Engine, text: str) -> WriteBatch:
    """A turn that is on disk and decided on, but not committed."""
    episodes = keep_turns(engine.services, "alice", [Turn(text)], None)
    return encode(engine.services, "alice", episodes)


def committed(engine: Engine, encoded: WriteBatch) -> Receipt:
    with engine.services.ledger.writing() as writer:
        (receipt,), *_, applied = _commit(engine.services, writer, encoded)
    engine.services.update_indexes("alice", applied)
    return receipt


def contents(bank: MemoryBank) -> list[str]:
    return [memory.content for memory in bank.list(limit=1_000)]


class TestTargetChanged:
    """A target that changed between planning and commit is left alone."""

    def test_without_a_change_the_plan_is_carried_out(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """The two halves together do what `remember` does."""
        bank.remember(LISBON)
        assert committed(engine, planned(engine, PORTO)).status == "superseded"
        assert contents(bank) == [PORTO]

    def test_an_edited_target_is_not_retired(self, engine: Engine, bank: MemoryBank) -> None:
        """A person rewrote it meanwhile: both stay."""
        memory = bank.remember(LISBON).memories[0]
        encoded = planned(engine, PORTO)
        bank.edit(memory.id, "My grandmother lived in Lisbon")
        assert committed(engine, encoded).status == "stored"
        assert contents(bank) == ["My grandmother lived in Lisbon", PORTO]

    def test_an_edited_target_is_not_written_over(self, engine: Engine, bank: MemoryBank) -> None:
        """The turn waits and is decided on anew, with the text as it is now."""
        memory = bank.remember(CHESS).memories[0]
        encoded = planned(engine, MORE)
        assert [decision.action for decision in encoded.plan.decisions] == ["update"]
        bank.edit(memory.id, "I play the trumpet")
        receipt = committed(engine, encoded)
        assert (receipt.status, receipt.reason) == ("queued", "what it was about changed meanwhile")
        assert finish_queued(engine.services) == (1, "")
        assert contents(bank) == ["I play the trumpet", MORE]

    def test_a_forgotten_target_is_not_brought_back(self, engine: Engine, bank: MemoryBank) -> None:
        """What was to be reinforced is gone: the turn becomes a memory of its own."""
        memory = bank.remember("I like hiking").memories[0]
        encoded = planned(engine, "I enjoy hiking")
        assert [decision.action for decision in encoded.plan.decisions] == ["reinforce"]
        bank.forget(memory.id)
        assert committed(engine, encoded).status == "queued"
        finish_queued(engine.services)
        assert (contents(bank), bank.get(memory.id).state) == (["I enjoy hiking"], "forgotten")

    @pytest.mark.parametrize("text", [PORTO, "I live in Lisbon near the river"])
    def test_a_target_that_was_pinned_meanwhile_is_protected(
        self, engine: Engine, bank: MemoryBank, text: str
    ) -> None:
        """Truth anchors hold from the moment they are set: no `supersedes` link, no new text, no fact lost."""
        memory = bank.remember(LISBON).memories[0]
        encoded = planned(engine, text)
        assert encoded.plan.decisions[0].action in ("supersede", "update")
        bank.pin(memory.id)
        committed(engine, encoded)
        finish_queued(engine.services)
        kept = bank.get(memory.id)
        assert (kept.content, kept.state, kept.superseded_by, kept.valid_until) == (
            LISBON,
            "active",
            None,
            None,
        )
        assert contents(bank) == [LISBON, text]
        assert "supersedes" not in {link.type for link in bank.relations(memory.id)}

    def test_a_target_that_was_reinforced_meanwhile_keeps_that(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Counters are added to the row as it is in the transaction, not to the one that was read."""
        memory = bank.remember("I like hiking").memories[0]
        encoded = planned(engine, "I enjoy hiking")
        bank.remember("I like hiking")
        assert committed(engine, encoded).status == "reinforced"
        assert bank.get(memory.id).access_count == 2
        assert bank.get(memory.id).stability == pytest.approx(memory.stability * 1.02**2)


class TestSaidTwice:
    """The same is said at two places at once."""

    def test_what_another_one_stored_meanwhile_is_reinforced(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Both planned a new memory; there is one, with both sources."""
        encoded = planned(engine, CHESS)
        bank.remember(CHESS)
        assert committed(engine, encoded).status == "reinforced"
        (memory,) = bank.list()
        assert (memory.access_count, len(memory.sources)) == (1, 2)

    def test_a_turn_that_another_process_finished_is_left_alone(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Planned twice, committed once."""
        episodes = keep_turns(engine.services, "alice", [Turn(CHESS)], None)
        first, second = (encode(engine.services, "alice", episodes) for _ in range(2))
        committed(engine, first)
        receipt = committed(engine, second)
        assert (receipt.reason, receipt.memory_ids) == (
            "finished by another process",
            (bank.list()[0].id,),
        )
        assert [(memory.access_count, len(memory.sources)) for memory in bank.list()] == [(0, 1)]

    def test_tags_and_probation_are_not_written_twice(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """A turn planned twice leaves one tag and one row on probation."""
        turn = Turn("I'm at the airport in Lisbon right now", session_id="s")
        episodes = keep_turns(engine.services, "alice", [turn], "semantic")
        for encoded in [encode(engine.services, "alice", episodes) for _ in range(2)]:
            committed(engine, encoded)
        with engine.services.ledger.whole() as reader:
            assert len(reader.at("alice").synaptic_tags.short_term()) == 1
            assert len(reader.at("alice").synaptic_tags.all()) == len(
                {tag.memory_id for tag in reader.at("alice").synaptic_tags.all()}
            )


def at_once(work: Callable[[int], None], threads: int) -> None:
    """Run it in all threads at once and raise what any of them raised."""
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait()
        work(number)

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(run, number) for number in range(threads)]:
            done.result()


class Hands:
    """The same namespace, four times: through one engine, or through two on one folder."""

    def __init__(self, folder: Path, engines: int) -> None:
        opened = [
            cogmem_core.open(folder, embedder=CountingEmbedder(), config=Config())
            for _ in range(engines)
        ]
        self.engines = opened
        self.banks = [opened[number % engines].bank("alice") for number in range(4)]

    def say(self, texts: list[list[str]]) -> MemoryBank:
        """Each list in a thread of its own, all at once; then what was left queued."""

        def speak(number: int) -> None:
            for text in texts[number]:
                self.banks[number].remember(text, session_id="s")

        at_once(speak, 4)
        for engine in self.engines:
            finish_queued(engine.services)
        return self.banks[0]


@pytest.fixture(params=[1, 2], ids=["one engine", "two engines"])
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hands]:
    made = Hands(tmp_path / "b", request.param)
    yield made
    for engine in made.engines:
        engine.close()


def test_what_all_say_at_once_is_one_memory(hands: Hands) -> None:
    """Counted once for each that said it."""
    (memory,) = hands.say([["Tea is hot in Porto"] * 5] * 4).list()
    assert memory.access_count == 19
    assert len(memory.sources) == 20


def test_contradictions_at_once_lose_nothing_and_heal(hands: Hands) -> None:
    """Four cities from four threads, five times: each statement is kept, every retired one names its successor."""
    cities = [f"City{number}{letter}" for number in range(4) for letter in "abcde"]
    hands.banks[0].remember("I live in Lisbon")
    bank = hands.say(
        [[f"I live in {city}" for city in cities[start : start + 5]] for start in (0, 5, 10, 15)]
    )
    every = {memory.id: memory for memory in bank.list(state="any", limit=100)}
    assert sorted(memory.content for memory in every.values()) == sorted(
        f"I live in {c}" for c in (*cities, "Lisbon")
    )
    for memory in every.values():
        assert (memory.state == "superseded") == (memory.superseded_by is not None)
        seen = {memory.id}
        while memory.superseded_by is not None:
            memory = every[memory.superseded_by]  # noqa: PLW2901 - the chain is walked to its end
            assert memory.id not in seen
            seen.add(memory.id)
        assert memory.state == "active"
    bank.remember("I live in Faro")
    assert contents(bank) == ["I live in Faro"]


def test_different_facts_at_once_are_all_there(hands: Hands) -> None:
    """Eighty facts from four threads; each is found, each once, and the journal is without a gap."""
    facts = [f"The {colour} boat of {name} is in Porto" for colour in COLOURS for name in NAMES]
    bank = hands.say([facts[start : start + 20] for start in (0, 20, 40, 60)])
    assert sorted(contents(bank)) == sorted(facts)
    assert bank.health()["turns"] == {"done": 80}
    seqs = sorted(c.seq for memory in bank.list(limit=100) for c in bank.history(memory.id).changes)
    assert seqs == list(range(1, len(seqs) + 1))

"""Any sequence of acts, compared with a dictionary: contents, states, versions, counts, recall, separate namespaces.

On each kind of store; `COGMEM_EXAMPLES=20` tries twenty times as many sequences.
"""

import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.servers import examples
from helpers.store_kinds import STORES, Store

NAMES = ("alice", "bob", "%", "Alice")
CONFIGS = (MANUAL, dataclasses.replace(MANUAL, storage=StorageConfig(index_above=3, write_slice=2)))
WORDS = st.lists(
    st.sampled_from(["apple", "Apple", "river", "çay", "茶", "42", "über", "x-ray"]),
    min_size=1,
    max_size=4,
).map(" ".join)
TEXTS = WORDS.map(lambda words: f"note {words}")


@dataclasses.dataclass
class Known:
    """What the model knows of a memory."""

    namespace: str
    content: str
    state: str = "active"
    version: int = 1
    pinned: bool = False
    mentions: int = 0


def same(one: str, other: str) -> bool:
    """The engine's notion of the same text."""
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


class BankMachine(RuleBasedStateMachine):
    """Acts on a real store and on `model`, a dictionary from id to what should be there.

    `former` lists the memories that hold what a memory said before it was edited.
    """

    store: Store
    memories = Bundle("memories")

    @initialize(config=st.sampled_from(CONFIGS))
    def start(self, config: Config) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.config, self.clock = self.store.fresh(config), FrozenClock()
        self.model: dict[str, Known] = {}
        self.former: dict[str, list[str]] = {}
        self.embedder = CountingEmbedder()
        self.engine = self.open()

    def open(self) -> Engine:
        folder = (
            Path(self.place.name) / "brain"
            if self.store.keeps and not self.config.storage.ledger_url
            else None
        )
        return cogmem_core.open(
            folder, embedder=self.embedder, clock=self.clock, config=self.config
        )

    def bank(self, memory_id: str) -> cogmem_core.MemoryBank:
        return self.engine.bank(self.model[memory_id].namespace)

    def mine(self, namespace: str, state: str | None = None) -> dict[str, Known]:
        wanted = self.model.items()
        return {i: k for i, k in wanted if k.namespace == namespace and state in (None, k.state)}

    @rule(target=memories, namespace=st.sampled_from(NAMES), text=TEXTS, wait=st.booleans())
    def remember(self, namespace: str, text: str, wait: bool) -> str:
        known = sorted(
            i for i, k in self.mine(namespace, "active").items() if same(k.content, text)
        )
        report = self.engine.bank(namespace).remember(text, wait=wait)
        if not wait:
            self.engine.flush()
            new = {m.id for m in self.engine.bank(namespace).list(limit=500)} - self.model.keys()
            memory_id = new.pop() if new else known[0]
        else:
            assert report.receipts[0].status == ("reinforced" if known else "stored")
            (memory_id,) = report.receipts[0].memory_ids
        if known:
            assert memory_id == known[0]
            self.model[memory_id].mentions += 1
        else:
            self.model[memory_id] = Known(namespace, text)
        return memory_id

    @rule(target=memories, namespace=st.sampled_from(NAMES), text=TEXTS, pinned=st.booleans())
    def add(self, namespace: str, text: str, pinned: bool) -> str:
        memory = self.engine.bank(namespace).add(text, pinned=pinned)
        assert memory.id not in self.model
        self.model[memory.id] = Known(namespace, text, pinned=pinned)
        return memory.id

    @rule(memory_id=memories, text=TEXTS)
    def edit(self, memory_id: str, text: str) -> None:
        if memory_id in self.model:
            bank, known = self.bank(memory_id), self.model[memory_id]
            bank.edit(memory_id, text)
            there = bank.list(state="superseded", limit=500)
            new = [memory for memory in there if memory.id not in self.model]
            assert len(new) <= (known.content != text)
            for former in new:
                # The new text gives another value: the timeline keeps what was said before.
                assert former.superseded_by == memory_id
                self.former.setdefault(memory_id, []).append(former.id)
                self.model[former.id] = dataclasses.replace(known, state="superseded", pinned=False)
            known.version += known.content != text
            known.content = text

    @rule(memory_id=memories, pinned=st.booleans())
    def pin(self, memory_id: str, pinned: bool) -> None:
        if memory_id in self.model:
            bank = self.bank(memory_id)
            (bank.pin if pinned else bank.unpin)(memory_id)
            self.model[memory_id].pinned = pinned

    @rule(memory_id=memories)
    def forget(self, memory_id: str) -> None:
        if memory_id in self.model:
            receipt = self.bank(memory_id).forget(memory_id)
            assert receipt.memory_ids == (
                (memory_id,) if self.model[memory_id].state == "active" else ()
            )
            for one in (memory_id, *self.former.get(memory_id, ())):
                self.model[one].state = "forgotten"

    @rule(memory_id=memories)
    def restore(self, memory_id: str) -> None:
        if memory_id in self.model:
            assert self.bank(memory_id).restore(memory_id).state == "active"
            self.model[memory_id].state = "active"

    @rule(memory_id=consumes(memories))
    def forget_for_good(self, memory_id: str) -> None:
        if memory_id in self.model:
            receipt = self.bank(memory_id).forget(memory_id, hard=True)
            assert (receipt.memory_ids, receipt.remaining) == ((memory_id,), ())
            for one in (memory_id, *self.former.pop(memory_id, ())):
                del self.model[one]

    @precondition(lambda self: self.store.keeps)
    @rule()
    def reopen(self) -> None:
        self.engine.close()
        embedded = len(self.embedder.texts)
        self.engine = self.open()
        self.compare()
        self.nothing_waits()
        assert len(self.embedder.texts) == embedded

    @rule(days=st.integers(0, 30))
    def wait(self, days: int) -> None:
        self.clock.advance(days=days)
        self.engine.flush()
        self.nothing_waits()

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def recall(self, data: st.DataObject) -> None:
        memory_id = data.draw(st.sampled_from(sorted(self.model)))
        known = self.model[memory_id]
        found = self.bank(memory_id).recall(known.content, k=500)
        ids = [result.memory.id for result in found.results]

        assert found.degraded == ()
        assert len(ids) == len(set(ids))
        assert set(ids) <= self.mine(known.namespace, "active").keys()
        assert (memory_id in ids) is (known.state == "active")
        assert all(
            result.content == self.model[result.memory.id].content for result in found.results
        )

    @invariant()
    def compare(self) -> None:
        if not hasattr(self, "engine"):
            return
        for namespace in NAMES:
            bank, mine = self.engine.bank(namespace), self.mine(namespace)
            there = {
                m.id: Known(m.namespace, m.content, m.state, m.version, m.pinned, m.access_count)
                for m in bank.list(state="any", limit=500)
            }
            assert there == mine
            assert bank.count() == len(self.mine(namespace, "active"))
            assert bank.count(state="forgotten") == len(self.mine(namespace, "forgotten"))
        with self.engine.services.ledger.whole() as reader:
            assert reader.queued(1) == []

    def nothing_waits(self) -> None:
        """As `health` tells it, which counts much else: too dear after each step."""
        assert [self.engine.bank(namespace).health()["queue_length"] for namespace in NAMES] == [
            0
        ] * len(NAMES)

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.close()
            self.place.cleanup()


@pytest.mark.parametrize("store", STORES)
def test_whatever_is_done_the_bank_holds_what_a_dictionary_would_hold(
    store: str, request: pytest.FixtureRequest
) -> None:
    """Stateful tests over every store."""
    chosen = Store.of(store, request)
    machine = type("Machine", (BankMachine,), {"store": chosen})
    tried = settings(
        max_examples=examples(2 if store == "folder" else 1),
        stateful_step_count=min(25, examples(12 if store == "servers" else 25)),
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(machine, settings=tried)

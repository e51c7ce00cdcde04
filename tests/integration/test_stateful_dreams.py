"""Any sequence of acts with dream cycles between them: nothing is lost, the protected stay, undo is exact.

On each kind of store; `COGMEM_EXAMPLES=20` tries twenty times as many sequences.
"""

import tempfile
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

import cogmem_core
from cogmem_core import Config, ConsolidationReport, Memory, MemoryBank, preset
from cogmem_core.config import (
    CategorySummaryConfig,
    ConsolidationConfig,
    FadingConfig,
    ForgettingConfig,
)
from cogmem_core.models import STATED
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.servers import examples
from helpers.store_kinds import STORES, Store

NAMES = ("alice", "Alice", "%")
NAME = st.sampled_from(("alice", "alice", "alice", *NAMES))
SMALL = Config(
    consolidation=ConsolidationConfig(
        trigger="manual",
        fading=FadingConfig(least=2, most=3, similarity=0.3, rules=True),
        forgetting=ForgettingConfig(rules=("utility", "capacity"), capacity=8, trimmed_to=0.7),
        summaries=CategorySummaryConfig(least=3, rules=True),
    )
)
PRESETS = ("default", "agentos", "v9", "unified-update", "cognitive-memory")
CONFIGS = (
    SMALL,
    *(
        # Nothing may happen behind the test's back.
        replace(
            config,
            consolidation=replace(config.consolidation, trigger="manual"),
            retrieval=replace(config.retrieval, reinforce_on="use"),
        )
        for config in map(preset, PRESETS)
    ),
)
TEXTS = st.lists(
    st.sampled_from(["Emma", "Rome", "tea", "hiking", "42", "not", "lake", "cello", "likes"]),
    min_size=2,
    max_size=4,
).map(lambda words: f"note {' '.join(words)}")


class DreamMachine(RuleBasedStateMachine):
    """Acts on a bank and keeps the ids of all that was ever stored."""

    store: Store
    memories = Bundle("memories")

    @initialize(
        config=st.sampled_from((SMALL, *CONFIGS)),
        texts=st.lists(TEXTS, min_size=8, max_size=16),
        categories=st.lists(st.sampled_from(("fact", "other", "decision")), min_size=4, max_size=4),
    )
    def start(self, config: Config, texts: list[str], categories: list[str]) -> None:
        self.clock, self.place = FrozenClock(), tempfile.TemporaryDirectory()
        folder = Path(self.place.name) / "brain" if self.store.name == "folder" else None
        config = self.store.fresh(config)
        self.engine = cogmem_core.open(
            folder, embedder=CountingEmbedder(), clock=self.clock, config=config
        )
        self.engine.pause()
        self.stored: dict[str, set[str]] = {name: set() for name in NAMES}
        self.safe: set[tuple[str, str]] = set()
        self.formers: dict[str, set[str]] = {}  # what an edit left, by the edited memory
        self.explained: dict[tuple[str, str], tuple[Memory, datetime]] = {}
        for number, text in enumerate(texts):
            memory = self.engine.bank("alice").add(
                text, category=categories[number % 4], importance=0.1
            )
            self.stored["alice"].add(memory.id)

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.close()
            self.place.cleanup()

    def exported(self, bank: MemoryBank) -> str:
        path = Path(self.place.name) / "export.jsonl"
        bank.export(path)
        return path.read_text(encoding="utf-8")

    def all(self, bank: MemoryBank) -> dict[str, Memory]:
        return {memory.id: memory for memory in bank.list(state="any", limit=10_000)}

    @rule(
        target=memories,
        name=NAME,
        text=TEXTS,
        category=st.sampled_from(STATED),
        importance=st.sampled_from([0.0, 0.5, 1.0]),
        protection=st.sampled_from(["", "", "", "pinned", "immutable"]),
        days=st.sampled_from([None, 3]),
    )
    def add(
        self,
        *,
        name: str,
        text: str,
        category: str,
        importance: float,
        protection: str,
        days: int | None,
    ) -> tuple[str, str]:
        until = None if days is None else self.clock.now + timedelta(days=days)
        memory = self.engine.bank(name).add(
            text,
            category=category,
            importance=importance,
            valid_until=until,
            pinned=protection == "pinned",
            immutable=protection == "immutable",
        )
        self.stored[name].add(memory.id)
        if protection:
            self.safe.add((name, memory.id))
        return name, memory.id

    @rule(known=memories, text=TEXTS)
    def edit(self, known: tuple[str, str], text: str) -> None:
        """Another value leaves the former text as a superseded memory, and the rest of a compound as one of its own."""
        name, memory_id = known
        bank = self.engine.bank(name)
        if memory_id not in self.stored[name] or bank.get(memory_id).immutable:
            return
        former = bank.get(memory_id).content
        bank.edit(memory_id, text)
        left = [
            (memory.content, memory.superseded_by)
            for memory in self.all(bank).values()
            if memory.id not in self.stored[name] and memory.state == "superseded"
        ]
        made = self.all(bank).keys() - self.stored[name]
        assert left in ([], [(former, memory_id)])
        assert len(made) == len(left)  # no text of this machine is a compound
        self.stored[name] |= made
        self.formers.setdefault(memory_id, set()).update(made)

    @rule(known=memories)
    def pin(self, known: tuple[str, str]) -> None:
        name, memory_id = known
        if memory_id in self.stored[name]:
            self.engine.bank(name).pin(memory_id)
            if self.engine.bank(name).get(memory_id).state == "active":
                self.safe.add(known)

    @rule(name=NAME, text=TEXTS, used=st.booleans())
    def ask(self, name: str, text: str, used: bool) -> None:
        bank = self.engine.bank(name)
        found = bank.recall(text, k=5, floor=0)
        assert {item.memory.id for item in found.results} <= self.stored[name]
        answer = " ".join(item.content for item in found.results[:3]) if used else "I do not know."
        bank.feedback(found, answer or "nothing")

    def cycle(self, bank: MemoryBank, *, dry_run: bool = False) -> ConsolidationReport:
        report = bank.consolidate(dry_run=dry_run)
        assert [step.error for step in report.steps.values() if step.error] == []
        for name, step in report.steps.items():
            for kind, count in step.counts.items():
                event(f"{name}: {kind}", bool(count))
        return report

    @rule(name=NAME)
    def dream(self, name: str) -> None:
        bank = self.engine.bank(name)
        self.cycle(bank)
        made = self.all(bank).keys() - self.stored[name]
        assert all(bank.get(memory_id).write_source == "dream" for memory_id in made)
        self.stored[name] |= made

    @rule(name=NAME)
    def dream_twice(self, name: str) -> None:
        """Twice in a row equals once."""
        self.dream(name)
        bank = self.engine.bank(name)
        before = self.exported(bank)
        assert self.cycle(bank).changes == ()
        assert self.exported(bank) == before

    @rule(name=NAME)
    def dream_dry(self, name: str) -> None:
        """A dry run changes nothing and tells what the real one does, new ids apart."""
        bank = self.engine.bank(name)
        before = self.exported(bank)
        told = [
            (c.step, c.kind, c.content, c.reason) for c in self.cycle(bank, dry_run=True).changes
        ]
        assert self.exported(bank) == before
        done = [(c.step, c.kind, c.content, c.reason) for c in self.cycle(bank).changes]
        self.stored[name] |= self.all(bank).keys()
        assert told == done

    @rule(name=NAME)
    def dream_and_undo(self, name: str) -> None:
        """Undo restores an equal export."""
        bank = self.engine.bank(name)
        before = self.exported(bank)
        bank.undo(self.cycle(bank).run_id)
        assert self.exported(bank) == before

    @rule(name=NAME)
    def undo_an_old_one(self, name: str) -> None:
        bank = self.engine.bank(name)
        run = next((run for run in bank.consolidation_runs() if run.state == "done"), None)
        if run is not None:
            undone = bank.undo(run.id)
            self.stored[name] -= set(undone.removed)

    @rule(known=memories)
    def forget(self, known: tuple[str, str]) -> None:
        name, memory_id = known
        if memory_id in self.stored[name]:
            self.engine.bank(name).forget(memory_id)
            self.safe.discard(known)

    @rule(known=memories)
    def restore(self, known: tuple[str, str]) -> None:
        name, memory_id = known
        if memory_id in self.stored[name]:
            assert self.engine.bank(name).restore(memory_id).state == "active"

    @rule(known=consumes(memories))
    def forget_for_good(self, known: tuple[str, str]) -> None:
        name, memory_id = known
        if memory_id in self.stored[name]:
            bank = self.engine.bank(name)
            receipt = bank.forget(memory_id, hard=True)
            assert receipt.remaining == ()
            # What it said before an edit goes with it; the receipt names what was asked for.
            named = set(receipt.memory_ids)
            gone = self.stored[name] - self.all(bank).keys()
            assert named <= gone <= named | self.formers.get(memory_id, set())
            self.stored[name] -= gone
            self.safe -= {(name, memory) for memory in gone}

    @rule(days=st.sampled_from([1, 10, 30, 60, 400]))
    def wait(self, days: int) -> None:
        self.clock.advance(days=days)

    @invariant()
    def nothing_is_lost(self) -> None:
        for name in NAMES:
            bank = self.engine.bank(name)
            found = self.all(bank)
            assert found.keys() == self.stored[name]
            assert all(
                0.0 <= memory.utility <= 1.0 and memory.stability > 0.0 for memory in found.values()
            )

    @invariant()
    def the_protected_stay(self) -> None:
        for name, memory_id in self.safe:
            assert self.engine.bank(name).get(memory_id).state == "active"

    @invariant()
    def what_is_derived_rests_on_something(self) -> None:
        """And on nothing of another namespace; retention, which a memory and the time decide, stays within 0..1."""
        for name in NAMES:
            bank, found = self.engine.bank(name), self.all(self.engine.bank(name))
            for memory in found.values():
                if self.explained.get((name, memory.id)) != (memory, self.clock.now):
                    assert 0.0 <= bank.explain(memory.id).retention <= 1.0
                    self.explained[name, memory.id] = (memory, self.clock.now)
                ends = {
                    end
                    for link in bank.relations(memory.id)
                    for end in (link.source_id, link.target_id)
                }
                assert ends <= found.keys()
                if memory.state == "active" and memory.write_source == "dream":
                    assert set(memory.support) & found.keys()


@pytest.mark.parametrize("store", STORES)
def test_whatever_is_dreamt_nothing_is_lost(store: str, request: pytest.FixtureRequest) -> None:
    """Stateful tests over every store."""
    chosen = Store.of(store, request)
    machine = type("Machine", (DreamMachine,), {"store": chosen})
    tried = settings(
        max_examples=examples(2 if store == "in memory" else 1),
        stateful_step_count=min(25, examples(12 if store == "servers" else 25)),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=tried)

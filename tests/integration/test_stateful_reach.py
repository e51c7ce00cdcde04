"""No sequence of statements makes a memory unreachable, unless a person had it forgotten.

Statements of one person, about few things, with changes, corrections, ends, repetitions and
remarks, in two languages; an assistant's echoes; dream cycles; and wishes to forget, which are the
only ones that may take something away. Each memory is reached by its own words: among what is
current, in its version chain, in the timeline, or by deep recall.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import cogmem_core
from cogmem_core import Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.servers import examples
from helpers.tables import rows_of

STATEMENTS = rows_of("stateful_reach/statements", "en tr")
WISHES = rows_of("stateful_reach/wishes", "en tr")


class ReachMachine(RuleBasedStateMachine):
    """Says things, and looks for every memory that nobody had forgotten."""

    @initialize()
    def start(self) -> None:
        self.clock = FrozenClock()
        self.engine = cogmem_core.open(embedder="hashing", clock=self.clock, config=MANUAL)
        self.bank = self.engine.bank("alice")
        self.forgotten: set[str] = set()
        self.seen: set[str] = set()

    @rule(text=st.sampled_from(STATEMENTS), days=st.integers(0, 40))
    def say(self, text: str, days: int) -> None:
        self.clock.advance(days=days)
        self._keep(self.bank.remember(text))

    @rule(text=st.sampled_from(STATEMENTS))
    def echo(self, text: str) -> None:
        self._keep(self.bank.remember([Turn(text, role="assistant")]))

    @rule(texts=st.lists(st.sampled_from(STATEMENTS), min_size=2, max_size=4))
    def say_at_once(self, texts: list[str]) -> None:
        self._keep(self.bank.remember(texts))

    @rule(text=st.sampled_from(WISHES))
    def wish(self, text: str) -> None:
        self._keep(self.bank.remember(text))

    @rule()
    def dream(self) -> None:
        self.clock.advance(days=1)
        self.bank.consolidate()

    def _keep(self, report: cogmem_core.WriteReport) -> None:
        self.seen |= {memory.id for memory in report.memories}
        for receipt in report.receipts:
            if receipt.status == "forgotten":
                self.forgotten |= set(receipt.memory_ids)

    def teardown(self) -> None:
        if not hasattr(self, "engine"):
            return
        stored = {memory.id: memory for memory in self.bank.list(state="any", limit=500)}
        assert self.seen <= stored.keys()
        for memory_id in sorted(self.seen - self.forgotten):
            memory = stored[memory_id]
            assert memory.state in ("active", "dormant", "superseded"), memory
            found = self.bank.recall(memory.content, k=100, floor=0.0, deep=True)
            timeline = self.bank.recall(memory.content, k=100, floor=0.0, mode="timeline")
            reached = {item.memory.id for item in (*found.results, *timeline.results)}
            chain = {version.id for version in self.bank.versions(memory_id)}
            assert memory_id in reached | (chain - {memory_id}), memory
        self.engine.close()


def test_no_sequence_of_statements_makes_a_memory_unreachable() -> None:
    """Only a person's wish takes something out of every recall."""
    few = settings(max_examples=examples(4), stateful_step_count=12, derandomize=True)
    run_state_machine_as_test(ReachMachine, settings=few)

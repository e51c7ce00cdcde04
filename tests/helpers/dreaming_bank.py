"""A bank with the configuration of one seed document, whose nights come when a test calls for them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import cogmem_core
from cogmem_core import Config, ConsolidationReport, Memory, Recall, Relation
from cogmem_core.models import Feedback, SynapticTag
from cogmem_core.testing import FrozenClock, GivenVectors, ScriptedLLM
from helpers.exact_memories import Shelf

__all__ = ["Home", "document", "home"]


class Home(Shelf):
    """A shelf that can be slept over."""

    def dream(self, *steps: str, dry_run: bool = False) -> ConsolidationReport:
        """A cycle of these steps, or of all that the document has; none of them may fail."""
        report = self.bank.consolidate(steps=steps or None, dry_run=dry_run)
        assert {name: step.error for name, step in report.steps.items() if step.error} == {}
        return report

    def get(self, memory_id: str) -> Memory:
        """The memory as it is now."""
        return self.bank.get(memory_id)

    def states(self, *ids: str) -> list[str]:
        """The states of memories."""
        return [self.bank.get(memory_id).state for memory_id in ids]

    def retention(self, memory_id: str) -> float:
        """What is left of a memory today, 0..1."""
        return self.bank.explain(memory_id).retention

    def reasons(self, memory_id: str) -> list[str]:
        """Why a memory was changed, oldest first."""
        return [change.reason for change in self.bank.history(memory_id).changes]

    def derived(self, kind: str) -> list[Memory]:
        """Active memories of that kind that the night made."""
        return [
            memory
            for memory in self.bank.list(limit=1_000)
            if memory.metadata.get("derived") == kind
        ]

    def links(self, kind: str) -> list[Relation]:
        """All relations of a type."""
        with self.engine.services.ledger.whole() as reader:
            return [link for link in reader.at("alice").relations.all() if link.type == kind]

    def tags(self) -> dict[str, SynapticTag]:
        """What is tagged."""
        with self.engine.services.ledger.whole() as reader:
            return {tag.memory_id: tag for tag in reader.at("alice").synaptic_tags.all()}

    def tag(self, memory_id: str) -> None:
        """Tag a memory for four hours."""
        until = self.clock() + timedelta(hours=4)
        with self.engine.services.ledger.writing() as writer:
            writer.at("alice").synaptic_tags.add(
                [SynapticTag(memory_id, "s", self.clock(), until, captured=False)]
            )

    def use(self, *ids: str, times: int = 1) -> None:
        """Answers that used these memories, of those that a question found."""
        for _ in range(times):
            rows = self._judge(ids, 1.0)
            assert {(row.memory_id, row.signal) for row in rows} == {
                (memory_id, "used") for memory_id in ids
            }

    def ignore(self, memory_id: str, times: int = 1) -> None:
        """Answers that made nothing of a memory that was found."""
        for _ in range(times):
            (row,) = self._judge((memory_id,), 0.0)
            assert (row.memory_id, row.signal) == (memory_id, "ignored")

    def _judge(self, ids: Sequence[str], share: float) -> tuple[Feedback, ...]:
        found = self.ask(" ".join(self.get(memory_id).content for memory_id in ids), k=50)
        shown = tuple(item for item in found.results if item.memory.id in ids)
        told = Recall(found.id, found.query, shown)
        return self.bank.feedback(told, "an answer", similarity_fn=lambda *_: share)


def document(name: str, **settings: Any) -> Config:
    """The preset of a document, with cycles on demand only and other settings of the dream cycle."""
    known = cogmem_core.preset(name)
    return replace(
        known, consolidation=replace(known.consolidation, **{"trigger": "manual", **settings})
    )


@contextmanager
def home(
    config: Config,
    *,
    vectors: Mapping[str, Sequence[float]] | None = None,
    llm: ScriptedLLM | None = None,
) -> Iterator[Home]:
    """A home in memory; `vectors`: those of texts with these words in them; hashed words if None."""
    clock = FrozenClock()
    embedder = "hashing" if vectors is None else GivenVectors(vectors)
    with cogmem_core.open(None, embedder=embedder, llm=llm, clock=clock, config=config) as engine:
        engine.pause()
        yield Home(engine, engine.bank("alice"), clock)

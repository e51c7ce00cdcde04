"""A bank with a clock to move and memories of given strength: for tests of what a dream cycle makes of them."""

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from types import TracebackType
from typing import Any

import cogmem_core
from cogmem_core import Config, ConsolidationReport, Memory, Relation
from cogmem_core.changes import Actor, Change, Link, Touch, apply
from cogmem_core.config import ConsolidationConfig
from cogmem_core.models import Feedback, ShortTerm, SynapticTag
from cogmem_core.testing import CountingEmbedder, FrozenClock

__all__ = ["MANUAL", "Night"]

MANUAL = ConsolidationConfig(trigger="manual")


class Night(AbstractContextManager["Night"]):
    """Alice's bank, in memory, with the hashing embedder; `sections` are sections of the configuration."""

    def __init__(self, **sections: Any) -> None:
        self.clock, self.embedder = FrozenClock(), CountingEmbedder()
        config = Config(**{"consolidation": MANUAL, **sections})
        self.engine = cogmem_core.open(
            None, embedder=self.embedder, clock=self.clock, config=config
        )
        self.bank = self.engine.bank("alice")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.engine.close()

    def add(
        self,
        text: str,
        *,
        category: str = "fact",
        pinned: bool = False,
        immutable: bool = False,
        **fields: Any,
    ) -> str:
        """Store a memory with these values; its id."""
        memory = self.bank.add(text, category=category, pinned=pinned, immutable=immutable)
        if fields:
            self.change(Touch(memory.id, fields, "given"))
        return memory.id

    def change(self, *changes: Change) -> None:
        """Carry out changes."""
        with self.engine.services.ledger.writing() as writer:
            applied = apply(writer, "alice", changes, now=self.clock(), actor=Actor("user"))
        assert applied.refused == ()

    def link(self, source: str, target: str, kind: str, **fields: Any) -> None:
        """Add a relation."""
        self.change(Link(Relation("alice", source, target, kind, **fields), "given"))  # type: ignore[arg-type]

    def probation(self, text: str, *, hours: float = 48, **fields: Any) -> str:
        """Store a fact that is kept for so long only; its id."""
        until = self.clock() + timedelta(hours=hours)
        memory_id = self.add(
            text,
            **{"valid_until": until, "temporal_type": "time_bounded", "importance": 0.3, **fields},
        )
        with self.engine.services.ledger.writing() as writer:
            writer.at("alice").synaptic_tags.add_short_term(
                [ShortTerm(memory_id, self.clock(), until)]
            )
        return memory_id

    def tag(self, memory_id: str, *, hours: float = 4, captured: bool = False) -> None:
        """Tag a memory for so long."""
        until = self.clock() + timedelta(hours=hours)
        with self.engine.services.ledger.writing() as writer:
            writer.at("alice").synaptic_tags.add(
                [SynapticTag(memory_id, "s", self.clock(), until, captured)]
            )

    def judge(self, recall_id: str, *used: str, signal: str = "used") -> None:
        """Judgements that nobody has learnt from yet."""
        rows = [Feedback(one, recall_id, signal, 0.5, 0.5, "?", self.clock()) for one in used]  # type: ignore[arg-type]
        with self.engine.services.ledger.writing() as writer:
            writer.at("alice").feedback.add(rows)

    def dream(self, *steps: str, dry_run: bool = False) -> ConsolidationReport:
        """Run steps; none of them may fail."""
        report = self.bank.consolidate(steps=steps, dry_run=dry_run)
        assert {name: step.error for name, step in report.steps.items() if step.error} == {}
        return report

    def counts(self, *steps: str) -> dict[str, int]:
        """Run steps; what they counted."""
        found = self.dream(*steps)
        return {
            kind: number for step in found.steps.values() for kind, number in step.counts.items()
        }

    def get(self, memory_id: str) -> Memory:
        """The memory as it is now."""
        return self.bank.get(memory_id)

    def links(self) -> dict[tuple[str, str, str], Relation]:
        """All relations."""
        with self.engine.services.ledger.whole() as reader:
            return {
                (x.source_id, x.target_id, x.type): x for x in reader.at("alice").relations.all()
            }

    def marks(self) -> tuple[list[SynapticTag], list[ShortTerm]]:
        """What is tagged, and what is on probation."""
        with self.engine.services.ledger.whole() as reader:
            return reader.at("alice").synaptic_tags.all(), reader.at(
                "alice"
            ).synaptic_tags.short_term()

    def everything(self) -> tuple[Any, ...]:
        """All that a step may change; the journal's numbers go on and are left out."""
        memories = [replace(memory, seq=0) for memory in self.bank.list(state="any", limit=1_000)]
        return memories, self.links(), self.marks()

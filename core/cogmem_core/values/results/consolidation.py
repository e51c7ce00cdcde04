"""What dream cycles return, and what undoing one does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.base.html_tables import NOTEBOOK_ROWS, html_card, html_table
from cogmem_core.base.reprs import brief


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One change of a dream cycle, made or (in a dry run) only proposed.

    Attributes:
        step: which step proposed it; "" of a cycle on record.
        kind: `put`, `touch`, `rewrite`, `retire`, `revive`, `link`, `unlink` or `unmark`.
        memory_id: the memory; of a link its source.
        content: the memory's text, after the change.
        before: the former values, by field; of a link the other end, type and weight.
        after: the new values, by field; of a link the other end, type and weight. Of a cycle on
            record only what became of one that left: its state, and what took its place.
        reason: why, in a few words.
        undone: it was taken back, without the rest of its cycle.
    """

    step: str
    kind: str
    memory_id: str
    content: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str
    undone: bool = False


@dataclass(frozen=True, slots=True)
class StepReport:
    """The result of one step of a dream cycle.

    Attributes:
        counts: what it did, by kind ("merged", "pruned", ...); empty if there was nothing to do.
        duration_ms: wall time.
        note: why it did nothing, or less than it found; empty if there is nothing to say.
        error: why it failed; then nothing of it was kept, and the other steps went on.
    """

    counts: Mapping[str, int]
    duration_ms: float = 0.0
    note: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What a dream cycle did, or (`dry_run`) would do.

    Attributes:
        run_id: for `undo`; empty if nothing ran, because another cycle was running on the
            namespace.
        steps: per step, in the order in which they ran.
        changes: every change, in order.
        reason: why nothing ran; empty if something did.
    """

    run_id: str = ""
    steps: Mapping[str, StepReport] = field(default_factory=dict)
    duration_ms: float = 0.0
    llm_calls: int = 0
    dry_run: bool = False
    changes: tuple[PlannedChange, ...] = ()
    reason: str = ""

    def __repr__(self) -> str:
        counts = {name: dict(step.counts) for name, step in self.steps.items() if step.counts}
        return brief(self, "run_id", "dry_run", "reason", counts=counts, changes=len(self.changes))

    def _repr_html_(self) -> str:
        if self.reason:
            return html_card(self, "reason")
        rows = [
            (change.step, change.kind, change.content, change.reason) for change in self.changes
        ]
        verb = "would change" if self.dry_run else "changed"
        caption = f"A dream cycle {verb} {len(self.changes)} things"
        headings = ("step", "change", "memory", "why")
        return html_table(caption, headings, rows, most=NOTEBOOK_ROWS)

    def total(self, name: str) -> int:
        """A count over all steps."""
        return sum(step.counts.get(name, 0) for step in self.steps.values())

    @property
    def pruned(self) -> int:
        """Memories that went dormant because they faded, were useless, redundant or too many."""
        return self.total("pruned")

    @property
    def merged(self) -> int:
        """Duplicates that were merged into another memory."""
        return self.total("merged")

    @property
    def strengthened(self) -> int:
        """Pairs used together whose relation was strengthened."""
        return self.total("strengthened")

    @property
    def derived(self) -> int:
        """New themes, insights, patterns and category summaries."""
        return self.total("derived")

    @property
    def compacted(self) -> int:
        """Old episodic memories, often retrieved, that became semantic."""
        return self.total("compacted")

    @property
    def consolidated(self) -> int:
        """Fading memories that a summary now stands for."""
        return self.total("consolidated")

    @property
    def promoted(self) -> int:
        """Episodic memories that became semantic, by whichever rule."""
        return self.total("promoted")

    @property
    def demoted(self) -> int:
        """Semantic memories that went dormant."""
        return self.total("demoted")

    @property
    def returned(self) -> int:
        """Records and files that say what was erased; `MemoryBank.verify_erasures` lists them."""
        return self.total("returned")

    @property
    def expired(self) -> int:
        """Memories whose time was over."""
        return self.total("expired")


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What undoing a dream cycle did.

    Attributes:
        restored: ids of memories that are as they were before.
        removed: ids of memories that the cycle had made and that are gone.
        kept: ids of memories that were changed again since, and what of them was left as it is now,
            as a sentence.
    """

    run_id: str
    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief(self, "run_id", "restored", "removed", kept=len(self.kept))

    def _repr_html_(self) -> str:
        return html_card(self, "run_id", "restored", "removed", "kept")


@dataclass(frozen=True, slots=True)
class FanOutReport:
    """The result of a round of dream cycles over many namespaces.

    Attributes:
        on: the executor that ran the cycles.
        workers: how many workers ran.
        namespaces: what the cycle did in each namespace, by kind; `bank.consolidation_runs()` tells more.
        failed: why a namespace had no cycle.
        troubles: why workers ended early; others did their part.
        duration_ms: wall time.
    """

    on: str
    workers: int
    namespaces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()
    duration_ms: float = 0.0

    @property
    def counts(self) -> Mapping[str, int]:
        """What was done over all namespaces, by kind."""
        totals: Counter[str] = Counter()
        for counts in self.namespaces.values():
            totals.update(counts)
        return dict(+totals)

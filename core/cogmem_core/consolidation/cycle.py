"""One dream cycle: lease, steps in their order, one transaction per step, report, record.

A step that fails changes nothing and the others go on. A process that dies leaves whole steps
behind: the next cycle starts when its lease has run out, and `undo` takes back what it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from cogmem_core.base.error_texts import report
from cogmem_core.base.runtime import milliseconds_since, monotonic
from cogmem_core.changes import (
    REJECTED,
    Actor,
    Change,
    Retire,
    apply,
    plan_changes,
    targets,
)
from cogmem_core.consolidation.dream import CycleControl, Dream, Proposal, StepResult, Stopped
from cogmem_core.consolidation.planned_changes import describe_changes
from cogmem_core.consolidation.steps import STEPS
from cogmem_core.edge.clauses import holding
from cogmem_core.encoding.commit import finish_queued
from cogmem_core.errors import CogMemError
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.runs import DreamState
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.upkeep.reviews import settle_overdue
from cogmem_core.values.models import ConsolidationRun, Memory
from cogmem_core.values.results import ConsolidationReport, PlannedChange, StepReport

# Disk, embedder and index raise the first; the others are what a step may trip over in data that
# nobody foresaw.
FAILURES = (CogMemError, ArithmeticError, LookupError, TypeError, ValueError)
_BUSY = "another cycle is running on this namespace"
_MADE = "the cycle that was ordered has been made"
_STOPPED = "the cycle was stopped before it"


class CycleRequest(NamedTuple):
    """What to run: names of steps, whether only to tell what would happen, and what caused it.

    `max_cycles`: nothing is run if the namespace has more cycles on record than that.
    """

    steps: Sequence[str]
    dry_run: bool = False
    cause: str = "manual"
    max_cycles: int | None = None


def consolidate(
    services: Services, namespace: str, request: CycleRequest, control: CycleControl | None = None
) -> ConsolidationReport:
    """Run a cycle; returns at once with zeros if one is running already, in this process or another.

    Raises:
        StoreError: the ledger failed before the first step or after the last one.
    """
    control = control or CycleControl()
    with services.log_operation(
        "consolidate", namespace=namespace, cause=request.cause, dry_run=request.dry_run
    ) as note:
        if not request.dry_run:
            while finish_queued(services, namespace=namespace)[0]:
                pass
            settle_overdue(services, namespace)
        report = (_rehearsed if request.dry_run else _run)(services, namespace, request, control)
        counts = Counter[str]()
        for step in report.steps.values():
            counts.update(step.counts)
        note |= {
            "run_id": report.run_id,
            "llm_calls": report.llm_calls,
            "skipped": report.reason or None,
            "counts": dict(+counts),
            "failed": {name: s.error for name, s in report.steps.items() if s.error} or None,
        }
    return report


def _rehearsed(
    services: Services, namespace: str, request: CycleRequest, control: CycleControl
) -> ConsolidationReport:
    cycle = _Cycle(services, namespace, request, control)
    with services.ledger.reading(namespace) as ns:
        state = ns.runs.state()
    cycle.load(state)
    return cycle.run()


def _run(
    services: Services, namespace: str, request: CycleRequest, control: CycleControl
) -> ConsolidationReport:
    run_id = services.runtime.new_id()
    seconds = services.config.consolidation.lease_seconds
    now = services.runtime.now()
    held = ended = False
    try:
        with services.ledger.writing(namespace) as writer:
            runs = writer.at(namespace).runs
            fence = runs.take_lease(run_id, now=now, seconds=seconds)
            if fence is None:
                ended = True
                return ConsolidationReport(reason=_BUSY)
            if (
                request.max_cycles is not None
                and writer.namespaces.cycles([namespace])[namespace] > request.max_cycles
            ):
                runs.end_lease(fence, {})
                ended = True
                return ConsolidationReport(reason=_MADE)
            runs.interrupt()
            state = runs.state()
        held = True
        cycle = _Cycle(services, namespace, request, control, run_id=run_id, fence=fence)
        cycle.load(state)
        with services.ledger.writing_to(namespace) as ns:
            ns.runs.put(
                ConsolidationRun(run_id, namespace, request.cause, "running", now, state.marks)
            )
        report = cycle.run()
        _end(services, namespace, cycle, report)
        ended = True
    except CogMemError:
        # What failed has taken nothing; what was interrupted may have.
        ended = not held
        raise
    finally:
        if not ended:
            _broken_off(services, namespace, run_id)
    return report


def _broken_off(services: Services, namespace: str, run_id: str) -> None:
    """Give the lease back, if the cycle holds it."""
    with services.ledger.writing_to(namespace) as ns:
        state = ns.runs.state()
        if state.owner == run_id and ns.runs.end_lease(state.fence, {}):
            ns.runs.interrupt()


def _end(services: Services, namespace: str, cycle: _Cycle, report: ConsolidationReport) -> None:
    """The run goes on record, and the lease back.

    One that was stopped is no cycle, and stays due.
    """
    steps = {
        name: {"counts": dict(s.counts), "note": s.note, "error": s.error}
        for name, s in report.steps.items()
    }
    record = {"duration_ms": report.duration_ms, "llm_calls": report.llm_calls, "steps": steps}
    now = services.runtime.now()
    with services.ledger.writing_to(namespace) as ns:
        progress: dict[str, Any] = {}
        if not cycle.stopped:
            progress = {
                "last_at": now,
                "last_seq": ns.journal.last_seq(),
                "last_turn": ns.turns.newest(),
            }
        state = "interrupted" if cycle.stopped else "done"
        run = ConsolidationRun(
            report.run_id, namespace, cycle.request.cause, state, cycle.dream.now, {}, record
        )
        if ns.runs.renew_lease(cycle.fence, now=now, seconds=1.0):
            ns.runs.put(run)
            ns.runs.end_lease(cycle.fence, progress)


@dataclass
class _Cycle:
    services: Services
    namespace: str
    request: CycleRequest
    control: CycleControl
    run_id: str = ""
    fence: int = 0
    stopped: bool = False
    reports: dict[str, StepReport] = field(default_factory=dict)
    changes: list[PlannedChange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dream = Dream(self.services, self.namespace, self._yield_now)
        self._renewed = monotonic()

    def _yield_now(self) -> None:
        if self.stopped or self.control.stopping():
            raise Stopped
        self.control.yield_to_foreground()
        seconds = self.dream.settings.lease_seconds
        if self.fence and monotonic() - self._renewed > seconds / 4:
            with self.services.ledger.writing(self.namespace) as writer:
                self._keep_lease(writer)

    def _keep_lease(self, writer: Transaction) -> None:
        seconds = self.dream.settings.lease_seconds
        if not writer.at(self.namespace).runs.renew_lease(
            self.fence, now=self.services.runtime.now(), seconds=seconds
        ):
            raise Stopped
        self._renewed = monotonic()

    def load(self, state: DreamState) -> None:
        """Read the namespace."""
        self.dream.checkpoints = dict(state.marks)
        with self.services.ledger.reading(self.namespace) as ns:
            self.dream.load(ns, self.control.yield_to_foreground)

    def run(self) -> ConsolidationReport:
        """All steps that were asked for, in their order."""
        started = monotonic()
        steps = [(name, step) for name, step in STEPS if name in self.request.steps]
        self.dream.began = started if len(steps) > 1 else None
        for number, (name, step) in enumerate(steps):
            self.control.progress(name, number, len(steps))
            began = monotonic()
            try:
                self._yield_now()
                result = step(self.dream)
                counts = self._settle(name, result)
                self.reports[name] = StepReport(counts, milliseconds_since(began), result.note)
            except Stopped:
                self.stopped = True
                self.reports[name] = StepReport({}, note=_STOPPED)
            except FAILURES as error:
                spent = milliseconds_since(began)
                self.reports[name] = StepReport({}, spent, error=report(error))
        self.control.progress("", len(steps), len(steps))
        return ConsolidationReport(
            self.run_id,
            self.reports,
            milliseconds_since(started),
            self.dream.calls,
            self.request.dry_run,
            tuple(self.changes),
        )

    def _settle(self, name: str, result: StepResult) -> dict[str, int]:
        """Carry out what a step proposes, in one transaction; returns what it counts."""
        ids = list(dict.fromkeys(chain.from_iterable(p.ids for p in result.proposals)))
        applied = None
        if self.request.dry_run:
            with self.services.ledger.reading(self.namespace) as ns:
                rows = {name: stored.memory for name, stored in self.dream.rows(ns, ids).items()}
                proposals = _standing(rows, self.dream, result.proposals)
                changes = _changes_of(proposals)
                if changes:  # the next step of the dry run sees what they would do
                    applied = plan_changes(
                        self.dream.rows(ns, targets(changes)),
                        changes,
                        now=self.dream.now,
                        actor=Actor("dream", "dry run"),
                        relations=self.dream.relations.values(),
                        previous_seq=ns.journal.last_seq(),
                    )
        else:
            with self.services.ledger.writing(self.namespace) as writer:
                self._keep_lease(writer)
                ns = writer.at(self.namespace)
                if any(change.embeds for change in _changes_of(result.proposals)):
                    self.services.guard_embedder(writer)
                proposals = _standing(ns.memories.by_ids(ids), self.dream, result.proposals)
                changes = _changes_of(proposals)
                if changes:
                    actor = Actor("dream", self.run_id)
                    applied = apply(
                        writer, self.namespace, changes, now=self.dream.now, actor=actor
                    )
                if result.checkpoints:
                    ns.runs.set_marks({**self.dream.checkpoints, **result.checkpoints})
        if applied is not None:
            self.changes += describe_changes(name, changes, self.dream, applied)
            self.dream.fold(changes, applied)
            if not self.request.dry_run:
                self.services.update_indexes(self.namespace, applied)
                self.services.hot.forget(self.namespace)
        self.dream.checkpoints |= result.checkpoints
        counts = Counter(result.counts)
        for proposal in proposals:
            counts.update(proposal.counts)
        if applied is not None:
            counts["rejected"] += sum(r.reason == REJECTED for r in applied.refused)
        counts["left_alone"] = len(result.proposals) - len(proposals)
        return dict(+counts)


def _changes_of(proposals: Iterable[Proposal]) -> list[Change]:
    return list(chain.from_iterable(proposal.changes for proposal in proposals))


def _standing(
    rows: Mapping[str, Memory], dream: Dream, proposals: Sequence[Proposal]
) -> list[Proposal]:
    """The proposals whose memories nobody changed since the snapshot was read, nor an earlier proposal retired.

    What a person brought back lately is not put away again: else undoing a cycle would last until
    the next one.
    """
    standing: list[Proposal] = []
    retired_ids: set[str] = set()
    for proposal in proposals:
        retired = {change.memory_id for change in proposal.changes if isinstance(change, Retire)}
        if (
            retired_ids.isdisjoint(proposal.ids)
            and all(_unchanged(rows, dream, memory_id) for memory_id in proposal.ids)
            and not _takes_recently_restored(dream, retired)
        ):
            standing.append(proposal)
            retired_ids |= retired
    return standing


def _takes_recently_restored(dream: Dream, retired: set[str]) -> bool:
    """Whether one of them is what a person brought back.

    Derived memories follow what they rest on all the same.
    """
    restored = retired & dream.recently_restored & dream.memories.keys()
    return any(not dream.memories[memory_id].support for memory_id in restored)


def _unchanged(rows: Mapping[str, Memory], dream: Dream, memory_id: str) -> bool:
    memory = dream.memory(memory_id)
    row = rows.get(memory_id)
    if memory is None or row is None:
        return row is not None
    # The worker may have made its vector anew meanwhile: that changes nothing of it.
    return replace(holding(row), seq=memory.seq) == memory

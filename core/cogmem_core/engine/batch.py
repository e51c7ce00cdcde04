"""A batch of dream cycles that several workers work off together.

There is no queue. The lease of a namespace says which worker runs its cycle, and the number of its
cycles on record says whether it had one since the batch was made. So workers of any kind, on any
machine, may share a batch, come late or die: each namespace gets one cycle, and the lease of a
worker that died runs out (`consolidation.lease_seconds`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cogmem_core.base.error_texts import report
from cogmem_core.consolidation import CycleControl, CycleRequest, consolidate, due
from cogmem_core.consolidation.cycle import FAILURES
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.table import chunks

POLL_SECONDS = 0.25
_ATTEMPTS = 3
_NAMESPACES_PER_QUERY = 400
_CAUSE = "fan-out"


@dataclass(frozen=True, slots=True)
class Batch:
    """The steps of each cycle, and the namespaces with the number of their cycles so far."""

    steps: tuple[str, ...]
    cycles: Mapping[str, int]


def make_batch(services: Services, namespaces: Iterable[str] | None, *, due_only: bool) -> Batch:
    """The batch for these namespaces, or for all of the store.

    Raises:
        InvalidInput: a namespace was never written to.
    """
    with services.ledger.whole() as reader:
        stored_names = reader.namespaces.names()
    names = stored_names
    if namespaces is not None:
        listed = checks.listed("namespaces", namespaces)
        checked = [checks.namespace(name, services.config) for name in listed]
        names = list(dict.fromkeys(checked))
        unknown = sorted(set(names) - set(stored_names))
        if unknown:
            raise InvalidInput(
                f"namespaces names {checks.display(unknown[0])}, which was never written to; "
                "engine.namespaces() lists those that were"
            )
    if due_only:
        due_names = set(due(services))
        names = [name for name in names if name in due_names]
    return Batch(tuple(services.config.consolidation.steps), _cycle_counts(services, names))


def run_batch(
    services: Services, batch: Batch, *, first: int = 0, watch: CycleControl | None = None
) -> dict[str, str]:
    """Run the cycles that are left of a batch; returns why namespaces were given up.

    Args:
        services: of the engine that does it.
        batch: what is to be done.
        first: with which of the namespaces to begin, so that workers do not start on the same one.
        watch: `stopping` ends it after the present step of a cycle.
    """
    watch = watch or CycleControl()
    names = list(batch.cycles)
    start = first % len(names) if names else 0
    open_names = names[start:] + names[:start]
    failures: dict[str, str] = {}
    attempts: Counter[str] = Counter()
    timer = threading.Event()
    while open_names and not watch.stopping():
        waiting = []
        for name in open_names:
            if watch.stopping():
                return failures
            try:
                if not _run_cycle(services, batch, name, watch):
                    waiting.append(name)
            except FAILURES as error:
                attempts[name] += 1
                failures[name] = report(error)
                if attempts[name] < _ATTEMPTS:
                    waiting.append(name)
            else:
                failures.pop(name, None)
        if len(waiting) == len(open_names):
            timer.wait(POLL_SECONDS)
        open_names = waiting
    return failures


def _run_cycle(services: Services, batch: Batch, name: str, watch: CycleControl) -> bool:
    """Run the cycle unless another worker did; False if another worker is running it."""
    cycle_count = batch.cycles[name]
    with services.ledger.whole() as reader:
        if reader.namespaces.cycles([name])[name] > cycle_count:
            return True
    order = CycleRequest(batch.steps, cause=_CAUSE, max_cycles=cycle_count)
    return bool(consolidate(services, name, order, watch).run_id)


def remaining(services: Services, batch: Batch) -> Batch:
    """The part of a batch that nobody has done yet."""
    counts = _cycle_counts(services, list(batch.cycles))
    cycles = {name: number for name, number in batch.cycles.items() if counts[name] <= number}
    return Batch(batch.steps, cycles)


def _cycle_counts(services: Services, names: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for part in chunks(names, _NAMESPACES_PER_QUERY):
        with services.ledger.whole() as reader:
            counts |= reader.namespaces.cycles(part)
    return counts


_ASKED_ITSELF = ("asked", "found")
"""What the self-test counts: it changes nothing, and depends on how much time there was."""


def counts_by_namespace(services: Services, batch: Batch) -> dict[str, Mapping[str, int]]:
    """What the newest cycle did in each namespace that had one, by kind."""
    undone = remaining(services, batch).cycles
    counts: dict[str, Mapping[str, int]] = {}
    for name in batch.cycles:
        if name in undone:
            continue
        with services.ledger.reading(name) as tables:
            runs = [run for run in tables.runs.newest(5) if run.state == "done"]
        steps: Mapping[str, Mapping[str, Any]] = runs[0].report.get("steps", {}) if runs else {}
        total: Counter[str] = Counter()
        for step in steps.values():
            total += Counter(step.get("counts", {}))
        counts[name] = {kind: n for kind, n in total.items() if kind not in _ASKED_ITSELF}
    return counts

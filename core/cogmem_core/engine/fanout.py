"""Dream cycles of many namespaces at once: by threads, processes of this machine, or Ray tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from cogmem_core.base.runtime import milliseconds_since, monotonic
from cogmem_core.consolidation import CycleControl
from cogmem_core.edge import checks
from cogmem_core.engine.batch import (
    POLL_SECONDS,
    Batch,
    counts_by_namespace,
    make_batch,
    remaining,
    run_batch,
)
from cogmem_core.engine.executors import EXECUTORS, WorkerPool
from cogmem_core.values.results import FanOutReport

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


Progress = Callable[[int, int], None]


def consolidate_all(
    engine: Engine,
    namespaces: Iterable[str] | None,
    *,
    on: str,
    workers: int,
    due_only: bool,
    progress: Progress | None,
) -> FanOutReport:
    """Run one dream cycle in each namespace; arguments as those of `Engine.consolidate_all`."""
    services = engine.open_services
    start = EXECUTORS[checks.choice("on", on, tuple(EXECUTORS))]
    worker_count = checks.positive("workers", workers)
    batch = make_batch(services, namespaces, due_only=due_only)
    started_at = monotonic()
    fields = {"on": on, "workers": worker_count, "count": len(batch.cycles)}
    with services.log_operation("consolidate_all", **fields) as record:
        pool = start(engine, batch, worker_count)
        failures, troubles = _supervise(engine, batch, pool, progress)
        record["failed"] = len(failures) or None
        record["troubles"] = len(troubles) or None
    engine.changed()
    counts = counts_by_namespace(services, batch)
    undone = [name for name in batch.cycles if name not in counts]
    reasons = {name: failures.get(name, "it was not reached") for name in undone}
    milliseconds = milliseconds_since(started_at)
    return FanOutReport(on, worker_count, counts, reasons, troubles, milliseconds)


def _supervise(
    engine: Engine,
    batch: Batch,
    executor: AbstractContextManager[WorkerPool],
    progress: Progress | None,
) -> tuple[dict[str, str], tuple[str, ...]]:
    """CycleControl the workers until they are done; what they leave undone is done here."""
    services = engine.services
    total = len(batch.cycles)

    def tell() -> None:
        if progress is not None:
            progress(total - len(remaining(services, batch).cycles), total)

    with executor as pool:
        ended = False
        while not ended:
            ended = pool.wait(POLL_SECONDS)
            tell()
        troubles = tuple(pool.failures)
    undone = remaining(services, batch)
    failures = run_batch(services, undone, watch=CycleControl(engine.yield_to_foreground))
    tell()
    return failures, troubles

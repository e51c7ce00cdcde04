"""Dream cycles of many namespaces at once: by threads, by processes of this machine, or by a Ray cluster.

There is no queue of its own. The lease of a namespace says who is at it, and the number of its cycles on record whether
it had one since the round was ordered. So workers of any kind, on any machine, may work off one round together, come
late or die: each namespace gets one cycle, and the lease of one who died runs out (`consolidation.lease_seconds`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.consolidation import Order, Watch, consolidate, due
from cogmem_core.consolidation.cycle import FAILURES
from cogmem_core.errors import InvalidInput
from cogmem_core.reasons import report
from cogmem_core.results import FanOutReport
from cogmem_core.runtime import monotonic
from cogmem_core.services import Services
from cogmem_core.storage.ledger.journal import chunks

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["FanOut", "Hands", "Round", "work_off"]

_ATTEMPTS = 3
_POLL_SECONDS = 0.25
_BATCH = 400
CAUSE = "fan-out"


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be done: the steps of each cycle, and the namespaces with the number of their cycles so far."""

    steps: tuple[str, ...]
    cycles: Mapping[str, int]


class Hands(Protocol):
    """Workers that work off a round, however they are run."""

    @property
    def troubles(self) -> Sequence[str]:
        """Why workers ended before the round did."""

    def wait(self, seconds: float) -> bool:
        """Wait for all of them to end, at most so long; returns whether they have."""


def work_off(services: Services, order: Round, *, first: int = 0, watch: Watch | None = None) -> dict[str, str]:
    """Do what is left of a round, until nothing is; returns why namespaces were given up.

    Args:
        first: with which of the namespaces to begin, so that several workers do not start on the same one.
        watch: `stopping` ends it after the present step of a cycle.
    """
    watch = watch or Watch()
    names = list(order.cycles)
    failed = dict[str, str]()
    left = names[first % len(names) :] + names[: first % len(names)] if names else []
    attempts = Counter[str]()
    rest = threading.Event()
    while left and not watch.stopping():
        waiting = []
        for name in left:
            if watch.stopping():
                return failed
            try:
                if not _done(services, order, name, watch):
                    waiting.append(name)
            except FAILURES as error:
                attempts[name] += 1
                failed[name] = report(error)
                waiting += [name] if attempts[name] < _ATTEMPTS else []
            else:
                failed.pop(name, None)
        if len(waiting) == len(left):
            rest.wait(_POLL_SECONDS)
        left = waiting
    return failed


def _done(services: Services, order: Round, name: str, watch: Watch) -> bool:
    """Run the cycle unless somebody else did; False if somebody else is at it."""
    known = order.cycles[name]
    with services.ledger.reading() as reader:
        if reader.cycles([name])[name] > known:
            return True
    report = consolidate(services, name, Order(order.steps, cause=CAUSE, known=known), watch)
    return bool(report.run_id)


class FanOut:
    """Mixed into `Engine`."""

    services: Services
    check_open: Callable[[], None]
    changed: Callable[[], None]

    def consolidate_all(
        self,
        *,
        namespaces: Iterable[str] | None = None,
        on: str = "threads",
        workers: int = 2,
        due_only: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> FanOutReport:
        """Run one dream cycle in each of many namespaces, several at a time.

        What a worker that dies leaves behind is done by the others, or in the end by this process. Several machines may
        share the work: with `due_only` each namespace that is due gets one cycle, however many of them are told to.

        Args:
            namespaces: all of the store if None.
            on: "threads" of this process; "processes" of this machine; "ray" = tasks of a Ray cluster: the one that
                `ray.init` found or `RAY_ADDRESS` names, else one on this machine (`pip install 'ray>=2.40'`).
                Processes and Ray open the store anew: it needs a folder that they see, or the address of a database,
                and an embedder and a language model that were given by name.
            workers: how many, 1 or more.
            due_only: leave out where no cycle is due (`consolidation.trigger`).
            progress: called with (namespaces done, namespaces in all), now and then.

        Raises:
            InvalidInput: an argument is unusable, or no worker could open this store.
            StoreError: the disk failed.
        """
        from cogmem_core.engine.executors import EXECUTORS

        self.check_open()
        engine = cast("Engine", self)
        services = self.services
        start = EXECUTORS[checks.choice("on", on, tuple(EXECUTORS))]
        most = checks.positive("workers", workers)
        order = _ordered(services, namespaces, due_only=due_only)
        began = monotonic()
        with services.log_operation("consolidate_all", on=on, workers=most, count=len(order.cycles)) as note:
            failed, troubles = _carry_out(engine, order, start(engine, order, most), progress or (lambda *_: None))
            note |= {"failed": len(failed) or None, "troubles": len(troubles) or None}
        self.changed()
        counts = _counts(services, order)
        missed = {name: failed.get(name, "it was not reached") for name in order.cycles if name not in counts}
        return FanOutReport(on, most, counts, missed, troubles, round((monotonic() - began) * 1000, 2))

    aconsolidate_all = async_twin(consolidate_all)


def _ordered(services: Services, namespaces: Iterable[str] | None, *, due_only: bool) -> Round:
    with services.ledger.reading() as reader:
        known = reader.namespaces()
    if namespaces is None:
        wanted = known
    else:
        given = checks.listed("namespaces", namespaces)
        wanted = list(dict.fromkeys(checks.namespace(name, services.config.limits) for name in given))
        strangers = sorted(set(wanted) - set(known))
        if strangers:
            raise InvalidInput(f"namespaces names {strangers[0]!r}, which was never written to")
    if due_only:
        waiting = set(due(services))
        wanted = [name for name in wanted if name in waiting]
    return Round(tuple(services.config.consolidation.steps), _cycles(services, wanted))


def _cycles(services: Services, names: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in chunks(names, _BATCH):
        with services.ledger.reading() as reader:
            found |= reader.cycles(part)
    return found


def _carry_out(
    engine: Engine, order: Round, executor: AbstractContextManager[Hands], progress: Callable[[int, int], None]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Watch the workers until they are done; what they left is done here."""
    services = engine.services
    total = len(order.cycles)
    with executor as hands:
        ended = False
        while not ended:
            ended = hands.wait(_POLL_SECONDS)
            progress(total - len(_left(services, order)), total)
        troubles = tuple(hands.troubles)
    left = _left(services, order)
    failed = work_off(services, Round(order.steps, left), watch=Watch(engine.let_pass)) if left else {}
    progress(total - len(_left(services, order)), total)
    return failed, troubles


def _left(services: Services, order: Round) -> dict[str, int]:
    now = _cycles(services, list(order.cycles))
    return {name: known for name, known in order.cycles.items() if now[name] <= known}


def _counts(services: Services, order: Round) -> dict[str, Mapping[str, int]]:
    """What the newest cycle did in each namespace that had one, by kind."""
    left = _left(services, order)
    found = dict[str, Mapping[str, int]]()
    for name in order.cycles.keys() - left.keys():
        with services.ledger.reading() as reader:
            runs = [run for run in reader.runs(name, 5) if run.state == "done"]
        steps: Mapping[str, Mapping[str, Any]] = runs[0].report.get("steps", {}) if runs else {}
        found[name] = dict(sum((Counter(step.get("counts", {})) for step in steps.values()), Counter[str]()))
    return {name: found[name] for name in order.cycles if name in found}

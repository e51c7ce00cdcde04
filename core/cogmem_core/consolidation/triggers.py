"""What starts a dream cycle by itself: time, turns or ingestions."""

from __future__ import annotations

from datetime import timedelta

from cogmem_core.consolidation.cycle import FAILURES, CycleRequest, consolidate
from cogmem_core.consolidation.dream import CycleControl
from cogmem_core.process.services import Services


def due(services: Services) -> list[str]:
    """Namespaces whose cycle is due by the engine's clock, the one that waits longest first.

    Time and counts come from the ledger, so a restart misses nothing.
    """
    settings = services.config.consolidation
    if settings.trigger == "manual":
        return []
    with services.ledger.whole() as reader:
        if settings.trigger == "interval":
            now = services.runtime.now()
            interval = timedelta(hours=settings.hours)
            idle = now - timedelta(hours=settings.idle_hours)
            return reader.namespaces.due(
                written_before=now - interval, idle_before=idle, after=now + interval
            )
        due_namespaces = []
        for namespace, turn_id in reader.namespaces.unconsolidated():
            turns, calls = reader.at(namespace).turns.count_since(turn_id)
            count = turns if settings.trigger == "turns" else calls
            if count >= settings.every:
                due_namespaces.append(namespace)
        return due_namespaces


def run_one(services: Services, control: CycleControl) -> bool:
    """Run the cycle of one namespace that is due; returns whether there may be more.

    A namespace that another process works on is left to it; one that cannot be read holds up no
    other.

    Raises:
        CogMemError, ArithmeticError, LookupError, TypeError, ValueError: what the first one failed
            of, once none is left that can be done.
    """
    failure: Exception | None = None
    settings = services.config.consolidation
    steps = settings.steps if settings.automatic == "consolidate" else settings.tick
    for namespace in due(services):
        if control.stopping():
            return False
        try:
            report = consolidate(
                services, namespace, CycleRequest(steps, cause=settings.trigger), control
            )
        except FAILURES as error:
            failure = failure or error
            continue
        if report.run_id:
            return True
    if failure is not None:
        raise failure
    return False

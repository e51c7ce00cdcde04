"""What keeps a step from working too long without a pause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from cogmem_core.base.runtime import monotonic
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.snapshot import Snapshot
from cogmem_core.values.models import Memory

Item = TypeVar("Item")
_SECONDS = 0.004


def each_memory(snapshot: Snapshot, context: StepContext) -> Iterator[Memory]:
    """The active memories, oldest first, with pauses."""
    return with_pauses(context, snapshot.memories.values())


def with_pauses(context: StepContext, items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a breath every few milliseconds: a recall that comes meanwhile waits no longer than that."""
    since = monotonic()
    for item in items:
        yield item
        if monotonic() - since >= _SECONDS:
            context.yield_now()
            since = monotonic()

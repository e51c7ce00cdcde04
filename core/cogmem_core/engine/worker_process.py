"""A process that works off a batch of dream cycles for another one."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

from cogmem_core.config.loading import config_of
from cogmem_core.consolidation import CycleControl
from cogmem_core.engine.batch import Batch, run_batch
from cogmem_core.engine.engine import open as open_engine


def work(text: str, stopping: Callable[[], bool] = lambda: False) -> dict[str, str]:
    """Open the store that an order describes, and run its cycles.

    Args:
        text: the order, as JSON.
        stopping: ends the work after the present step of a cycle.

    Returns:
        Why namespaces were given up.
    """
    order = json.loads(text)
    config = config_of(order["config"])
    quiet = replace(config, consolidation=replace(config.consolidation, trigger="manual"))
    batch = Batch(tuple(order["steps"]), order["cycles"])
    with open_engine(
        order["folder"], config=quiet, embedder=order["embedder"], llm=order["llm"]
    ) as engine:
        watch = CycleControl(stopping=stopping)
        failures = run_batch(engine.services, batch, first=order["first"], watch=watch)
        engine.changed()
    return failures


def serve() -> None:
    """Work off the order in the first line of standard input, until the input is closed."""
    order = sys.stdin.readline()
    closed = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        closed.set()

    threading.Thread(target=listen, daemon=True).start()
    if order:
        work(order, closed.is_set)

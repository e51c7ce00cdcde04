"""Workers that share one bank on PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock

__all__ = ["Open", "opening"]

Open = Callable[..., Engine]


@contextmanager
def opening(ledger_url: str) -> Iterator[Open]:
    """Opens workers of one bank; their indexes are in memory."""
    with ExitStack() as workers:

        def make(url: str = ledger_url, **settings: Any) -> Engine:
            config = replace(MANUAL, storage=StorageConfig(ledger_url=url, **settings))
            return workers.enter_context(
                cogmem_core.open(embedder=CountingEmbedder(), clock=FrozenClock(), config=config)
            )

        yield make

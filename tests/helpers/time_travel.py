"""What tests of time travel share: days, and letting a memory go as the system does."""

import dataclasses
from datetime import datetime, timedelta, timezone
from typing import Any

from cogmem_core import MemoryBank
from cogmem_core.changes import Actor, Retire, apply
from cogmem_core.config import RetrievalConfig
from cogmem_core.testing import MANUAL

__all__ = ["CONFIG", "FIRST", "day", "let_go"]

# One look: a second one, at what was put away for disuse, is not about time.
CONFIG = dataclasses.replace(MANUAL, retrieval=RetrievalConfig(second_look=0.0))
FIRST = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DREAM = Actor("dream", "run-1")


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


def let_go(bank: MemoryBank, memory_id: str, state: Any, **fields: Any) -> None:
    """Retire a memory as the system does."""
    bank.get(memory_id)
    services = bank._services()
    with services.ledger.writing() as writer:
        change = Retire(memory_id, state, "replaced" if fields else "faded", fields)
        done = apply(writer, bank.namespace, [change], now=services.runtime.now(), actor=DREAM)
    assert done.refused == ()

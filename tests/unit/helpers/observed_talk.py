"""What tests of observing and reflecting share: five turns about Emma, what is kept, a disk that fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

import cogmem_core
from cogmem_core import Config, Engine, StoreError, Turn
from cogmem_core.config import ObservationConfig
from cogmem_core.models import ObservationNote
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.testing import FrozenClock

__all__ = ["FIVE", "NOON", "SMALL", "YEAR", "StumblingLedger", "kept", "opened", "said"]

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday
YEAR = datetime(2021, 1, 1, tzinfo=timezone.utc)
SMALL = Config(observation=ObservationConfig(max_notes=4))


def opened(config: Config | None = None, **given: Any) -> Engine:
    return cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=config or Config(), **given
    )


def kept(services: Services, level: Any, namespace: str = "alice") -> list[ObservationNote]:
    with services.ledger.whole() as reader:
        return reader.at(namespace).notes.of_level(level)


def said(*texts: str, **given: Any) -> list[Turn]:
    return [Turn(text, ref=f"t{number}", **given) for number, text in enumerate(texts, start=1)]


FIVE = said(
    "Emma lives in Oslo and works at Google.",
    "Emma has a flat in Oslo near the harbour.",
    "Oslo was cold when Emma moved there.",
    "Emma wants to leave Oslo one day.",
    "Google sent Emma to Oslo in 2021.",
)


class StumblingLedger:
    """A ledger whose disk fails at the end of the transactions with these numbers (0 = the first)."""

    def __init__(self, inner: Any, *failing: int) -> None:
        self._inner, self._failing, self._count = inner, failing, 0
        self.reading = inner.reading
        self.whole = inner.whole

    @contextmanager
    def writing(self, namespace: str | None = None) -> Iterator[Transaction]:
        with self._inner.writing(namespace) as writer:
            yield writer
            self._end()

    @contextmanager
    def writing_to(self, namespace: str) -> Iterator[Namespace]:
        with self._inner.writing_to(namespace) as ns:
            yield ns
            self._end()

    def _end(self) -> None:
        number, self._count = self._count, self._count + 1
        if number in self._failing:
            raise StoreError("disk full")

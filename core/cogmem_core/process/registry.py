"""The engines that are open in this process, by the name of their ledger."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from typing import Protocol

from cogmem_core.errors import BankClosed
from cogmem_core.process.services import Services

LOCK = threading.RLock()


class OpenEngine(Protocol):
    """What may be asked of an engine that is found again."""

    @property
    def origin(self) -> Mapping[str, str | None]:
        """Where it comes from, as JSON values."""

    @property
    def open_services(self) -> Services:
        """Its parts; `BankClosed` if it was closed."""


_ENGINES: weakref.WeakSet[OpenEngine] = weakref.WeakSet()


def register(engine: OpenEngine) -> None:
    """Let an engine be found as long as it is open."""
    with LOCK:
        _ENGINES.add(engine)


def open_engines() -> list[OpenEngine]:
    """The engines that were opened in this process and still exist."""
    with LOCK:
        return list(_ENGINES)


def find_open(ledger: str, services: Services | None = None) -> OpenEngine | None:
    """An open engine on the ledger of that name; the one with these services if it is open."""
    match = None
    with LOCK:
        for engine in list(_ENGINES):
            if engine.origin["ledger"] != ledger:
                continue
            open_services = _services_of(engine)
            if open_services is not None:
                match = engine
            if open_services is not None and open_services is services:
                break
    return match


def _services_of(engine: OpenEngine) -> Services | None:
    """The parts of an engine; None if it was closed."""
    try:
        return engine.open_services
    except BankClosed:
        return None

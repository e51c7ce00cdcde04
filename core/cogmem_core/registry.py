"""The engines that are open in this process, by the name of their ledger."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from typing import Protocol

from cogmem_core.errors import BankClosed
from cogmem_core.services import Services

__all__ = ["LOCK", "OpenEngine", "find_open", "register"]

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


def find_open(ledger: str) -> OpenEngine | None:
    """An open engine on the ledger of that name."""
    with LOCK:
        for engine in list(_ENGINES):
            if engine.origin["ledger"] == ledger and _is_open(engine):
                return engine
    return None


def _is_open(engine: OpenEngine) -> bool:
    try:
        _ = engine.open_services
    except BankClosed:
        return False
    return True

"""The part of an engine that looks over all namespaces: which there are, what was done, whether it still stands."""

from __future__ import annotations

from typing import Any

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.errors import BankClosed
from cogmem_core.results import AuditTrail
from cogmem_core.services import Services

__all__ = ["Oversight"]


class Oversight:
    """Mixed into `Engine`."""

    services: Services
    _closed: bool

    def namespaces(self) -> list[str]:
        """Every namespace that holds something, or did, sorted: memories, turns that wait, notes, or documents."""
        self.check_open()
        with self.services.ledger.reading() as reader:
            return reader.everywhere()

    def log(self, *, limit: int = 100, op: str | None = None) -> list[dict[str, Any]]:
        """The newest records of the op log, oldest first; `op`: only this operation ("remember", "recall", ...)."""
        self.check_open()
        return self.services.log.recent(checks.positive("limit", limit), op=op)

    def verify_audit(self) -> dict[str, AuditTrail]:
        """Check the audit trail of every namespace (see `MemoryBank.verify_audit`), by its name."""
        self.check_open()
        with self.services.ledger.reading() as reader:
            return {name: reader.audit_trail(name) for name in reader.namespaces()}

    def check_open(self) -> None:
        """Raise `BankClosed` if the engine was closed."""
        if self._closed:
            raise BankClosed("the engine is closed; open it again with cogmem_core.open(...)")

    anamespaces = async_twin(namespaces)
    alog = async_twin(log)
    averify_audit = async_twin(verify_audit)

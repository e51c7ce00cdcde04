"""What users call: `open` makes an `Engine`, and an engine gives the `MemoryBank` of a namespace."""

from __future__ import annotations

from cogmem_core.engine.bank import MemoryBank
from cogmem_core.engine.engine import Engine, open, reopen  # noqa: A004 - cogmem_core.open() reads as it should

__all__ = ["Engine", "MemoryBank", "open", "reopen"]

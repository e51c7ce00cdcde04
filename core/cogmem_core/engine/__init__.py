"""What users call: `open` makes an `Engine`, and `Engine.bank` a `MemoryBank`; both are facades."""

from __future__ import annotations

from cogmem_core.engine.bank import MemoryBank
from cogmem_core.engine.engine import Engine, open  # noqa: A004 - cogmem_core.open() reads well

__all__ = ["Engine", "MemoryBank", "open"]

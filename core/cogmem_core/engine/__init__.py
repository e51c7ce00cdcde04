"""The process-wide half: `open` makes an `Engine`, which owns the ledger, the indexes, the models and the worker."""

from __future__ import annotations

from cogmem_core.engine.engine import Engine, open  # noqa: A004 - cogmem_core.open() reads as it should

__all__ = ["Engine", "open"]

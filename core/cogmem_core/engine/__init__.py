"""What users call: `open` makes an `Engine`, and an engine gives the `MemoryBank` of a namespace."""

import gc

_collecting = gc.isenabled()
gc.disable()  # nothing of what follows is garbage: to look for some takes a sixth of the import (measured)
try:
    from cogmem_core.engine.bank import MemoryBank
    from cogmem_core.engine.engine import Engine, open, reopen  # noqa: A004 - cogmem_core.open() reads as it should
finally:
    if not gc.get_freeze_count():
        # Among what is old already, without a look at it; the application's own frozen objects stay so.
        gc.freeze()
        gc.unfreeze()
    if _collecting:
        gc.enable()

__all__ = ["Engine", "MemoryBank", "open", "reopen"]

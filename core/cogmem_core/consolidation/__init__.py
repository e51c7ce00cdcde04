"""Consolidation: what memories go through while nobody asks for them."""

from cogmem_core.consolidation.cycle import CycleRequest, consolidate
from cogmem_core.consolidation.dream import CycleControl
from cogmem_core.consolidation.triggers import due, run_one
from cogmem_core.consolidation.undo import undo

__all__ = ["CycleControl", "CycleRequest", "consolidate", "due", "run_one", "undo"]

"""TEMPORARY: old import paths, see `compat`."""

from cogmem_core.storage.ledger.compat import Reader
from cogmem_core.storage.ledger.memories import Candidate, Filter

__all__ = ["Candidate", "Filter", "Reader"]

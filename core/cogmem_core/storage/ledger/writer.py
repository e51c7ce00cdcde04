"""TEMPORARY: old import paths, see `compat`."""

from cogmem_core.storage.ledger.compat import Writer

__all__ = ["Writer"]

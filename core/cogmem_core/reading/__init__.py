"""Reads a text once, and takes it apart into clauses; all that decides on words looks at these."""

from cogmem_core.base.lru import text_cache
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.read import read

__all__ = ["Clause", "Reading", "of", "read"]


@text_cache(4_096)
def of(text: str) -> Reading:
    """The reading of a text in the language that it shows."""
    return read(text)

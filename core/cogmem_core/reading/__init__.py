"""Reads a text once, and takes it apart into clauses; all that decides on words looks at these."""

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_written
from cogmem_core.languages.reading import DEFAULT
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read

__all__ = ["Clause", "Reading", "of", "read"]


@text_cache(4_096)
def of(text: str) -> Reading:
    """The reading of a text in the language that it shows; if it shows none, in one that understands it."""
    shown = language_written(text)
    first, *others = (shown,) if shown else DEFAULT
    found = read(text, first, pack_of(first))
    if found.is_idle or any(clause.framed for clause in found.clauses):
        return found
    for code in others:
        other = read(text, code, pack_of(code))
        # A thing beside another one, without a verb, may be of any language.
        if other.is_idle or any(clause.framed and clause.slot != "be" for clause in other.clauses):
            return other
    return found

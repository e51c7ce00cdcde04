"""Reads a text once, and takes it apart into clauses; all that decides on words looks at these."""

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_shown
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read

__all__ = ["Clause", "Reading", "of", "read", "refuses"]


@text_cache(4_096)
def of(text: str) -> Reading:
    """The reading of a text in the language that it shows."""
    code = language_shown(text) or "en"
    return read(text, code, pack_of(code))


def refuses(reading: Reading, clause: Clause) -> bool:
    """Whether a clause of an assistant says nothing but that it cannot help, or is about to."""
    pack = pack_of(reading.language)
    folded = pack.fold(reading.text)
    return pack.kind("refusal").at(folded, clause.start, clause.end) > clause.start

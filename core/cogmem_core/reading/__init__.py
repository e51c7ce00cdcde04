"""Reads a text once, and takes it apart into clauses; all that decides on words looks at these."""

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_written
from cogmem_core.languages.reading import DEFAULT
from cogmem_core.reading.cut import sentences
from cogmem_core.reading.model import Clause, Reading, Span
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read

__all__ = ["Clause", "Reading", "of", "of_turn", "read", "refuses", "sentences_of"]


@text_cache(4_096)
def of(text: str, *, given: bool = True) -> Reading:
    """The reading of a text in the language that it shows; if it shows none, in one that understands it.

    `given`: see `read`.
    """
    shown = language_written(text)
    first, *others = (shown,) if shown else DEFAULT
    for code in DEFAULT if shown in ("", *DEFAULT) else ():
        refused = pack_of(code).kinds["not_keep"].within(pack_of(code).fold(text))
        other = read(text, code, pack_of(code), given=given) if refused else Reading()
        if any(not wish.target for wish in other.of_kind("wish_to_forget")):
            return other
    found = read(text, first, pack_of(first), given=given)
    if found.is_idle or any(clause.framed for clause in found.clauses):
        return found
    for code in others:
        other = read(text, code, pack_of(code), given=given)
        # A thing beside another one, without a verb, may be of any language.
        tells = any(
            clause.guards or (clause.framed and clause.slot != "be") for clause in other.clauses
        )
        if other.is_idle or tells or other.of_kind("wish_to_forget"):
            return other
    return found


def of_turn(text: str, role: str) -> Reading:
    """As `of`, of what was said in a role: an assistant hands over no text to be worked on."""
    return of(text, given=False) if role == "assistant" else of(text)


@text_cache(1_024)
def sentences_of(text: str) -> tuple[Span, ...]:
    """The places of a text's sentences, without the white space round them."""
    pack = pack_of(language_written(text) or "en")
    return tuple(sentences(text, 0, len(text), pack))


def refuses(reading: Reading, clause: Clause) -> bool:
    """Whether a clause of an assistant says nothing but that it cannot help, or is about to."""
    pack = pack_of(reading.language)
    return (
        pack.kinds["refusal"].at(pack.fold(reading.text), clause.start, clause.end) > clause.start
    )

"""Short answers: what they say depends on what was asked, or corrects what was just said."""

from __future__ import annotations

from cogmem_core.reading import of
from cogmem_core.reading.model import KEPT
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.folding import fold_letters

_READ = 240  # characters of a short answer
_FEW = 6  # words


def is_fragment(text: str) -> bool:
    """Whether a text is a piece of a sentence, as short answers are.

    As in "Three.", "Yes.", "Works at Acme". What it says depends on what was asked: "Three."
    about children is not "Three." about cats.
    """
    head = text[:_READ]
    if not 0 < len(head.split()) <= _FEW:
        return False
    return all(clause.kind in ("fragment", "filler") for clause in of(head).clauses)


def corrects_what_was_said(text: str) -> bool:
    """Whether a text begins with a piece of a sentence that corrects what another voice just said.

    As in "Black now, actually!", "No, oat milk.", "Bristol these days."
    """
    reading = of(text)
    first = next((clause for clause in reading.clauses if clause.kind in KEPT), None)
    if first is None or first.kind != "fragment" or first.start >= _READ:
        return False
    pack = pack_of(reading.language)
    words = fold_letters(reading.words(first)).replace(",", " ").replace("!", " ").split()
    said = any(pack.in_any(("now", "corrections"), word) for word in words)
    return (
        first.correcting
        or bool(first.denies)
        or said
        or pack.closers["harmless"].within(fold_letters(text), first.start, first.end) is not None
    )

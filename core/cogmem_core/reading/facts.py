"""What a text must not lose or bring in when it is told in other words, and how much it matters."""

from __future__ import annotations

from cogmem_core.reading import of
from cogmem_core.reading.model import TELLING
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import words_in
from cogmem_core.reading.tokens import Token

_SPELT = ("numbers", "weekdays", "months")


def names_and_figures(text: str) -> list[str]:
    """The words that nobody can guess back, as they stand: names, numbers, days and months."""
    pack = _pack(text)
    return [
        word.raw
        for word in words_in(text, pack)
        if word.is_capital or _has_digit(word) or pack.in_any(_SPELT, word.folded)
    ]


def figures(text: str) -> list[str]:
    """The words with a digit, as they stand."""
    return [word.raw for word in words_in(text, _pack(text)) if _has_digit(word)]


def denies(text: str) -> bool:
    """Whether a text denies something."""
    found = of(text)
    told = any(clause.negative or clause.denies for clause in found.clauses)
    return told or negates(text, pack_of(found.language))


def negates(text: str, pack: Pack) -> bool:
    """Whether a word of a text says no; `pack`: of its language."""
    if not pack.spaced:
        folded = pack.fold(text)
        return any(word in folded for word in pack.words["negations"])
    return any(pack.in_any(("negations", "denials"), word.folded) for word in words_in(text, pack))


def is_unsure(text: str) -> bool:
    """Whether somebody says that he is not sure of what he tells."""
    found = of(text)
    pack = pack_of(found.language)
    folded = pack.fold(text)
    unsure = pack.closers["unsure"]
    return any(
        clause.mood == "hypothetical" or unsure.within(folded, clause.start, clause.end) is not None
        for clause in found.clauses
        if clause.kind in TELLING
    )


def is_critical(text: str) -> bool:
    """Whether a text names a deadline, a danger, a fault or an illness."""
    pack = _pack(text)
    return pack.kinds["critical"].within(pack.fold(text)) is not None


def is_over_by(told: str, later: str) -> bool:
    """Whether a condition that passes by itself may be over by a later text: a pregnancy by a birth."""
    return _has_words(told, "passing") and _has_words(later, "passed")


def _has_words(text: str, kind: str) -> bool:
    pack = _pack(text)
    return pack.guards[kind].within(pack.fold(text)) is not None


def _pack(text: str) -> Pack:
    return pack_of(of(text).language)


def _has_digit(word: Token) -> bool:
    return any(map(str.isdigit, word.raw))

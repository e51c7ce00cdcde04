"""What stands around a plain statement, what it is not, and Turkish nouns with an owner; as `fold_letters` writes."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re

from cogmem.text.lexicon.attributes import TURKISH_HEADS

__all__ = [
    "LEAD",
    "NOT_A_NAME",
    "NOT_A_VALUE",
    "NOT_COUNTED",
    "OWNERLESS",
    "SENTENCE_END",
    "TAIL",
    "TURKISH_EVENTS",
    "TURKISH_NOUNS",
]

LEAD = re.compile(
    r"^(?:(?:actually|well|so|ok|okay|oh|no|sorry|now|and|but|correction|update|fyi|currently|these days"
    r"|nowadays|today|"
    r"as of (?:today|now)|i mean|i meant|by the way|btw|wait|in fact|aslinda|hayir|yok|pardon|duzeltme|artik"
    r"|simdi|su an|"
    r"bu arada)\b[,:.;\u2014-]*\s*)*"
)
"""Words in front of a statement that say nothing about it."""
TAIL = re.compile(
    r"\s*(?:[;:(!]|,(?!\d)|\s[\u2013\u2014-]\s|(?<!\b[dm]r)(?<!\bms)(?<!\bmrs)(?<!\bprof)\.(?=\s|$)"
    r"|\b(?:now|since|because|and|but|with|these days|at the moment|currently|today|again|anymore|instead|for now"
    r"|as well|so|though|not|rather than|in case|ve|ama|cunku|artik)\b).*$",
    re.DOTALL,
)
"""Where the value of a statement ends: at a mark, an adverb of time or a further clause."""
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[dm]r\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bprof\.)\s+", re.IGNORECASE)
NOT_A_NAME: frozenset[str] = frozenset(
    "his her its their he she it they this that there these those here everyone someone nobody who what your".split()
)
NOT_A_VALUE: frozenset[str] = frozenset(
    "not no never in too very so nice good bad great important about what that why how going to".split()
)
NOT_COUNTED: frozenset[str] = frozenset(
    "today tomorrow yesterday meetings meeting minutes hours days weeks left ago more years am pm".split()
)
TURKISH_NOUNS: dict[str, str] = {
    **TURKISH_HEADS,
    **{stem[:-1] + "g": name for stem, name in TURKISH_HEADS.items() if stem.endswith("k")},
}
"""Stems as they stand before a possessive ending, where a last k becomes soft: `mesleğim`."""
OWNERLESS: frozenset[str] = frozenset("deadline version price budget".split())
"""What a thing may have as well as a person, so that the thing stands in front: `proje bütçesi`."""
TURKISH_EVENTS: tuple[str, ...] = tuple(
    "toplanti randevu ders sinav mac konser ucak ucus vardiya mesai kurs antrenman".split()
)

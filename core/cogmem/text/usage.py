"""Whether an answer made use of a memory: the share of the memory's telling words that the answer holds. Pure."""

from __future__ import annotations

from cogmem.text.entities import entities
from cogmem.text.keys import plain
from cogmem.text.tokens import tokens, words

__all__ = ["match_ratio", "telling_words"]

_LONGER_THAN = 4  # characters (seed 000)


def telling_words(text: str) -> frozenset[str]:
    """The index tokens of a text that tell what it is about (seed 000: unique words longer than four characters).

    Numbers and what entities are made of always count. Scripts without spaces give their character bigrams.
    """
    found = {term for word in {word.text for word in words(text)} for term in _telling(word)}
    named = {term for entity in entities(text) for term in tokens(text[entity.start : entity.end])}
    return frozenset(found | named)


def _telling(word: str) -> list[str]:
    terms = tokens(word)
    # Several tokens: a date, or a stretch of a script without spaces.
    return terms if len(word) > _LONGER_THAN or len(terms) > 1 or any(map(str.isdigit, word)) else []


def match_ratio(memory: str, answer: str) -> float:
    """The share of a memory's telling words that the answer holds as words, 0..1.

    A memory without any counts as matched if the answer contains it exactly (1.0), else not (0.0).
    """
    wanted = telling_words(memory)
    if not wanted:
        said = plain(memory)
        return float(bool(said) and said in plain(answer))
    return len(wanted & set(tokens(answer))) / len(wanted)

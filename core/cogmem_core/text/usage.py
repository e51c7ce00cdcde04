"""Whether an answer made use of a memory: the share of the memory's telling words that the answer holds. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum

from cogmem_core.text.keys import plain
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.quoted_in import present
from cogmem_core.text.tokens import tokens, words

__all__ = ["match_ratio", "own_match_ratios", "telling_words"]

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

    A memory without any counts as matched if the answer contains it word for word (1.0), else not (0.0).
    """
    wanted = telling_words(memory)
    if not wanted:
        said = plain(memory)
        return float(present(said.strip(" .,;:!?\u2026") or said, plain(answer)))
    return len(wanted & set(tokens(answer))) / len(wanted)


def own_match_ratios(memories: Sequence[str], answer: str, *, question: str, asked_weighs: float) -> list[float]:
    """`match_ratio` of memories that were shown together, each by what it adds to the others and the question, 0..1.

    Memories about one thing share its name and the words of the question, and so does an answer that comes from
    another one of them. So a word counts 1 / (number of the memories that hold it).

    Args:
        asked_weighs: a word of the question counts as if so many more memories held it.
    """
    said, asked = set(tokens(answer)), set(tokens(question))
    holders = Counter(term for text in memories for term in set(tokens(text)))
    ratios = []
    for text in memories:
        # An entity's words may be cut differently on their own than within the text.
        weights = {t: 1 / (max(1, holders[t]) + (asked_weighs if t in asked else 0)) for t in telling_words(text)}
        # The sum of floats depends on their order, which in a set is another one in every process.
        matched, whole = fsum(w for term, w in weights.items() if term in said), fsum(weights.values())
        ratios.append(min(1.0, matched / whole) if weights else match_ratio(text, answer))
    return ratios

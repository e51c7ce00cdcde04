"""Whether an answer made use of a memory. Pure.

It did as far as it holds the memory's telling words.
"""

from __future__ import annotations

from cogmem_core.text.keys import plain
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.quoted_in import present
from cogmem_core.text.tokens import tokens, words

_LONGER_THAN = 4  # characters


def telling_words(text: str) -> frozenset[str]:
    """The index tokens of a text that tell what it is about: words of more than four characters.

    Numbers and what entities are made of always count. Scripts without spaces give their character
    bigrams.
    """
    telling: set[str] = set()
    for word in {word.text for word in words(text)}:
        telling.update(_telling_tokens(word))
    for entity in entities(text):
        telling.update(tokens(text[entity.start : entity.end]))
    return frozenset(telling)


def _telling_tokens(word: str) -> list[str]:
    terms = tokens(word)
    # Several tokens: a date, or a stretch of a script without spaces.
    if len(word) > _LONGER_THAN or len(terms) > 1 or any(map(str.isdigit, word)):
        return terms
    return []


def match_ratio(memory: str, answer: str) -> float:
    """The share of a memory's telling words that the answer holds as words, 0..1.

    A memory without telling words counts as matched if the answer contains it word for word (1.0),
    else not (0.0).
    """
    telling = telling_words(memory)
    if not telling:
        text = plain(memory)
        return float(present(text.strip(" .,;:!?\u2026") or text, plain(answer)))
    return len(telling.intersection(tokens(answer))) / len(telling)

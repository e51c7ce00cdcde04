"""Does a new statement name what an old one states, and say that it is over?

"The pixel is dead, I got an iphone" after "my phone is a pixel". Such a statement shares hardly a word
with the question that the old one answers. Which value is the present one it need not say, so it
retires nothing; it only tells which of two statements is the later word.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from cogmem_core.languages.merged import MergedPattern, all_patterns
from cogmem_core.languages.reading import (
    cached_by_language,
    in_its_language,
    pair_in_one_language,
)
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.clauses import sentences_of
from cogmem_core.text.compare.named import names_of
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.tokens import tokens

__all__ = ["given_up_words", "gives_up", "own_values"]

_GIVEN_UP = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.revisions.given_up)})"
)
_CLAUSE = re.compile(r"[,.;:!?()\u2013\u2014]+|\s-\s")


@in_its_language
@cached_by_language(1_024)
def given_up_words(text: str) -> frozenset[str]:
    """Tokens of the clauses of a text that say that something is over."""
    found: set[str] = set()
    for clause in _CLAUSE.split(fold_letters(text[:MAX_INPUT])):
        if _GIVEN_UP.search(clause):
            found.update(tokens(clause))
    return frozenset(found)


@in_its_language
def own_values(text: str) -> frozenset[str]:
    """Tokens of what a statement states: the names in it, the value of its attribute, or else its last word."""
    values: set[str] = set()
    sentences = sentences_of(text)
    for sentence in sentences:
        for name in names_of(sentence, ()):
            values.update(tokens(name))
    attribute = attribute_of(text)
    if attribute is not None:
        values.update(tokens(attribute.value))
    elif not values and sentences:
        # "I go to work on foot": what a plain sentence ends with.
        values.update(tokens(sentences[0].first_clause.words[-1]))
    return frozenset(values)


@pair_in_one_language(frozenset())
def _common(new: str, old: str) -> frozenset[str]:
    over = given_up_words(new)
    return over.intersection(tokens(fold_letters(old))) if over else over


def gives_up(new: str, old: str, *, asked: Collection[str]) -> bool:
    """Whether a clause of the new statement says that something is over which the old one states.

    Args:
        new: what was said later.
        old: what was said before.
        asked: tokens of a question: what both share with it is not what the old one states.

    Example:
        >>> gives_up("I got an iPhone, the Pixel is dead", "My phone is a Pixel", asked=["phone"])
        True
    """
    return bool(_common(new, old).difference(asked))

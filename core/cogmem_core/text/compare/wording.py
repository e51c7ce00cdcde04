"""Who and what a statement is about, in which language, and whether it denies."""

from __future__ import annotations

import re

from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import (
    MergedPattern,
    all_patterns,
    all_words,
    by_language,
)
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.text.folding import fold_beginning

NEGATIONS = all_words("compare.wording.negations")
_WORD = re.compile(r"[^\W_]+(?:[.,:'][^\W_]+)*")
_NEGATIVE_VERB = MergedPattern(all_patterns("compare.wording.negative_verb"))
_PERSONAL = all_words("compare.wording.first_person") | all_words("compare.wording.leaning")
_OWN_ENDINGS = by_language("compare.wording.own_ending")
_OWN_ENDING = MergedPattern(all_patterns("compare.wording.own_ending"))
"""A word with an ending of the first person, folded."""


def folded_words(text: str) -> list[str]:
    """The words and numbers of a text, in its first 5,000 characters."""
    return _WORD.findall(fold_beginning(text))


@cached_by_language(8_192)
def is_negation(word: str) -> bool:
    """Whether a folded word denies."""
    return word in NEGATIONS or _NEGATIVE_VERB.fullmatch(word) is not None


@in_its_language
@cached_by_language(4_096)
def is_negative(text: str) -> bool:
    """Whether a statement denies something; a double negation does not."""
    return sum(map(is_negation, folded_words(text))) % 2 == 1


@in_its_language
def is_personal(text: str) -> bool:
    """Whether it depends on the speaker who is meant: "I", "your", "she", or an ending."""
    folded = fold_beginning(text)
    if not _PERSONAL.isdisjoint(re.findall(r"[a-z]+", folded)):
        return True
    known_code = language_shown(text)
    if not known_code:
        return _OWN_ENDING.search(folded) is not None
    own_ending = _OWN_ENDINGS.get(known_code)
    return own_ending is not None and own_ending.search(folded) is not None

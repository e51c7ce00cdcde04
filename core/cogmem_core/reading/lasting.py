"""Does a statement tell how things are, or what happened once?

Human memory keeps the two apart (Tulving 1972): what happened fades unless it is needed, what
people know of themselves does not. "My blood group is AB positive" is true until something else is
said; "I had soup for lunch" is over. Whoever asks to be remembered ("keep in mind that ...") is
taken at their word. In doubt a statement does not last.
"""

from __future__ import annotations

import re

from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import in_its_language
from cogmem_core.reading import of
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.folding import fold_beginning
from cogmem_core.text.vocabulary import NOT_PAST, PAST_VERBS

_REQUEST = MergedPattern(rf"\b(?:{all_patterns('observe.durations.requests_to_remember')})\b")
_DAY = MergedPattern(rf"\b(?:{all_patterns('observe.durations.days')})\b")
_OWN = MergedPattern(rf"\b(?:{all_patterns('observe.durations.own')})\b")
_MUSING = MergedPattern(rf"\b(?:{all_patterns('observe.durations.musings')})\b")
_WORDS = re.compile(r"[a-z']+")
_HABITS = all_words("observe.durations.habit_words")
_PAST_ENDINGS = Kept(
    lambda: tuple(
        filter(None, [language.observe.durations.past_ending for language in languages_read()])
    )
)


@in_its_language
def is_lasting(text: str) -> bool:
    """Whether a person's statement tells how things are with them, or asks to be remembered."""
    folded = fold_beginning(text)
    if _REQUEST.search(folded):
        return True
    if "?" in folded or _DAY.search(folded) or _MUSING.search(folded):
        return False
    words = _WORDS.findall(folded)
    if not _HABITS.isdisjoint(words) or _tells_a_value(text):
        return True
    return _OWN.search(folded) is not None and not any(map(_is_past, words))


def _tells_a_value(text: str) -> bool:
    """Whether a clause tells a value that somebody or something has one of."""
    found = of(text)
    pack = pack_of(found.language)
    return any(
        clause.framed and clause.plain and clause.tense == "present" and pack.is_slot(clause.slot)
        for clause in found.clauses
    )


def _is_past(word: str) -> bool:
    if word in PAST_VERBS:
        return True
    return len(word) > 4 and word.endswith(_PAST_ENDINGS()) and word not in NOT_PAST

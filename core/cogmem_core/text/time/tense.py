"""Does a sentence look back or ahead? It decides which Friday "on Friday" is. Pure.

The words around a place are asked: in a language like English the nearest verb before it, else
after it; in one whose verb ends the clause, the other way round. Texts are folded (`fold_letters`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Literal

from cogmem_core.base.lru import text_cache
from cogmem_core.languages import LANGUAGES, Language
from cogmem_core.languages.base import NOTHING
from cogmem_core.languages.merged import by_language
from cogmem_core.languages.reading import current

Lean = Literal[-1, 0, 1]
_WINDOW = 200  # characters to each side; a longer sentence says little about the far end
_STOPS = re.compile(r"[!?;\n]|\.(?=\s|$)")


def _tensed(language: Language) -> str:
    """A pattern of words that look back, of words that look ahead, and of who a further clause is about."""
    rules = language.time
    who = rules.clause_subjects or NOTHING
    return rf"\b(?:(?P<past>{rules.looks_back})|(?P<ahead>{rules.looks_ahead})|(?P<who>{who}))\b"


_TENSED = by_language(_tensed)


def clause_around(folded: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around `folded[start:end]`, at most 200 characters to each side."""
    low = max(0, start - _WINDOW)
    high = min(len(folded), end + _WINDOW)
    for stop in _STOPS.finditer(folded, low, start):
        low = stop.end()
    following = _STOPS.search(folded, end, high)
    if following:
        high = following.start()
    return low, high


def lean(folded: str, start: int, end: int, language: str) -> Lean:
    """Whether the sentence around a place looks back or ahead.

    Args:
        folded: the text after `fold_letters`.
        start: where the place begins; its own words do not count.
        end: where the place ends.
        language: the code of the language whose verbs count.

    Returns:
        -1 if it looks back, 1 if it looks ahead or is in the present, 0 if no verb shows either.
    """
    low, high = clause_around(folded, start, end)
    verbs = _tensed_verbs(folded, language)
    first_after_start = bisect_left(verbs, (start,))
    first_after_end = bisect_left(verbs, (end,))
    earlier: Lean = 0
    later: Lean = 0
    if first_after_start:
        verb_start, verb_end, sign = verbs[first_after_start - 1]
        if low <= verb_start and verb_end <= start:
            earlier = sign
    if first_after_end < len(verbs):
        _, verb_end, sign = verbs[first_after_end]
        if verb_end <= high:
            later = sign
    if LANGUAGES[language].time.verb_last:
        return later or earlier
    return earlier or later


def only_looks_back(folded: str) -> bool:
    """Whether a text has words of the past, in any language, and none of the present or future."""
    signs: set[Lean] = set()
    for language in current():
        signs.update(sign for _, _, sign in _tensed_verbs(folded, language))
    return signs - {0} == {-1}


@text_cache(8)
def _tensed_verbs(folded: str, language: str) -> tuple[tuple[int, int, Lean], ...]:
    """Places of the verbs that look back or ahead; a text is asked about once per time in it.

    With 0 the subjects of further clauses, whose tense the verb before them does not tell:
    "I hired Amina, she starts on Monday".
    """
    rules = LANGUAGES[language].time
    verbs: list[tuple[int, int, Lean]] = []
    for match in _TENSED[language].finditer(folded):
        if match["past"]:
            if match.group() not in rules.not_past:
                verbs.append((*match.span(), -1))
        elif match["who"]:
            verbs.append((*match.span(), 0))
        elif match.group() not in rules.not_future:
            verbs.append((*match.span(), 1))
    return tuple(verbs)

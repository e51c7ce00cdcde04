"""Does a sentence look back or ahead? It decides which Friday "on Friday" is. English and Turkish; pure.

The words around a place are asked: in English the nearest verb before it, else after it; in Turkish, where the verb
ends the clause, the other way round. Texts are folded (`fold_letters`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import Literal

from cogmem_core.text.lexicon.calendar import NOT_FUTURE, NOT_PAST, PAST_VERBS, any_of

__all__ = ["Lean", "clause_around", "lean"]

Lean = Literal[-1, 0, 1]
_WINDOW = 200  # characters to each side; a longer sentence says little about the far end
_STOPS = re.compile(r"[!?;\n]|\.(?=\s|$)")
_ENGLISH = re.compile(
    rf"\b(?:(?P<past>{any_of(PAST_VERBS)}|[a-z]{{2,}}ed|last|ago)"
    r"|(?P<ahead>will|shall|won't|going to|gonna|plan|plans|planning|is|are|am|isn't|aren't|have to|has to|must|should"
    r"|let's|want|wants|hope|hopes|need|needs|can|next|i'm|i'll|[a-z]{2,4}'(?:re|ll)))\b"
)
_TURKISH = re.compile(
    r"\b(?:(?P<past>[a-z]{2,}[dt][iu](?:m|n|k|ler|lar|niz|nuz)?|[a-z]{2,}m[iu]s(?:t?[iu]m|[iu]z|ler|lar)?)"
    r"|(?P<ahead>[a-z]{2,}(?:acak|ecek)(?:lar|ler|s[iu]n|s[iu]n[iu]z)?|[a-z]{2,}(?:acag|eceg)(?:im|iz)"
    r"|[a-z]{2,}(?:iyor|uyor)(?:um|sun|uz|sunuz|lar)?|lazim|gerek|gerekiyor))\b"
)


def clause_around(folded: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around `folded[start:end]`, at most 200 characters to each side."""
    low, high = max(0, start - _WINDOW), min(len(folded), end + _WINDOW)
    for stop in _STOPS.finditer(folded, low, start):
        low = stop.end()
    following = _STOPS.search(folded, end, high)
    return low, following.start() if following else high


def lean(folded: str, start: int, end: int, *, turkish: bool) -> Lean:
    """-1 if the sentence around a place looks back, +1 if it looks ahead or is in the present, 0 if nothing tells.

    Args:
        folded: the text after `fold_letters`.
        start, end: the place that is asked about; its own words do not count.
        turkish: which verbs to look at.
    """
    low, high = clause_around(folded, start, end)
    marks = _marks(folded, turkish)
    here, there = bisect_left(marks, (start,)), bisect_left(marks, (end,))
    before, after = marks[here - 1] if here else None, marks[there] if there < len(marks) else None
    told_before: Lean = before[2] if before and low <= before[0] and before[1] <= start else 0
    told_after: Lean = after[2] if after and after[1] <= high else 0
    return (told_after or told_before) if turkish else (told_before or told_after)


@lru_cache(maxsize=8)
def _marks(folded: str, turkish: bool) -> tuple[tuple[int, int, Lean], ...]:
    """Places of the verbs that look back or ahead; a text is asked about once per time in it."""
    found = ((*match.span(), _sign(match)) for match in (_TURKISH if turkish else _ENGLISH).finditer(folded))
    return tuple(mark for mark in found if mark[2])


def _sign(match: re.Match[str]) -> Lean:
    word = match.group()
    if match["past"]:
        return 0 if word in NOT_PAST else -1
    return 0 if word in NOT_FUTURE else 1

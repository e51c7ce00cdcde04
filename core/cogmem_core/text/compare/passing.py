"""What a newer message changes in passing: a home, a job, a dose, a thing that is gone, a habit. Pure.

What this finds is a doubt, never enough to retire anything.
"""

from __future__ import annotations

import re

from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language, pair_in_one_language
from cogmem_core.text.compare.another_figure import another_figure
from cogmem_core.text.compare.clauses import own_words
from cogmem_core.text.compare.doses import other_dose
from cogmem_core.text.compare.slots import is_own_claim, other_slot
from cogmem_core.text.compare.values import stems_of
from cogmem_core.text.compare.wording import is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.tokens import tokens

__all__ = ["told_in_passing"]

_QUESTION = re.compile("[?\uff1f\u061f\u037e]")
_GONE = AnyPattern(lambda language: language.compare.slots.gone)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_HAVING = MergedPattern(all_patterns(lambda language: language.compare.slots.having))
_BACK = AnyPattern(lambda language: language.compare.contradictions.back)
_REMARKS = all_words(lambda language: language.compare.revisions.remarks)


@pair_in_one_language("")
def told_in_passing(new: str, old: str) -> str:
    """What a newer message of the same speaker changes of what an older one tells; empty if nothing.

    Args:
        new: a message.
        old: an earlier one.

    Returns:
        For the log: "residence: rua do almada, now rua do heroismo".
    """
    return _told_in_passing(new, old)


@cached_by_language(4_096)
def _told_in_passing(new: str, old: str) -> str:
    if _QUESTION.search(old) or own_words(new) != new:
        return ""  # a letter, a review, a text to translate
    return (
        other_slot(new, old)
        or other_dose(new, old)
        or _gone(new, old)
        or _went_back(new, old)
        or another_figure(new, old)
    )


def _gone(new: str, old: str) -> str:
    """The thing of the old message of which a newer one says that it was sold, given away, ...

    Returns:
        Empty if there is none.
    """
    folded = fold_letters(new[:MAX_INPUT])
    former = fold_letters(old[:MAX_INPUT])
    for match in _GONE.finditer(folded):
        if not is_own_claim(folded, match.start(), whose=False) or is_negative(match[0]):
            continue
        thing = set(tokens(match["thing"]))
        if any(map(_PERSON.fullmatch, match["thing"].split())):
            continue  # a dog may come back
        if thing and thing <= set(tokens(former)) and _HAVING.search(former):
            return f"gone: {match['thing']}"
    return ""


def _went_back(new: str, old: str) -> str:
    """What a newer message has gone back to, from what the old message tells; empty if from nothing.

    The old one names what was given up then, and both speak of one more thing: "coffee: I switched
    back to regular milk".
    """
    folded = fold_letters(new[:MAX_INPUT])
    match = _BACK.search(folded)
    if match is None or not is_own_claim(folded, match.start(), whose=False):
        return ""
    target = set(tokens(match["b"]))
    former = set(tokens(old[:MAX_INPUT]))
    remarks = stems_of(list(_REMARKS))
    common = (set(tokens(folded)) & former) - target - remarks
    return f"back to {match['b'].strip()}" if target and target <= former and common else ""

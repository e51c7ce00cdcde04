"""Turkish: words as such."""

from __future__ import annotations

import re

from cogmem_core.languages.base import Clause
from cogmem_core.languages.loading import language_of_ours

NOT_PAST: frozenset[str] = language_of_ours("tr").time.not_past
FINITE_ENDING = (
    r"(?:[iu]yor|[dt][iu]|m[iu]s|acak|ecek|acag|eceg|[aeiu]r|m[ae]z|(?<=[a-z])m[ae])"
    r"(?:um|im|m|sun|sin|uz|iz|k|sunuz|siniz|niz|nuz|lar|ler|du|di|tu|ti|dum|dim|tum|tim)?|var|yok"
    r"|degil|degilim"
)
"""A regular expression for the end of a finite verb."""
_FINITE = re.compile(rf"(?:{FINITE_ENDING})$")


def separate_facts(left: Clause, right: Clause) -> str | None:
    """Whether two clauses are facts of their own: each ends in a finite verb and names something.

    Returns:
        None if they belong together; else "".
    """
    if not left or not right or any(word.governs for word in (*left, *right)):
        return None
    if not (_finite(left[-1].folded) and _finite(right[-1].folded)):
        return None
    left_names = _names(left[:-1])
    right_names = _names(right[:-1])
    if not left_names or not right_names or left_names & right_names:
        return None
    return ""


def _finite(word: str) -> bool:
    return _FINITE.search(word) is not None and word not in NOT_PAST


def _names(clause: Clause) -> set[str]:
    """Capitalised words without their case endings, and numbers."""
    return {
        word.folded.partition("'")[0]
        for word in clause
        if word.text[0].isdigit() or (word.text[0].isupper() and word.text != "I")
    }

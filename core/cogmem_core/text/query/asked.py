"""What kind of answer a question wants, and whether a text holds one that the question does not name. Pure.

"How old is my dog?" wants a number: "My dog is called Rex" speaks of the right thing, and has none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from cogmem_core.languages.merged import MergedPattern, Words, all_patterns
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.hints import asks_when
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, PARTS_OF_DAY, SEASONS, STOPWORDS, WEEKDAYS

__all__ = ["Asked", "asked_for", "holds_answer"]

Asked = Literal["number", "time", "name"]

_NUMBER = MergedPattern(
    rf"(?<![\w'])(?:{all_patterns(lambda language: language.query.asks_number)})(?!\w)"
)
_NAME = MergedPattern(
    rf"(?<![\w'])(?:{all_patterns(lambda language: language.query.asks_name)})(?!\w)"
)
# "A" and "one" count nothing, nor does "on", which is ten in Turkish.
_COUNTS = Words(
    lambda: [word for word, number in NUMBERS.items() if number != 1 and word not in STOPWORDS]
)
_TIMES = Words(lambda: [*MONTHS, *WEEKDAYS, *SEASONS, *PARTS_OF_DAY])
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_CAPITALISED = re.compile(r"(?<=[\w,;:')\u2019] )[^\W\d_][\w'\u2019-]+")


def asked_for(question: str) -> Asked | None:
    """The kind of answer that a question wants; None if its words do not tell."""
    text = question[:MAX_INPUT]
    if asks_when(text):
        return "time"
    folded = fold_letters(text)
    if _NUMBER.search(folded):
        return "number"
    return "name" if _NAME.search(folded) else None


def holds_answer(kind: Asked, named: Collection[str], text: str) -> bool:
    """Whether a text holds a number, a time or a name.

    Args:
        kind: what is wanted.
        named: index tokens of the question: a name among them is no answer.
        text: what may hold it.
    """
    head = text[:MAX_INPUT]
    if kind == "name":
        known = frozenset(named)
        return any(
            found[0].isupper() and not known.issuperset(tokens(found))
            for found in _CAPITALISED.findall(head)
        )
    if _DIGIT.search(head):
        return True
    words = _WORD.findall(fold_letters(head))
    return not (_COUNTS.isdisjoint(words) and (kind != "time" or _TIMES.isdisjoint(words)))

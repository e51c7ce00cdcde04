"""What kind of answer a question wants, and whether a text holds one that the question does not name. Pure.

"How old is my dog?" wants a number: "My dog is called Rex" speaks of the right thing, and has none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from cogmem_core.languages.merged import (
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    any_word,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.hints import asks_when
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, PARTS_OF_DAY, SEASONS, STOPWORDS, WEEKDAYS

Asked = Literal["number", "time", "name"]

_NUMBER = MergedPattern(rf"(?<![\w'])(?:{all_patterns('query.asks_number')})(?!\w)")
_NAME = MergedPattern(rf"(?<![\w'])(?:{all_patterns('query.asks_name')})(?!\w)")
# "A" and "one" count nothing, nor does "on", which is ten in Turkish.
_COUNTS = Words(
    lambda: [word for word, number in NUMBERS.items() if number != 1 and word not in STOPWORDS]
)
_TIMES = Words(lambda: [*MONTHS, *WEEKDAYS, *SEASONS, *PARTS_OF_DAY])
_DIRECTIONS = all_entries("time.directions")
# "To" and "this" are days only before "night".
_DAYS = Words(
    lambda: [
        word
        for word in all_entries("time.relative_days")
        if word not in STOPWORDS and word not in _DIRECTIONS
    ]
)
_SPANS = Words(
    lambda: [
        *all_entries("time.units"),
        *all_entries(lambda language: dict.fromkeys(language.time.weekend_names, 0)),
        *PARTS_OF_DAY,
        *SEASONS,
    ]
)
# "Yesterday", "last week", "semana pasada".
_SAYS_WHEN = MergedPattern(
    rf"(?<![\w'])(?:{any_word(_DAYS)}"
    rf"|{any_word(_DIRECTIONS)} {any_word(_SPANS)}|{any_word(_SPANS)} {any_word(_DIRECTIONS)})(?!\w)"
)
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
        names = frozenset(named)
        return any(not names.issuperset(terms) for terms in _capitalised(head))
    return _holds_number(head) or (kind == "time" and _holds_time(head))


# What memories say is looked at for one question after the other.
@cached_by_language(4_096)
def _capitalised(head: str) -> tuple[list[str], ...]:
    """The tokens of each word with a capital that opens no sentence."""
    return tuple(tokens(word) for word in _CAPITALISED.findall(head) if word[0].isupper())


@cached_by_language(4_096)
def _holds_number(head: str) -> bool:
    return _DIGIT.search(head) is not None or not _COUNTS.isdisjoint(_folded_words(head))


@cached_by_language(4_096)
def _holds_time(head: str) -> bool:
    return (
        not _TIMES.isdisjoint(_folded_words(head))
        or _SAYS_WHEN.search(fold_letters(head)) is not None
    )


def _folded_words(head: str) -> list[str]:
    return _WORD.findall(fold_letters(head))

"""Does a statement hold only for a while, for a day, or under a condition? Pure.

"I live in Gdynia while they paint my flat", "I didn't run today", "the build takes 20 minutes on
Windows": what was said before, without such words, holds again or still.
"""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language, pair_in_one_language
from cogmem_core.text.compare.attributes import TOLD_AS_EVENTS, attribute_of
from cogmem_core.text.compare.values import stems_of
from cogmem_core.text.compare.wording import folded_words, is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.time.tense import only_looks_back

__all__ = ["limit_of"]

_ONE_DAY = all_patterns(lambda language: language.compare.revisions.for_the_day)
_FOR_THE_DAY = MergedPattern(rf"\b(?:{_ONE_DAY})\b")
_DAYS = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.observe.durations.days)}|{_ONE_DAY})\b"
)
_FOR_A_WHILE = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.revisions.for_a_while)})\b"
)
_ANEW = (
    f"{all_patterns(lambda language: language.compare.revisions.now)}"
    f"|{all_patterns(lambda language: language.compare.revisions.changed)}"
)
_NOW = MergedPattern(_ANEW)
_TURN = MergedPattern(
    rf"{_ANEW}|\b(?:{all_patterns(lambda language: language.compare.revisions.given_up)})"
)
_PROVIDED = all_words(lambda language: language.compare.revisions.provided)
_FIGURE = re.compile(r"\d")
_CLAUSE = re.compile(r",(?!\d)|[;:]")

Limit = Literal["", "while", "once"]


@pair_in_one_language("")
def limit_of(new: str, old: str) -> Limit:
    """How far a newer statement leaves an older one standing that has no such limit.

    Returns:
        `once`: it tells of a day, the old one is not touched; `while`: it holds for some time or
        under a condition, so that both may hold; empty if nothing limits it.
    """
    former = fold_letters(old[:MAX_INPUT])
    bears = _stems(former)
    found: Limit = ""
    for start, end in sentence_spans(new[:MAX_INPUT]):
        sentence = new[start:end].strip()
        if len(new) > len(sentence) and _stems(fold_letters(sentence)).isdisjoint(bears):
            continue  # another sentence of the message
        limit = _limit(sentence, former)
        if limit == "":
            continue
        if limit == "once":
            return limit
        found = limit
    return found


def _limit(sentence: str, former: str) -> Limit:
    folded = fold_letters(sentence)
    turns = _TURN.search(_FOR_THE_DAY.sub(" ", folded)) is not None
    if not _DAYS.search(former) and _DAYS.search(folded):
        if _FOR_THE_DAY.search(folded) or (is_negative(sentence) and not turns):
            return "once"
        if not turns and not only_looks_back(folded):
            return "while"
    ends = turns and is_negative(sentence)  # "no longer" is said for good
    if not ends and _FOR_A_WHILE.search(folded) and not _FOR_A_WHILE.search(former):
        return "while"
    return "while" if not ends and _under_a_condition(sentence, former) else ""


def _under_a_condition(sentence: str, former: str) -> bool:
    """Whether a value holds only for, or with, what the old statement does not name."""
    folded = fold_letters(sentence)
    if _FIGURE.search(folded) and _FIGURE.search(former):
        behind, own = _behind_the_figure(folded), []
    else:
        behind, own = _behind_the_value(sentence, folded), folded_words(former)
    condition = next((index for index, word in enumerate(behind) if word in _PROVIDED), None)
    if condition is None or behind[condition] in own:
        return False
    stems = stems_of(behind[condition + 1 :])
    return bool(stems) and stems.isdisjoint(_stems(former))


def _behind_the_value(sentence: str, folded: str) -> list[str]:
    """What stands behind the first word of a value: of an attribute, or of what is so now."""
    told = attribute_of(sentence)
    if told is not None:
        return [] if told.attribute in TOLD_AS_EVENTS else folded_words(told.value)[1:]
    now = _NOW.search(folded)
    return folded_words(_CLAUSE.split(folded[now.end() :])[0])[1:] if now else []


def _behind_the_figure(folded: str) -> list[str]:
    clause = next((part for part in _CLAUSE.split(folded) if _FIGURE.search(part)), "")
    words = folded_words(clause)
    places = [index for index, word in enumerate(words) if word[0].isdigit()]
    return words[places[-1] + 1 :] if places else []


@cached_by_language(2_048)
def _stems(folded: str) -> frozenset[str]:
    return stems_of(folded_words(folded))

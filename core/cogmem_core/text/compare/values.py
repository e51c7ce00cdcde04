"""Values of statements: of which type they are, under which circumstances they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from cogmem_core.languages.merged import (
    MergedPattern,
    all_patterns,
    all_words,
    any_word,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.wording import is_negation, verb_root
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, STOPWORDS, WEEKDAYS

ValueType = Literal["number", "date", "mail", "name", "nationality", "free"]

_NATIONALITY = MergedPattern(all_patterns(lambda language: language.compare.revisions.nationality))
_COUNTRIES = all_words(lambda language: language.compare.wording.countries)
_REMARKS = all_words(lambda language: language.compare.revisions.remarks)
_REMARK_OPENERS = all_words(lambda language: language.compare.revisions.remark_openers)
_PARTIAL = all_words(lambda language: language.compare.revisions.partial)
_DEGREES = all_words(lambda language: language.compare.revisions.degrees)
_LETTER = re.compile(r"(?<=\s)[A-Z]\b(?!['.\u2019])")
_WEEKDAY = MergedPattern(rf"({any_word(WEEKDAYS)})(?:s|l[ae]r[iu]?|gunu|gunleri|y?[ae]|d[ae]n?)?")
_FIRST_OF_A_NAME = 3  # words of a value among which a weekday or month makes it a date


def stems_of(words: Sequence[str]) -> frozenset[str]:
    """The stems of folded words, verbs by their root ("sevmem": sev), without mere negations."""
    return _stems_of_words(tuple(words))


@cached_by_language(8_192)
def _stems_of_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*map(_stems_of_word, words))


@cached_by_language(16_384)
def _stems_of_word(word: str) -> frozenset[str]:
    root = verb_root(word)
    if root:
        return frozenset({root})
    return frozenset() if is_negation(word) else frozenset(tokens(word))


@cached_by_language(16)
def _qualifier_stems() -> tuple[frozenset[str], ...]:
    groups: list[frozenset[str]] = []
    for language in languages_read():
        groups += [stems_of(list(group)) for group in language.compare.revisions.qualifiers]
    return tuple(groups)


@cached_by_language(16)
def _all_qualifier_stems() -> frozenset[str]:
    return frozenset[str]().union(*_qualifier_stems())


def conditions_of(words: Sequence[str]) -> tuple[frozenset[str], ...]:
    """The stems of words by which a statement holds only at times, by kind: of the day, the week.

    Returns:
        Empty if there is no such word.
    """
    stems = stems_of(words)
    if stems.isdisjoint(_all_qualifier_stems()):
        return ()
    return tuple(stems & group for group in _qualifier_stems())


def other_circumstances(new: tuple[frozenset[str], ...], old: tuple[frozenset[str], ...]) -> bool:
    """Whether the conditions of two statements differ: in the morning, in the evening."""
    # Without any there is nothing to compare.
    return any(first and second and first != second for first, second in zip(new, old))  # noqa: B905


def one_is_a_country(new_value: Sequence[str], old_value: Sequence[str]) -> bool:
    """Whether one of two values names a country: which town lies in it, no table knows."""
    return _COUNTRIES.isdisjoint(new_value) != _COUNTRIES.isdisjoint(old_value)


def for_another(new_value: Sequence[str], old_value: Sequence[str]) -> bool:
    """Whether two amounts are those of different persons or things: "Tom 50 euros", "Lena 30 euros"."""
    amounts = [len(value) > 2 and value[1][0].isdigit() for value in (new_value, old_value)]
    opens = new_value[0][0].isdigit() or old_value[0][0].isdigit()
    return all(amounts) and not opens and new_value[0] != old_value[0]


def other_letters(new: str, old: str) -> bool:
    """Whether single capitals tell two things apart: vendor A, vendor B."""
    letters = [set(_LETTER.findall(text)) - {"I"} for text in (new, old)]
    return bool(letters[0]) and bool(letters[1]) and letters[0] != letters[1]


@cached_by_language(8_192)
def weekday_of(word: str) -> str:
    """The weekday of a folded word without its endings; empty for other words."""
    match = _WEEKDAY.fullmatch(word)
    return match[1] if match else ""


def remarks(value: Sequence[str]) -> bool:
    """Whether words evaluate a thing or tell its state rather than give its value: "paid late"."""
    telling = [word for word in value if word not in _DEGREES]
    if not telling or telling[0] in _REMARK_OPENERS:
        return bool(telling)
    further = telling[1:2]
    alone = not further or further[0] in _REMARKS or further[0] in STOPWORDS
    return telling[0] in _REMARKS and alone


def other_unit(new_value: Sequence[str], old_value: Sequence[str]) -> bool:
    """Whether two figures count different things: "80 m2", "12 years"."""
    new_unit = stems_of(new_value[1:2])
    old_unit = stems_of(old_value[1:2])
    return bool(new_unit) and bool(old_unit) and new_unit != old_unit


def stands_in(word: str, words: Sequence[str]) -> bool:
    """Whether a word stands among others, perhaps with an ending."""
    if not stems_of([word]).isdisjoint(stems_of(words)):
        return True
    bare = word.partition("'")[0]
    return len(bare) >= 4 and any(other.startswith(bare) for other in words)


def denies_a_part(words: Sequence[str]) -> bool:
    """Whether a denial denies only a part: "I don't eat much meat"."""
    return not _PARTIAL.isdisjoint(words)


def value_type(value: Sequence[str], text: str) -> ValueType:
    """The type of a value.

    Args:
        value: its folded words, at least one.
        text: the sentence that it stands in, as it was written.
    """
    first = value[0].partition("'")[0]
    if "@" in first:
        return "mail"
    counts = first in NUMBERS and first not in STOPWORDS
    if first[:1].isdigit() or first[:1] == "+" or counts:
        return "number"
    for word in value[:_FIRST_OF_A_NAME]:
        bare = word.partition("'")[0]
        if bare in WEEKDAYS or bare in MONTHS:
            return "date"
    if not is_capital(value[0], text):
        return "free"
    return "nationality" if _NATIONALITY.fullmatch(first) else "name"


def is_capital(word: str, text: str, folded: str | None = None) -> bool:
    """Whether a folded word has a capital in a text, and not because it opens it."""
    if folded is None:
        folded = fold_letters(text)
    start = folded.find(word)
    while start > 0 and folded[start - 1].isalnum():
        start = folded.find(word, start + 1)
    return start > 0 and text[start].isupper()

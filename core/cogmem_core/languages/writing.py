"""The words for a time, as they fit in the place of the expression that named it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from cogmem_core.languages.base import DatedWords, Fitting, TimeRules
from cogmem_core.languages.tables import lazy_pattern

_IN_DIGITS = {
    "time": "{first:%Y-%m-%d %H:%M}",
    "year": "{first:%Y}",
    "month": "{first:%Y-%m}",
    "day": "{day}",
    "part": "{day}",
}

PLACES = ("first", "day", "last", "year", "month", "season", "part")
"""What may stand in braces where a time is written."""

# English: a preposition, or a predicate behind a subject.
_PREPOSITION = lazy_pattern(
    r"\b(?:on|in|at|by|since|until|till|from|to|before|after|for|of|during|through|than|over"
    r"|between|around|the)\s$"
)
_PREDICATE = lazy_pattern(r"'s?\b|\s(?:is|are|was|were|has|have|had|will|would|'ll)\b")
_WITH_ON = ("day", "part", "time", "weekend")

# Turkish: what asks for a case, or shows it.
_UNTIL = lazy_pattern(r"\s+(?:kadar|dek|değin|doğru)\b")
_SINCE = lazy_pattern(r"\s+(?:beri|itibaren|sonra|önce)\b")
_DATIVE = lazy_pattern(r"(?:yarina|bugune|gunune|[^t][fmrsl][ai]y[ae])$")
_ABLATIVE = lazy_pattern(r"[dt][ae]n$")
_ADJECTIVE = lazy_pattern(r"k[iu]$")


def written(rules: TimeRules, words: DatedWords) -> str:
    """The time in the language of the rules, fitted into its sentence."""
    templates = rules.written or _IN_DIGITS
    first = words.first
    parts = rules.written_parts
    phrase = templates.get(words.kind, "{day}/{last}").format(
        first=first,
        day=first.date(),
        last=words.last.date(),
        year=f"{first.year:04}",
        month=rules.month_names[first.month - 1],
        season=rules.season_names.get(first.month, ""),
        part=parts.get(first.hour, parts.get(18, "")),
    )
    return rules.written_with(words, phrase) if rules.written_with else phrase


def _with_preposition(words: DatedWords, phrase: str) -> str:
    """It needs none after another preposition, nor where it is a subject ("Tomorrow is")."""
    preceding = words.text[max(0, words.start - 12) : words.start].lower()
    if _PREPOSITION.search(preceding) or _PREDICATE.match(words.text, words.end):
        return phrase.removeprefix("the ") if preceding.endswith("the ") else phrase
    phrase = f"{'on' if words.kind in _WITH_ON else 'in'} {phrase}"
    if words.start == 0 and words.text[0].isupper():
        return phrase[0].upper() + phrase[1:]
    return phrase


def _with_case_ending(words: DatedWords, phrase: str) -> str:
    """The ending that the expression had: dative, ablative, the adjective in -ki or the locative.

    It follows a noun with a possessive whose vowels need no thought.
    """
    if words.kind == "time":
        return phrase
    vowel = "e" if phrase.endswith("i") else "a"
    if _UNTIL.match(words.text, words.end) or _DATIVE.search(words.folded):
        return f"{phrase}n{vowel}"
    if _SINCE.match(words.text, words.end) or _ABLATIVE.search(words.folded):
        return f"{phrase}nd{vowel}n"
    return f"{phrase}nd{vowel}{'ki' if _ADJECTIVE.search(words.folded) else ''}"


FITTED: Mapping[str, Fitting] = {
    "prepositions": _with_preposition,
    "case endings": _with_case_ending,
}

"""English: what a question asks for."""

from __future__ import annotations

import re

from cogmem_core.languages.base import (
    Completion,
)
from cogmem_core.languages.tables import lazy_pattern

AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|will|would|shall|should|can|could|might|may"
    r"|must|isn't|aren't|wasn't"
    r"|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|shouldn't|can't|couldn't)"
)


_QUESTION_WORD = r"(?:what|when|where|why|how|who|whom|which)"
_SUBJECTS = r"(?:i|you|he|she|it|we|they|that|this|there)"
# A question with its verb in place, or a request: "when did", "what kind of books does", "does
# Ana", "tell me".
_QUESTION_START = lazy_pattern(
    rf"(?:(?:to|with|for|from|in|at|on|by|about|since|until) )?(?:(?:when|where|why)(?:'s\b| "
    rf"{AUXILIARY}\b)|how come\b"
    rf"|(?:what|which|whose|how)(?:'s\b|(?: (?!{_SUBJECTS}\b)[a-z][\w'-]*){{0,3}}? {AUXILIARY}\b)"
    r"|who\b|whom\b|what (?:happened|caused|made|led|motivated|inspired)\b)"
    r"|(?:please )?(?:tell|show|give|remind|list|name|describe|summari[sz]e|find)\b"
    rf"|{AUXILIARY} (?:{_SUBJECTS}|I|the|my|your|his|her|our|their|[A-Z][\w'-]*)\b"
)
_ADVERBIAL = lazy_pattern(r"[^,?]{1,40}, ")
_RELATIVE = lazy_pattern(r"(?:who|whom|whose|which)\b")
_BARE_QUESTION_WORD = lazy_pattern(r"(?:when|where|why|how)")
_WORD_BEFOREAUXILIARY = lazy_pattern(rf"{_QUESTION_WORD}(?= {AUXILIARY}\b)")
_OPENS_WITH_QUESTION_WORD = lazy_pattern(rf"{_QUESTION_WORD}\b")
_REQUEST = lazy_pattern(
    r"(?P<lead>(?:please )?(?:(?:do|can|could|would) you (?:please )?)?(?:tell me|remind me"
    r"|remember|know|recall"
    rf"|show me|find out|explain)) (?={_QUESTION_WORD}\b)"
)
_SHARED_OPENING = lazy_pattern(
    r"(?P<lead>(?:what|who|where|how|when)(?:'s| is| are| was| were)"
    r"|what (?:do|did) (?:you|i|we) (?:know|say|tell you) about|(?:please )?(?:tell me|remind me) "
    r"about) ",
    re.IGNORECASE,
)
_THING = lazy_pattern(r"(?:my|your|his|her|our|their|the|[a-z]+'s)(?: [\w'-]+){1,4}", re.IGNORECASE)
_PERSON = lazy_pattern(
    r"\b(?:(?P<plain>he|she|him)|his|her(?=\s(?!to\b|in\b|at\b|for\b|and\b|with\b)\w))\b",
    re.IGNORECASE,
)
# A question with such a word is not understood without the one before it.
_DEPENDENT = lazy_pattern(
    r"\b(?:it|its|they|them|their|theirs|those|these|he|him|she|his|hers?|one)\b|^(?:this|that)\b"
)


def complete(question: str, person: str | None) -> str | None:
    """A question with a person in the place of its pronouns; None if a pronoun remains."""
    if person:
        question = _PERSON.sub(lambda match: person if match["plain"] else f"{person}'s", question)
    return None if _DEPENDENT.search(_opened(question).lower()) else question


def carry_over(left: str, right: str, joint: re.Match[str], completion: Completion) -> str | None:
    """The right side of a joint as a question of its own; None if it is not one."""
    asks = _asks(right)
    if not _asks(left) or (joint["comma"] and (_RELATIVE.match(right) or not asks)):
        return None
    if asks:
        return completion(left, right)
    if _BARE_QUESTION_WORD.fullmatch(right.lower()):
        return _with_rest_of(left, right)
    request = _REQUEST.match(_opened(left))
    if request and _OPENS_WITH_QUESTION_WORD.match(right.lower()):
        return completion(left, f"{request['lead']} {right}")
    shared = _SHARED_OPENING.match(left)
    if joint["also"] and shared and _THING.fullmatch(right):
        return completion(left, f"{shared['lead']} {right}")
    return None


def _with_rest_of(question: str, question_word: str) -> str | None:
    """A question with another question word: "when did Ana move", "why" is "why did Ana move"."""
    opening = _opened(question)
    word = _WORD_BEFOREAUXILIARY.match(opening)
    if word is None or word.group() == question_word.lower():
        return None
    return question_word + opening[word.end() :]


def _asks(side: str) -> bool:
    opened = _opened(side)
    if _QUESTION_START.match(opened):
        return True
    adverbial = _ADVERBIAL.match(opened)
    return adverbial is not None and _QUESTION_START.match(opened, adverbial.end()) is not None


def _opened(side: str) -> str:
    return side[:1].lower() + side[1:]

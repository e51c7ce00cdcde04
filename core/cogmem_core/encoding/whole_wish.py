"""What a message wants forgotten, if it wants nothing else."""

from __future__ import annotations

import re
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.reading import of
from cogmem_core.reading.forgetting import is_told, may_be_name
from cogmem_core.reading.model import Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.small_talk import is_trivial

_QUOTED_WHOLE = re.compile(r"\s*(?:[>|`\"\u201c\u201e\u00ab\u2018']|[-*+\u2022] |\[)")
_WORD = re.compile(r"[^\W_]+(?:['.@_-][^\W_]+)*")
_CLAUSE = re.compile(r"[;:\u2013\u2014]\s|,\s|\s-\s|\n")
_LONGEST = 240  # characters of a wish
_OF_MEMORY = ("stores", "retaining", "recalling")


class Wish(NamedTuple):
    """What somebody wants forgotten.

    Attributes:
        query: what it is, without the words that ask.
        is_plain: it is said so plainly that it can be acted upon: a thing of the speaker's, a
            statement, an identifier, a name, or something that the memory holds.
    """

    query: str
    is_plain: bool


@in_its_language
@cached_by_language(512)
def wish_of(text: str) -> Wish | None:
    """The wish that a whole message is; None if it is none, or tells something besides.

    Not what is quoted or pasted, nor what is to be forgotten for a moment.
    """
    if len(text) > _LONGEST or _QUOTED_WHOLE.match(text):
        return None
    reading = of(text)
    wishes = [clause for clause in reading.of_kind("wish_to_forget") if clause.target]
    rules = LANGUAGES[reading.language].query.forgetting if wishes else None
    if len(wishes) != 1 or rules is None:
        return None
    wish = wishes[0]
    if re.search(rules.unless, fold_letters(text[text.index(wish.target) :])):
        return None
    said = reading.words(wish)
    if text.rstrip().endswith("?") and not (_has(reading, said, "asking") or rules.own_word):
        return None
    asked = _has(reading, said, "asking", "erasing", *_OF_MEMORY)
    asked = asked or re.search(rules.request, fold_letters(text)) is not None
    rest = [clause for clause in reading.clauses if clause is not wish and clause.kind != "filler"]
    beside = [*map(reading.words, rest), *_CLAUSE.split(said.partition(wish.target)[2])[1:]]
    if not all(_is_reason(clause, rules, asked) for clause in beside):
        return None
    mild = _has(reading, said, "erasing")
    plain = _has(reading, said, *_OF_MEMORY) or is_told(wish.target, rules, mild=mild)
    return Wish(wish.target, plain)


def _has(reading: Reading, said: str, *kinds: str) -> bool:
    """Whether a phrase of one of some groups stands in a wish."""
    pack = pack_of(reading.language)
    folded = pack.fold(said)
    return any(pack.kind(kind).within(folded, 0, len(folded)) is not None for kind in kinds)


def _is_reason(clause: str, rules: ForgettingRules, is_asked: bool) -> bool:
    """Whether a clause only says why, or gives a name besides: nothing is lost with it."""
    if "?" in clause and not is_asked:
        return False
    words = _WORD.findall(clause)
    if is_trivial(clause) or all(word[0].isupper() for word in words):
        return True
    folded = fold_letters(clause)
    told = [word for word in words[1:] if word[0].isupper() and may_be_name(word)]
    if told or any(character.isdigit() for character in clause):
        return False
    patterns = (rules.reason, rules.beside) if is_asked else (rules.reason,)
    return any(re.match(pattern, folded) for pattern in patterns)

"""Words of a language whose verbs and nouns carry endings: what an ending says, and what is left without it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.reading.tokens import Token

if TYPE_CHECKING:
    from cogmem_core.reading.pack import Pack

_SHORTEST = 2
_VOWELS = "aeiou"
_HARD = {"g": "k", "b": "p"}  # "kitab-i" of "kitap"


class Ending(NamedTuple):
    """A word without its ending.

    Attributes:
        stem: what is left; of a verb its name.
        says: the names of the groups of the pattern that matched: "past", "i", "negative", "loc".
    """

    stem: str
    says: frozenset[str] = frozenset()


def says(match: re.Match[str]) -> frozenset[str]:
    """The names of the groups that matched, without the figures that keep them apart."""
    return frozenset(
        name.rstrip("_0123456789") for name, found in match.groupdict().items() if found is not None
    )


def first_of(names: Iterable[str], said: Collection[str]) -> str:
    """The first of some names that was said; "" if none was."""
    return next((name for name in names if name in said), "")


@text_cache(8_192)
def verb_of(word: str, pack: Pack, pattern: str = "verb_endings") -> Ending | None:
    """The verb of a form that ends as a pattern says; None if it is none."""
    endings = pack.patterns.get(pattern)
    if endings is None:
        return None
    for length in range(len(word) - 1, 0, -1):
        forms = pack.forms.get(word[:length])
        match = endings.fullmatch(word, length) if forms else None
        if forms and match and (forms[0].tense or "present" in says(match)):
            return Ending(forms[0].verb, says(match))
    if pattern != "verb_endings":
        return None
    found = pack.patterns["verb"].fullmatch(word)
    match = endings.fullmatch(word, found.end("stem")) if found else None
    return Ending(found["stem"], says(match)) if found and match else None


def case_of(token: Token, following: Token | None, pack: Pack) -> Ending:
    """The case of a noun by its ending, or by the ending behind its apostrophe; without one the word itself."""
    if following is not None and following.is_ending and following.start == token.end:
        match = pack.patterns["nominal_endings"].fullmatch(following.folded, 1)
        return Ending(token.folded, says(match) if match else frozenset(("other",)))
    return _case(token.folded, pack)


@text_cache(8_192)
def _case(word: str, pack: Pack) -> Ending:
    endings = pack.patterns["nominal_endings"]
    if word.startswith("'") or pack.has("bare", word) or not word.isalpha():
        return Ending(word)
    if pack.in_any(("numbers", "months", "weekdays", "times", "units"), word):
        return Ending(word)
    best: Ending | None = None
    for length in range(len(word) - 1, 1, -1):
        match = endings.fullmatch(word, length)
        if match is None or not re.search("[aeiou]", word[:length]):
            continue
        found = Ending(word[:length], says(match))
        if pack.in_any(("bare", "numbers", "months", "weekdays", "units"), found.stem):
            return found
        if length > _SHORTEST or "loc" in found.says or "abl" in found.says:
            best = found
    return best or Ending(word)


@text_cache(8_192)
def bare(word: str, pack: Pack) -> str:
    """A word without its endings, as one form for all: `kirami`, `kiram` and `kira` are one."""
    if word.startswith("'") or word[:1].isdigit():
        return word
    verb = verb_of(word, pack)
    if verb is not None and not pack.has("nouns", word):
        return verb.stem
    endings = pack.patterns["stem_endings"]
    while len(word) > _SHORTEST + 1:
        cut = next(
            (
                k
                for k in range(_SHORTEST, len(word))
                if endings.fullmatch(word, k) and re.search("[aeiou]", word[:k])
            ),
            len(word),
        )
        if cut == len(word):
            break
        word = word[:cut]
    return (
        word[:-1] + _HARD[word[-1]]
        if word[-1] in _HARD and len(word) > _SHORTEST and word[-2] in _VOWELS
        else word
    )


def bares(words: Iterable[str], pack: Pack) -> tuple[str, ...]:
    """Some words without their endings."""
    return tuple(bare(word, pack) for word in words)

"""What a sentence affirms and what it denies, as sets of stems. English and Turkish; pure.

Made for one question: does a sentence say anything that another text does not say? Inflection,
    stop-words and who
speaks are left out; numbers, names, negations and where something comes from are kept.
"""

# ruff: noqa: RUF002, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from cogmem_core.text.compare.contradiction import negated
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.attributes import NEGATIONS
from cogmem_core.text.lexicon.reporting import (
    BASE_FORMS,
    CARDINALS,
    FILLER,
    LIGHT_VERBS,
    MEANINGFUL,
)
from cogmem_core.text.lexicon.verbs import BASE_VERBS
from cogmem_core.text.tokens import limit_marks, tokens, words

__all__ = [
    "Spoken",
    "Statement",
    "coordinated",
    "fold",
    "holds",
    "informs",
    "is_negation",
    "is_turkish",
    "read",
    "spoken",
]


class Spoken(NamedTuple):
    """A word of a text.

    Attributes:
        raw: as it stands at `start`.
        folded: see `fold`.
        capital: 2 if it is a name's, 1 if a sentence may begin with it, else 0.
        breaks: a mark between it and the word before ends what a negation reaches.
    """

    raw: str
    folded: str
    start: int
    capital: int
    breaks: bool


class Statement(NamedTuple):
    """What a text says: the stems it affirms and those it denies.

    `verbs` are English verbs among the latter.
    """

    affirmed: frozenset[str]
    denied: frozenset[str]
    verbs: frozenset[str]


_BEGINS = frozenset(".!?\u2026:\n")
_BREAKS = _BEGINS | frozenset(",;\u2014()")


def spoken(text: str) -> list[Spoken]:
    """The words of a text in its order, without emoji."""
    found: list[Spoken] = []
    end = 0
    for word in words(text):
        raw = text[word.start : word.end]
        if any(map(str.isalnum, raw)):
            between = text[end : word.start]
            begins = not found or not _BEGINS.isdisjoint(between)
            capital = 0 if not raw[0].isupper() else 1 if begins else 2
            found.append(
                Spoken(raw, fold(raw), word.start, capital, not _BREAKS.isdisjoint(between))
            )
            end = word.end
    return found


def fold(raw: str) -> str:
    """A word in lower case, without the letters that only Turkish has, apostrophes straight."""
    return fold_letters(raw if raw.isascii() else unicodedata.normalize("NFKC", limit_marks(raw)))


_BARE_NEGATIONS = frozenset(word.replace("'", "") for word in NEGATIONS)


@lru_cache(maxsize=16_384)
def is_negation(raw: str) -> bool:
    """Whether a word denies: `not`, `dont`, `sevmiyorum`."""
    return _is_mere_negation(raw) or negated(raw)


@lru_cache(maxsize=16_384)
def _is_mere_negation(raw: str) -> bool:
    """A Turkish verb may deny and say something besides; these words only deny."""
    folded = fold(raw)
    return folded.endswith("n't") or folded.replace("'", "") in _BARE_NEGATIONS


def informs(said: Iterable[Spoken]) -> bool:
    """Whether there is more than stop-words and the words of courtesy."""
    return any(_informs(word.folded) for word in said)


@lru_cache(maxsize=16_384)
def _informs(folded: str) -> bool:
    return folded.partition("'")[0] not in FILLER and bool(tokens(folded))


_TURKISH_LETTER = re.compile("[çğıöşüÇĞİÖŞÜ]")
_TURKISH_SHAPE = re.compile(r"[a-z](?:[iu]yor|[ae]c[ae][gk]|m[iu]s[dt]|[dt][iu]g[iu]n)")


def is_turkish(text: str) -> bool:
    """Whether a sentence has a letter or the end of a verb that English has not."""
    return bool(_TURKISH_LETTER.search(text) or _TURKISH_SHAPE.search(fold_letters(text)))


def holds(known: Statement, said: Statement) -> bool:
    """Whether a text says nothing but what is known; False if it says nothing at all."""
    if not said.affirmed <= known.affirmed:
        return False
    if not said.denied:
        return bool(said.affirmed)
    # "I like tea but not coffee" says "you don't like coffee": the verb is affirmed there, the
    # coffee is not.
    return (
        bool(said.denied & known.denied)
        and said.denied - known.denied <= said.verbs & known.affirmed
    )


def read(
    said: Sequence[Spoken], *, turkish: bool, names: bool = True, filler: bool = True
) -> Statement:
    """What the words of a text say.

    Args:
        said: from `spoken`; some may be left out.
        turkish: cut Turkish endings off nouns, too.
        names: a capital at the beginning of a sentence is a name's, whose ending is no ending.
        filler: clauses that say nothing ("great, ...") count as well.
    """
    affirmed: set[str] = set()
    denied: set[str] = set()
    verbs: set[str] = set()
    for clause in _clauses(said):
        denies = sum(is_negation(word.raw) for word in clause) % 2 == 1
        if filler or denies or informs(clause):
            (denied if denies else affirmed).update(
                _clause_stems(clause, turkish=turkish, names=names)
            )
        bases = [word.folded for word in clause if denies and word.folded in BASE_VERBS]
        verbs.update(stem for base in bases for stem in _stems(base, _PLAIN))
    return Statement(frozenset(affirmed), frozenset(denied), frozenset(verbs))


_TURNS = frozenset("but although though while whereas yet because ama fakat ancak cunku".split())
_SUBJECTS = frozenset("i you he she they we it user my your his her their".split())


def coordinated(said: Sequence[Spoken]) -> Iterator[list[Spoken]]:
    """The statements of a sentence that stand side by side: "you like tea", "and you live in Porto"."""
    part: list[Spoken] = []
    for word, following in zip_longest(said, said[1:]):
        subject = following.folded.partition("'")[0] if following else ""
        if part and word.folded in ("and", "ve") and subject in _SUBJECTS:
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _clauses(said: Sequence[Spoken]) -> Iterator[list[Spoken]]:
    """Stretches over which one negation reaches."""
    for part in coordinated(said):
        clause: list[Spoken] = []
        for word in part:
            if clause and (word.folded in _TURNS or word.breaks):
                yield clause
                clause = []
            clause.append(word)
        yield clause


_ABLATIVES = frozenset("dan den tan ten ndan nden".split())
_VERB = re.compile(
    r"([a-z]{2,}?)(?:m[aeiu]|[ae]bil)?"
    r"(?:(?:[iu]?yor(?:d[iu])?|[dt][iu]|m[iu]s(?:t[iu])?|y?[ae]c[ae][kg](?:t[iu])?|[aeiu]r(?:d[iu])?|m[ae]z(?:d[iu])?"
    r"|m[ae])(?:[iu]?m|[iu]?n|s[iu]n(?:[iu]z)?|y?[iu]z|n[iu]z|k|l[ae]r)?"
    r"|[dt][iu][gk](?:[iu]m|[iu]n|[iu]|[iu]m[iu]z|[iu]n[iu]z|l[ae]r[iu])(?:n?[iu]n?|n?[ae]|n?d[ae]n?)?"
    r"|m[ae]k(?:t[ae]n?)?|m[ae](?:y[iu]|s[iu]n[iu]|n[iu]n))"
)
_NOUN = re.compile(
    r"([a-z]{2,}?)(?:l[ae]r)?(?:[iu]m|[iu]n|[iu]|s[iu]|m|n|[iu]m[iu]z|[iu]n[iu]z)?"
    r"(?:n?[iu]n|[ny]?[iu]|[ny]?[ae]|n?[dt][ae]n?|y?l[ae]|y[iu]m|s[iu]n|s[iu]n[iu]z|d[iu]r)?"
)
# Selin and Selim may be two people: at the beginning of a sentence only long or vowel endings are
# cut off.
_BEGINNING = re.compile(
    r"([a-z]{2,}?)(?:[iu]m[iu]n|[iu]n[iu]n|[iu]m[iu]z[a-z]{0,3}|[iu]n[iu]z[a-z]{0,3}|[iuae])?"
)
_Endings = tuple[re.Pattern[str], ...]
_PLAIN: _Endings = ()


def _clause_stems(clause: Iterable[Spoken], *, turkish: bool, names: bool) -> Iterator[str]:
    """Stems.

    Where something comes from is marked, as "from Porto to Lisbon" is not "from Lisbon to Porto".
    """
    lower: _Endings = (_VERB, _NOUN) if turkish else (_VERB,)
    endings = (lower, (_BEGINNING,) if turkish and not names else _PLAIN, _PLAIN)
    source = False
    for word in clause:
        if _is_mere_negation(word.raw):
            continue
        stems = _stems(word.raw, endings[word.capital])
        yield from stems
        if stems and (source or word.folded.partition("'")[2] in _ABLATIVES):
            yield f"from {stems[0]}"
        source = word.folded == "from" or (source and not stems)


_DROPPED = frozenset(
    "user kullanici now currently still already actually really just presently simdi su".split()
)
_ISO_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@lru_cache(maxsize=16_384)
def _stems(raw: str, endings: _Endings) -> tuple[str, ...]:
    """What a word says.

    `endings` of Turkish are cut off unless an apostrophe has set them off already.
    """
    folded = fold(raw)
    bare = folded.partition("'")[0]
    if bare in _DROPPED:
        return ()
    for table in (MEANINGFUL, CARDINALS):
        if bare in table:
            return (table[bare],)
    found = tuple(tokens(BASE_FORMS.get(bare, raw)))
    if found and _ISO_DATE.fullmatch(found[0]):
        return found[1:]
    return found if bare != folded or bare in BASE_FORMS else _turkish(folded, found, endings)


def _turkish(word: str, plain: tuple[str, ...], endings: _Endings) -> tuple[str, ...]:
    for pattern in endings:
        match = pattern.fullmatch(word)
        if match and pattern is _VERB and len(word) - len(match[1]) >= 3:
            root = _root(match[1])
            return () if root in LIGHT_VERBS else (root,)
        if match and pattern is not _VERB and plain:
            return (_root(match[1]),)
    return plain


_ROOTS = {"yi": "ye", "gid": "git", "ed": "et"}
_HARD = str.maketrans("bdg", "ptk")


def _root(word: str) -> str:
    """A root as its forms share it: without its last vowel (`yaşa`, `yaşıyor`), its last consonant hard (`kitab`)."""
    if len(word) > 3 and word[-1] in "aeiu":
        word = word[:-1]
    word = _ROOTS.get(word, word)
    return word[:-1] + word[-1].translate(_HARD) if len(word) > 2 else word

"""What a sentence affirms and what it denies, as sets of stems.

Made for one question: does a sentence say anything that another text does not say? Inflection, stop
words and who speaks are left out; numbers, names, negations and where something comes from are
kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from cogmem_core.languages.merged import (
    Entries,
    Kept,
    Words,
    all_entries,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.wording import NEGATIONS, is_negative
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.tokens import composed, tokens, words
from cogmem_core.text.vocabulary import BASE_VERBS


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        raw: its spelling.
        folded: see `fold`.
        start: its first character.
        capital: 2 if it is a name's, 1 if a sentence may begin with it, else 0.
        breaks: a mark between it and the word before ends what a negation reaches.
    """

    raw: str
    folded: str
    start: int
    capital: int
    breaks: bool


class Statement(NamedTuple):
    """What a text says, as stems.

    Attributes:
        affirmed: stems that it affirms.
        denied: stems that it denies.
        verbs: English verbs among the latter.
    """

    affirmed: frozenset[str]
    denied: frozenset[str]
    verbs: frozenset[str]


_SENTENCE_MARKS = frozenset(".!?\u2026:\n")
_BREAKING_MARKS = _SENTENCE_MARKS | frozenset(",;\u2014()")
_BARE_NEGATIONS = Words(lambda: [word.replace("'", "") for word in NEGATIONS])
_FILLER = all_words("compare.statements.filler")
_TURNS = all_words("compare.statements.turns")
_SUBJECTS = all_words("compare.statements.subjects")
_CONJUNCTIONS = all_words("compare.statements.conjunctions")
_DROPPED = all_words("compare.statements.dropped")
_SOURCES = all_words("compare.statements.sources")
_SOURCE_SUFFIXES = all_words("compare.statements.source_suffixes")
_LIGHT_VERBS = all_words("compare.statements.light_verbs")
_BASE_FORMS = all_entries("compare.statements.base_forms")
_ROOTS = all_entries("compare.statements.irregular_roots")
# Meaningful stop words go before number words.
_FIXED_STEMS = Entries(
    lambda: {
        **all_entries("compare.statements.cardinals"),
        **all_entries("compare.statements.meaningful"),
    }
)


def words_of(text: str) -> list[Word]:
    """The words of a text in its order, without emoji."""
    spoken: list[Word] = []
    end = 0
    for token in words(text):
        raw = text[token.start : token.end]
        if not any(map(str.isalnum, raw)):
            continue
        between = text[end : token.start]
        capital = 0
        if raw[0].isupper():
            opens = not spoken or not _SENTENCE_MARKS.isdisjoint(between)
            capital = 1 if opens else 2
        spoken.append(
            Word(raw, fold(raw), token.start, capital, not _BREAKING_MARKS.isdisjoint(between))
        )
        end = token.end
    return spoken


def fold(raw: str) -> str:
    """A word in lower case, without the letters that only Turkish has, apostrophes straight."""
    return fold_letters(raw if raw.isascii() else composed(raw))


@cached_by_language(16_384)
def is_negation(raw: str) -> bool:
    """Whether a word denies: `not`, `dont`, `sevmiyorum`."""
    return _is_mere_negation(raw) or is_negative(raw)


@cached_by_language(16_384)
def _is_mere_negation(raw: str) -> bool:
    """Whether a word only denies; a Turkish verb may deny and say something besides."""
    folded = fold(raw)
    return folded.endswith("n't") or folded.replace("'", "") in _BARE_NEGATIONS


def informs(text_words: Iterable[Word]) -> bool:
    """Whether there is more than stop words and the words of courtesy."""
    return any(_informs(word.folded) for word in text_words)


@cached_by_language(16_384)
def _informs(folded: str) -> bool:
    return folded.partition("'")[0] not in _FILLER and bool(tokens(folded))


class _Endings(NamedTuple):
    """Endings that a language cuts off a word; the first group of a pattern is what remains."""

    letters: re.Pattern[str]
    verb_shape: re.Pattern[str]
    noun: re.Pattern[str]
    opening: re.Pattern[str]


def _compiled_endings() -> tuple[dict[str, _Endings], tuple[re.Pattern[str], ...]]:
    """The endings of the inflected languages, and those of verbs, which are read in every text."""
    endings: dict[str, _Endings] = {}
    verbs: list[re.Pattern[str]] = []
    for language in languages_read():
        rules = language.compare.statements
        if rules.verb_ending:
            verbs.append(re.compile(rules.verb_ending))
            patterns = (rules.letters, rules.verb_shape, rules.noun_ending, rules.opening_ending)
            endings[language.code] = _Endings(*map(re.compile, patterns))
    return endings, tuple(verbs)


_ENDINGS = Kept(_compiled_endings)


def inflected_language(text: str) -> str:
    """The code of the language with endings whose letters or verbs a sentence has; else empty."""
    for code, endings in _ENDINGS()[0].items():
        if endings.letters.search(text) or endings.verb_shape.search(fold_letters(text)):
            return code
    return ""


def holds(memory: Statement, new: Statement) -> bool:
    """Whether a text says nothing but what a memory says; False if it says nothing at all."""
    if not new.affirmed <= memory.affirmed:
        return False
    if not new.denied:
        return bool(new.affirmed)
    # "I like tea but not coffee" says "you don't like coffee": the verb is affirmed there, the
    # coffee is not.
    unknown = new.denied - memory.denied
    return bool(new.denied & memory.denied) and unknown <= new.verbs & memory.affirmed


def read(
    text_words: Sequence[Word], code: str, *, names: bool = True, filler: bool = True
) -> Statement:
    """What the words of a text say.

    Args:
        text_words: from `words_of`; some may be left out.
        code: the language whose endings are cut off nouns, too; see `inflected_language`.
        names: a capital at the beginning of a sentence is a name's, whose ending is no ending.
        filler: clauses that say nothing ("great, ...") count as well.
    """
    affirmed: set[str] = set()
    denied: set[str] = set()
    verbs: set[str] = set()
    endings = _endings_by_capital(code, names=names)
    for clause in _clauses(text_words):
        denies = sum(is_negation(word.raw) for word in clause) % 2 == 1
        if filler or denies or informs(clause):
            stems = denied if denies else affirmed
            stems.update(_clause_stems(clause, endings))
        if not denies:
            continue
        for word in clause:
            if word.folded in BASE_VERBS:
                verbs.update(_stems(word.folded, ()))
    return Statement(frozenset(affirmed), frozenset(denied), frozenset(verbs))


def coordinated(text_words: Sequence[Word]) -> Iterator[list[Word]]:
    """The statements of a sentence that a conjunction joins: "you ski", "and you live here"."""
    part: list[Word] = []
    for word, following in zip_longest(text_words, text_words[1:]):
        subject = following.folded.partition("'")[0] if following else ""
        if part and word.folded in _CONJUNCTIONS and subject in _SUBJECTS:
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _clauses(text_words: Sequence[Word]) -> Iterator[list[Word]]:
    """Stretches over which one negation reaches."""
    for part in coordinated(text_words):
        clause: list[Word] = []
        for word in part:
            if clause and (word.folded in _TURNS or word.breaks):
                yield clause
                clause = []
            clause.append(word)
        yield clause


_Patterns = tuple[re.Pattern[str], ...]


def _endings_by_capital(code: str, *, names: bool) -> tuple[_Patterns, ...]:
    """The endings of a word by its capital: none, one that may open a sentence, a name's."""
    by_code, verb_endings = _ENDINGS()
    endings = by_code.get(code)
    if endings is None:
        return (verb_endings, (), ())
    opening = () if names else (endings.opening,)
    return ((*verb_endings, endings.noun), opening, ())


def _clause_stems(clause: Iterable[Word], endings: tuple[_Patterns, ...]) -> Iterator[str]:
    """Stems; where something comes from is marked.

    "From Porto to Lisbon" is not "from Lisbon to Porto".
    """
    source = False
    for word in clause:
        if _is_mere_negation(word.raw):
            continue
        stems = _stems(word.raw, endings[word.capital])
        yield from stems
        if stems and (source or word.folded.partition("'")[2] in _SOURCE_SUFFIXES):
            yield f"from {stems[0]}"
        source = word.folded in _SOURCES or (source and not stems)


_ISO_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@cached_by_language(16_384)
def _stems(raw: str, endings: _Patterns) -> tuple[str, ...]:
    """What a word says; `endings` are cut off unless an apostrophe has set them off already."""
    folded = fold(raw)
    bare = folded.partition("'")[0]
    if bare in _DROPPED:
        return ()
    if bare in _FIXED_STEMS:
        return (_FIXED_STEMS[bare],)
    stems = tuple(tokens(_BASE_FORMS.get(bare, raw)))
    if stems and _ISO_DATE.fullmatch(stems[0]):
        return stems[1:]
    if bare != folded or bare in _BASE_FORMS:
        return stems
    return _without_endings(folded, stems, endings)


def _without_endings(word: str, stems: tuple[str, ...], endings: _Patterns) -> tuple[str, ...]:
    for pattern in endings:
        match = pattern.fullmatch(word)
        if not match:
            continue
        is_verb = pattern in _ENDINGS()[1]
        if is_verb and len(word) - len(match[1]) >= 3:
            root = _root(match[1])
            return () if root in _LIGHT_VERBS else (root,)
        if stems and not is_verb:
            return (_root(match[1]),)
    return stems


_HARD = str.maketrans("bdg", "ptk")


def _root(word: str) -> str:
    """A root as its forms share it.

    Without its last vowel (`yaşa`, `yaşıyor`), its last consonant hard (`kitab`).
    """  # noqa: RUF002
    if len(word) > 3 and word[-1] in "aeiu":
        word = word[:-1]
    word = _ROOTS.get(word, word)
    return word[:-1] + word[-1].translate(_HARD) if len(word) > 2 else word

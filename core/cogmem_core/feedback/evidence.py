"""Which shown memories an answer was made of, and what shows it. Pure.

Words are compared by their stems, number words as figures, and by the packs' synonyms. Words that
differ in an ending count nearly as much, parts of compounds and words of one matter half. The words
of the question and of the other memories say little: an answer about a thing holds them, whichever
memory it comes from. So a memory is found again by what it alone adds. Memories that say the same
are not told apart.

What an answer says it does not know, or does not use, shows nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    all_words,
    any_word,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.reading import sentences_of
from cogmem_core.text.folding import fold_letters, shared_letters
from cogmem_core.text.query.asked import Asked, asked_for
from cogmem_core.text.thoughts import without_thoughts
from cogmem_core.text.tokens import strip_words, tokens, words
from cogmem_core.text.vocabulary import MONTHS, SEASONS, STOPWORDS, WEEKDAYS

LIKE = 0.8
"""What a word counts that differs in an ending."""
PARTLY = 0.5
"""What a part of a compound counts, or a word of the same matter."""
ASKED = 2.0
"""A word of the question counts as if so many more memories held it."""
_NAME = 1.5
_PLAIN = 1.0
_SMALL = 0.5  # a figure up to 99, which many texts hold
_EMPTY_WEIGHT = 0.3
_PREFIX = 5  # letters that two forms of a word begin with
_STEM = 0.6  # of the longer one
_PART = 4  # letters of the last part of a compound
_SOME = 0.25  # of the question's words, where no other memory holds any
_LEAD = 0.4  # before the next memory
_MOSTLY = 0.6  # of a memory that a question holds
_BONES = 4  # consonants of a word that is known again in another language

_NUMERALS = all_entries("compare.entailment.numerals")
_ORDINALS = all_entries("evidence.ordinals")
_EMPTY = all_words("evidence.empty")
_ENDINGS = all_words(lambda language: frozenset(language.time.ordinal_endings))
_ORDINAL = MergedPattern(rf"([0-9]+){any_word(_ENDINGS)}\Z")
_CLOCK = re.compile(r"[0-9]{1,2}[:.][0-9]{2}\Z")
_UNKNOWN = MergedPattern(all_patterns("evidence.unknown"))
_NEVER_TOLD = MergedPattern(all_patterns("evidence.never_told"))
_DECLINED = MergedPattern(all_patterns("evidence.declined"))
_TOLD = MergedPattern(all_patterns("evidence.told"))
_WHETHER = MergedPattern(all_patterns("evidence.whether"))
_POINTING = MergedPattern(all_patterns("evidence.pointing"))
_TURN = MergedPattern(rf"[;:,]|\b(?:{all_patterns('evidence.turns')})\b")
_YES_OR_NO = Words(
    lambda: {"true", "false"}.union(
        *(language.query.yes | language.query.no for language in languages_read())
    )
)
_CONSONANTS = re.compile(r"[aeiouyw]")
_ANSWERS: dict[Asked | None, set[str]] = {
    "number": {"number", "clock"},
    "time": {"number", "clock", "weekday", "month"},
    "name": {"name"},
}
_SPELLINGS = (("th", "t"), ("gh", "g"), ("ck", "k"), ("ph", "f"), ("c", "k"), ("z", "s"))


class _Unit(NamedTuple):
    """A word of a text as it is compared.

    Attributes:
        word: folded.
        keys: its index token or its figure, and the numbers of its groups of synonyms.
        matters: the numbers of the groups of related words that it belongs to.
        weight: how much it tells by itself.
        kind: `number`, `clock`, `weekday`, `month`, `name`, or `word`.
        start: its place in the text.
    """

    word: str
    keys: frozenset[str]
    matters: frozenset[int]
    weight: float
    kind: str
    start: int


class Trace(NamedTuple):
    """What of a memory an answer holds.

    Attributes:
        share: of what the memory adds, how much the answer holds, 0..1; rare words count more.
        coverage: of the answer's own words, how many are the memory's, in the sentence that fits
            best, 0..1.
        hits: the memory's own words that the answer holds, in their order.
        exact: numbers, names and dates among them that neither another memory nor the question
            holds.
        telling: whether a hit is more than a small figure or an empty word.
        apart: whether a hit is in no other memory.
        conflict: the answer holds other numbers or dates instead of all of the memory's.
        against: so it does where such a one was asked for, or another name where a name was.
        own: how many words the answer has beside the question's.
        best: no other memory's share is higher.
    """

    share: float
    coverage: float
    hits: tuple[str, ...]
    exact: tuple[str, ...]
    telling: bool
    apart: bool
    conflict: bool
    against: bool
    own: int
    best: bool


def spoken(answer: str) -> str:
    """What of an answer can show that a memory was used, a sentence a line.

    Without thoughts, without what it says it does not know, without what it declines to use.
    """
    sentences_kept: list[str] = []
    text = without_thoughts(answer)
    for start, end in sentences_of(text):
        sentence = text[start:end]
        folded = fold_letters(sentence)
        declined = _DECLINED.search(folded)
        if declined is None:
            sentences_kept.append(_known(sentence, folded))
        elif sentences_kept and _POINTING.search(folded, declined.start()):
            sentences_kept.pop()
    return "\n".join(filter(None, sentences_kept))


def _known(sentence: str, folded: str) -> str:
    """A sentence without its clause that says that something is not known."""
    unknown = _UNKNOWN.search(folded)
    if unknown is None or (_TOLD.search(folded) and not _NEVER_TOLD.search(folded)):
        return sentence
    turns = [match.end() for match in _TURN.finditer(folded, 0, unknown.start())]
    behind = _TURN.search(folded, unknown.end())
    prefix = sentence[: turns[-1]] if turns else ""
    return prefix + (sentence[behind.end() :] if behind is not None else "")


def residue(text: str, question: str) -> str:
    """A text without the words of the question, for its nearness to another one."""
    question_words = {word.text for word in words(question)}
    return strip_words(text, question_words.__contains__)


def confirmed(memories: Sequence[str], answer: str, *, question: str) -> int | None:
    """The place of the one memory that an answer without words of its own is about.

    A mere yes or no is about the memory that holds the words of the question it answers; so is an
    answer that says the question's words again, if these are most of the memory.

    Args:
        memories: their texts.
        answer: as `spoken` returns it.
        question: what was asked.

    Returns:
        None if it is about none, or may be about several.
    """
    asked_units = [unit for unit in _units(question) if unit.weight > _EMPTY_WEIGHT]
    if not asked_units:
        return None
    shares = [_share_held(asked_units, _Index(_units(text))) for text in memories]
    first, second, *_ = sorted([*shares, 0.0, 0.0], reverse=True)
    if first < (_SOME if second == 0.0 else second + _LEAD):
        return None
    place = shares.index(first)
    whether = _WHETHER.search(fold_letters(question)) is not None
    if whether and _only_yes_or_no(answer, _Index(asked_units)):
        return place
    repeated = _share_held(asked_units, _Index(_units(answer))) == 1.0
    mostly = _share_held(_units(memories[place]), _Index(asked_units)) >= _MOSTLY
    return place if repeated and mostly and first == 1.0 else None


def _share_held(units: Sequence[_Unit], index: _Index) -> float:
    held = fsum(unit.weight for unit in units if index.best(unit) >= LIKE)
    return held / fsum(unit.weight for unit in units)


def _only_yes_or_no(answer: str, question: _Index) -> bool:
    answer_words = {word.text for word in words(answer)}
    own = [unit.word for unit in _units(answer) if question.best(unit) < LIKE]
    return not _YES_OR_NO.isdisjoint(answer_words) and all(word in _YES_OR_NO for word in own)


def traces(
    memories: Sequence[str], answer: str, *, question: str, alike: Sequence[Collection[int]]
) -> list[Trace]:
    """What of each memory that was shown an answer holds.

    Args:
        memories: their texts.
        answer: as `spoken` returns it.
        question: what was asked.
        alike: for each memory the places of those that say the same, itself included.
    """
    question_index = _Index(_units(question))
    answer_units = _units(answer)
    own_units = [unit for unit in answer_units if question_index.best(unit) < LIKE]
    sentences = _by_sentence(own_units, answer)
    answer_index = _Index(answer_units)
    listed = [_units(text) for text in memories]
    asked = asked_for(question)
    places: dict[str, set[int]] = {}
    for place, units in enumerate(listed):
        for key in {key for unit in units for key in unit.keys}:
            places.setdefault(key, set()).add(place)
    traces_found: list[Trace] = []
    for place, units in enumerate(listed):
        holders = {
            unit: 1 + len(set().union(*(places[key] for key in unit.keys)).difference(alike[place]))
            for unit in units
        }
        trace = _trace(
            units,
            holders,
            question_index,
            answer_index,
            sentences=sentences,
            answer_own=own_units,
            foreign=_foreign(memories[place], answer),
            asked=asked,
        )
        traces_found.append(trace)
    highest = max((trace.share for trace in traces_found), default=0.0)
    return [trace._replace(best=trace.share >= highest) for trace in traces_found]


class _Index:
    """The words of a text, to ask how well it holds another word, in time that its length does not change.

    Args:
        foreign: it is compared with a text of another language.
    """

    def __init__(self, units: Sequence[_Unit], *, foreign: bool = False) -> None:
        self._foreign = foreign
        self._keys = frozenset[str]().union(*(unit.keys for unit in units))
        self._matters = frozenset[int]().union(*(unit.matters for unit in units))
        self._words = {unit.word for unit in units if unit.word.isalpha()}
        self._beginnings: dict[str, list[str]] = {}
        for word in self._words:
            self._beginnings.setdefault(word[:_PREFIX], []).append(word)
        self._endings = {ending for word in self._words for ending in _endings(word)}

    def best(self, unit: _Unit, *, foreign: bool = False) -> float:
        """1 for the word itself or one that means the same, less for one that is like it, 0 for none."""
        if unit.keys & self._keys:
            return 1.0
        if unit.word.isalpha():
            word = unit.word
            if any(_inflected(word, other) for other in self._beginnings.get(word[:_PREFIX], ())):
                return LIKE
            if (foreign or self._foreign) and _bones(word) in self._bones:
                return LIKE
            if word in self._endings or not self._words.isdisjoint(_endings(word)):
                return PARTLY
        return PARTLY if unit.matters & self._matters else 0.0

    @cached_property
    def _bones(self) -> frozenset[str]:
        return frozenset(map(_bones, self._words)) - {""}


def _trace(
    units: Sequence[_Unit],
    holders: Mapping[_Unit, int],
    question_index: _Index,
    answer_index: _Index,
    *,
    sentences: Sequence[Sequence[_Unit]],
    answer_own: Sequence[_Unit],
    foreign: bool,
    asked: Asked | None,
) -> Trace:
    """Lay one memory beside an answer."""
    own = [unit for unit in units if question_index.best(unit) < LIKE]
    alone = [unit for unit in own if holders[unit] == 1]
    strengths = [(unit, answer_index.best(unit, foreign=foreign)) for unit in units]
    total: list[float] = []
    held: list[float] = []
    for unit, strength in strengths:
        question_weight = 0.0 if unit in own else ASKED
        weight = unit.weight / (holders[unit] + question_weight)
        total.append(weight)
        held.append(weight * strength)
    hits = [unit for unit, strength in strengths if strength and unit in own]
    # Numbers, names and dates that it alone has and the answer holds.
    exact = [
        unit
        for unit, strength in strengths
        if strength == 1.0 and unit.kind != "word" and unit in alone
    ]
    index = _Index(own, foreign=foreign)
    return Trace(
        fsum(held) / fsum(total) if total else 0.0,
        max((_coverage(sentence, index) for sentence in sentences), default=0.0),
        tuple(unit.word for unit in hits),
        tuple(unit.word for unit in exact),
        any(unit.weight >= _PLAIN for unit in hits),
        any(holders[unit] == 1 for unit in hits),
        _conflict(alone, exact, answer_own),
        _contradicts(asked, alone, exact, answer_own),
        len(answer_own),
        best=False,
    )


def _conflict(alone: Sequence[_Unit], exact: Sequence[_Unit], answer_own: Sequence[_Unit]) -> bool:
    kinds = {unit.kind for unit in alone} - {"word", "name"}
    if any(unit.kind in kinds for unit in exact):
        return False
    return any(unit.kind in kinds for unit in answer_own)


def _contradicts(
    asked: Asked | None,
    alone: Sequence[_Unit],
    exact: Sequence[_Unit],
    answer_own: Sequence[_Unit],
) -> bool:
    told, held, answered = ({unit.kind for unit in units} for units in (alone, exact, answer_own))
    return not (told & _ANSWERS.get(asked, set()) - held).isdisjoint(answered)


def _coverage(sentence: Sequence[_Unit], memory: _Index) -> float:
    total = fsum(unit.weight for unit in sentence)
    return fsum(unit.weight * memory.best(unit) for unit in sentence) / total if total else 0.0


def _by_sentence(units: Sequence[_Unit], text: str) -> list[list[_Unit]]:
    spans = sentences_of(text)
    return [[unit for unit in units if start <= unit.start < end] for start, end in spans]


def _inflected(word: str, other: str) -> bool:
    """Whether two words that begin alike differ in an ending only."""
    return shared_letters(word, other) >= _STEM * max(len(word), len(other))


def _endings(word: str) -> list[str]:
    """What may be the last part of a compound: "nuts" of "hazelnuts"."""
    return [word[start:] for start in range(3, len(word) - _PART + 1)]


@text_cache(16_384)
def _bones(word: str) -> str:
    """The first letter and the consonants of a word in one spelling; empty if they are few.

    "matemática" and "mathematics" have the same.
    """
    first = word[0]
    for spelling, plain in _SPELLINGS:
        word = word.replace(spelling, plain)
    bones = _CONSONANTS.sub("", "".join(map(_bare, word))).removesuffix("s")
    return first + bones if len(bones) >= _BONES else ""


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


def _foreign(text: str, other: str) -> bool:
    """Whether two texts are of different languages, as far as their stop words tell."""
    return language_shown(text) != language_shown(other)


@cached_by_language(1_024)
def _units(text: str) -> tuple[_Unit, ...]:
    """The words of a text that tell anything, each once."""
    units: dict[frozenset[str], _Unit] = {}
    starts = {start for start, _ in sentences_of(text)}
    for word in words(text):
        is_name = text[word.start].isupper() and word.start not in starts
        for unit in _units_of(word.text, word.start, is_name=is_name):
            units.setdefault(unit.keys, unit)
    return tuple(units.values())


def _units_of(word: str, start: int, *, is_name: bool) -> list[_Unit]:
    folded = fold_letters(word)
    ordinal = _ORDINAL.match(folded)
    figure = ordinal.group(1) if ordinal else _ORDINALS.get(folded) or _NUMERALS.get(folded)
    if figure is not None and (ordinal or folded not in STOPWORDS):
        return [_figure(figure, start)]
    terms = tokens(word)
    units = []
    for term in terms:
        if any(map(str.isdigit, term)):
            units.append(_figure(term, start))
            continue
        names = {folded, term} if len(terms) == 1 else {term}
        synonyms = {f"={number}" for name in names for number in _SYNONYMS().get(name, ())}
        matters = frozenset(number for name in names for number in _RELATED().get(name, ()))
        weight, kind = _weight(folded, is_name=is_name)
        form = folded if len(terms) == 1 else term
        units.append(_Unit(form, frozenset({term, *synonyms}), matters, weight, kind, start))
    return units


def _figure(figure: str, start: int) -> _Unit:
    small = figure.isdigit() and len(figure) <= 2
    kind = "clock" if _CLOCK.match(figure) else "number"
    weight = _SMALL if small else _NAME
    return _Unit(figure, frozenset((figure,)), frozenset(), weight, kind, start)


def _weight(folded: str, *, is_name: bool) -> tuple[float, str]:
    if folded in _EMPTY:
        return _EMPTY_WEIGHT, "word"
    if folded in WEEKDAYS:
        return _PLAIN, "weekday"
    if folded in MONTHS or folded in SEASONS:
        return _PLAIN, "month"
    return (_NAME, "name") if is_name else (_PLAIN, "word")


def _numbered(groups: Iterable[Collection[str]]) -> dict[str, set[int]]:
    """A word or its stem → the numbers of the groups that hold it."""
    table: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            for name in {word, *tokens(word)}:
                table.setdefault(name, set()).add(number)
    return table


_SYNONYMS = Kept(
    lambda: _numbered(
        group for language in languages_read() for group in language.evidence.synonyms
    )
)
_RELATED = Kept(
    lambda: _numbered(group for language in languages_read() for group in language.evidence.related)
)

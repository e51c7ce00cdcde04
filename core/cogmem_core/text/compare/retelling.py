"""Do two sentences tell the same thing in other words, or another value of it?

Which of the two it is, words and vectors alone do not tell; in both cases the newer one belongs
before the older one, so both are kept in one chain. What has to be kept apart is what tells of
another person, thing, time or event, and that shows in plain words: another name or figure, an
owner, a relative, an order ("from A to B"), or one word in the place of another one.

The vectors of two texts decide only between pairs that pass all of this; how near they have to be
depends on how many words the texts share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.languages.base import NOTHING
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    all_entries,
    all_patterns,
    all_words,
    by_language,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language, current
from cogmem_core.text.compare.clauses import Sentence, sentence_of
from cogmem_core.text.compare.values import (
    conditions_of,
    denies_a_part,
    is_capital,
    other_circumstances,
    weekday_of,
)
from cogmem_core.text.compare.wording import is_negation, language_of, verb_root
from cogmem_core.text.folding import plain_number
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS

_UNREAL = MergedPattern(all_patterns(lambda language: language.compare.revisions.unreal))
_BESIDES = MergedPattern(
    rf"(?<!')(?:{all_patterns(lambda language: language.compare.revisions.besides)})"
)
_DIGIT = re.compile(r"\d")
_DIRECTIONS = all_words(lambda language: language.compare.revisions.directions)
_LINKING = all_words(lambda language: language.compare.revisions.linking)
_SOURCE_SUFFIXES = all_words(lambda language: language.compare.statements.source_suffixes)
_NUMERALS = all_entries(lambda language: language.compare.entailment.numerals)
_ORDINALS = all_entries(lambda language: language.compare.retellings.ordinals)
_SYNONYMS = all_entries(lambda language: language.compare.retellings.synonyms)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_POSSESSORS = by_language(lambda language: language.compare.retellings.possessor)
_FIGURE = re.compile(r"(\d[\d.,:]*?)[a-z]*")
_LIGHT_VERBS = all_words(lambda language: language.compare.statements.light_verbs)
_AMBIGUOUS_MONTHS = all_words(lambda language: language.compare.retellings.ambiguous_months)
_HAVING = all_words(lambda language: language.compare.retellings.having)
_NOTHING = re.compile(NOTHING)
_FROM = "from"
_NEEDED = Kept(
    lambda: {language.code: language.compare.retellings.nearness for language in languages_read()}
)
_NEEDED_ELSEWHERE = ((0.85, 0.88),)  # where neither text shows its language
_MOST_WORDS = 40
_LONGEST_SUBSTITUTION = 2  # words
_LONGEST_EDIT = 3  # words for one or none
_SHORT = 8  # words of a sentence in which a few words make all the difference
_LEAST_PREFIX = 4  # letters that two forms of one word share
_LEAST_PREFIX_SHARE = 0.75
_POSSESSED_WITHIN = 3  # words behind an owner
_NEVER = 2.0  # no two vectors are so near


_Form = tuple[str, ...]
"""The stem of a word and the word itself, either of which may show that two words are one."""


class _Owner(NamedTuple):
    """A word that owns what follows.

    Attributes:
        key: of the word as it stands.
        owner: without the ending.
        owned: the words behind it.
    """

    key: str
    owner: _Form
    owned: tuple[_Form, ...]


class _Told:
    """A text as it is compared here; most are not looked at beyond their words.

    Attributes:
        sentence: its words.
        language: its code; empty if nothing tells.
        keys: per word its stem, or the word itself if an index leaves it out.
        forms: per word that carries meaning its stem and how it stands there; nothing for others.
        figures: numbers, ordinals, weekdays and months, each as often as it is said.
        persons: words for somebody.
        telling: the forms and figures that carry meaning, each once.
    """

    def __init__(self, sentence: Sentence, language: str) -> None:
        words = list(map(_word, sentence.words))
        self.sentence = sentence
        self.language = language
        self.keys = tuple(word.key for word in words)
        self.forms = tuple(word.form for word in words)
        self.figures = tuple(word.figure for word in words if word.figure)
        self.persons = frozenset(word.person for word in words if word.person)
        self.telling = frozenset(filter(None, self.forms)) | {(each, each) for each in self.figures}

    @cached_property
    def by_beginning(self) -> dict[tuple[int, str], list[_Form]]:
        """What `telling` holds, by the first letters of the stem (0) and of the word (1)."""
        return _by_beginning(self.telling)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Words with a capital, in their order."""
        names: list[str] = []
        for word in self.sentence.words:
            figure, _, _, person = _word(word)
            bare = word.partition("'")[0]
            if not (figure or person or bare == "i") and is_capital(
                word, self.sentence.text, self.sentence.folded
            ):
                names.append(bare)
        return tuple(names)

    @cached_property
    def owners(self) -> tuple[_Owner, ...]:
        """Words that own what follows."""
        return tuple(_owners(self.sentence.words, self.keys, self.forms, self.language))

    @cached_property
    def unreal(self) -> frozenset[str]:
        """Words of wishes, plans and the past."""
        marks = _UNREAL.findall(self.sentence.folded)
        return frozenset(mark for mark in marks if not _DIGIT.search(mark))

    @cached_property
    def besides(self) -> frozenset[str]:
        """Words by which something stands beside something else."""
        return frozenset(_BESIDES.findall(self.sentence.folded))


@cached_by_language(8_192)
def nearness_of_retelling(new: str, old: str) -> float:
    """How near the vectors of two texts must be for one to retell the other; above 1 if never.

    The texts are of one speaker.
    """
    now = _told(new)
    then = _told(old)
    if now is None or then is None:
        return _NEVER
    needed = _needed(now, then)
    return _NEVER if needed == _NEVER or _tell_of_others(now, then) else needed


@cached_by_language(4_096)
def _told(text: str) -> _Told | None:
    sentence = sentence_of(text)
    if sentence is None or len(sentence.words) > _MOST_WORDS:
        return None
    return _Told(sentence, language_of(text))


def _by_beginning(telling: Iterable[_Form]) -> dict[tuple[int, str], list[_Form]]:
    """Words by what is equal in all forms of a word, see `_alike`."""
    found: dict[tuple[int, str], list[_Form]] = {}
    for form in telling:
        for place, word in enumerate(form):
            found.setdefault((place, word[:_LEAST_PREFIX]), []).append(form)
    return found


def _owners(
    words: Sequence[str], keys: Sequence[str], forms: Sequence[_Form], language: str
) -> Iterator[_Owner]:
    possessor = _POSSESSORS.get(language or current()[0], _NOTHING)
    for index, word in enumerate(words):
        match = possessor.fullmatch(word) if forms[index] else None
        stem = _stem(match[1]) if match else ""
        if match and stem:
            behind = forms[index + 1 : index + 1 + _POSSESSED_WITHIN]
            yield _Owner(keys[index], (stem, match[1]), tuple(filter(None, behind)))


def _directed(told: _Told) -> Iterator[tuple[str, str]]:
    """The keys of words behind "from", "to", "before", ..., or with such a case ending."""
    for before, (word, key) in pairwise(
        zip(("", *told.sentence.words), ("", *told.keys), strict=True)
    ):
        ending = word.partition("'")[2]
        if before[0] in _DIRECTIONS:
            yield key, before[0]
        elif ending:
            yield key, _FROM if ending in _SOURCE_SUFFIXES else ""


class _Word(NamedTuple):
    """What a word is.

    Attributes:
        figure: a figure; empty if it is none.
        key: its stem, or the word itself if an index leaves it out.
        form: its stem and how it stands there, if it carries meaning.
        person: somebody; empty if it is nobody.
    """

    figure: str
    key: str
    form: _Form
    person: str


@cached_by_language(8_192)
def _word(word: str) -> _Word:
    bare = word.partition("'")[0]
    figure = _figure(bare)
    stem = "" if figure else _stem(word)
    form = (stem, bare) if stem and stem not in _LIGHT_VERBS else ()
    person = _SYNONYMS.get(bare, bare) if _PERSON.fullmatch(bare) else ""
    return _Word(figure, figure or stem or word, form, person)


def _figure(word: str) -> str:
    """A number, an ordinal, a weekday or a month in one spelling; empty for other words."""
    if any(map(str.isdigit, word)):
        number = _FIGURE.fullmatch(word)
        return plain_number(number[1]) if number else word
    day = weekday_of(word)
    if day:
        return day
    if word in MONTHS and word not in _AMBIGUOUS_MONTHS:
        return word
    return "" if word == "one" else (_ORDINALS.get(word) or _NUMERALS.get(word, ""))


@cached_by_language(8_192)
def _stem(word: str) -> str:
    bare = word.partition("'")[0]
    plain = _SYNONYMS.get(bare, "")
    root = verb_root(plain or word)
    if root:
        return _SYNONYMS.get(root, root)
    if is_negation(word):
        return ""
    stem = "".join(tokens(plain or word)[:1])
    if 0 < len(stem) <= len(bare) / 2:
        stem = bare  # the stemmer took it for another word
    return _SYNONYMS.get(stem, stem)


def _alike(word: str, other: str) -> bool:
    """Whether two stems are forms of one word: "violin", "violinist"."""
    if word == other:
        return True
    shorter = min(len(word), len(other))
    if shorter < _LEAST_PREFIX or word[:_LEAST_PREFIX] != other[:_LEAST_PREFIX]:
        return False
    shared = _LEAST_PREFIX
    while shared < shorter and word[shared] == other[shared]:
        shared += 1
    return shared >= _LEAST_PREFIX_SHARE * shorter


def _stands_in(form: _Form, forms: Iterable[_Form]) -> bool:
    """Whether a word stands among others, in any of its forms."""
    return any(any(map(_alike, form, other)) for other in forms)


def _tell_of_others(now: _Told, then: _Told) -> bool:
    """Whether two texts plainly tell of different persons, things, times or circumstances."""
    new_figures, old_figures = Counter(now.figures), Counter(then.figures)
    if not (new_figures <= old_figures or old_figures <= new_figures):
        return True
    if now.unreal != then.unreal or now.besides - then.besides:
        return True
    if now.sentence.negative != then.sentence.negative and (
        denies_a_part(now.sentence.words) or denies_a_part(then.sentence.words)
    ):
        return True
    return (
        _other_names(now, then)
        or _other_persons(now, then)
        or _turned_round(now, then)
        or _of_another(now, then)
        or _of_another(then, now)
        or other_circumstances(conditions_of(now.keys), conditions_of(then.keys))
        or _substituted(now, then)
        or differ_in_a_word(now.sentence, then.sentence)
    )


def tells_of_others(new: str, old: str) -> bool:
    """Whether two texts plainly tell of different persons, or who does what to whom differs."""
    now = _told(new)
    then = _told(old)
    if now is None or then is None:
        return False
    return _other_persons(now, then) or _turned_round(now, then)


def differ_in_a_word(new: Sentence, old: Sentence) -> bool:
    """Whether two short sentences have the same words but for a few in one place, or in another order.

    "I live in York", "I live in New York"; "Kim called Ana", "Ana called Kim". Who tells the same
    once more does so in the same words, or in other ones all along.
    """
    if max(len(new.words), len(old.words)) > _SHORT:
        return False
    if Counter(new.words) == Counter(old.words):
        return new.words != old.words and _LINKING.isdisjoint(new.words)
    edits = SequenceMatcher(None, new.words, old.words, autojunk=False).get_opcodes()
    changed = [edit for edit in edits if edit[0] != "equal"]
    if len(changed) != 1 or len(edits) == 1:
        return False
    _, start, end, other_start, other_end = changed[0]
    shorter, longer = sorted((end - start, other_end - other_start))
    return longer <= _LONGEST_SUBSTITUTION or (shorter <= 1 and longer <= _LONGEST_EDIT)


def _bare(told: _Told) -> list[str]:
    """The words of a text without endings behind an apostrophe, each once."""
    return list(dict.fromkeys(word.partition("'")[0] for word in told.sentence.words))


def _other_names(now: _Told, then: _Told) -> bool:
    """Whether each text names somebody or something that the other one does not name."""
    return bool(set(now.names) - set(_bare(then))) and bool(set(then.names) - set(_bare(now)))


def _other_persons(now: _Told, then: _Told) -> bool:
    """Whether one text is about somebody whom the other does not mention, by word or by name."""
    if now.persons == then.persons:
        return False
    if now.persons - then.persons and then.persons - now.persons:
        return True
    return set(now.names).isdisjoint(then.names)


def _turned_round(now: _Told, then: _Told) -> bool:
    """Whether who does what to whom, or whence and whither, is the other way round."""
    names = {*now.names, *then.names}
    orders = [[word for word in _bare(told) if word in names] for told in (now, then)]
    common = set(orders[0]) & set(orders[1])
    if [n for n in orders[0] if n in common] != [n for n in orders[1] if n in common]:
        return True
    directions = dict(_directed(then))
    for word, direction in _directed(now):
        other = directions.get(word, direction)
        if other != direction and _FROM in (direction, other):
            return True
    return _subject_is_object(now, then) or _subject_is_object(then, now)


def _subject_is_object(told: _Told, other: _Told) -> bool:
    """Whether the speaker does something in one text, and somebody else in the other."""
    subject = other.sentence.subject.partition("'")[0]
    if told.sentence.subject != "i" or not _PERSON.fullmatch(subject):
        return False
    return _LINKING.isdisjoint(told.sentence.words[1:2]) and _HAVING.isdisjoint(
        told.sentence.words[1:2]
    )


def _of_another(now: _Told, then: _Told) -> bool:
    """Whether one text tells of something that belongs to what the other tells of: "the violin's string"."""
    owners = {owner.owner for owner in then.owners}
    for owner in now.owners:
        if owner.key in then.keys and owner.owner[0] not in then.keys:
            continue  # a word that only looks like an owner
        if not _stands_in(owner.owner, then.forms):
            return True
        further = owner.owner not in owners
        if further and not any(_stands_in(form, then.forms) for form in owner.owned):
            return True
    return False


def _substituted(now: _Told, then: _Told) -> bool:
    """Whether one text has, in the place of a word of the other, another word."""
    matcher = SequenceMatcher(None, now.keys, then.keys, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind != "replace" or max(end - start, other_end - other_start) > _LONGEST_SUBSTITUTION:
            continue
        removed = [form for form in then.forms[other_start:other_end] if form]
        added = [form for form in now.forms[start:end] if form]
        gone = any(not _stands_in(form, now.forms) for form in removed)
        if gone and any(not _stands_in(form, then.forms) for form in added):
            return True
    return False


def _needed(now: _Told, then: _Told) -> float:
    codes = {now.language, then.language} - {""}
    if not now.telling or not then.telling or len(codes) > 1:
        return _NEVER
    steps = _NEEDED().get("".join(codes), _NEEDED_ELSEWHERE)
    shared = _share_told(now, then)
    if shared + 1 < 2 * min((least for least, _ in steps), default=_NEVER):
        return _NEVER  # whatever share of the older one stands in the newer one
    covered = _share_told(then, now)
    for least, nearness in steps:
        if shared + covered >= 2 * least:
            return nearness
    return _NEVER


def _share_told(told: _Told, other: _Told) -> float:
    """The share of the words of a text that stand in another one, 0..1."""
    found = 0
    for form in told.telling:
        found += any(
            _alike(word, candidate[place])
            for place, word in enumerate(form)
            for candidate in other.by_beginning.get((place, word[:_LEAST_PREFIX]), ())
        )
    return found / len(told.telling)

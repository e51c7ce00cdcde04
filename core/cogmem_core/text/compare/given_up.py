"""Does a new statement name what an old one states, and say that it is over?

"The pixel is dead, I got an iphone" after "my phone is a pixel". Such a statement shares hardly a word
with the question that the old one answers. Which value is the present one it need not say, so it
retires nothing; it only tells which of two statements is the later word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    Words,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import (
    cached_by_language,
    in_its_language,
    pair_in_one_language,
)
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.clauses import (
    OWN_SUBJECTS,
    Sentence,
    bare_words,
    sentences_of,
    tells,
    words_of,
)
from cogmem_core.text.compare.named import names_of
from cogmem_core.text.compare.wording import language_of
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, PARTS_OF_DAY, STOPWORDS, WEEKDAYS

_GIVEN_UP = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.revisions.given_up)})"
)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_SELVES = all_words(lambda language: language.compare.slots.selves)
_OWN = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.owners)})\Z"
)
_OWN_ENDINGS = Kept(
    lambda: [re.compile(language.compare.wording.person_ending) for language in languages_read()]
)
_WHEN = Words(lambda: [*PARTS_OF_DAY, *WEEKDAYS, *MONTHS, *STOPWORDS])
_OBJECT = MergedPattern(
    all_patterns(lambda language: language.compare.contradictions.object_ending)
)
_STOPS = MergedPattern(all_patterns(lambda language: language.compare.contradictions.stop_cue))
_SUFFERING = all_words(lambda language: language.compare.wording.auxiliaries)
_PREPOSITIONS = all_words(lambda language: language.compare.revisions.prepositions)
_LEADS = all_words(lambda language: language.compare.slots.leads)
_CLAUSE = re.compile(r"[,.;:!?()\u2013\u2014]+|\s-\s")


@in_its_language
@cached_by_language(1_024)
def given_up_words(text: str) -> frozenset[str]:
    """Tokens of the clauses of a text that say that something is over.

    But for parts of the day, and for whoever gives something up: "Tom stopped eating meat".
    """
    found: set[str] = set()
    for clause in _CLAUSE.split(text[:MAX_INPUT]):
        folded = fold_letters(clause)
        match = _GIVEN_UP.search(folded)
        if match is not None:
            found.update(set(tokens(folded)) - _giver(clause, folded, match))
    return frozenset(found) - _parts_of_day()


def _giver(clause: str, folded: str, match: re.Match[str]) -> set[str]:
    """Tokens of the name of who ends what stands behind the verb; where verbs stand last, between."""
    before = clause.split()[: len(folded[: match.start()].split())]
    words = list(map(fold_letters, before))
    names = {
        folded_word
        for word, folded_word in zip(before, words, strict=True)
        if word[:1].isupper() and not _OBJECT.search(folded_word)
    }
    between = [word for word in words if word not in names]
    code = language_of(clause)
    verb_last = bool(code) and LANGUAGES[code].time.verb_last
    what = " ".join(between) if verb_last else folded[match.end() :]
    behind = next(words_of(folded[match.end() :]), "")
    alone = verb_last or behind in _PREPOSITIONS or not _SUFFERING.isdisjoint(words_of(match[0]))
    if not tokens(what) or (alone and not _STOPS.search(folded)):
        return set()  # "the Pixel was stolen in May", "Klaus left in May"
    return {token for name in names for token in tokens(name)}


@cached_by_language(1)
def _parts_of_day() -> frozenset[str]:
    return frozenset(token for word in PARTS_OF_DAY for token in tokens(word))


@in_its_language
def own_values(text: str) -> frozenset[str]:
    """Tokens of what a statement states: the names in it, the value of its attribute, or else its last word."""
    values: set[str] = set()
    sentences = sentences_of(text)
    for sentence in sentences:
        for name in names_of(sentence, ()):
            values.update(tokens(name))
    attribute = attribute_of(text)
    if attribute is not None:
        values.update(tokens(attribute.value))
    elif not values and sentences:
        # "I go to work on foot": what a plain sentence ends with, but for "every morning".
        words = [word for word in sentences[0].first_clause.words if word not in _WHEN]
        values.update(tokens(words[-1]) if words else ())
    return frozenset(values)


@pair_in_one_language(False)
def is_over_for_another(new: str, old: str) -> bool:
    """Whether what a new statement says to be over is so for somebody whom the old one does not name.

    Or it is over for another thing of a kind: unit 2, where the old one tells of unit 1.

    Example:
        >>> is_over_for_another("My son isn't vegetarian anymore", "I'm vegetarian")
        True
        >>> is_over_for_another("Tom left the band", "Tom sings in the band")
        False
    """
    endings = [sentence for sentence in sentences_of(new) if sentence.search(_GIVEN_UP)]
    former = sentences_of(old)
    if endings and _is_of_speaker(endings[0]) and _is_of_person(former, new):
        return True  # my wife works there, I no longer do
    known = bare_words([word for sentence in former for word in sentence.words])
    numbered = dict(pair for sentence in former for pair in _numbered(sentence))
    return bool(endings) and all(_is_of_others(ending, known, numbered) for ending in endings)


def _is_of_speaker(sentence: Sentence) -> bool:
    return sentence.subject == "i" and _is_self(sentence.words[0])


def _is_of_person(sentences: Sequence[Sentence], other: str) -> bool:
    """Whether sentences tell of a person whom another text does not mention, and not of the speaker."""
    words = [word for sentence in sentences for word in sentence.words]
    person = sentences[0].subject.partition("'")[0] if sentences else ""
    if _PERSON.fullmatch(person) is None or any(map(_is_self, words)):
        return False
    return person not in bare_words(list(words_of(fold_letters(other))))


def _numbered(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Things that have numbers, with these: unit 1."""
    for thing, number in pairwise(sentence.words):
        if number.isdigit() and tokens(thing):
            yield thing, number


def _is_of_others(ending: Sentence, known: frozenset[str], numbered: Mapping[str, str]) -> bool:
    """Whether a sentence tells the end of something of others than those that are known."""
    if any(numbered.get(thing, number) != number for thing, number in _numbered(ending)):
        return True
    match = ending.search(_GIVEN_UP)
    if match is None or any(end.search(ending.folded) for end in _OWN_ENDINGS()):
        return False
    before = tuple(words_of(_CLAUSE.split(ending.folded[: match.start()])[-1]))
    behind = words_of(_CLAUSE.split(ending.folded[match.start() :])[0])
    if any(map(_is_self, before)) or any(_is_self(word) or _OWN.match(word) for word in behind):
        return False  # "the doctor took me off it", "my son sold our car"
    owners = {word.removesuffix("'s") for word in before if word.endswith("'s")}
    others = owners or {word for word in before if _is_somebody(word, ending)}
    if not others and len(before) == 1 and _opens_as_name(before[0], ending):
        others = {before[0]}
    return bool(others) and known.isdisjoint(others)


def _opens_as_name(word: str, sentence: Sentence) -> bool:
    """Whether the only word before a verb may be a name: "Bob sold", but not "Finally sold"."""
    if not _LEADS or word in _LEADS or not tells(word) or language_of(sentence.text) == "tr":
        return False
    return sentence.text.lstrip()[:1].isupper()


def _is_somebody(word: str, sentence: Sentence) -> bool:
    """Whether a word is a person or a name."""
    return word in names_of(sentence, ()) or _PERSON.fullmatch(word) is not None


def _is_self(word: str) -> bool:
    return OWN_SUBJECTS.match(word) is not None or word in _SELVES

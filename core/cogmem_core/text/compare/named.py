"""What a sentence names: figures, names, and whether two sentences speak of different things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.clauses import OWNERS, Sentence
from cogmem_core.text.compare.values import is_capital, stems_of, weekday_of
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, STOPWORDS, WEEKDAYS

_LINKING = all_words(lambda language: language.compare.revisions.linking)
_CHANGED = MergedPattern(all_patterns(lambda language: language.compare.revisions.changed))
_DIRECTIONS = all_words(lambda language: language.compare.revisions.directions)
_PRONOUNS = all_words(lambda language: language.compare.slots.takers)
_LEANING = all_words(lambda language: language.compare.wording.leaning)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_OWN = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.owners)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.own_subjects)})\Z"
)
_PHONE_DIGITS = 7


def identifies(value: str) -> bool:
    """Whether a value is a telephone number or a mail address."""
    return "@" in value or len(re.sub(r"\D", "", value)) >= _PHONE_DIGITS


@cached_by_language(4_096)
def figures_of(sentence: Sentence) -> frozenset[str]:
    """Numbers, times, weekdays and months of a sentence."""
    return frozenset(filter(None, map(_figure, sentence.words)))


@cached_by_language(8_192)
def _figure(word: str) -> str:
    """The number, time, weekday or month that a folded word is; empty for other words."""
    bare = word.partition("'")[0]
    number = bare in NUMBERS and bare not in STOPWORDS
    if bare[0].isdigit() or bare[0] == "+" or "@" in bare or (number and bare != "one"):
        return bare
    return weekday_of(bare)


def differ_in_many_figures(new: Sentence, old: Sentence) -> bool:
    """Whether two events are told: "on 2 March at 3", "on 9 March at 4"."""
    new_figures = figures_of(new)
    old_figures = figures_of(old)
    return len(new_figures - old_figures) > 1 and len(old_figures - new_figures) > 1


def other_thing(new: Sentence, old: Sentence, values: Sequence[str]) -> bool:
    """Whether the statements are about different things: the data team, the platform team.

    One is about "her" and the other about "him", a word that both share has different words before
    it, or each names somebody whom the other does not name; the values themselves do not count.
    """
    subjects = {new.subject, old.subject}
    if len(subjects) == 2 and subjects <= _PRONOUNS.now():
        return True
    if _is_of_another(new, old) or is_own_beside_other(new, old):
        return True
    old_before: dict[str, set[str]] = {}
    for before, word in pairwise(("", *old.words)):
        old_before.setdefault(word, set()).add(before)
    for before, word in pairwise(("", *new.words)):
        others = old_before.get(word, set())
        if not tokens(word) or not others or before in others or before in values:
            continue
        specific = [other for other in others if _specifies(other, values)]
        if specific and _specifies(before, values):
            return True
    months = [sentence.bare & set(MONTHS) for sentence in (new, old)]
    if months[0] and months[1] and months[0] != months[1] and not new.search(_CHANGED):
        return _LINKING.isdisjoint(new.words)
    names = [names_of(sentence, values) for sentence in (new, old)]
    return bool(names[0] - old.bare) and bool(names[1] - new.bare)


def _is_of_another(new: Sentence, old: Sentence) -> bool:
    """Whether only the new statement is about a person, or what a person or somebody named has.

    "The doctor raised my dose" is about the speaker's.
    """
    if not _is_of_somebody(new, unknown_to=old):
        return False
    behind = new.words[new.words.index(new.subject) + 1 :] if new.subject in new.words else ()
    return not any(_OWN.match(word) for word in behind)


def is_own_beside_other(new: Sentence, old: Sentence) -> bool:
    """Whether only the old statement is about somebody else, and the new one about its speaker.

    "They raised my dose" beside "My wife takes ...": a thing of the speaker's that the old one names,
    or what the speaker does, where no word may mean the other person ("we moved her bedtime").
    """
    if not _is_of_somebody(old, unknown_to=new):
        return False
    owned = [after for word, after in pairwise(new.words) if OWNERS.match(f"{word} ")]
    if any(stems_of([word]) & old.stems for word in owned):
        return True
    return new.subject == "i" and _LEANING.now().isdisjoint(new.words)


def _is_of_somebody(sentence: Sentence, *, unknown_to: Sentence) -> bool:
    """Whether a statement is about a person, or what somebody has, whom the other one does not name."""
    person, _, ending = sentence.subject.partition("'")
    if not _PERSON.fullmatch(person) and ending != "s":
        return False
    return person not in unknown_to.bare and stems_of([person]).isdisjoint(unknown_to.stems)


def _specifies(word: str, values: Sequence[str]) -> bool:
    """Whether a word before another one tells which of several things is meant."""
    if not word or word in values or word in _LINKING or word[0].isdigit():
        return False
    if word in _DIRECTIONS:
        return True
    return bool(OWNERS.match(f"{word} ")) or (bool(tokens(word)) and word not in STOPWORDS)


def names_of(sentence: Sentence, values: Sequence[str]) -> set[str]:
    """Words with a capital that are no dates, without the values."""
    return {word.partition("'")[0] for word in _capitals_of(sentence) if word not in values}


@cached_by_language(4_096)
def _capitals_of(sentence: Sentence) -> tuple[str, ...]:
    words: list[str] = []
    for word in sentence.words:
        if not is_capital(word, sentence.text, sentence.folded):
            continue
        if word not in MONTHS and word not in WEEKDAYS and word != "i":
            words.append(word)
    return tuple(words)


def names_another(new: Sentence, old: Sentence) -> bool:
    """Whether a name stands before what changed, unknown to the old: "of the Berlin team moved"."""
    match = new.search(_CHANGED)
    before = new.folded[: match.start()] if match else ""
    return any(name in before for name in names_of(new, ()) - old.bare)


def names_subject(new: Sentence, old: Sentence) -> bool:
    """Whether the new statement's first word is a name in the old one's subject: Emil, my son Emil."""
    first = new.words[0] if new.words else ""
    return bool(first) and first in old.words[:4] and is_capital(first, old.text)


def same_end(new: Sentence, old: Sentence) -> bool:
    """Whether both sentences end with the same word, and it tells something."""
    last = new.words[-1]
    return last == old.words[-1] and bool(stems_of([last]))

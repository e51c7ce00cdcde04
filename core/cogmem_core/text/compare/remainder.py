"""What else an old statement tells, besides what a new one takes back: then it is not retired whole. Pure.

Of 32 compound statements, half of them held back, 24 were retired whole before this was asked, and
none is since; of 20 with a mere circumstance 1 is kept besides ("so I carry an inhaler").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.languages.merged import (
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    all_words,
)
from cogmem_core.languages.reading import cached_by_language, pair_in_one_language
from cogmem_core.text.compare.clauses import OWN_SUBJECTS, OWNERS
from cogmem_core.text.compare.values import is_capital, stems_of
from cogmem_core.text.compare.wording import folded_words
from cogmem_core.text.sentences import is_verb, sentence_spans
from cogmem_core.text.vocabulary import MONTHS, WEEKDAYS

__all__ = ["changes_another_part", "tells_more"]

_JOINT = re.compile(r",(?!\d)|[;:]\s|\s[-\u2013\u2014]\s|[()]")
_CONJUNCTIONS = all_words(lambda language: language.compare.statements.conjunctions)
_TURNS = all_words(lambda language: language.compare.statements.turns)
_PRONOUNS = all_words(lambda language: language.compare.statements.subjects)
_THIRD = all_words(lambda language: language.grounding.third)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_PREPOSITIONS = all_words(lambda language: language.compare.revisions.prepositions)
_UNITS = all_entries(lambda language: language.time.units)
_PASSING = Words(lambda: [*WEEKDAYS, *MONTHS, *_UNITS])
_SUBJECT_WORDS = 3
_MOST_SEGMENTS = 12


class _Segment(NamedTuple):
    """A part of a text between commas, dashes, brackets and conjunctions.

    Attributes:
        words: folded.
        stems: of the words that tell something.
        joined: a conjunction stands before it.
    """

    words: tuple[str, ...]
    stems: frozenset[str]
    joined: bool


@pair_in_one_language(False)
def tells_more(old: str, new: str) -> bool:
    """Whether an old text tells something besides what a new one, which takes it back, speaks of.

    Example:
        >>> tells_more("My sister lives in Oslo, she's a dentist.", "She's no dentist any more.")
        True
        >>> tells_more("I smoke, about ten a day.", "I no longer smoke.")
        False
    """
    return _tells_more(old, new)


@cached_by_language(2_048)
def _tells_more(old: str, new: str) -> bool:
    segments = _segments(old)[:_MOST_SEGMENTS]
    new_words = folded_words(new)
    new_stems = stems_of(new_words)
    predicate_stems = new_stems - stems_of(_subject_of(new_words))
    shared_counts = [len(segment.stems & predicate_stems) for segment in segments]
    if not any(shared_counts):
        shared_counts = [len(segment.stems & new_stems) for segment in segments]
    if not shared_counts:
        return False
    if _introduces(old, new_stems) or _lists_more(segments, new_stems):
        return True
    missing_counts = [len(segment.stems - new_stems) for segment in segments]
    touched = max(
        range(len(segments)), key=lambda index: (shared_counts[index], -missing_counts[index])
    )
    subject = segments[touched].words[0]
    for index, segment in enumerate(segments):
        is_lost = 2 * missing_counts[index] >= len(segment.stems)
        apart = not shared_counts[index] or segment.words[0] != subject
        if index != touched and is_lost and apart and _states(segment):
            return True
    return False


@pair_in_one_language(False)
def changes_another_part(old: str, new: str, question: str) -> bool:
    """Whether a new text changes a part of an old one that a question does not ask for.

    Example:
        >>> old, new = "I do yoga on Tuesdays and swim on Saturdays.", "I gave up swimming."
        >>> [changes_another_part(old, new, asked) for asked in ("When is yoga?", "Do I swim?")]
        [True, False]
    """
    segments = _segments(old)[:_MOST_SEGMENTS]
    new_stems = stems_of(folded_words(new))
    asked_stems = stems_of(folded_words(question))
    if asked_stems & new_stems or not any(segment.stems & new_stems for segment in segments):
        return False
    touched = max(segments, key=lambda segment: len(segment.stems & new_stems))
    # Whom the first part names, the others speak of as well: "my sister lives in Oslo, she paints".
    asked_stems -= stems_of(_subject_of(list(segments[0].words)))
    others = [segment for segment in segments if segment is not touched]
    for other in others:  # "Nina owns billing, Omar owns search": who owns says nothing of which
        asked_stems -= touched.stems & other.stems
    return not asked_stems & touched.stems and any(asked_stems & other.stems for other in others)


def _lists_more(segments: Sequence[_Segment], new_stems: frozenset[str]) -> bool:
    """Whether a new text names only one of two things that an old one lists: "on Monday and Thursday"."""
    for before, item in pairwise(segments):
        if not item.joined or any(map(is_verb, item.words)) or before.stems.isdisjoint(new_stems):
            continue
        named = [stems_of(before.words[-1:]) <= new_stems, item.stems <= new_stems]
        if any(named) and not all(named):
            return True
    return False


def _introduces(old: str, new_stems: frozenset[str]) -> bool:
    """Whether an old text tells who somebody is whom the new one only names: "my husband Tom"."""
    words = folded_words(old)
    for index, word in enumerate(words[:-1]):
        if not _PERSON.fullmatch(word) or stems_of([word]) & new_stems:
            continue
        name = words[index + 1].partition("'")[0]
        if is_capital(name, old) and stems_of([name]) & new_stems:
            return True
    return False


def _segments(text: str) -> list[_Segment]:
    segments: list[_Segment] = []
    for start, end in sentence_spans(text):
        for part in _JOINT.split(text[start:end]):
            words: list[str] = []
            joined = False
            for word in folded_words(part):
                if word in _CONJUNCTIONS or word in _TURNS:
                    segments.append(_Segment(tuple(words), stems_of(words), joined))
                    words = []
                    joined = True
                else:
                    words.append(word)
            segments.append(_Segment(tuple(words), stems_of(words), joined))
    return [segment for segment in segments if segment.stems]


def _subject_of(words: list[str]) -> list[str]:
    """The words that a sentence begins with, up to its verb: "my husband Tom", "the rent"."""
    for index, word in enumerate(words[: _SUBJECT_WORDS + 1]):
        if is_verb(word):
            return list(words[:index])
    return list(words[:1])


def _states(segment: _Segment) -> bool:
    """Whether a segment is a statement of its own, no mere circumstance: "she's a dentist", "and ski"."""
    telling = [word for word in segment.words if stems_of([word]) and word not in _PASSING]
    if segment.joined and telling:
        return True
    first = segment.words[0]
    if first in _PRONOUNS or first in _THIRD or OWN_SUBJECTS.match(first):
        return True
    if OWNERS.match(f"{first} "):
        return True
    if is_verb(first) or first in _PREPOSITIONS:
        return False
    return len(segment.stems) > 1 and any(map(is_verb, segment.words))

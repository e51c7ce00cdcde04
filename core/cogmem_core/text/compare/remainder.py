"""What else an old statement tells, besides what a new one changes. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from cogmem_core.languages.merged import (
    all_words,
)
from cogmem_core.languages.reading import pair_in_one_language
from cogmem_core.text.compare.values import stems_of
from cogmem_core.text.compare.wording import folded_words
from cogmem_core.text.sentences import is_verb, sentence_spans

_JOINT = re.compile(r",(?!\d)|[;:]\s|\s[-\u2013\u2014]\s|[()]")
_CONJUNCTIONS = all_words(lambda language: language.compare.statements.conjunctions)
_TURNS = all_words(lambda language: language.compare.statements.turns)
_SUBJECT_WORDS = 3
_MOST_SEGMENTS = 12


class _Segment(NamedTuple):
    """A part of a text between commas, dashes, brackets and conjunctions.

    Attributes:
        words: folded.
        stems: of the words that tell something.
    """

    words: tuple[str, ...]
    stems: frozenset[str]


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


def _segments(text: str) -> list[_Segment]:
    segments: list[_Segment] = []
    for start, end in sentence_spans(text):
        for part in _JOINT.split(text[start:end]):
            words: list[str] = []
            for word in folded_words(part):
                if word in _CONJUNCTIONS or word in _TURNS:
                    segments.append(_Segment(tuple(words), stems_of(words)))
                    words = []
                else:
                    words.append(word)
            segments.append(_Segment(tuple(words), stems_of(words)))
    return [segment for segment in segments if segment.stems]


def _subject_of(words: list[str]) -> list[str]:
    """The words that a sentence begins with, up to its verb: "my husband Tom", "the rent"."""
    for index, word in enumerate(words[: _SUBJECT_WORDS + 1]):
        if is_verb(word):
            return list(words[:index])
    return list(words[:1])

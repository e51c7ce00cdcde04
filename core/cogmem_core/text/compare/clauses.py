"""Sentences as they are compared: their words without what only introduces them, their clauses and subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.wording import is_negation
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.vocabulary import NUMBERS

__all__ = [
    "OWNERS",
    "OWN_SUBJECTS",
    "Sentence",
    "bare_words",
    "first_clause",
    "have_other_labels",
    "is_part",
    "own_words",
    "sentence_of",
    "sentences_of",
    "subject_of",
    "tells",
    "words_of",
]

_ADVERBS = all_words(lambda language: language.compare.wording.time_adverbs)
_CUE_WORDS = all_words(lambda language: language.compare.contradictions.cue_words)
_ARTICLES = all_words(lambda language: language.compare.contradictions.articles)
OWNERS = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.owners)}|the)\s"
)
"""What stands before a thing of the speaker's, or before one thing that is meant."""
OWN_SUBJECTS = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.own_subjects)})\Z"
)
"""A word by which a sentence is about the speaker."""
_OPENER = MergedPattern(
    rf"(?:(?:{all_patterns(lambda language: language.compare.revisions.openers)})\b[\s,:!.]{{0,4}}){{1,4}}"
)
_DENIES_THAT = MergedPattern(all_patterns(lambda language: language.compare.revisions.denies_that))
_FOREIGN = MergedPattern(all_patterns(lambda language: language.compare.revisions.foreign))
_ANNOUNCING = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.contradictions.correction_cues)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.correction_openers)})\b"
)
_LABEL = re.compile(r"\s*((?:[\w'&.-]+\s){0,3}[\w'&.-]+):\s")
_NEWNESS = all_words(lambda language: language.compare.revisions.newness)
_SPACED_NUMBER = re.compile(r"\+?\d[\d() -]{5,}\d")
_WORD = re.compile(r"\+?[^\W_]+(?:[.,:'@_-][^\W_]+)*")
_CLAUSE_END = MergedPattern(
    r",(?!\d)|\s[-\u2013\u2014]\s|;|:\s"
    rf"|\b(?:{all_patterns(lambda language: language.compare.revisions.turns)})\b"
)
_CONTRACTED = {"s": "is", "re": "are", "m": "am", "ve": "have"}
_CONTRACTING = frozenset(
    ["i", "it", "he", "she", "we", "you", "they", "that", "there", "what", "who", "here"]
)
_MOST_SENTENCES = 4
_MOST_CLAUSES = 5
_LEAST_PART = 0.4  # of the words of a text
_SHORT_TEXT = 12  # words


class Sentence(NamedTuple):
    """A sentence as it is compared.

    Attributes:
        text: as it was said.
        folded: the same, folded.
        words: folded words without articles, cue words and adverbs of time.
    """

    text: str
    folded: str
    words: tuple[str, ...]


def own_words(text: str) -> str:
    """A text without the material of others in it, and what follows that: a letter, a review."""
    match = _FOREIGN.search(fold_letters(text[:MAX_INPUT]))
    return text[: match.start()] if match else text


@cached_by_language(2_048)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, and their clauses behind a comma, a dash or "but"."""
    sentences: list[Sentence] = []
    for start, end in list(sentence_spans(text))[:_MOST_SENTENCES]:
        part = text[start:end].strip()
        clauses = [clause.strip() for clause in _CLAUSE_END.split(part)[:_MOST_CLAUSES]]
        further = [clause for clause in clauses[1:] if clause]
        sentences += filter(None, map(sentence_of, [part, *further]))
    return tuple(sentences)


@cached_by_language(4_096)
def sentence_of(text: str) -> Sentence | None:
    """A sentence without words that only announce it; "it is not true that" is a negation."""
    folded = fold_letters(text)
    opener = _OPENER.match(folded)
    if opener and len(folded) == len(text):
        text = text[opener.end() :]
        folded = folded[opener.end() :]
    denial = _DENIES_THAT.match(folded)
    if denial and len(folded) == len(text):
        text = f"not {text[denial.end() :]}"
        folded = f"not {folded[denial.end() :]}"
    words = tuple(word for word in words_of(folded) if tells(word))
    return Sentence(text, folded, words) if words else None


def words_of(folded: str) -> Iterator[str]:
    """The words of a sentence; contracted verbs apart, addresses and telephone numbers whole."""
    whole = _SPACED_NUMBER.sub(lambda match: re.sub(r"[\s()-]", "", match.group()), folded)
    for word in _WORD.findall(whole):
        stem, _, ending = word.partition("'")
        verb = _CONTRACTED.get(ending, "")
        if stem in _CONTRACTING and verb:
            yield stem
            yield verb
        else:
            yield word


def tells(word: str) -> bool:
    """Whether a folded word is more than an article, a cue of a correction, or an adverb of time."""
    silent = word in _ARTICLES or word in _CUE_WORDS or word in _ADVERBS or word in _NEWNESS
    return not silent


def first_clause(sentence: Sentence) -> Sentence:
    """The sentence up to its first comma, dash or "but"."""
    return sentence_of(_CLAUSE_END.split(sentence.text, maxsplit=1)[0]) or sentence


def have_other_labels(new: str, old: str) -> bool:
    """Whether each of two texts begins with a label of its own: "Unit 1: ...", "Unit 2: ..."."""
    labels = [_label(text) for text in (new, old)]
    return all(labels) and not (labels[0] <= labels[1] or labels[1] <= labels[0])


@cached_by_language(2_048)
def _label(text: str) -> frozenset[str]:
    """The words before a colon near the beginning, unless they only announce what follows."""
    match = _LABEL.match(fold_letters(text))
    if match is None or _OPENER.match(match[1]) or _ANNOUNCING.search(match[1]):
        return frozenset()
    return frozenset(words_of(match[1]))


def bare_words(words: Sequence[str]) -> frozenset[str]:
    """Folded words without case endings behind an apostrophe; numbers as figures."""
    return _bare_words(tuple(words))


@cached_by_language(4_096)
def _bare_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(str(NUMBERS.get(word, word)).partition("'")[0] for word in words)


@cached_by_language(4_096)
def subject_of(sentence: Sentence) -> str:
    """Whom a sentence is about: "i" for the speaker, a thing of theirs, or its first word."""
    words = [word for word in sentence.words if not is_negation(word)]
    if not words or OWN_SUBJECTS.match(words[0]):
        return "i"
    if OWNERS.match(f"{words[0]} ") and len(words) > 1:
        return words[1]
    return words[0]


def is_part(sentence: Sentence, sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence is a small part of a text, most of which still holds when it does not."""
    whole = sum(
        len(other.words) for other in sentences if "," not in other.text or other is sentence
    )
    longest = max(len(other.words) for other in sentences)
    return len(sentence.words) < _LEAST_PART * max(whole, longest) and longest > _SHORT_TEXT

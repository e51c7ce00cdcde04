"""Sentences as they are compared: their words without what only introduces them, their clauses and subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.values import conditions_of, stems_of
from cogmem_core.text.compare.wording import is_negation, is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.vocabulary import NUMBERS

OWNERS = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.owners)}|the)\s"
)
"""What stands before a thing of the speaker's, or before one thing that is meant."""
OWN_SUBJECTS = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.own_subjects)})\Z"
)
"""A word by which a sentence is about the speaker."""
_INVERTED = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.inverted)})\Z"
)
_OPENER = MergedPattern(
    rf"(?:(?:{all_patterns(lambda language: language.compare.revisions.openers)})\b[\s,:!.]{{0,4}}){{1,4}}"
)
_DENIES_THAT = MergedPattern(all_patterns(lambda language: language.compare.revisions.denies_that))
_FOREIGN = MergedPattern(all_patterns(lambda language: language.compare.revisions.foreign))
_BEGUN = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.revisions.begun)})\b"
)
_ANNOUNCING = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.compare.contradictions.correction_cues)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.correction_openers)})\b"
)
_LABEL = re.compile(r"\s*((?:[\w'&.-]+\s){0,3}[\w'&.-]+):\s")
_SILENT = (
    all_words(lambda language: language.compare.contradictions.articles)
    | all_words(lambda language: language.compare.contradictions.cue_words)
    | all_words(lambda language: language.compare.wording.time_adverbs)
    | all_words(lambda language: language.compare.revisions.newness)
)
_QUESTION = re.compile("[?\uff1f\u061f\u037e]")
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb]')
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


class Sentence:
    """A sentence as it is compared.

    It is compared with many others, so what is found in it is kept with it.

    Attributes:
        text: as it was said.
        folded: the same, folded.
        words: folded words without articles, cue words and adverbs of time.
    """

    def __init__(self, text: str, folded: str, words: tuple[str, ...]) -> None:
        self.text = text
        self.folded = folded
        self.words = words
        self._matches: dict[MergedPattern | AnyPattern, re.Match[str] | None] = {}

    def search(self, pattern: MergedPattern | AnyPattern) -> re.Match[str] | None:
        """What `pattern` finds in the folded sentence."""
        try:
            return self._matches[pattern]
        except KeyError:
            match = self._matches[pattern] = pattern.search(self.folded)
            return match

    @cached_property
    def stems(self) -> frozenset[str]:
        """See `values.stems_of`."""
        return stems_of(self.words)

    @cached_property
    def bare(self) -> frozenset[str]:
        """See `bare_words`."""
        return bare_words(self.words)

    @cached_property
    def conditions(self) -> tuple[frozenset[str], ...]:
        """See `values.conditions_of`; since when something is so is no condition."""
        return conditions_of(without_beginning(self).words)

    @cached_property
    def asks(self) -> bool:
        """Whether there is a question mark in it."""
        return _QUESTION.search(self.text) is not None

    @cached_property
    def quotes(self) -> bool:
        """Whether there are quotation marks in it."""
        return _QUOTED.search(self.text) is not None

    @cached_property
    def negative(self) -> bool:
        """See `wording.is_negative`."""
        return is_negative(self.text)

    @cached_property
    def subject(self) -> str:
        """Whom it is about: "i" for the speaker, a thing of theirs, or its first word."""
        words = [word for word in self.words if not is_negation(word)]
        if not words or OWN_SUBJECTS.match(words[0]) or any(map(_INVERTED.match, words[1:2])):
            return "i"
        if OWNERS.match(f"{words[0]} ") and len(words) > 1:
            return words[1]
        return words[0]

    @cached_property
    def first_clause(self) -> Sentence:
        """The sentence up to its first comma, dash or "but"."""
        return sentence_of(_CLAUSE_END.split(self.text, maxsplit=1)[0]) or self


def without_beginning(sentence: Sentence) -> Sentence:
    """A sentence without the words for since when something is so: "since Monday"."""
    match = sentence.search(_BEGUN)
    if match is None:
        return sentence
    return (
        sentence_of(f"{sentence.text[: match.start()]} {sentence.text[match.end() :]}") or sentence
    )


@cached_by_language(2_048)
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
    silent = _SILENT.now()
    words = tuple(word for word in words_of(folded) if word not in silent)
    return Sentence(text, folded, words) if words else None


def words_of(folded: str) -> Iterator[str]:
    """The words of a sentence; contracted verbs apart, addresses and telephone numbers whole."""
    whole = _SPACED_NUMBER.sub(lambda match: re.sub(r"[\s()-]", "", match.group()), folded)
    for word in _WORD.findall(whole):
        stem, apostrophe, ending = word.partition("'")
        if apostrophe and stem in _CONTRACTING and ending in _CONTRACTED:
            yield stem
            yield _CONTRACTED[ending]
        else:
            yield word


def tells(word: str) -> bool:
    """Whether a folded word is more than an article, a cue of a correction, or an adverb of time."""
    return word not in _SILENT


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

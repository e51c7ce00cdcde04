"""Split a message into facts: sentences, and clauses that clearly are facts of their own. Pure.

A clause is cut off only where each side has a subject and a verb, and subjects or entities differ;
never inside quotation marks, brackets, numbers and names, never in a question, never after a word
that governs both sides ("if", "said"), and never before a pronoun that needs the other side ("and
it helps"). In doubt a sentence stays whole: a fact too long is recalled, a fact torn apart is
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES, Language
from cogmem_core.languages.base import ClauseWord
from cogmem_core.languages.merged import Kept, MergedPattern, all_words, languages_read, mark
from cogmem_core.languages.reading import cached_by_language, current, in_its_language
from cogmem_core.languages.tables import any_of
from cogmem_core.text.folding import (
    MAX_INPUT,
    Span,
    fold_letters,
    inside,
    mark_span,
    quoted_spans,
    trimmed,
)
from cogmem_core.text.vocabulary import GOVERNING, MONTHS, STOPWORDS

_LIMIT = 500
_PROSE = 500  # characters; a longer "sentence" is a list or a log, and is only cut to length
_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u2019)\]]{0,8}(?=\s)|(?<!\n)\n+")
_ABBREVIATIONS = all_words("words.abbreviations")
_BRACKETS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def _conjunction(language: Language) -> str:
    """A pattern of a conjunction of the language with what may follow it."""
    words = language.words
    pattern = rf",?\s+(?P<{language.code}>{any_of(words.conjunctions)})\s+"
    if words.conjunction_followers:
        pattern += rf"(?:{any_of(words.conjunction_followers)}\s+)?"
    return pattern


_JOINT = MergedPattern(rf"\s*;\s+|{mark(lambda: '|'.join(map(_conjunction, languages_read())))}")
_VERB_TESTS = Kept(
    lambda: [language.words.is_verb for language in languages_read() if language.words.is_verb]
)


class Piece(NamedTuple):
    """A fact and where it was said.

    Attributes:
        text: the fact, at most `limit` characters; where its subject stands in the clause before,
            that is put first.
        start: where it begins in the message, in characters.
        end: where it ends.
    """

    text: str
    start: int
    end: int


@in_its_language
@cached_by_language(512)
def split_facts(text: str, *, limit: int = _LIMIT) -> tuple[Piece, ...]:
    """Split a message into facts, in its order.

    Args:
        text: a message; what follows the first 5,000 characters is only cut to length.
        limit: the most characters of a fact; longer sentences are cut at a comma or a space.

    Returns:
        At least one piece unless the text is blank.
    """
    guarded = _guarded(text)
    pieces: list[Piece] = []
    for start, end in sentence_spans(text):
        for piece in _clauses(text, start, end, guarded):
            pieces += _short(piece, limit)
    return tuple(pieces)


def sentence_spans(text: str) -> list[Span]:
    """Places of the sentences, without the white space around them; blank ones are left out."""
    return list(_sentence_spans(text))


@cached_by_language(512)
def _sentence_spans(text: str) -> tuple[Span, ...]:
    is_guarded = bytearray(min(len(text), MAX_INPUT) + 1)  # per character
    for start, end in _guarded(text):
        mark_span(is_guarded, start, end)
    ends: list[int] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] != "\n":
            quoted = match.start() < MAX_INPUT and is_guarded[match.start()]
            if quoted or not _closes(text, start, match):
                continue
        start = match.end()
        ends.append(start)
    spans: list[Span] = []
    start = 0
    for end in (*ends, len(text)):
        spans += trimmed(text, start, end)
        start = end
    return tuple(spans)


def is_verb(word: str) -> bool:
    """Whether a folded word has a finite form of a common verb, in any language that has a list."""
    return any(knows(word) for knows in _VERB_TESTS())


def _guarded(text: str) -> list[Span]:
    return quoted_spans(text) + [match.span() for match in _BRACKETS.finditer(text[:MAX_INPUT])]


def _closes(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence.

    Not after an abbreviation, an initial, or before `3. Mayıs`.
    """  # noqa: RUF002
    following = text[match.end() : match.end() + 40].lstrip()
    if not following or match.group() != ".":
        return True
    preceding = text[max(start, match.start() - 12) : match.start()].split()
    word = fold_letters(preceding[-1]).lstrip("(\"'") if preceding else ""
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    next_word = _WORD.match(following)
    names_month = next_word is not None and fold_letters(next_word.group()) in MONTHS
    return not following[0].islower() and not (word.isdigit() and names_month)


def _clauses(text: str, start: int, end: int, guarded: list[Span]) -> list[Piece]:
    """The clauses of a sentence.

    They are cut off from the right: what follows "Jerry and" decides what "and Jerry" is.
    """
    pieces: list[Piece] = []
    if text[end - 1] != "?" and end <= MAX_INPUT and end - start <= _PROSE:
        words = _words(text[start:end], start)
        for joint in reversed(list(_JOINT.finditer(text, start, end))):
            if inside(joint.start(), guarded) or inside(joint.end(), guarded):
                continue
            left = [word for word in words if word.start < joint.start()]
            right = [word for word in words if joint.end() <= word.start < end]
            subject = LANGUAGES[joint.lastgroup or current()[0]].words.separate_facts(left, right)
            if subject is not None:
                pieces.append(Piece(subject + text[joint.end() : end], joint.end(), end))
                end = joint.start()
    return [Piece(text[start:end], start, end), *reversed(pieces)]


def _words(text: str, offset: int) -> list[ClauseWord]:
    words = []
    governing = GOVERNING.now()
    stop_words = STOPWORDS.now()
    for match in _WORD.finditer(text):
        folded = fold_letters(match.group())
        word = ClauseWord(
            text=match.group(),
            folded=folded,
            start=match.start() + offset,
            governs=folded in governing,
            stop_word=folded in stop_words,
        )
        words.append(word)
    return words


def _short(piece: Piece, limit: int) -> Iterator[Piece]:
    """Cut a piece that is too long after a comma, else at a space, else anywhere."""
    text = piece.text
    start = piece.end - len(text)
    if len(text) <= limit:
        yield piece
        return
    while text:
        cut = _cut_position(text, limit)
        part = text[:cut].rstrip()
        if part:
            yield Piece(part, max(start, piece.start), start + len(part))
        remaining = text[cut:].lstrip()
        start += len(text) - len(remaining)
        text = remaining


def _cut_position(text: str, limit: int) -> int:
    """Where to cut a text, so that at most `limit` characters stand before it."""
    if len(text) <= limit:
        return len(text)
    cut = max(text.rfind(", ", 0, limit - 1), text.rfind("; ", 0, limit - 1)) + 1
    if cut <= limit // 2:
        cut = text.rfind(" ", 0, limit + 1)
    return cut if cut > 0 else limit

"""What was remembered and only comes back: our context block, and sentences that repeat a memory.

A sentence repeats a memory word for word, or, if an assistant says it, in other words: then nothing
in it may be new. Numbers, names and negation have to agree with one memory, so that a corrected
value is never taken for an echo. In doubt a sentence stays: at worst something is remembered twice.
"""

# ruff: noqa: RUF003 - Turkish is spelt in Turkish

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.merged import MergedPattern, all_patterns
from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.text.compare.statements import (
    Statement,
    Word,
    coordinated,
    fold,
    holds,
    inflected_language,
    informs,
    is_negation,
    read,
    words_of,
)
from cogmem_core.text.folding import Span, fold_letters, mark_span
from cogmem_core.text.safety import context_frame
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.vocabulary import MONTHS

P = ParamSpec("P")
Value = TypeVar("Value")

_RUN = 8  # words; a shorter part of a memory may be said again by chance
_LONGEST_CACHED = 500  # characters; longer memories are read anew each time

_TAG = lazy_pattern(
    rf"<[ \t]{{0,8}}(?P<close>/?)[ \t]{{0,8}}{context_frame.TAG}\b[^<>\n]{{0,200}}>", re.IGNORECASE
)
_HEADINGS = (
    context_frame.NOTE,
    context_frame.ALWAYS,
    context_frame.HOT,
    context_frame.WORKING,
    context_frame.RECALLED,
)
_MORE = re.escape(context_frame.MORE).replace(r"\{\}", r"[0-9]{1,9} memor(?:y|ies)")
_ASK = re.escape(context_frame.ASK).replace(r"\{\}", r"[^\n]{0,400}")
_NOTE = f"(?:{'|'.join(map(re.escape, _HEADINGS))}|{_MORE}|{_ASK})"
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_UNIT = r"[0-9]{1,4} (?:minute|week|month|year)s?"
_LABEL = (
    rf"(?:just now|in a moment|(?:earlier|later) today|yesterday|tomorrow|(?:last"
    rf"|next) (?:{_WEEKDAY}|week|month|year)"
    rf"|{_UNIT} ago|in {_UNIT})"
)
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PLANNED = r"(?:, was planned(?: for [0-9]{1,2} [A-Z][a-z]{2,8}(?: [0-9]{4})?)?)?"
_ORIGIN = f"(?:, (?:{'|'.join(map(re.escape, context_frame.ORIGINS.values()))}))?"
_FURTHER = rf"(?:, (?:about|until) {_DATE}){{0,2}}{_PLANNED}"
_WHEN = rf"(?:{_DATE}, {_LABEL}{_FURTHER}|(?:noted|said later,) {_DATE}|{_LABEL}, in short)"
_BULLET = rf"[-*+\u2022\u2013] (?:(?:earlier )?\({_WHEN}|earlier \({_DATE}{_FURTHER}){_ORIGIN}\) "
_LINE = lazy_pattern(
    rf"^[ \t>]{{0,32}}(?:{_NOTE}[ \t]*$|{_BULLET}[^\n]*)\n?", re.IGNORECASE | re.MULTILINE
)
# An open tag that nothing closes is a block of ours if our lines follow, another tag, or the end of
# its line.
_BLOCK = lazy_pattern(
    rf"[ \t]{{0,32}}(?:$|<|[ \t>]{{0,32}}(?:{_NOTE}|{_BULLET}))", re.IGNORECASE | re.MULTILINE
)
_LEFT_OF_BLOCK = " \t>"
_EMPTY_FENCE = lazy_pattern(
    r"^[ \t>]{0,32}(?P<mark>```|~~~)[^\n`]{0,40}\n(?:[ \t>]{0,32}\n){0,8}[ \t>]{0,32}(?P=mark)[ "
    r"\t]*$\n?",
    re.MULTILINE,
)


def without_context_blocks(text: str) -> str:
    """The text without our context blocks and without single lines of them.

    A block counts whatever the case and indentation of its tags, in a quotation ("> ") or a code
    fence; one that is never closed runs to the end. A single line counts if it has a bullet, a date
    and a relative label as we write them.

    Returns:
        The text itself if there is none; else the rest without empty lines around it.
    """
    remaining = text
    if "<" in text:
        remaining = _without_blocks(text)
    remaining = _LINE.sub("", remaining)
    if remaining == text:
        return text
    # Only line ends are taken from its ends: where a line begins must not change, or what remains
    # could look like ours.
    remaining = _EMPTY_FENCE.sub("", remaining).strip("\n")
    return remaining if remaining.strip() else ""


def _without_blocks(text: str) -> str:
    """The text without blocks; words on both sides of a block in a line are on two lines now."""
    pieces: list[str] = []
    position = 0
    for start, end in _blocks(text):
        pieces.append(text[position:start].rstrip(_LEFT_OF_BLOCK))
        position = end
        while position < len(text) and text[position] in " \t":
            position += 1
        if not (pieces[-1].endswith("\n") or text.startswith("\n", position)):
            pieces.append("\n")
    return "".join([*pieces, text[position:]])


def _blocks(text: str) -> Iterator[Span]:
    """Spans of our blocks, nested ones within the outer.

    A closing tag that closes nothing is a block of its own.
    """
    opened: list[re.Match[str]] = []
    spans: list[Span] = []
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            opened.append(tag)
        elif opened:
            spans.append((opened.pop().start(), tag.end()))
        else:
            spans.append(tag.span())
    unclosed = [tag for tag in opened if _BLOCK.match(text, tag.end())]
    spans += [(tag.start(), len(text)) for tag in unclosed]
    block_end = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= block_end:
            yield start, end
            block_end = end


def without_echoes(text: str, memories: Sequence[str], *, exact: bool) -> str:
    """The text without those sentences that only repeat a memory, and without filler beside them.

    Args:
        text: a message.
        memories: texts of memories that the message may repeat; a speaker's name may stand before
            them ("Ana: ...").
        exact: a person's message: only what repeats a memory, or 8 words of it in a row, word for
            word. If False, an assistant's: also what says nothing that one memory does not say,
            apart from phrases such as "as you told me", pronouns, inflection and stop words.
            Statements joined by "and you", "and your", ... count singly.

    Returns:
        The text itself if no sentence is an echo; empty if the other sentences are filler
        ("Sure!").
    """
    text_words = words_of(text)
    sentences = _sentences(text, text_words)
    echoes = _repeated(text_words, sentences, memories)
    if not exact:
        echoes |= _paraphrased(sentences, memories)
    if not echoes:
        return text
    remaining = [
        sentence
        for index, sentence in enumerate(sentences)
        if index not in echoes and not _is_filler(sentence)
    ]
    if not any(sentence.words for sentence in remaining):
        return ""
    pieces = [remaining[0].text]
    for sentence in remaining[1:]:
        pieces += [sentence.gap, sentence.text]
    return "".join(pieces)


class _Sentence(NamedTuple):
    """A sentence.

    Attributes:
        gap: the white space before it.
        text: its text, with the number of a list before it.
        words: its words, without that number.
        claims: those that belong to no courtesy and tell more than who said it.
    """

    gap: str
    text: str
    words: list[Word]
    claims: list[Word]


_MARKS = dict.fromkeys(map(ord, "\"'`\u201c\u201d\u00ab\u00bb()[]"), " ")
_MARK = lazy_pattern("[\"'`\u201c\u201d\u00ab\u00bb()\\[\\]]")
_MANY_MARKS = 100  # the splitter takes time for each pair of them
_NUMBERING = lazy_pattern(r"[ \t]*(?:[-*+\u2022][ \t]*)?[0-9]{1,3}[.)]")
_WORD = lazy_pattern(r"[^\W\d_]{1,20}")


def _sentences(text: str, text_words: Sequence[Word]) -> list[_Sentence]:
    """Sentences, each with the number that the splitter takes for a sentence ("1. I run")."""
    idle = _idle(text)
    sentences: list[_Sentence] = []
    index = 0
    previous_end = 0
    for begin, start, end in _spans(text):
        sentence_words: list[Word] = []
        while index < len(text_words) and text_words[index].start < end:
            if text_words[index].start >= start:
                sentence_words.append(text_words[index])
            index += 1
        claims = [word for word in sentence_words if not idle[word.start]]
        sentences.append(
            _Sentence(text[previous_end:begin], text[begin:end], sentence_words, claims)
        )
        previous_end = end
    return sentences


def _spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each sentence begins, where its words begin behind a list number, and where it ends."""
    many_marks = len(_MARK.findall(text)) > _MANY_MARKS
    number: Span | None = None
    previous_end = 0
    for start, end in sentence_spans(text.translate(_MARKS) if many_marks else text):
        opens_line = not previous_end or "\n" in text[previous_end:start]
        previous_end = end
        if number is None and opens_line and _NUMBERING.fullmatch(text, start, end):
            number = (start, end)
            continue
        begin = start if number is None else number[0]
        yield begin, begin if _is_month(text, start) else start, end  # `3. Mayıs` is a date
        number = None
    if number is not None:
        yield number[0], *number


def _is_month(text: str, start: int) -> bool:
    word = _WORD.match(text, start)
    return word is not None and fold(word.group()) in MONTHS


_REPORTED = MergedPattern(
    rf"(?<![a-z0-9])(?:{all_patterns('compare.attribution.reporting')})"
    r"(?![a-z0-9'])"
)
_POLITE = MergedPattern(
    rf"(?<![a-z0-9])(?:{all_patterns('compare.attribution.courtesies')})"
    r"(?![a-z0-9'])"
)


def _idle(text: str) -> bytearray:
    """1 for each character of a phrase that tells only who said it, and of a courtesy."""
    folded = fold_letters(text).replace("\n", " ")
    idle = bytearray(len(text))
    for match in chain(_REPORTED.finditer(folded), _POLITE.finditer(folded)):
        mark_span(idle, *match.span())
    return idle


def _repeated(
    text_words: Sequence[Word], sentences: Sequence[_Sentence], memories: Sequence[str]
) -> set[int]:
    """Indices of the sentences of which every word repeats a memory, or tells only who said it."""
    repeated_starts = set(_repeated_starts(text_words, _runs(memories)))
    indices: set[int] = set()
    for index, sentence in enumerate(sentences):
        repeats = any(word.start in repeated_starts for word in sentence.words)
        if repeats and all(word.start in repeated_starts for word in sentence.claims):
            indices.add(index)
    return indices


def _cached(
    function: Callable[Concatenate[str, P], Value],
) -> Callable[Concatenate[str, P], Value]:
    """Cache what a function says of short memories.

    The memories of one prompt are compared with every turn of the next hour.
    """
    cached = text_cache(maxsize=1_024)(function)

    def call(text: str, /, *args: P.args, **kwargs: P.kwargs) -> Value:
        if len(text) > _LONGEST_CACHED:
            return function(text, *args, **kwargs)
        return cached(text, *args, **kwargs)

    return call


@_cached
def _memory_words(memory: str) -> tuple[Word, ...]:
    return tuple(words_of(memory))


@_cached
def _memory_statement(memory: str, code: str) -> Statement:
    """What a memory says in any of its readings."""
    readings = _readings(_memory_words(memory), code, filler=True)
    return Statement(*(frozenset().union(*stems) for stems in zip(*readings, strict=True)))


def _readings(text_words: Sequence[Word], code: str, *, filler: bool) -> list[Statement]:
    """What words may say.

    With endings a capital at the beginning may hide an ending; whether it does, only the comparison
    can tell.
    """
    readings = [read(text_words, code, names=True, filler=filler)]
    if code:
        readings.append(read(text_words, code, names=False, filler=filler))
    return readings


_Runs = dict[int, set[tuple[str, ...]]]


def _runs(memories: Iterable[str]) -> _Runs:
    """Whole memories and stretches of `_RUN` of their words, by length."""
    runs: _Runs = {}
    for memory in memories:
        plain = [_plain(word) for word in _memory_words(memory)]
        size = min(len(plain), _RUN)
        if size:
            stretches = runs.setdefault(size, set())
            for start in range(len(plain) - size + 1):
                stretches.add(tuple(plain[start : start + size]))
    return runs


def _repeated_starts(text_words: Sequence[Word], runs: _Runs) -> Iterator[int]:
    """Where the words start that are part of a run."""
    plain = [_plain(word) for word in text_words]
    for size, stretches in runs.items():
        for start in range(len(plain) - size + 1):
            if tuple(plain[start : start + size]) in stretches:
                for word in text_words[start : start + size]:
                    yield word.start


def _plain(word: Word) -> str:
    return word.folded.replace("'", "")


def _paraphrased(sentences: Sequence[_Sentence], memories: Sequence[str]) -> set[int]:
    """Indices of the sentences of which one of the memories says each statement."""
    statements: dict[str, list[Statement]] = {}
    indices: set[int] = set()
    for index, sentence in enumerate(sentences):
        code = inflected_language(sentence.text)
        if code not in statements:
            statements[code] = [_memory_statement(memory, code) for memory in memories]
        if _is_paraphrased(sentence, code, statements[code]):
            indices.add(index)
    return indices


def _is_paraphrased(sentence: _Sentence, code: str, memories: Sequence[Statement]) -> bool:
    paraphrased = False
    for part in coordinated(sentence.claims):
        readings = _readings(part, code, filler=False)
        if not any(reading.affirmed or reading.denied for reading in readings):
            continue
        if not any(holds(memory, reading) for memory in memories for reading in readings):
            return False
        paraphrased = True
    return paraphrased


def _is_filler(sentence: _Sentence) -> bool:
    """Whether a sentence says nothing.

    One that denies says something about the sentences beside it.
    """
    denies = any(is_negation(word.raw) for word in sentence.claims)
    return bool(sentence.words) and not denies and not informs(sentence.claims)

"""What was remembered and only comes back: our own context block, and sentences that repeat a memory. Pure, EN and TR.

A sentence repeats a memory word for word, or, if an assistant says it, in other words: then nothing
in it may be new. Numbers, names and negation have to agree with one memory, so that a corrected
value is never taken for an echo. In doubt a sentence stays: at worst something is remembered twice.
"""

# ruff: noqa: RUF003 - Turkish is spelt in Turkish

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from cogmem_core.text.compare.statements import (
    Spoken,
    Statement,
    coordinated,
    fold,
    holds,
    informs,
    is_negation,
    is_turkish,
    read,
    spoken,
)
from cogmem_core.text.folding import fold_letters
from cogmem_core.text import context_frame as context
from cogmem_core.text.lexicon.calendar import MONTHS
from cogmem_core.text.lexicon.reporting import COURTESIES, REPORTING
from cogmem_core.text.sentences import sentence_spans

__all__ = ["novel", "strip_fenced"]

P = ParamSpec("P")
Value = TypeVar("Value")

_RUN = 8  # words; a shorter part of a memory may be said again by chance
_KEPT = 500  # characters; what longer memories say is read anew each time

_TAG = re.compile(
    rf"<[ \t]{{0,8}}(?P<close>/?)[ \t]{{0,8}}{context.TAG}\b[^<>\n]{{0,200}}>", re.IGNORECASE
)
_NOTE = f"(?:{'|'.join(map(re.escape, (context.NOTE, context.HOT, context.WORKING, context.RECALLED)))})"
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_UNIT = r"[0-9]{1,4} (?:minute|week|month|year)s?"
_LABEL = (
    rf"(?:just now|in a moment|(?:earlier|later) today|yesterday|tomorrow|(?:last|next) (?:{_WEEKDAY}|week|month|year)"
    rf"|{_UNIT} ago|in {_UNIT})"
)
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ORIGIN = f"(?:, (?:{'|'.join(map(re.escape, context.ORIGINS.values()))}))?"
_BULLET = rf"[-*+\u2022\u2013] \((?:{_DATE}, {_LABEL}(?:, (?:about|until) {_DATE}){{0,2}}|{_LABEL}, in short){_ORIGIN}\) "
_LINE = re.compile(
    rf"^[ \t>]{{0,32}}(?:{_NOTE}[ \t]*$|{_BULLET}[^\n]*)\n?", re.IGNORECASE | re.MULTILINE
)
# An open tag that nothing closes is a block of ours if our lines follow, another tag, or the end of
# its line.
_BLOCK = re.compile(
    rf"[ \t]{{0,32}}(?:$|<|[ \t>]{{0,32}}(?:{_NOTE}|{_BULLET}))", re.IGNORECASE | re.MULTILINE
)
_LEFT_OF_BLOCK = " \t>"
_EMPTY_FENCE = re.compile(
    r"^[ \t>]{0,32}(?P<mark>```|~~~)[^\n`]{0,40}\n(?:[ \t>]{0,32}\n){0,8}[ \t>]{0,32}(?P=mark)[ \t]*$\n?",
    re.MULTILINE,
)


def strip_fenced(text: str) -> str:
    """The text without our context blocks and without single lines of them.

    A block counts whatever the case and indentation of its tags, in a quotation ("> ") or a code
    fence; one that is never closed runs to the end. A single line counts if it has a bullet, a date
    and a relative label as we write them.

    Returns:
        The text itself if there is none; else the rest without empty lines around it.
    """
    rest = _without_blocks(text)
    rest = _LINE.sub("", rest)
    if rest == text:
        return text
    # Only line ends are taken from its ends: where a line begins must not change, or what is left
    # could look like ours.
    rest = _EMPTY_FENCE.sub("", rest).strip("\n")
    return rest if rest.strip() else ""


def _without_blocks(text: str) -> str:
    """The text without blocks; what stood on both sides of one in a line is on two lines now."""
    kept: list[str] = []
    position = 0
    for start, end in _blocks(text):
        kept.append(text[position:start].rstrip(_LEFT_OF_BLOCK))
        position = end
        while position < len(text) and text[position] in " \t":
            position += 1
        if not (kept[-1].endswith("\n") or text.startswith("\n", position)):
            kept.append("\n")
    return "".join([*kept, text[position:]])


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Places of our blocks, nested ones within the outer.

    A closing tag that closes nothing is one by itself.
    """
    opened: list[re.Match[str]] = []
    found: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            opened.append(tag)
        else:
            found.append((opened.pop().start() if opened else tag.start(), tag.end()))
    found += [(tag.start(), len(text)) for tag in opened if _BLOCK.match(text, tag.end())]
    end = 0
    for start, stop in sorted(found, key=lambda block: (block[0], -block[1])):
        if start >= end:
            yield start, stop
            end = stop


def novel(text: str, known: Sequence[str], *, exact: bool) -> str:
    """The text without those sentences that only repeat a memory, and without filler beside them.

    Args:
        text: a message.
        known: texts of memories that the message may repeat; a speaker's name may stand before them
            ("Ana: ...").
        exact: a person's message: only what repeats a memory, or 8 words of it in a row, word for
            word. If False, an assistant's: also what says nothing that one memory does not say,
            apart from phrases such as "as you told me", pronouns, inflection and stop-words.
            Statements joined by "and you", "and your", ... count singly.

    Returns:
        The text itself if no sentence is an echo; empty if the rest is filler ("Sure!").
    """
    said = spoken(text)
    sentences = _sentences(text, said)
    echoes = _repeated(said, sentences, known)
    if not exact:
        echoes |= _paraphrased(sentences, known)
    if not echoes:
        return text
    kept = [s for index, s in enumerate(sentences) if index not in echoes and not _is_filler(s)]
    if not any(sentence.said for sentence in kept):
        return ""
    return "".join([kept[0].text, *(sentence.before + sentence.text for sentence in kept[1:])])


class _Sentence(NamedTuple):
    """A sentence and the white space before it.

    Attributes:
        said: its words, without the number of a list before it.
        claimed: those that do not tell only who said it, and are no courtesy.
    """

    before: str
    text: str
    said: list[Spoken]
    claimed: list[Spoken]


_MARKS = {ord(mark): " " for mark in "\"'`\u201c\u201d\u00ab\u00bb()[]"}
_MANY_MARKS = 100  # the splitter takes time for each pair of them
_NUMBERING = re.compile(r"[ \t]*(?:[-*+\u2022][ \t]*)?[0-9]{1,3}[.)]")
_WORD = re.compile(r"[^\W\d_]{1,20}")


def _sentences(text: str, said: Sequence[Spoken]) -> list[_Sentence]:
    """Sentences, each with the number that the splitter takes for one of its own ("1. You like tea")."""
    idle = _idle(text)
    found: list[_Sentence] = []
    at = last = 0
    for begin, start, end in _spans(text):
        first = at
        while at < len(said) and said[at].start < end:
            at += 1
        listed = [word for word in said[first:at] if word.start >= start]
        claimed = [word for word in listed if not idle[word.start]]
        found.append(_Sentence(text[last:begin], text[begin:end], listed, claimed))
        last = end
    return found


def _spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each sentence begins, where its words begin after the number of a list, and where it ends."""
    masked = text.translate(_MARKS)
    many = sum(one != other for one, other in zip(text, masked, strict=True)) > _MANY_MARKS
    numbered: tuple[int, int] | None = None
    last = 0
    for start, end in sentence_spans(masked if many else text):
        opens = not last or "\n" in text[last:start]
        last = end
        if numbered is None and opens and _NUMBERING.fullmatch(text, start, end):
            numbered = start, end
            continue
        begin = start if numbered is None else numbered[0]
        yield begin, begin if _is_month(text, start) else start, end  # `3. Mayıs` is a date
        numbered = None
    if numbered is not None:
        yield numbered[0], *numbered


def _is_month(text: str, start: int) -> bool:
    word = _WORD.match(text, start)
    return word is not None and fold(word.group()) in MONTHS


_REPORTED = re.compile(r"(?<![a-z0-9])(?:" + "|".join(REPORTING) + r")(?![a-z0-9'])")
_POLITE = re.compile(r"(?<![a-z0-9])(?:" + "|".join(COURTESIES) + r")(?![a-z0-9'])")


def _idle(text: str) -> bytearray:
    """1 for each character of a phrase that tells only who said it, and of a courtesy."""
    folded = fold_letters(text).replace("\n", " ")
    marked = bytearray(len(text))
    for match in chain(_REPORTED.finditer(folded), _POLITE.finditer(folded)):
        marked[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    return marked


def _repeated(
    said: Sequence[Spoken], sentences: Sequence[_Sentence], known: Sequence[str]
) -> set[int]:
    """Indices of the sentences of which every word repeats a memory, or tells only who said it."""
    repeats = _repeats([_plain(word) for word in said], _runs(known))
    places = {word.start for word, repeat in zip(said, repeats, strict=True) if repeat}
    return {
        index
        for index, sentence in enumerate(sentences)
        if any(word.start in places for word in sentence.said)
        and all(word.start in places for word in sentence.claimed)
    }


def _kept(read: Callable[Concatenate[str, P], Value]) -> Callable[Concatenate[str, P], Value]:
    """What went into one prompt is compared with every turn of the next hour: what short memories say is kept."""
    known = lru_cache(maxsize=1_024)(read)

    def call(text: str, /, *args: P.args, **kwargs: P.kwargs) -> Value:
        return known(text, *args, **kwargs) if len(text) <= _KEPT else read(text, *args, **kwargs)  # type: ignore[arg-type]

    return call


@_kept
def _words_of(memory: str) -> tuple[Spoken, ...]:
    return tuple(spoken(memory))


@_kept
def _told_by(memory: str, turkish: bool) -> Statement:
    return _joined(
        read(_words_of(memory), turkish=turkish, names=names) for names in _readings(turkish)
    )


def _readings(turkish: bool) -> tuple[bool, ...]:
    """In Turkish a capital at the beginning may hide an ending.

    Which it is, only the comparison can tell.
    """
    return (True, False) if turkish else (True,)


_Runs = dict[int, set[tuple[str, ...]]]


def _runs(known: Iterable[str]) -> _Runs:
    """Whole memories and stretches of `_RUN` of their words, by length."""
    runs: _Runs = {}
    for text in known:
        plain = [_plain(word) for word in _words_of(text)]
        size = min(len(plain), _RUN)
        if size:
            runs.setdefault(size, set()).update(
                tuple(plain[at : at + size]) for at in range(len(plain) - size + 1)
            )
    return runs


def _repeats(plain: Sequence[str], runs: _Runs) -> list[bool]:
    """For each word, whether it stands in one of the runs."""
    covered = [False] * len(plain)
    for size, found in runs.items():
        for at in range(len(plain) - size + 1):
            if tuple(plain[at : at + size]) in found:
                covered[at : at + size] = [True] * size
    return covered


def _plain(word: Spoken) -> str:
    return word.folded.replace("'", "")


def _paraphrased(sentences: Sequence[_Sentence], known: Sequence[str]) -> set[int]:
    """Indices of the sentences of which each statement says nothing that one of the memories does not say."""
    memories: dict[bool, list[Statement]] = {}
    found: set[int] = set()
    for index, sentence in enumerate(sentences):
        turkish = is_turkish(sentence.text)
        if turkish not in memories:
            memories[turkish] = [_told_by(memory, turkish) for memory in known]
        parts = [
            [read(part, turkish=turkish, names=names, filler=False) for names in _readings(turkish)]
            for part in coordinated(sentence.claimed)
        ]
        stated = [said for said in parts if any(one.affirmed or one.denied for one in said)]
        if stated and all(
            any(holds(memory, one) for memory in memories[turkish] for one in said)
            for said in stated
        ):
            found.add(index)
    return found


def _joined(readings: Iterable[Statement]) -> Statement:
    return Statement(*(frozenset().union(*parts) for parts in zip(*readings, strict=True)))


def _is_filler(sentence: _Sentence) -> bool:
    """Whether a sentence says nothing.

    One that denies says something about what stands beside it.
    """
    denies = any(is_negation(word.raw) for word in sentence.claimed)
    return bool(sentence.said) and not denies and not informs(sentence.claimed)

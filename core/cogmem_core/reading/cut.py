"""Cuts a text: what is not the speaker's goes first, then sentences, then their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from cogmem_core.reading.model import Kind, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.text.folding import trimmed

LONGEST = 6_000
"""Characters of a text that are read; what stands behind is pasted text."""
_FENCE = re.compile(
    r"```.*?(?:```|\Z)|<(\w+)[^<>]*>.*?</\1>|^[ \t]*<\w+[^<>]*>[ \t]*\n.*"
    r"|^[ \t]*\{\s*\"[^\"\n]+\"\s*:.*\}"
    # What stands above the mail that is answered or sent on.
    r"|^[ \t]*-{3,}[^-\n]+(?:-{5,}[ \t]*\n|-{3,}[ \t]*\n(?=[ \t]*(?:[Ff]rom|[Vv]on|[Dd]e|[Kk]imden)[ \t]*:)).*"
    r"|^(?=[^\n]*\d)[^\n]*<[^\s<>@]+@[^\s<>@]+>[^\n]*:[ \t]*\n(?![ \t]*>).*",
    re.DOTALL | re.MULTILINE,
)
_FENCE_MARKS = ("```", "<", '":', '" :', "---")
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_RECORD = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b"
    r"|(?P<mail>(?:from|to|subject|date|cc|sent|von|an|betreff|datum|gesendet|de|\u00e0|objet|envoy\u00e9"
    r"|para|asunto|enviado|kimden|kime|konu|tarih)\s*:\s)"
    r"|Traceback |  File \"|[ \t]+at \S+\(|[{}\]];?,?[ \t]*$|#include|import \w+;?$"
    r"|def \w+\(|class \w+[(:]|const \w+ =|let \w+ =|function \w+\(|SELECT .* FROM"
    r"|[A-Za-z_.]+ ?= ?[^=].*;[ \t]*$|\$ \w+|diff --git|[+-]{3} [ab]/).*$",
    re.MULTILINE | re.IGNORECASE,
)
_MACHINE = re.compile(
    r"^[ \t]*Traceback \(most recent call last\):(?s:.*?)(?:\n(?=\S)(?:[\w.]+(?::[^\n]*)?$)?|\Z)"
    r"|^@@ -\d[\d,]* \+\d[\d,]* @@(?s:.*?)(?=\n[^-+ \\]|\Z)"
    r"|^commit [0-9a-f]{7,40}\b[^\n]*\n(?=Author:|Commit|Merge:|Date:|[ \t])(?s:.*?)"
    r"(?=\n(?!Author|Commit|Merge:|Date|[ \t\n])|\Z)"
    r"|^thread '[^'\n]*'[^\n]{0,40} panicked at [^\n]*(?:\n[^\n]+)?"
    r"|^(?:(?=[0-9a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40} |E {3}|[ \t]+\d+:\d+[ \t]+(?:error|warning)[ \t]"
    r"|(?:FAILED|ERROR) \S+::|npm (?:ERR!|WARN) |(?=[^\s:]{0,200}[./])[^\s:]{1,200}:\d+(?::\d+)?:[ \t]"
    r"|(?:Exception in thread [^\n]{0,80} )?[\w$.]{0,80}\w(?:Error|Exception)(?::|$))"
    r"(?s:.*?)(?=\n(?![ \t]{1,20}at )|\Z)",
    re.MULTILINE,
)
"""What a program printed, which shows in one line: the end of a traceback, a hunk, a commit, a place in a file."""
_QUOTE = re.compile(
    r"(?<![\w])\"[^\"\n]{2,800}\"|(?<![\w'])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){2,800}'(?!\w)|\u201c[^\u201d\n]{2,800}\u201d"
    r"|\u201e[^\u201c\u201d\n]{2,800}[\u201c\u201d]|\[[^\[\]\n]{2,800}\](?!\()"
    r"|\u00ab[^\u00bb\n]{2,800}\u00bb|\u00bb[^\u00ab\n]{2,800}\u00ab|\u300c[^\u300d\n]{1,400}\u300d"
    r"|\u2018(?:[^\u2018\u2019\n]|(?<=\w)\u2019(?=\w)){2,800}\u2019(?!\w)"
)
_END = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u00bb)\]]*(?=\s|\Z)"
    r"|[\u3002\uff01\uff1f\u0964\u0965\u061f]+|\n+"
    r"|[.!?](?=[A-Z\u00c0-\u00de])|(?=\u00bf)|(?<=\s)(?=/(?:s|j|jk)\b)"
)
_ANY_END = re.compile(rf"{_END.pattern}|;(?=\s)")
_SAID_LINE = re.compile(
    r"^[ \t]*(\[[^\[\]\n]*\d\d?[:.]\d\d[^\[\]\n]*\][ \t]*)?([^\W\d_][\w .'/-]{0,30}?)"
    r"[ \u00a0]?:[ \t]+\S.*$",
    re.MULTILINE,
)
_SENT_ON = re.compile(
    r"^[ \t]*(?:fwd?|wg|tr|rv|ilt)[ \u00a0]?:[^\n]*\n\s*[^\n]+(?:\n[^\n]+)*",
    re.MULTILINE | re.IGNORECASE,
)
"""The line above a mail that was sent on, and the paragraph below it."""
_FOREIGN: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (_QUOTED_LINE, "quoted"),
    (_MACHINE, "pasted"),
    (_SENT_ON, "quoted"),
)
_BLANK = re.compile(r"\[[A-Z\u00c0-\u00dd][A-Z\u00c0-\u00dd _/-]*\]|(?<!\w)_{3,}(?!\w)")
"""A place to fill in: of a form, or of the model of a letter."""
_RULE = re.compile(r"^[ \t]*[-_=*]{3,}[ \t]*$", re.MULTILINE)
_QUOTED_WORDS = 3
_NEAR = 160  # characters between two lines of one record


class Stretch(NamedTuple):
    """A stretch of a text, and what it is; "" = the speaker's own words."""

    start: int
    end: int
    kind: Kind | Literal[""]


def stretches(text: str) -> list[Stretch]:
    """What of a text is the speaker's own, and what is pasted or quoted, in order."""
    end = min(len(text), LONGEST)
    foreign: list[tuple[int, int, Kind]] = []
    if any(mark in text for mark in _FENCE_MARKS):
        foreign += [
            (*match.span(), "pasted")
            for match in _FENCE.finditer(text, 0, end)
            if not _stresses(text, match)
        ]
    for pattern, kind in _FOREIGN:
        foreign += [(*match.span(), kind) for match in pattern.finditer(text, 0, end)]
    if "\n" in text:
        foreign += _records(text, end)
        foreign += dialogue(text, end)
    if "[" in text or "___" in text:
        foreign += _forms(text, end)
    foreign += [
        (*match.span(), "quoted")
        for match in _QUOTE.finditer(text, 0, end)
        if len(match.group().split()) >= _QUOTED_WORDS
    ]
    foreign.sort()
    found: list[Stretch] = []
    place = 0
    for start, stop, kind in foreign:
        if stop <= place:
            continue
        if text[place:start].strip():
            found.append(Stretch(place, start, ""))
        found.append(Stretch(max(place, start), stop, kind))
        place = stop
    if text[place:end].strip():
        found.append(Stretch(place, end, ""))
    if text[end:].strip():
        found.append(Stretch(end, len(text), "pasted"))
    return found


def _stresses(text: str, match: re.Match[str]) -> bool:
    """Whether tags stand round a few words within a line of text: "allergic to <b>nuts</b>"."""
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    few = "\n" not in match.group() and len(match.group().split()) < _QUOTED_WORDS
    return bool(match[1]) and few and any(map(str.isalpha, line))


def _forms(text: str, end: int) -> Iterator[tuple[int, int, Kind]]:
    """The lines with a place to fill in behind some words; a single word in brackets is none."""
    blanks = list(_BLANK.finditer(text, 0, end))
    for match in blanks:
        start = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end(), end)
        told = any(map(str.isalnum, text[start : match.start()]))
        if told and (len(blanks) > 1 or text[match.start()] == "_"):
            yield start, end if stop < 0 else stop, "quoted"


def _records(text: str, end: int) -> list[tuple[int, int, Kind]]:
    """Lines of logs, mails and code, where several stand near each other.

    What stands below the head of a mail is the mail, up to a line across the page.
    """
    found: list[tuple[int, int, int]] = []
    mails: list[Span] = []
    for match in _RECORD.finditer(text, 0, end):
        near = found and match.start() - found[-1][1] <= _NEAR
        begin, _, count = found.pop() if near else (match.start(), 0, 0)
        found.append((begin, match.end(), count + 1))
        if match["mail"]:
            mails.append(match.span())
    heads = [second for first, second in pairwise(mails) if second[0] - first[1] <= _NEAR]
    for begin, stop in heads:
        rule = _RULE.search(text, stop, end)
        found.append((begin, rule.start() if rule else end, 2))
    return [(start, stop, "pasted") for start, stop, count in found if count > 1]


def dialogue(text: str, end: int = LONGEST) -> list[tuple[int, int, Kind]]:
    """The lines of voices: a name behind a time, or names of which one comes back after another."""
    lines = list(_SAID_LINE.finditer(text, 0, end))
    names = [line[2].casefold() for line in lines]
    spoken = [name for place, name in enumerate(names) if names[place - 1 : place] != [name]]
    in_turn = len(set(spoken)) < len(spoken)
    return [(*line.span(), "quoted") for line in lines if in_turn or line[1]]


def voice(text: str, pack: Pack) -> str:
    """Who says a text by its first line ("Bob: ..."), as it stands there; "" if no line begins so."""
    match = _SAID_LINE.match(text, 0, _NEAR)
    return match[2] if match and not opens(match[2], pack) else ""


def opens(label: str, pack: Pack) -> bool:
    """Whether words before a colon open what follows, and name nobody: "By the way: ..."."""
    folded = pack.fold(f"{label},")
    stops = (pack.openers[kind].at(folded, 0, len(folded)) for kind in ("neutral", "correcting"))
    return any(stop >= len(label) for stop in stops)


def sentences(
    text: str, start: int, end: int, pack: Pack, *, loosely: bool = False
) -> Iterator[Span]:
    """The sentences between two places, without white space round them.

    `loosely`: also what may be one, behind a semicolon, or where it begins with a small letter.
    """
    begin = start
    for match in (_ANY_END if loosely else _END).finditer(text, start, end):
        if not _closes(text, begin, match, pack, loosely):
            continue
        yield from trimmed(text, begin, match.end())
        begin = match.end()
    yield from trimmed(text, begin, end)


def _closes(text: str, start: int, match: re.Match[str], pack: Pack, loosely: bool) -> bool:
    """Whether a full stop ends a sentence, and no abbreviation, initial or ordinal."""
    if "\n" in match.group():
        following = text[match.end() : match.end() + 30].lstrip()
        return loosely or "\n\n" in match.group() or not following[:1].islower()
    if match.group() != ".":
        return True
    before = text[max(start, match.start() - 20) : match.start()].split()
    word = pack.fold(before[-1]).lstrip("(\"'") if before else ""
    following = text[match.end() : match.end() + 30].lstrip()
    if pack.has("abbreviations", word) or _is_initial(word, pack):
        return False
    if not following:
        return True
    if word.isdigit():
        next_word = pack.fold(re.split(r"\W+", following, maxsplit=1)[0])
        if next_word in pack.words["months"] or (following[0].islower() and not loosely):
            return False
    # In a text that begins no sentence with a capital letter.
    small = text[start].islower() and len(word) > 1
    return loosely or small or not following[0].islower() or match.end() - match.start() > 1


def _is_initial(word: str, pack: Pack) -> bool:
    """Whether a word is a letter of an alphabet with capitals, and no word of the language: "J. Smith"."""
    return len(word) == 1 and word.upper() != word and word not in pack.subjects

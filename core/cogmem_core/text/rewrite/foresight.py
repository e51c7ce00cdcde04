"""Notice what a text says about the future, and until when that holds. English and Turkish; pure.

A plan expires: it holds until the last moment it speaks of, or for a week (seed 001). Questions and plans that were
given up ("I was going to") are none.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans
from cogmem_core.text.lexicon.calendar import NOT_FUTURE
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.time.periods import later
from cogmem_core.text.time.tense import lean

__all__ = ["Foresight", "foresee"]

# "I will always remember it" and "it will be fun" tell how somebody sees things, not what is to come and then over.
_STANDING = (
    r"(?!\s(?:never|always|forever|still)\b)"
    r"(?!\sbe\s(?:so\s|really\s|very\s|all\s|quite\s)?"
    r"(?:great|good|fun|fine|ok|okay|awesome|amazing|wonderful|worth|nice|proud|alright|right|there)\b)"
)
_ENGLISH = re.compile(
    r"(?<!\bmy\s)(?<!\bthe\s)(?<!\bhis\s)(?<!\bher\s)(?<!\bfree\s)(?<!\bnever\s)"
    rf"\bwill\b{_STANDING}|'ll\b{_STANDING}|\bwon't\b|\bgonna\b{_STANDING}"
    r"|(?:'m|'re|'s|\bam|\bis|\bare)\s(?:(?:not|also|still|now)\s)?(?:"
    r"going\sto\s(?!the\b|a\b|an\b|my\b|our\b|his\b|her\b|their\b|this\b|that\b)[a-z]+|about\sto|planning\s(?:to|on))\b"
    r"|\b(?:plan|plans|intend|intends|aim)\s(?:to|on)\b"
)
_TURKISH = re.compile(
    r"\b[a-z]{2,}(?:(?:acak|ecek)(?:lar|ler|sin|siniz)?|(?:acag|eceg)(?:im|iz))\b"
    r"|\b(?:planliyor(?:um|uz|lar)?|niyetindey\w{0,4}|niyetim var)\b|\b[a-z]{2,}m[ae]yi\s(?:dusunuyor"
    r"|planliyor)(?:um|uz)?"
)
_DAYS = ("day", "part", "time", "weekend", "week")
_SENTENCE = re.compile(r"[^.!?\n;]+(?:[.](?=\S)[^.!?\n;]+)*[.!?;]?")


class Foresight(NamedTuple):
    """A sentence about the future.

    Attributes:
        text: the sentence as it stands, `text[start:end]` of the message.
        start, end: its place.
        valid_until: when it stops being of use: the end of the time it names, else so many days later.
    """

    text: str
    start: int
    end: int
    valid_until: datetime


def foresee(text: str, said_at: datetime, *, default_days: int = 7) -> tuple[Foresight, ...]:
    """List the sentences that tell a plan or an appointment.

    Args:
        text: a message; its first 5,000 characters are read.
        said_at: when it was said, in the time zone of the speaker.
        default_days: how long a plan without a date holds, in days (seed 001: 7).

    Raises:
        InvalidInput: `said_at` has no time zone.
    """
    text = text[:MAX_INPUT]
    times = find_times(text, said_at)
    folded, quotes, found = fold_letters(text), quoted_spans(text), []
    for sentence in _SENTENCE.finditer(text):
        start, end = _trimmed(text, *sentence.span())
        if start == end or text[end - 1] == "?":
            continue
        ahead = [one for one in times if start <= one.start < end and one.last >= said_at and one.kind != "range"]
        dated = [one for one in ahead if one.first > said_at or one.relative]
        if _planned(text, folded, (start, end), quotes) or _appointed(folded, dated, said_at):
            until = max((one.last for one in dated), default=None) or later(said_at, default_days)
            found.append(Foresight(text[start:end], start, end, until))
    return tuple(found)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _planned(text: str, folded: str, span: tuple[int, int], quotes: list[tuple[int, int]]) -> bool:
    """Whether a word of the sentence says that something will be; `Will` with a capital is a person."""
    english = (
        match
        for match in _ENGLISH.finditer(folded, *span)
        if not (match.group() == "will" and text[match.start()] == "W")
    )
    turkish = (match for match in _TURKISH.finditer(folded, *span) if not _noun(match, folded, span[1]))
    return any(not inside(match.start(), quotes) for matches in (english, turkish) for match in matches)


def _noun(match: re.Match[str], folded: str, end: int) -> bool:
    """`gelecek hafta` is next week; `Ali gelecek.` is a plan."""
    return match.group() in NOT_FUTURE and not (
        match.group() == "gelecek" and folded[match.end() : end].strip(" .!") == ""
    )


def _appointed(folded: str, times: list[TimeMention], said_at: datetime) -> bool:
    """Whether the sentence, without looking back, names a day to come: "my flight is on Friday"."""
    return any(
        one.first > said_at and one.kind in _DAYS and lean(folded, one.start, one.end, turkish=one.turkish) >= 0
        for one in times
    )

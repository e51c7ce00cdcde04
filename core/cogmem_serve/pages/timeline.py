"""What the server draws, and the same as a list: what held from when until when, and who and what is connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations
from math import cos, pi, sin

from starlette.responses import Response

from cogmem_core.knowledge.statements import NAMED
from cogmem_core.reading.topics import SPEAKER
from cogmem_core.results import Profile, ProfileLine
from cogmem_core.text.folding import fold_letters
from cogmem_serve.pages.lines import names, stands_alone
from cogmem_serve.pages.moments import day_of
from cogmem_serve.pages.page import Page

_WIDTH = 800
_NARROW = 368
_ROW = 34
_LABEL = 110
_TALLEST = 24
_LETTER = 7
_LOOKED_AT = 200  # memories that were replaced or ended, the newest
_ENDED = 8
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """What held for a while.

    Attributes:
        words: what is written on it.
        begin: its first day.
        end: its last day; None = it holds.
        memory_id: that says so.
    """

    words: str
    begin: date
    end: date | None
    memory_id: str


@dataclass(frozen=True, slots=True)
class Lane:
    """What of one thing held one after the other.

    Attributes:
        section: of the profile.
        spans: oldest first.
    """

    section: str
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Box:
    """A span as it is drawn: its place, and as many of its words as there is room for."""

    x: float
    width: float
    y: int
    words: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lanes as a picture.

    Attributes:
        name: of its size.
        width: of the picture.
        height: of the picture.
        labels: sections, and where they stand.
        boxes: spans.
        years: where marks of the axis stand, and the years.
        today: where the present is.
    """

    name: str
    width: int
    height: int
    labels: Sequence[tuple[str, int]]
    boxes: Sequence[Box]
    years: Sequence[tuple[float, int]]
    today: float


def show_timeline(page: Page) -> Response:
    """What changed when: of all, of one section, or of somebody."""
    who, section = page.asked("who"), page.asked("of")
    found = page.bank.profile(who)
    everybody = page.bank.profile() if who else found
    sections = [name for name, _ in found.by_section()]
    told = [(line, None) for line in found.lines] + _ended(page, who, found)
    lanes = [
        _lane(page, line, end)
        for line, end in told
        if (section in (None, line.section))
        and (who or section or stands_alone(line) or line.guards)
    ][:_TALLEST]
    today = page.today
    changes = sorted(
        ((span, lane.section) for lane in lanes for span in lane.spans),
        key=lambda one: one[0].begin,
        reverse=True,
    )
    return page.show(
        "timeline.html",
        drawings=[_drawn(lanes, today, *size) for size in (("wide", _WIDTH), ("narrow", _NARROW))]
        if lanes
        else [],
        changes=changes,
        sections=sections,
        others=names(everybody, everybody.lines),
        who=who or "",
        of=section or "",
    )


def _ended(
    page: Page, who: str | None, found: Profile
) -> list[tuple[ProfileLine, datetime | None]]:
    """Lines as they were before they ended, with nothing in their place, and when that was."""
    former = {old.memory_id for line in found.lines for old in line.former}
    gone = page.bank.list(state="superseded", limit=_LOOKED_AT, newest_first=True)
    ends = {
        memory.id: memory.valid_until
        for memory in gone
        if memory.superseded_by is None and memory.valid_until and memory.id not in former
    }
    return [
        (line, end)
        for memory_id, end in list(ends.items())[:_ENDED]
        for line in page.bank.profile(who, as_of=end - _MOMENT).lines
        if memory_id in line.memory_ids
    ]


def _lane(page: Page, line: ProfileLine, end: datetime | None) -> Lane:
    """A line until its end, with what was true before, oldest first; nothing ends before it begins."""
    here = page.zone
    begin = day_of(line.since or line.said[0], here)
    until = day_of(end, here) if end else None
    spans = [
        Span(line.value if line.slot in NAMED else line.text, begin, until, line.memory_ids[0])
    ]
    for old in line.former:
        until = day_of(old.until, here) if old.until else spans[0].begin
        start = min(day_of(old.since, here), until)
        spans.insert(0, Span(old.value or old.text, start, until, old.memory_id))
    return Lane(line.section, spans)


def _drawn(lanes: Sequence[Lane], today: date, name: str, width: int) -> Drawing:
    first = min(span.begin for lane in lanes for span in lane.spans)
    days = max(30, (today - first).days)
    left = _LABEL if name == "wide" else 0

    def place(day: date) -> float:
        share = max(0.0, min(1.0, (day - first).days / days))
        return round(left + share * (width - left - 4), 1)

    boxes = []
    for row, lane in enumerate(lanes):
        for span in lane.spans:
            x = place(span.begin)
            end = place(span.end or today)
            room = int((end - x - 8) / _LETTER)
            words = span.words if len(span.words) <= room else span.words[: max(0, room - 1)]
            shown = "" if room < 2 else words + ("" if words == span.words else "\u2026")
            boxes.append(Box(x, max(3.0, end - x), 24 + row * _ROW, shown, span.end is None))
    labels = [
        (lane.section, 24 + row * _ROW + 17)
        for row, lane in enumerate(lanes)
        if left and (row == 0 or lanes[row - 1].section != lane.section)
    ]
    months = [
        first.replace(day=1) + timedelta(days=31 * number) for number in range(days // 31 + 2)
    ]
    years = sorted(
        {date(day.year, 1, 1) for day in months if first <= date(day.year, 1, 1) <= today}
    )
    height = 24 + len(lanes) * _ROW + 8
    return Drawing(
        name, width, height, labels, boxes, [(place(day), day.year) for day in years], place(today)
    )


_MOST = 13
_SIZES = (("wide", 800, 420), ("narrow", 368, 460))
_MARGIN = 56
_THICKEST = 6
_LARGEST = 9
_YOU = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two that stand in the same sentences.

    Attributes:
        pair: how lines name them, the speaker first.
        words: the sentences by the memory that says them.
    """

    pair: tuple[str, str]
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Map:
    """The map as a picture.

    Attributes:
        name: of its size.
        width: of the picture.
        height: of the picture.
        dots: where each is, and how large.
        lines: the ends of each tie, and how thick it is.
    """

    name: str
    width: int
    height: int
    dots: Mapping[str, tuple[float, float, int]]
    lines: Sequence[tuple[float, float, float, float, int]]


def show_map(page: Page) -> Response:
    """Who stands beside whom in what is known."""
    found = page.bank.profile()
    written = names(found, found.lines)
    counts = Counter(line.of for line in found.lines if line.of in written)
    known = dict(counts.most_common(_MOST))
    ties = _ties(found.lines, known)
    return page.show(
        "connections.html",
        names=written,
        counts=known,
        ties=ties,
        drawings=[_mapped(known, ties, *size) for size in _SIZES] if known else [],
    )


def _ties(lines: Sequence[ProfileLine], known: Mapping[str, int]) -> list[Tie]:
    """Between any two of one sentence, those of the most sentences first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for line in lines:
        words = set(fold_letters(line.text).replace(",", " ").replace(".", " ").split())
        there = {of for of in known if of == line.of or of in words}
        if not words.isdisjoint(SPEAKER) or line.of == _YOU:
            there.add(_YOU)
        for one, other in combinations(sorted(there), 2):
            found.setdefault((one, other), {}).setdefault(line.memory_ids[0], line.text)
    ties = [Tie(pair, words) for pair, words in found.items()]
    return sorted(ties, key=lambda tie: (-len(tie.words), tie.pair))


def _mapped(
    known: Mapping[str, int], ties: Sequence[Tie], name: str, width: int, height: int
) -> Map:
    """All of them on an ellipse, the speaker on top."""
    everybody = {_YOU: _LARGEST, **known}
    height = min(height, 120 + 30 * len(everybody))
    dots = {}
    for number, (of, count) in enumerate(everybody.items()):
        angle = 2 * pi * number / len(everybody) - pi / 2
        x = width / 2 + (width / 2 - _MARGIN) * cos(angle)
        y = height / 2 + (height / 2 - _MARGIN / 2) * sin(angle)
        dots[of] = (round(x, 1), round(y, 1), min(_LARGEST, 3 + count // 2))
    lines = [
        (*dots[one][:2], *dots[other][:2], min(_THICKEST, len(tie.words)))
        for tie in ties
        for one, other in (tie.pair,)
    ]
    return Map(name, width, height, dots, lines)

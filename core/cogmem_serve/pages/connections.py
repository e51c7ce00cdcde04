"""The map: who and what is connected, through which memories; drawn by the server, and the same as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, pi, sin

from starlette.responses import Response

from cogmem_core.reading.topics import SPEAKER
from cogmem_core.results import ProfileLine
from cogmem_core.text.folding import fold_letters
from cogmem_serve.pages.lines import names
from cogmem_serve.pages.page import Page

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
class Drawing:
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


def show(page: Page) -> Response:
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
        drawings=[_drawn(known, ties, *size) for size in _SIZES] if known else [],
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


def _drawn(
    known: Mapping[str, int], ties: Sequence[Tie], name: str, width: int, height: int
) -> Drawing:
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
    return Drawing(name, width, height, dots, lines)

"""Figures for pictures that are drawn as SVG: points and bars in a box of fixed size. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """One column of a histogram, in a box of 100 x 100."""

    label: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A line in a box, and the area below it.

    Attributes:
        line: points for `polyline`.
        area: points for `polygon`.
        width: of the box.
        height: of the box.
        ticks: where marks of the horizontal axis stand, with their labels.
    """

    line: str
    area: str
    width: float
    height: float
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sum; its width is its share in percent."""

    name: str
    value: float
    width: float


def bars(counts: Mapping[str, int]) -> tuple[Bar, ...]:
    """A histogram; the highest column fills the box, and a small one can still be seen."""
    highest = max(counts.values(), default=0) or 1
    step = 100 / max(1, len(counts))
    drawn = []
    for place, (label, count) in enumerate(counts.items()):
        height = 0.0 if not count else max(2.0, 100 * count / highest)
        drawn.append(
            Bar(
                label,
                count,
                round(place * step + step * 0.08, 2),
                round(100 - height, 2),
                round(step * 0.84, 2),
                round(height, 2),
            )
        )
    return tuple(drawn)


def curve(points: Sequence[tuple[float, float]]) -> Curve:
    """Values 0..1 over days from 0 on."""
    width, height = 360.0, 120.0
    last = points[-1][0] if points else 1.0
    placed = [
        (round(days / last * width, 1), round((1 - value) * height, 1)) for days, value in points
    ]
    line = " ".join(f"{x:g},{y:g}" for x, y in placed)
    ticks = [days for days in (0, 30, 60, 90) if days <= last]
    return Curve(
        line,
        f"0,{height:g} {line} {width:g},{height:g}",
        width,
        height,
        tuple((round(days / last * width, 1), str(days)) for days in ticks),
    )


def parts(values: Mapping[str, float]) -> tuple[Part, ...]:
    """What a sum is made of, the largest first; what takes away is not drawn."""
    positive = sorted(
        ((name, value) for name, value in values.items() if value > 0), key=lambda item: -item[1]
    )
    total = sum(value for _, value in positive) or 1.0
    return tuple(Part(name, value, round(100 * value / total, 2)) for name, value in positive)

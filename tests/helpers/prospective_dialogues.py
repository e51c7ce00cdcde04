"""Seeded dialogues in which something is to come up later, each with negatives that look like it.

A scene has an intention, ways to say what it waits for, turns that fulfil it, and turns that are
near: the same people and things, but denied, planned, asked, long ago, or about something else.
The matcher was fitted without the scenes `HELD_BACK`.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FILLERS", "HELD_BACK", "SCENES", "Dialogue", "Scene", "dialogues"]


@dataclass(frozen=True)
class Scene:
    """What is to come up, when, what fulfils that, and what only looks like it."""

    text: str
    when: tuple[str, ...]
    hits: tuple[str, ...]
    near: tuple[str, ...]


_FIRST, *_ROWS = map(
    json.loads,
    (Path(__file__).resolve().parents[1] / "data" / "prospective_scenes.jsonl")
    .read_text(encoding="utf-8")
    .splitlines(),
)
FILLERS: tuple[str, ...] = tuple(_FIRST["fillers"])
"""Turns that have nothing to do with any scene."""
SCENES = tuple(
    Scene(row["text"], tuple(row["when"]), tuple(row["hits"]), tuple(row["near"])) for row in _ROWS
)
HELD_BACK = tuple(number for number, row in enumerate(_ROWS) if row["held_back"])
"""Numbers of the scenes that were not used while the matcher was fitted."""


@dataclass(frozen=True)
class Dialogue:
    """What is intended, what it waits for, and the turns; `hit`: the place of the turn that fulfils it."""

    number: int
    text: str
    when: str
    turns: tuple[str, ...]
    hit: int | None


def dialogues(count: int, *, seed: int = 7, turns: int = 10) -> Iterator[Dialogue]:
    """So many dialogues; every second one has only turns that are near, and must stay silent."""
    random_ = random.Random(seed)
    for number in range(count):
        scene = SCENES[number % len(SCENES)]
        said = random_.sample(FILLERS, turns)
        for place, near in zip(
            random_.sample(range(turns), 3), random_.sample(scene.near, 3), strict=True
        ):
            said[place] = near
        hit = None
        if number // len(SCENES) % 2 == 0:
            hit = random_.randrange(2, turns)
            said[hit] = random_.choice(scene.hits)
        yield Dialogue(number, scene.text, random_.choice(scene.when), tuple(said), hit)

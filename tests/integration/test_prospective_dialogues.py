"""Seeded dialogues with matched negatives: what is due is told in its window, nothing else is, and nothing twice.

Two engines on one bank hear every turn, and both are closed and opened again in the middle; the
clocks of Berlin change during the night in which it all happens. Every fourth intention is
cancelled before its turn comes. Scenes that were held back while the matcher was fitted are counted
by themselves, too.
"""

import dataclasses
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import EmbeddingConfig
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.prospective_dialogues import HELD_BACK, SCENES, Dialogue, dialogues

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 3, 28, 20, tzinfo=timezone.utc)
CONFIG = dataclasses.replace(MANUAL, embedding=EmbeddingConfig(cache_entries=10_000))
HOUR = timedelta(hours=1)


class Night:
    """One dialogue: what is intended, and what two engines hand out turn by turn."""

    def __init__(self, dialogue: Dialogue, engine: Engine, clock: FrozenClock) -> None:
        self.dialogue, self.name = dialogue, f"user-{dialogue.number}"
        bank = engine.bank(self.name)
        self.said = bank.intend(dialogue.text, when=dialogue.when).id
        self.moment = dialogue.number % len(dialogue.turns)
        at = (EVENING + HOUR * self.moment).astimezone(BERLIN)
        self.timed = bank.intend("look at the clock", at=at, window=HOUR).id
        self.cancelled = dialogue.number % 4 == 3
        self.fired: list[tuple[int, str]] = []

    def hear(self, place: int, engines: list[Engine]) -> None:
        if place == 2 and self.cancelled:
            for intention in engines[0].bank(self.name).intentions(["open", "due"]):
                engines[0].bank(self.name).settle(intention.id, "cancelled")
        for engine in engines:
            due = engine.bank(self.name).due(self.dialogue.turns[place])
            self.fired += [(place, intention.id) for intention in due]

    def count(self, counts: Counter[str]) -> None:
        """Adds what came right and what went wrong."""
        hit = self.dialogue.hit
        counts["turns"] += len(self.dialogue.turns)
        counts["double"] += len(self.fired) - len({name for _, name in self.fired})
        counts["cancelled"] += sum(self.cancelled and place >= 2 for place, _ in self.fired)
        if hit is not None and not self.cancelled:
            counts["expected"] += 1
            counts["told"] += (hit, self.said) in self.fired
        if not self.cancelled or self.moment < 2:
            counts["timed"] += 1
            counts["on time"] += (self.moment, self.timed) in self.fired
        counts["false"] += sum(
            place != (hit if name == self.said else self.moment) for place, name in self.fired
        )


def lived(folder: Path, count: int) -> tuple[Counter[str], Counter[str]]:
    """What came of so many dialogues: of all, and of the scenes that were held back."""
    clock = FrozenClock(EVENING)

    def opened() -> list[Engine]:
        return [
            cogmem_core.open(folder, embedder="minilm", clock=clock, config=CONFIG)
            for _ in range(2)
        ]

    engines = opened()
    nights = [Night(dialogue, engines[0], clock) for dialogue in dialogues(count)]
    for place in range(10):
        clock.now = EVENING + HOUR * place
        if place == 5:
            for engine in engines:
                engine.close()
            engines = opened()
        for night in nights:
            night.hear(place, engines)
    for engine in engines:
        engine.close()
    everything, held_back = Counter[str](), Counter[str]()
    for night in nights:
        night.count(everything)
        if night.dialogue.number % len(SCENES) in HELD_BACK:
            night.count(held_back)
    return everything, held_back


@pytest.mark.parametrize("count", [len(SCENES), pytest.param(500, marks=pytest.mark.thorough)])
def test_it_is_told_in_its_window_and_nothing_else_is(tmp_path: Path, count: int) -> None:
    everything, held_back = lived(tmp_path / "brain", count)
    assert (everything["double"], everything["cancelled"]) == (0, 0)
    assert everything["on time"] == everything["timed"] > 0, everything
    told = everything["told"] + everything["on time"]
    assert told >= 0.95 * (everything["expected"] + everything["timed"]), everything
    assert everything["told"] >= 0.9 * everything["expected"], everything
    assert everything["false"] <= 0.01 * everything["turns"], everything
    assert held_back["told"] >= 0.75 * held_back["expected"], held_back
    assert held_back["false"] <= 0.01 * held_back["turns"], held_back

"""Many long texts that are nearly equal: each is read once, and none is laid beside every other."""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import cogmem_core
from cogmem_core import Config
from cogmem_core.testing import MANUAL


def near_equals(count: int, words: int) -> list[str]:
    """So many texts of so many words, each with one word of its own."""
    chance = random.Random(words)
    base = [f"word{chance.randrange(3_000)}" for _ in range(words)]
    places = [chance.randrange(words) for _ in range(count)]
    return [
        " ".join([*base[:at], f"changed{number}", *base[at:]]) for number, at in enumerate(places)
    ]


def calls_of(act: Callable[[], object]) -> int:
    """How many functions it calls."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counting)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


CARELESS = replace(MANUAL, consolidation=replace(MANUAL.consolidation, careful=False))
"""As in some presets: the vectors alone decide what is a duplicate."""


def calls(count: int, words: int, config: Config = MANUAL) -> tuple[int, int]:
    """Of remembering them, and of the cycle after it."""
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        engine.pause()
        bank = engine.bank("alice")
        texts = near_equals(count, words)
        kept = calls_of(lambda: bank.remember(texts, mode="raw"))
        dreamt = calls_of(bank.consolidate)
        assert bank.count() == count
        return kept, dreamt


def test_pairs_of_long_texts_cost_nothing_that_grows_with_their_length() -> None:
    """Four times as long, and then twice as many: the cycle hardly notices, remembering reads each text once.

    Nor does it where vectors alone decide: what is too long for a fact is only the same as itself.
    """
    calls(2, 400)  # what is made once
    kept, dreamt = calls(4, 400)
    kept_longer, dreamt_longer = calls(4, 1_600)
    kept_more, _ = calls(8, 400)
    assert dreamt_longer < 1.5 * dreamt
    _, careless = calls(4, 1_600, CARELESS)
    assert careless < 1.1 * dreamt_longer
    assert kept_longer < 5 * kept
    assert kept_more < 2.5 * kept

"""What "near" means: a share of all pairs of the namespace, once there are enough of them."""

from dataclasses import replace

import pytest

from cogmem_core.config.presets import preset
from cogmem_core.consolidation.dream import Dream
from cogmem_core.consolidation.near_duplicates import duplicate_level, redundant_level
from unit.helpers.dream_cycles import Night


def levels(night: Night, name: str = "default") -> tuple[float, float]:
    """Of duplicates and of redundant memories."""
    services = replace(night.engine.services, config=preset(name))
    dream = Dream(services, "alice")
    with services.ledger.reading("alice") as ns:
        dream.load(ns, lambda: None)
    return duplicate_level(dream), redundant_level(dream)


def test_it_is_measured_where_there_is_enough_to_measure() -> None:
    """99 memories: the documents' numbers; a hundred: the embedder's own; presets keep their numbers in any case."""
    with Night() as night:
        night.bank.remember(
            [f"I saw heron number {number} at lake {number % 7}" for number in range(99)],
            mode="raw",
        )
        assert levels(night) == (0.95, 0.9)
        night.bank.remember("The bakery in the high street is closed on Mondays", mode="raw")
        duplicate, redundant = levels(night)
        assert 0.3 <= redundant <= duplicate <= 0.999
        assert (duplicate, redundant) != (0.95, 0.9)
        assert levels(night, "v9") == pytest.approx((0.95, 0.9))

"""Factors on a whole score: what each looks at, and what it is worth."""

from typing import Any

from cogmem_core.config import BoostConfig
from cogmem_core.config.presets import preset
from cogmem_core.retrieval.signals import BOOSTS
from helpers.tables import each_case_of, each_row_of
from unit.helpers.ranking_pools import pool, row

DEFAULT = BoostConfig()


def factors(name: str, *rows: Any, config: BoostConfig = DEFAULT, **more: Any) -> list[float]:
    return BOOSTS[name](pool(*rows, **more), config).tolist()


@each_row_of("boosts/where_a_memory_stands_within_its_tier")
def test_where_a_memory_stands_within_its_tier(changes: dict[str, Any], expected: str) -> None:
    """V9: episodic by who said it, semantic by what it is; a rule goes before a recipe."""
    assert row("a", **changes).sub_tier == expected


def test_each_sub_tier_has_its_factor() -> None:
    """V9: schematic 1.1, procedural 1.05, factual 1.0, vicarious 0.9; personal ones are measured, not lifted."""
    rows = (
        row("a"),
        row("b", data_source="system"),
        row("c", data_source="federation"),
        row("d", tier="semantic", category="pattern"),
        row("e", tier="semantic", category="procedure"),
        row("f", tier="semantic"),
    )
    assert factors("sub_tier", *rows) == [1.0, 1.0, 0.9, 1.1, 1.05, 1.0]
    assert factors("sub_tier", *rows, config=BoostConfig(personal=1.1, schematic=1.0)) == [
        1.1,
        1.0,
        0.9,
        1.0,
        1.05,
        1.0,
    ]


@each_case_of("boosts/memories_of_the_present_mood_are_lifted")
def test_memories_of_the_present_mood_are_lifted(mood: float, expected: list[float]) -> None:
    """V9: mood-congruent memory, 1.1 where the signs agree; a neutral memory has no sign."""
    rows = (row("a", valence=-0.3), row("b", valence=0.9), row("c", valence=0.0))
    assert factors("mood", *rows, mood=mood) == expected


def test_doubtful_sources_count_less() -> None:
    """V9: 0.9 below a source confidence of 0.3; the threshold itself is no doubt; off by default."""
    rows = (
        row("a", source_confidence=0.29),
        row("b", source_confidence=0.3),
        row("c", source_confidence=1.0),
    )
    assert factors("doubt", *rows) == [1.0, 1.0, 1.0]
    assert factors("doubt", *rows, config=preset("v9").retrieval.boosts) == [0.9, 1.0, 1.0]
    assert factors("doubt", *rows, config=BoostConfig(doubtful=0.5)) == [0.5, 1.0, 1.0]


def test_cold_memories_count_half() -> None:
    """Cognitive-memory: dormant and superseded ones at half their score; without the column nothing is cold."""
    assert factors("cold", row("a"), row("b"), cold=[True, False]) == [0.5, 1.0]
    assert factors("cold", row("a"), row("b")) == [1.0, 1.0]
    assert factors("cold", row("a"), cold=[True], config=BoostConfig(cold=0.0)) == [0.0]


def test_what_a_second_look_finds_counts_four_fifths() -> None:
    """`retrieval.boosts.again`; what is cold in its own right, as in a question about the past, stays at half."""
    rows = (row("a"), row("b"), row("c"))
    assert factors("cold", *rows, cold=[False, True, False], away=[True, False, False]) == [
        0.8,
        0.5,
        1.0,
    ]


def test_every_boost_can_be_switched_off() -> None:
    """1 = no effect."""
    off = BoostConfig(
        **dict.fromkeys(
            ("personal", "observed", "vicarious", "schematic", "procedural", "factual"), 1.0
        ),
        **dict.fromkeys(("mood", "doubtful", "cold"), 1.0),
    )
    rows = (row("a", tier="semantic", category="pattern", valence=1.0, source_confidence=0.0),)
    assert {name: factors(name, *rows, config=off, mood=1.0, cold=[True]) for name in BOOSTS} == {
        "sub_tier": [1.0],
        "mood": [1.0],
        "doubt": [1.0],
        "cold": [1.0],
    }

"""What keeps a memory from fading altogether: floors per category, and procedures that became knowledge."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core import ConfigError
from cogmem_core.config import StrengthConfig
from cogmem_core.edge.strength import retention_of
from cogmem_core.models import Memory
from helpers.tables import each_case_of, each_row
from unit.helpers.dream_cycles import Night

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
YEAR = NOON + timedelta(days=365)


def left(config: StrengthConfig, **fields: Any) -> float:
    """Retention after a year at S = 5."""
    return retention_of(
        Memory("m", "alice", "text", "hash", NOON, NOON, NOON, **fields), YEAR, config
    )


def test_a_category_never_falls_below_its_floor() -> None:
    """ "A retention floor can be set per category"; the others fade as ever, and so does what is above it."""
    config = StrengthConfig(retention_floors={"decision": 0.6, "plan": 0.1})
    assert left(config, category="decision") == 0.6
    assert (
        left(config, category="plan")
        == left(config, category="fact")
        == pytest.approx(0.436638, abs=1e-6)
    )


@each_row("floor", [0.0, -0.1, 7.0, float("nan"), True])
def test_a_floor_is_above_zero_and_at_most_one(floor: float) -> None:
    """A category without a floor is simply not named."""
    with pytest.raises(
        ConfigError, match=r"strength\.retention_floors\.fact is .*; use a number above 0"
    ):
        StrengthConfig(retention_floors={"fact": floor})


@each_case_of("retention_kept/procedures_that_became_knowledge_do_not_fade")
def test_procedures_that_became_knowledge_do_not_fade(
    fields: dict[str, Any], lasting: bool, expected: float
) -> None:
    """ "procedural-permanent memories keep retention 1", unless `strength.permanent_procedures` is off."""
    found = left(StrengthConfig(permanent_procedures=lasting), **fields)
    assert found == pytest.approx(expected, abs=1e-6)


def test_a_floor_spares_a_memory_from_being_endangered() -> None:
    """The cycle sees the same retention as recall and health: no rehearsal above the curve's threshold."""
    for floors, counted in (({}, {"rehearsed": 1}), ({"fact": 0.71}, {})):
        with Night(strength=StrengthConfig(retention_floors=floors)) as night:
            night.add("Emma keeps rabbits", importance=0.6, stability=5.0)
            night.clock.advance(days=30)
            assert night.counts("rehearsal") == counted
            histogram = night.bank.health()["retention_histogram"]
            assert [tenth for tenth, count in histogram.items() if count] == (
                ["0.7"] if floors else ["0.6"]
            )

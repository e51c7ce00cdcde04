"""The tables of the README name what there is: steps, settings with their defaults, presets."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import reference

from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.config.presets import PRESETS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DREAMS = ConsolidationConfig()
SECTIONS = {
    "consolidation": DREAMS,
    **{
        f"consolidation.{item.name}": getattr(DREAMS, item.name)
        for item in dataclasses.fields(DREAMS)
        if dataclasses.is_dataclass(getattr(DREAMS, item.name))
    },
}


def table(heading: str) -> dict[str, str]:
    """The rows of a table by what stands in backticks in their first cell."""
    rows = README.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return {row.split("`")[1]: row for row in rows}


def told(value: Any) -> str:
    """A default as the README writes it."""
    if value is None:
        return "by the curve"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {told(number)}" for name, number in value.items())
    if isinstance(value, tuple):
        return "all 19" if value == STEP_NAMES else ", ".join(value) or "none"
    return value if isinstance(value, str) else f"{value:,.10g}"


def test_every_step_is_in_the_table_in_its_order() -> None:
    """SPEC 6: one ordered list of small steps."""
    assert tuple(table("step")) == STEP_NAMES


def test_the_steps_of_a_tick_are_marked() -> None:
    """README: "`bank.tick()` runs the five marked with a star"."""
    marked = tuple(name for name, row in table("step").items() if row.startswith(f"| `{name}`* |"))
    assert marked == ("expiry", "synaptic_replay", "cascade", "fading", "reindex")
    assert marked == DREAMS.tick


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_of_consolidation_stands_with_its_default(section: str) -> None:
    """A setting that the README does not name does not exist; a default that it tells wrongly is worse."""
    row = table("What decides a dream cycle")[section]
    settings = SECTIONS[section]
    own = {
        item.name: told(getattr(settings, item.name))
        for item in dataclasses.fields(settings)
        if not dataclasses.is_dataclass(getattr(settings, item.name))
    }
    missing = [
        name
        for name, value in own.items()
        if not re.search(rf"`{name}` \({re.escape(value)}[);]", row)
    ]
    assert own
    assert missing == []


def test_the_bounds_beside_consolidation_are_told() -> None:
    """SPEC 6: each step has a bound on rows and LLM calls."""
    rows, config = table("What decides a dream cycle"), Config()
    assert f"({told(config.llm.calls_per_cycle)};" in rows["llm.calls_per_cycle"]
    assert f"`maximum` ({told(config.relations.maximum)})" in rows["relations"]
    assert f"`trimmed_to` ({told(config.relations.trimmed_to)})" in rows["relations"]
    assert f"`faded` ({told(config.relations.faded)})" in rows["relations"]


def test_every_preset_is_in_the_table() -> None:
    """SPEC 8: presets."""
    assert set(table("preset")) == set(PRESETS)


@pytest.mark.parametrize("part", reference.PARTS)
def test_what_follows_from_the_code_is_up_to_date(part: str) -> None:
    """Issue H: settings from the configuration classes, commands from the command line, floors from the imports."""
    begin, end = f"<!-- {part}: written by make reference -->", f"<!-- end of {part} -->"
    held = README.split(begin)[1].split(end)[0].strip()
    assert held == reference.PARTS[part](), "run `make reference`"


def test_every_setting_says_what_it_means() -> None:
    """A row without a meaning would be a name only."""
    rows = [row for row in reference.settings().splitlines() if row.startswith("| `")]
    assert len(rows) > 400
    assert [row for row in rows if row.endswith("|  |")] == []


def test_every_module_stands_on_one_floor_and_imports_only_go_down() -> None:
    """DESIGN 1: the picture shows all modules, and no arrow leads up."""
    modules = {name.stem for name in (ROOT / "core" / "cogmem_core").glob("*.py")} - {"__init__"}
    modules |= {name.parent.name for name in (ROOT / "core" / "cogmem_core").glob("*/__init__.py")}
    named = [one for packages in reference.FLOORS.values() for one in packages]
    assert sorted(named) == sorted(
        {f"cogmem_core.{name}" for name in modules} | {"langchain_cogmem", "llamaindex_cogmem"}
    )
    arrows = re.findall(r"f(\d+) --> f(\d+)", reference.floors())
    assert arrows
    assert [(here, there) for here, there in arrows if int(here) >= int(there)] == []

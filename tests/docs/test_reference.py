"""The tables of the documents name what there is: settings, commands, names, errors, steps, presets, floors."""

import re
from pathlib import Path

from cogmem_core.config import Config, ConsolidationConfig
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.config.presets import PRESETS
from cogmem_core.config.settings import described
from docs import reference
from helpers.tables import each_row

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "cookbook" / "guide"


def table(page: Path, heading: str) -> dict[str, str]:
    """The rows of a table by what stands in backticks in their first cell."""
    text = page.read_text(encoding="utf-8")
    rows = text.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return {row.split("`")[1]: row for row in rows}


@each_row("page", reference.PAGES)
def test_a_reference_page_is_up_to_date(page: str) -> None:
    """It follows from the code: settings, commands, public names, errors."""
    held = (reference.FOLDER / page).read_text(encoding="utf-8")
    assert held == reference.PAGES[page](), "run `make reference`"


def test_every_setting_says_what_it_means() -> None:
    """A row without a meaning would be a name only."""
    rows = [row for row in reference.settings().splitlines() if row.startswith("| `")]
    assert len(rows) > 200
    assert [row for row in rows if row.endswith("|  |")] == []


def test_the_guide_tells_every_step_of_a_cycle_in_its_order_and_marks_those_of_a_tick() -> None:
    """`bank.tick()` runs the four marked with a star."""
    rows = table(GUIDE / "dream-cycle.md", "step")
    marked = tuple(name for name, row in rows.items() if row.startswith(f"| `{name}`* |"))
    assert tuple(rows) == STEP_NAMES
    assert marked == ("expiry", "synaptic_replay", "cascade", "reindex")
    assert marked == ConsolidationConfig().tick


def test_the_guide_tells_every_preset() -> None:
    """And no other."""
    assert set(table(GUIDE / "presets.md", "preset")) == set(PRESETS)


def test_the_floors_of_the_house_are_those_that_are_checked() -> None:
    """core/ARCHITECTURE.md has the layers that `lint-imports` checks, from the top down."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    text = (ROOT / "core" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| (.*?) \|", text, re.MULTILINE)
    checked = [
        {name.rpartition(".")[2] for name in re.findall(r"[\w.]+", layer)} for layer in layers
    ]
    assert [set(re.findall(r"\w+", row)) for row in rows] == checked


def found(name: str) -> bool:
    """Whether a module stands at a dotted name in core/, and what is named of it stands in the module."""
    *rest, last = name.split(".")
    tops = (ROOT / "core", *(ROOT / "core" / "cogmem_core" / place for place in (".", "text")))
    for top in tops:
        path = top.joinpath(*rest, last)
        if path.is_dir() or path.with_suffix(".py").is_file():
            return True
        module = top.joinpath(*rest)
        module = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        if rest and module.is_file() and last in re.findall(r"\w+", module.read_text("utf-8")):
            return True
    return bool(rest) and rest[-1][0].isupper() and found(".".join(rest))


def test_what_the_map_of_the_house_names_is_there() -> None:
    """core/ARCHITECTURE.md: each module, what it names of a module, and each path."""
    text = (ROOT / "core" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    core = ROOT / "core"
    settings = described(Config())
    packages = {path.name for path in core.rglob("*") if (path / "__init__.py").is_file()}
    named = re.findall(r"`([a-z_]+(?:\.\w+)*)(?:\([^`]*\))?`", text)
    modules = [one for one in named if one.split(".")[0] in packages and one not in settings]
    assert len(modules) > 60
    assert [one for one in modules if not found(one)] == []
    paths = re.findall(r"(?:core|cookbook|tests|cogmem_serve)/[\w./]*\w", text)
    assert [
        path for path in paths if not (ROOT / path).exists() and not (core / path).exists()
    ] == []

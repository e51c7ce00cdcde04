"""What the oldest allowed versions are stands in two places: what `pip` reads, and what `make test-matrix` installs."""

from __future__ import annotations

import re
import sys
from itertools import chain
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FLOOR = re.compile(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)(?:,<[\d.]+)?$")


def padded(version: str) -> str:
    return version + ".0" * (2 - version.count("."))


def test_the_oldest_versions_that_are_tried_are_those_that_are_allowed() -> None:
    """ "oldest and newest allowed versions of each dependency"; a lower bound that nobody tries is a guess."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    tried_extras = (extras[name] for name in ("openai", "postgres", "serve"))
    allowed = chain(project["dependencies"], *tried_extras)
    floors = [FLOOR.match(one) for one in allowed if "python_version" not in one]
    tried = (
        (ROOT / "tests" / "adapters" / "versions" / "core.txt")
        .read_text(encoding="utf-8")
        .splitlines()
    )

    wanted = {f"{found[1]}=={padded(found[2])}" for found in floors if found is not None}
    assert len(wanted) == len(floors)
    assert set(tried[1:]) == wanted

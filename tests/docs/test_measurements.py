"""The page of figures is written from their record."""

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_measurements_is_up_to_date() -> None:
    """Nobody edits a figure by hand: python tests/bench/measurements.py"""
    measurements = runpy.run_path(str(ROOT / "tests" / "bench" / "measurements.py"))
    page = (ROOT / "cookbook" / "measurements.md").read_text(encoding="utf-8")
    assert page == measurements["page"]()
    assert all(table["machine"] and table["date"] for table in measurements["recorded"]())

"""The recipes of the cookbook are run; what they print is what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COOKBOOK = Path(__file__).resolve().parents[2] / "cookbook"


def printed(recipe: str, folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(COOKBOOK / recipe)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_dream_cycle_is_forecast_rehearsed_run_and_undone(tmp_path: Path) -> None:
    """README, "Looking first, taking back": the dry run tells the cycle, undo brings back, the next cycle respects."""
    lines = printed("dream_cycle.py", tmp_path)
    cycle = [
        "  expiry: I fly to Rome on Friday (its time is over)",
        "  forgetting: We had dinner with Elif at the harbour (faded: retention 0.49)",
    ]
    assert lines[:13] == [
        "2026-06-05 expires: I fly to Rome on Friday (its time is over)",
        "2026-06-16 endangered: We had dinner with Elif at the harbour (its retention falls below 0.7)",
        "2026-10-30 dormant: We had dinner with Elif at the harbour (its retention falls below 0.5)",
        "a dry run: 2 changes",
        *cycle,
        "the cycle: 2 changes",
        *cycle,
        "recalled: ['I am allergic to penicillin', 'I like my coffee black']",
        "brought back: ['I fly to Rome on Friday', 'We had dinner with Elif at the harbour']",
        "the next cycle: 0 changes",
        "on record: ['done', 'undone']",
    ]
    assert list(tmp_path.iterdir()) == []

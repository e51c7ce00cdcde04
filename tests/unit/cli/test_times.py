"""Times as people type them: one reader for all options."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

from cogmem_cli import times
from cogmem_cli.main import app
from cogmem_cli.shell import Shell

OSLO = ZoneInfo("Europe/Oslo")
NOW = datetime(2026, 11, 29, 15, 0, tzinfo=OSLO)  # a Sunday
TYPED = {
    "2026-05-03": ("2026-05-03T00:00+02:00", "2026-05-03T23:59:59.999999+02:00"),
    "3 Nov": ("2026-11-03T00:00+01:00", "2026-11-03T23:59:59.999999+01:00"),
    "3 Dec": ("2025-12-03T00:00+01:00", "2025-12-03T23:59:59.999999+01:00"),
    "on friday": ("2026-11-27T00:00+01:00", "2026-11-27T23:59:59.999999+01:00"),
    "last monday": ("2026-11-23T00:00+01:00", "2026-11-23T23:59:59.999999+01:00"),
    "gestern": ("2026-11-28T00:00+01:00", "2026-11-28T23:59:59.999999+01:00"),
    "last month": ("2026-10-01T00:00+02:00", "2026-10-31T23:59:59.999999+01:00"),
    "tomorrow": ("2026-11-30T00:00+01:00", "2026-11-30T23:59:59.999999+01:00"),
    "3 Nov 2027": ("2027-11-03T00:00+01:00", "2027-11-03T23:59:59.999999+01:00"),
    "2 hours ago": ("2026-11-29T13:00+01:00",) * 2,
    "14:30": ("2026-11-29T14:30+01:00",) * 2,
    "2026-05-03 18:30": ("2026-05-03T18:30+02:00",) * 2,
    "2026-05-03T18:30:00Z": ("2026-05-03T18:30+00:00",) * 2,
    " Now ": ("2026-11-29T15:00+01:00",) * 2,
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.setattr(times, "system_clock", lambda: NOW)
    monkeypatch.setenv("COGMEM_ENCODING__TIMEZONE", "Europe/Oslo")
    return Shell(tmp_path)


def test_days_and_moments_are_those_of_the_zone(shell: Shell) -> None:
    """A day may be its first or its last moment; what may be past or to come is past, unless told."""
    for typed, expected in TYPED.items():
        found = tuple(times.moment(shell, "--at", typed, edge) for edge in ("first", "last"))
        assert (typed, found) == (typed, tuple(map(datetime.fromisoformat, expected)))
    assert times.moment(shell, "--as-of", "3 Nov", "day").isoformat() == "2026-11-03T00:00:00+00:00"
    ahead = [times.moment(shell, "--at", typed, ahead=True) for typed in ("friday", "3 Nov")]
    assert [f"{day:%d %b %Y}" for day in ahead] == ["04 Dec 2026", "03 Nov 2027"]


def test_an_intention_for_tomorrow(tmp_path: Path) -> None:
    """Through the command, with help in the word's own place."""
    folder = ["--path", str(tmp_path), "--embedder", "hashing", "--json"]
    run = CliRunner().invoke
    assert run(app, ["init", *folder]).exit_code == 0
    done = run(app, ["intend", "call mum", "--at", "tomorrow at 5 pm", *folder])
    day = datetime.now().astimezone() + timedelta(days=1)
    assert f'"at": "{day:%Y-%m-%d}T17:00:00' in done.stdout
    for words in (["help", "intend"], ["intend", "--help"]):
        assert "Usage: cogm intend" in run(app, words).stdout

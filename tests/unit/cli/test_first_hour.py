"""What a newcomer meets in the first hour, and what no other file of tests shows: see the names of the tests."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from cogmem_cli.main import app
from helpers.command import CliRunner


def test_without_a_home_folder_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container whose user nobody knows."""

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    for name in ("HOME", "XDG_DATA_HOME", "COGMEM_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    done = CliRunner().invoke(app, ["recall", "where do I live?"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "name the bank's folder with --path or COGMEM_PATH" in done.stderr


def test_what_is_mistyped_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    """Numbers, times, names: exit 2, and no bank."""
    folder = tmp_path / "new"
    for arguments in (
        ("recall", "x", "-k", "0"),
        ("recall", "x", "--since", "yesterdy"),
        ("remember", "x", "--role", "usr"),
        ("list", "--state", "actve"),
        ("remember", "x", "--at", "2026-02-30"),
    ):
        done = CliRunner().invoke(app, [*arguments, "--path", str(folder)])
        assert (arguments, done.exit_code, folder.exists()) == (arguments, 2, False)


def test_a_shell_completes_commands() -> None:
    """As `cogm --install-completion` lets it ask."""
    asked = {"_COGM_COMPLETE": "complete_bash", "COMP_WORDS": "cogm reme", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "from cogmem_cli.main import run; run()"],
        env={**os.environ, **asked},
        capture_output=True,
        check=False,
    )
    assert done.stdout.split() == [b"remember"]

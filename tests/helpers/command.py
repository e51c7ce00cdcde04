"""The command `cogm`, run in this process."""

import functools
from pathlib import Path
from typing import Any

import typer.main
import typer.testing
from typer.testing import CliRunner

from cogmem_cli.main import app

__all__ = ["CliRunner", "cogm"]

# To build the command takes as long as all that most tests do with it; it keeps nothing from one call to the next.
typer.testing._get_command = functools.cache(typer.main.get_command)  # type: ignore[attr-defined]


def cogm(folder: Path, *arguments: str) -> Any:
    """Run it on the bank of a folder, with an embedder that needs no model."""
    return CliRunner().invoke(app, [*arguments, "--path", str(folder), "--embedder", "hashing"])

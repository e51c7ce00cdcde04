"""The command `cogm`, run in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from cogmem_core.cli.main import app

__all__ = ["cogm"]


def cogm(folder: Path, *arguments: str) -> Any:
    """Run it on the bank of a folder, with an embedder that needs no model."""
    return CliRunner().invoke(app, [*arguments, "--path", str(folder), "--embedder", "hashing"])

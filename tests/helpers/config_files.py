"""A configuration file in a folder."""

from pathlib import Path


def written(folder: Path, text: str) -> Path:
    (folder / "cogmem.toml").write_text(text, encoding="utf-8")
    return folder

"""Digests of files and texts."""

from __future__ import annotations

import hashlib
from pathlib import Path

_CHUNK = 1 << 20


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal, read piece by piece.

    Raises:
        OSError: it cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def text_digest(text: str, length: int) -> str:
    """The first hexadecimal digits of a text's SHA-256; broken characters are digested as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]

"""Counting tokens without a network: tiktoken if it is installed with its table at hand, else a length estimate."""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["count_tokens"]

_CHARACTERS_PER_TOKEN = 4
_LONG = 50_000  # characters; tiktoken takes more than linear time on long runs without a space
_SHORT = 1_000  # characters; the lines of a block come up again with every question about the same things
_ENCODING = "cl100k_base"
_TABLE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # how tiktoken names cl100k_base in a cache folder


def count_tokens(text: str) -> int:
    """Tokens of cl100k_base, or a quarter of the characters (rounded up) where tiktoken has no table."""
    return _counted(text) if len(text) <= _SHORT else _count(text)


@lru_cache(maxsize=4_096)
def _counted(text: str) -> int:
    return _count(text)


def _count(text: str) -> int:
    encoding = _encoding() if len(text) <= _LONG else None
    if encoding is None:
        return -(-len(text) // _CHARACTERS_PER_TOKEN)
    return len(encoding.encode(text, disallowed_special=()))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    folder = _cached_table()
    if folder is None:
        return None
    import tiktoken

    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        return tiktoken.get_encoding(_ENCODING)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def _cached_table() -> Path | None:
    """A folder that holds the table already: tiktoken would otherwise download it, without a time-out."""
    if importlib.util.find_spec("tiktoken") is None:
        return None
    folders = [Path(os.environ[name]) for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR") if os.environ.get(name)]
    llama_index = importlib.util.find_spec("llama_index")
    roots = (llama_index.submodule_search_locations or ()) if llama_index else ()
    folders += [Path(root) / "core" / "_static" / "tiktoken_cache" for root in roots]
    return next((folder for folder in folders if (folder / _TABLE).is_file()), None)

"""Counting tokens without a network: tiktoken if its table is at hand, else an estimate."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from cogmem_core.base.lru import text_cache
from cogmem_core.embedders import weights

# Of cl100k_base: English prose has 4 ASCII characters to a token. Letters of 2 bytes (Cyrillic,
# Arabic) are a token or half of one, those of 3 bytes (Chinese, Thai) one or two.
_CHARACTERS_PER_TOKEN = 4
_BYTES_PER_TOKEN = 2
_LONG = 50_000  # characters; tiktoken takes more than linear time on long runs without a space
_SHORT = 1_000  # characters; the lines of a block come up again with every question about the same things


def count_tokens(text: str) -> int:
    """Tokens of cl100k_base.

    Estimated where tiktoken's table is missing (`cogm models fetch` brings it), and for very long
    texts.
    """
    return _counted(text) if len(text) <= _SHORT else _count(text)


def estimate_tokens(text: str) -> int:
    """About as many tokens as cl100k_base makes of a text.

    Of other scripts than Latin rather too many than too few.
    """
    plain = len(text.encode("ascii", "ignore"))
    beyond = len(text.encode("utf-8", "replace")) - plain
    return -(-plain // _CHARACTERS_PER_TOKEN) + -(-beyond // _BYTES_PER_TOKEN)


@text_cache(4_096)
def _counted(text: str) -> int:
    return _count(text)


def _count(text: str) -> int:
    encoding = _encoding() if len(text) <= _LONG else None
    if encoding is None:
        return estimate_tokens(text)
    return len(encoding.encode(text, disallowed_special=()))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    folder = _cached_table()
    if folder is None:
        return None
    import tiktoken

    former_folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        return tiktoken.get_encoding(weights.TIKTOKEN)
    finally:
        if former_folder is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = former_folder


def _cached_table() -> Path | None:
    """A folder that holds the table already: tiktoken would otherwise download it, without a time-out.

    What `cogm models fetch` brought; else what the environment names, where tiktoken keeps it by
    itself, and the copy that LlamaIndex brings.
    """
    fetched = weights.find(weights.TIKTOKEN)
    if fetched is not None:
        return fetched
    folders = [
        Path(os.environ[name])
        for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
        if os.environ.get(name)
    ]
    folders.append(Path(tempfile.gettempdir(), "data-gym-cache"))
    llama_index = importlib.util.find_spec("llama_index")
    roots = (llama_index.submodule_search_locations or ()) if llama_index else ()
    folders += [Path(root) / "core" / "_static" / "tiktoken_cache" for root in roots]
    table = weights.MODELS[weights.TIKTOKEN].files[0].name
    return next((folder for folder in folders if (folder / table).is_file()), None)

"""What the models of both frameworks' recipes share; it needs neither framework."""

import asyncio
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["run", "stems"]

Result = TypeVar("Result")
_COMMON = {"about", "does", "have", "that", "there", "this", "what", "when", "where", "which", "with", "would", "your"}


def stems(text: str) -> set[str]:
    """The first letters of the words that say something, so that "lives" is "live"."""
    return {word[:4] for word in re.findall(r"\w{4,}", text.lower()) if word not in _COMMON}


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run`, which also works in a notebook, where a loop is running already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()

"""What the models of both frameworks' recipes share; it needs neither framework."""

import asyncio
import re
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["Calls", "run", "stems", "steps_of"]

Result = TypeVar("Result")
Call = tuple[str, Mapping[str, Any]]
Calls = Call | Sequence[Call]
_COMMON = {"about", "does", "have", "that", "there", "this", "what", "when", "where", "which", "with", "would", "your"}


def stems(text: str) -> set[str]:
    """The first letters of the words that say something, so that "lives" is "live"."""
    return {word[:4] for word in re.findall(r"\w{4,}", text.lower()) if word not in _COMMON}


def steps_of(calls: Mapping[str, Calls], question: str) -> Sequence[Call]:
    """The tools that a stand-in for a model calls, in order, because a word is in the question."""
    for word, steps in calls.items():
        if word in question.lower():
            return [steps] if isinstance(steps, tuple) else steps
    return []


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run`, which also works in a notebook, where a loop is running already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()

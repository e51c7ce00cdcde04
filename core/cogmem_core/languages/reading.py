"""In which languages a text is read: decided once where a text comes in, asked by every table.

English and Turkish are read together: they are the default, and what a text is read in that shows
no language. A text that shows another language is read with the pack of that language alone, so
that no rule of one language meets the words of another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_shown

P = ParamSpec("P")
Value = TypeVar("Value")

DEFAULT: tuple[str, ...] = ("en", "tr")
"""The languages of a text that shows none."""

_reading: ContextVar[tuple[str, ...] | None] = ContextVar("reading", default=None)

languages_set = _reading.get
"""As `current`, but None where nothing was decided: then it is the default."""


def current() -> tuple[str, ...]:
    """The codes of the languages in which this thread or task reads at the moment."""
    return _reading.get() or DEFAULT


def codes_of(text: str) -> tuple[str, ...]:
    """The codes of the languages in which a text is to be read."""
    code = language_shown(text)
    return DEFAULT if not code or code in DEFAULT else (code,)


def language_told(text: str) -> str:
    """The code of the language of a text; of one that shows none, the first in which it is read."""
    return language_shown(text) or current()[0]


@contextmanager
def reading(codes: tuple[str, ...]) -> Iterator[None]:
    """Read in these languages inside the block."""
    token = _reading.set(codes)
    try:
        yield
    finally:
        _reading.reset(token)


def in_its_language(
    function: Callable[Concatenate[str, P], Value],
) -> Callable[Concatenate[str, P], Value]:
    """Let a function read its first argument in the language of that text.

    A function that is called by another one of these reads on in the language of the whole text.
    """

    @wraps(function)
    def read(text: str, /, *args: P.args, **kwargs: P.kwargs) -> Value:
        if _reading.get() is not None:
            return function(text, *args, **kwargs)
        with reading(codes_of(text)):
            return function(text, *args, **kwargs)

    return read


def cached_by_language(
    maxsize: int,
) -> Callable[[Callable[P, Value]], Callable[P, Value]]:
    """Keep the last `maxsize` results of a function in each language, see `text_cache`."""

    def decorate(function: Callable[P, Value]) -> Callable[P, Value]:
        kept: dict[tuple[str, ...] | None, Callable[..., Value]] = {}
        kept_in = kept.get  # asked hundreds of times for two texts

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> Value:
            cached = kept_in(languages_set())
            if cached is None:
                cached = kept.setdefault(current(), text_cache(maxsize)(function))
                kept[languages_set()] = cached
            return cached(*args, **kwargs)

        return call

    return decorate

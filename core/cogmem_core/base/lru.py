"""What is kept in memory without growing without end: entries used last, results of functions of texts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
Key = TypeVar("Key")
Value = TypeVar("Value")

_text_caches: list[Any] = []
"""Each a function that `lru_cache` made."""
_emptied: list[tuple[Callable[[], None], Callable[[], int]]] = []
"""How each other store of texts is emptied, and how many it holds."""


def text_cache(maxsize: int) -> Callable[[Callable[P, Value]], Callable[P, Value]]:
    """As `functools.lru_cache`, for a function of texts that people said: erasures empty it."""

    def decorate(function: Callable[P, Value]) -> Callable[P, Value]:
        kept: Any = lru_cache(maxsize=maxsize)(function)
        _text_caches.append(kept)
        return kept  # type: ignore[no-any-return]

    return decorate


def emptied_with_texts(empty: Callable[[], None], count: Callable[[], int]) -> None:
    """Have erasures empty another store of this process: how that is done, and how many it holds."""
    _emptied.append((empty, count))


def forget_texts() -> None:
    """Empty all of them."""
    for kept in tuple(_text_caches):
        kept.cache_clear()
    for empty, _ in tuple(_emptied):
        empty()


class LRUCache(Generic[Key, Value]):
    """The entries used last, at most `size`. Not thread-safe: hold the owner's lock."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value, which counts as used; None if there is none."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, which counts as used; made and kept if there is none."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def peek(self, key: Key) -> Value | None:
        """The value, which does not count as used; None if there is none."""
        return self._entries.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; a full cache drops the entry that was not used for longest."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def pop(self, key: Key) -> Value | None:
        """Forget an entry; returns its value, None if there is none."""
        return self._entries.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def newest(self) -> Iterator[Value]:
        """The values, those used last first."""
        return reversed(self._entries.values())

    def oldest(self) -> Iterator[Value]:
        """The values, those that were not used for longest first."""
        return iter(self._entries.values())

    def items(self) -> Iterator[tuple[Key, Value]]:
        """The entries, those that were not used for longest first."""
        return iter(self._entries.items())

    def __len__(self) -> int:
        return len(self._entries)

"""A dictionary that cannot grow without end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["LRUCache"]

Key = TypeVar("Key")
Value = TypeVar("Value")


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

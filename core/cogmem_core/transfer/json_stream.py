"""JSON that may be larger than memory: the entries of its lists, one at a time.

The standard library's decoder reads the entries; only the lists around them are read here.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cogmem_core.transfer.places import check_length

_CHUNK = 65_536  # characters
_LISTS = frozenset(
    (
        "agents",
        "blocks",
        "chats",
        "conversations",
        "core_memory",
        "data",
        "db_data",
        "edges",
        "entities",
        "episodes",
        "facts",
        "items",
        "memories",
        "messages",
        "relations",
        "results",
    )
)
"""Names under which tools keep a list of entries."""
_OBJECTS = frozenset(("chat_memory", "chat_store", "sql_store", "store", "values"))
"""Names under which tools keep an object of such lists."""
_SPACE = " \t\r\n\ufeff"


class Text(Protocol):
    """What can be read by the piece."""

    def read(self, size: int = ..., /) -> str:
        """At most `size` characters; none at the end."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a file.

    Attributes:
        value: as `json.loads` gives it.
        path: the names that lead to its list; empty for a list that is the whole file, and for what
            an object holds beside its lists.
        head: what the object around the lists held up to here.
        is_rest: it is an object without its lists.
        is_beside: it is one, and had such lists.
    """

    value: Any
    path: tuple[str, ...] = ()
    head: Mapping[str, Any] = field(default_factory=dict)
    is_rest: bool = False
    is_beside: bool = False


def entries(file: Text) -> Iterator[Entry]:
    """The entries of a file's lists in order; of an object, what it holds besides comes last.

    Raises:
        ValueError: it is not JSON, or an entry is too large.
    """
    reader = _Reader(file)
    first = reader.peek()
    if first == "[":
        yield from (Entry(value) for value in reader.elements())
    elif first == "{":
        yield from _members(reader)
    else:
        value = reader.value()
        if not isinstance(value, str):
            raise ValueError("it is neither a list nor an object")
        yield from entries(io.StringIO(value))  # a dump that was dumped once more
    if reader.peek():
        raise ValueError(f"there is more behind its end: {reader.peek()!r}")


def _members(reader: _Reader) -> Iterator[Entry]:
    head: dict[str, Any] = {}
    has_lists = False
    length = 0
    begin = reader.position
    for name in reader.names():
        if _holds_entries(reader, name):
            has_lists = True
            yield from _inside(reader, (name,), head)
        else:
            head[name] = reader.value()
            length += reader.position - begin
            check_length(length)
        begin = reader.position
    yield Entry(head, head=head, is_rest=True, is_beside=has_lists)


def _inside(reader: _Reader, path: tuple[str, ...], head: Mapping[str, Any]) -> Iterator[Entry]:
    if reader.peek() == "[":
        yield from (Entry(value, path, head) for value in reader.elements())
        return
    for name in reader.names():
        inner = (*path, name)
        if reader.peek() == "[" or _holds_entries(reader, name):
            yield from _inside(reader, inner, head)
        else:
            reader.value()


def _holds_entries(reader: _Reader, name: str) -> bool:
    begin = reader.peek()
    return (begin == "[" and name in _LISTS) or (begin == "{" and name in _OBJECTS)


class _Reader:
    """Reads values one after the other; holds no more text than the one that it reads."""

    def __init__(self, file: Text) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._ended = False
        self._decoder = json.JSONDecoder()
        self._passed = 0

    @property
    def position(self) -> int:
        """Characters of the text that are read."""
        return self._passed + self._at

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def value(self) -> Any:
        """The next value, whole."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise ValueError(error.msg) from error
                continue
            # The end of a number may only be the end of what was read.
            if end < len(self._text) or not self._more():
                self._at = end
                return value

    def elements(self) -> Iterator[Any]:
        """The values of the list that begins here."""
        for _ in self._parts("[", "]"):
            yield self.value()

    def names(self) -> Iterator[str]:
        """The names of the object that begins here; the value of each is read before the next."""
        for _ in self._parts("{", "}"):
            if self.peek() != '"':
                raise ValueError("an object lacks a name")
            name = self.value()
            self._take(":")
            yield name

    def _parts(self, begin: str, end: str) -> Iterator[None]:
        """Stops at the begin of each part of a list or an object; it is read before the next."""
        self._take(begin)
        is_over = self.peek() == end
        if is_over:
            self._take(end)
        while not is_over:
            yield
            is_over = self.peek() == end
            self._take(end if is_over else ",")

    def _take(self, character: str) -> None:
        found = self.peek()
        if found != character:
            raise ValueError(
                f"{character!r} should follow, not {found!r}" if found else "it is cut off"
            )
        self._at += 1

    def _more(self) -> bool:
        """Read on; as much again as there is, so that a long value is not tried too often."""
        if self._ended:
            return False
        unread = self._text[self._at :]
        check_length(len(unread))
        piece = self._file.read(max(_CHUNK, len(unread)))
        self._ended = not piece
        self._text = unread + piece
        self._passed += self._at
        self._at = 0
        return bool(piece)

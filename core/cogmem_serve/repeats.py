"""Requests that may be sent again, and requests about a memory as somebody has seen it.

A request with `Idempotency-Key` is carried out once; who sends it again gets the same answer, as long as this
process keeps it. A request with `If-Match` is carried out if the memory still is as its `ETag` tells.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from cogmem_core.base.digests import text_digest
from cogmem_core.base.lru import LRUCache, emptied_with_texts
from cogmem_core.base.runtime import monotonic
from cogmem_core.models import Memory
from cogmem_serve.problems import Problem

KEY = "Idempotency-Key"
"""The header of a request that may be sent again."""
IF_MATCH = "If-Match"
_VALID = re.compile(r"[\x21-\x7e]{1,255}")
_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')
_SEEN = (
    "id",
    "content",
    "version",
    "state",
    "pinned",
    "immutable",
    "tags",
    "metadata",
    "valid_from",
    "valid_until",
    "superseded_by",
)
"""What a person sees of a memory; what recalls count does not matter."""


class _Kept(NamedTuple):
    """An answer; `body` is None while the request is carried out, `erased` tells of what was erased by then."""

    digest: str
    at: float
    body: bytes | None
    erased: str = ""


class Repeats:
    """Answers by caller, namespace and key; thread-safe. Every erasure empties it.

    Args:
        entries: at most so many.
        size: bytes of all answers together, at most.
        seconds: how long an answer is kept.
        clock: in seconds.
    """

    def __init__(
        self,
        entries: int = 10_000,
        size: int = 16 * 2**20,
        seconds: float = 86_400.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._lock = threading.Lock()
        self._kept: LRUCache[tuple[str, ...], _Kept] = LRUCache(entries)
        self._room = size
        self._size = 0
        self._seconds = seconds
        self._clock = clock

    def begin(self, key: tuple[str, ...], digest: str, erased: str = "") -> bytes | None:
        """The answer that was given; None if the request is to be carried out now.

        Args:
            key: of the request.
            digest: of what it asks for.
            erased: another text after each erasure, also of another process: what was answered
                before it is not told again.

        Raises:
            Problem: 422, it was another request; 409, it is being carried out.
        """
        with self._lock:
            kept = self._kept.peek(key)
            is_over = kept is not None and (
                self._clock() - kept.at > self._seconds
                or (kept.body is not None and kept.erased != erased)
            )
            if is_over:
                self._drop(key)
                kept = None
            if kept is None:
                self._put(key, _Kept(digest, self._clock(), None))
                return None
            if kept.digest != digest:
                raise Problem(422, f"{KEY} was sent with another request; give each its own")
            if kept.body is None:
                wait = {"retry-after": "1"}
                raise Problem(
                    409, "the request is being carried out; send it again later", headers=wait
                )
            return kept.body

    def end(self, key: tuple[str, ...], digest: str, body: bytes | None, erased: str = "") -> None:
        """Keep an answer; None = nothing was done, so that the request may be sent again."""
        with self._lock:
            self._drop(key)
            if body is not None and len(body) <= self._room:
                self._put(key, _Kept(digest, self._clock(), body, erased))
                self._size += len(body)
            while self._size > self._room:
                self._drop(next(name for name, kept in self._kept.items() if kept.body))

    def cache_clear(self) -> None:
        """Forget all answers; what is being carried out goes on."""
        with self._lock:
            for key in [key for key, kept in self._kept.items() if kept.body is not None]:
                self._drop(key)

    def currsize(self) -> int:
        """How many answers are kept."""
        with self._lock:
            return sum(kept.body is not None for kept in self._kept.oldest())

    def _put(self, key: tuple[str, ...], kept: _Kept) -> None:
        oldest = next(iter(self._kept.items()), None)
        before = len(self._kept)
        self._kept.put(key, kept)
        if oldest is not None and len(self._kept) == before:  # the oldest made room
            self._size -= len(oldest[1].body or b"")

    def _drop(self, key: tuple[str, ...]) -> None:
        kept = self._kept.pop(key)
        self._size -= len(kept.body or b"") if kept else 0


REPEATS = Repeats()
"""Those of this process."""
emptied_with_texts(REPEATS.cache_clear, REPEATS.currsize)
_LOCKS = tuple(threading.RLock() for _ in range(64))


def checked_key(header: str) -> str:
    """A key of a request that may be sent again.

    Raises:
        Problem: 400, it is none.
    """
    if not _VALID.fullmatch(header):
        raise Problem(
            400, f"{KEY} is unusable; give 1 to 255 visible ASCII characters, such as a UUID"
        )
    return header


def digest_of(*parts: bytes) -> str:
    """Of a request."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def lock_of(memory_id: str) -> threading.RLock:
    """Held while a request changes a memory, so that none comes between a look at it and the change."""
    return _LOCKS[hash(memory_id) % len(_LOCKS)]


def etag_of(memory: Memory) -> str:
    """The mark of a memory as it is now."""
    seen: dict[str, Any] = {name: str(getattr(memory, name)) for name in _SEEN}
    return f'"{text_digest(json.dumps(seen), 24)}"'


def matches(header: str, etag: str, *, weakly: bool = False) -> bool:
    """Whether a list of marks, or `*`, has this one.

    Raises:
        Problem: 400, it is no such list.
    """
    if header.strip() == "*":
        return True
    listed = [tag.strip() for tag in header.split(",")]
    if not all(map(_TAG.fullmatch, listed)):
        raise Problem(
            400, f'{IF_MATCH} is no list of marks; give the ETag of the memory, such as "6f2a"'
        )
    return etag in [tag.removeprefix("W/") if weakly else tag for tag in listed]


def check_match(header: str, memory: Memory) -> None:
    """Go on if the memory is as somebody has seen it.

    Raises:
        Problem: 412, it changed since; 400, the header is no list of marks.
    """
    if not matches(header, etag_of(memory)):
        raise Problem(412, "the memory changed since; get it again, and send its new ETag")

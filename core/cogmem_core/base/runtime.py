"""Clock and ids: the only module that asks for the time, or makes the ids of records.

Tests pass a `Clock` of their own and move it; nothing in cogmem sleeps to wait for a date.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timezone

from cogmem_core.errors import ConfigError

_YEARS = range(1000, 9900)  # a century more, or some decades less, is a moment, too
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The current time, timezone-aware UTC."""
    return datetime.now(timezone.utc)


def monotonic() -> float:
    """Seconds on a clock that never goes back; for durations and deadlines only."""
    return time.monotonic()


def milliseconds_since(started: float) -> float:
    """How long it took, as reports tell it; `started`: as `monotonic` told."""
    return round((monotonic() - started) * 1000, 2)


def first_id(moment: datetime) -> str:
    """An id below every id made at or after this moment, and above every id made before it."""
    return str(uuid.UUID(int=max(0, int(moment.timestamp() * 1000)) << 80))


def is_id(text: str) -> bool:
    """Whether it is a UUID as this package writes them: 36 characters, lower case."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def derived_id(origin: str, salt: str) -> str:
    """The id that belongs to another one: the same each time, with the time and counter in front.

    So the order by id stays what it was.

    Args:
        origin: the other id.
        salt: what it is derived for.
    """
    digest = hashlib.sha256(f"{salt}\x00{origin}".encode()).digest()
    value = uuid.UUID(str(origin)).int >> 64 << 64 | int.from_bytes(digest[:8], "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    return str(uuid.UUID(int=value & ~(0b11 << 62) | 0b10 << 62))


class TimeOrderedIds:
    """UUIDv7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits.

    Monotone within a process.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last_ms = 0
        self._counter = 0

    def __call__(self, now: datetime) -> str:
        """A new id, later than all that this process gave out."""
        now_ms = max(0, int(now.timestamp() * 1000))
        random_bits = secrets.randbits(72)
        with self._lock:
            if now_ms > self._last_ms:
                self._last_ms = now_ms
                self._counter = random_bits >> 62
            else:
                self._counter += 1
                if self._counter > 0xFFF:
                    self._last_ms += 1
                    self._counter = 0
            ms = self._last_ms
            counter = self._counter
        value = (
            (ms & (1 << 48) - 1) << 80
            | 0x7 << 76
            | counter << 64
            | 0b10 << 62
            | random_bits & (1 << 62) - 1
        )
        return str(uuid.UUID(int=value))


class Runtime:
    """What the engine takes from the outside world: `now()` and `new_id()`."""

    def __init__(self, *, clock: Clock | None = None) -> None:
        if clock is not None and not callable(clock):
            raise ConfigError(
                f"clock is {clock!r}; give a function that returns datetime.now(timezone.utc)"
            )
        self._clock = clock or system_clock
        self._ids = TimeOrderedIds()

    def now(self) -> datetime:
        """The engine's time in UTC.

        Raises:
            ConfigError: the injected clock returned something else than a timezone-aware datetime,
                or a moment from which nobody can count on.
        """
        now = self._clock()
        if not isinstance(now, datetime) or now.utcoffset() is None:
            raise ConfigError(
                f"clock returned {now!r}, no aware datetime; return datetime.now(timezone.utc) "
                "instead"
            )
        if now.year not in _YEARS:
            raise ConfigError(
                f"the clock says {now.isoformat()}; set it right, to a year from "
                f"{_YEARS.start} to {_YEARS.stop - 1}"
            )
        return now.astimezone(timezone.utc)

    def new_id(self) -> str:
        """A fresh id; ids made later sort later."""
        return self._ids(self.now())

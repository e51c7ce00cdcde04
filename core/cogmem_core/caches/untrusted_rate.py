"""How much untrusted sources wrote lately, and how alike; in RAM and bounded.

It is a brake, not an account: another process counts for itself, and a restart begins anew.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from cogmem_core.base.lru import LRUCache
from cogmem_core.config import GuardConfig
from cogmem_core.maths.products import dots
from cogmem_core.ports import FloatArray

COPIES_FROM = 0.9
"""Cosine from which on two writes are similar."""

Source = tuple[str, str, str]
"""Data source, speaker, session; unknown ones are empty."""
_SOURCES = 256
_VECTORS = 64


@dataclass(slots=True)
class _Track:
    """When a source wrote, and the vectors of its last writes, each with its number of copies."""

    times: deque[datetime] = field(default_factory=deque)
    writes: deque[tuple[datetime, FloatArray, int]] = field(
        default_factory=lambda: deque(maxlen=_VECTORS)
    )

    @property
    def copies(self) -> int:
        """The most that resembled one another."""
        return max((similar for _, _, similar in self.writes), default=0)


class UntrustedRate:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tracks: LRUCache[tuple[str, Source], _Track] = LRUCache(_SOURCES)

    def note(
        self, source: tuple[str, Source], vector: FloatArray, now: datetime, guard: GuardConfig
    ) -> str:
        """Count one write; returns why it is set aside, or nothing if the source is not too loud.

        Args:
            source: the namespace, and who writes.
            vector: of what is written, normalised.
            now: the engine's time.
            guard: the limits.
        """
        with self._lock:
            track = self._tracks.made(source, _Track)
            _drop_before(track, now - timedelta(minutes=guard.minutes))
            if len(track.times) <= guard.writes_most:
                track.times.append(now)
            similar = 1 + _similar_writes(track, vector)
            track.writes.append((now, np.array(vector, dtype=np.float32), similar))
            if similar > guard.copies_most:
                return (
                    f"one source wrote nearly the same {similar} times in {guard.minutes:g} minutes"
                )
            if len(track.times) > guard.writes_most:
                return f"one source wrote more than {guard.writes_most:,} times in {guard.minutes:g} minutes"
        return ""

    def loud(self, namespace: str, now: datetime, guard: GuardConfig) -> list[dict[str, Any]]:
        """The sources of a namespace that wrote suspiciously much lately, as JSON values."""
        since = now - timedelta(minutes=guard.minutes)
        reports = list[dict[str, Any]]()
        with self._lock:
            for (name, (kind, speaker, session)), track in self._tracks.items():
                if name != namespace:
                    continue
                _drop_before(track, since)
                if len(track.times) >= guard.writes_flagged or track.copies >= guard.copies_flagged:
                    report = {
                        "data_source": kind,
                        "speaker": speaker or None,
                        "session_id": session or None,
                        "writes": len(track.times),
                        "copies": track.copies,
                    }
                    reports.append(report)
        return reports

    def forget(self, namespace: str) -> None:
        """Something was erased: nothing of the namespace stays in RAM."""
        with self._lock:
            for key, _ in list(self._tracks.items()):
                if key[0] == namespace:
                    self._tracks.pop(key)


def _similar_writes(track: _Track, vector: FloatArray) -> int:
    """How many of a source's last writes are at least so similar to a vector."""
    vectors = [other for _, other, _ in track.writes if other.size == vector.size]
    if not vectors:
        return 0
    return int(np.count_nonzero(dots(np.stack(vectors), vector) >= COPIES_FROM))


def _drop_before(track: _Track, since: datetime) -> None:
    while track.times and track.times[0] < since:
        track.times.popleft()
    while track.writes and track.writes[0][0] < since:
        track.writes.popleft()

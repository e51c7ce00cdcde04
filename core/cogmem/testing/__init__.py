"""Fakes for tests of code that uses cogmem: a clock to move, embedders to count and to break, no dreams unasked for.

Example:
    >>> from datetime import timedelta
    >>> import cogmem
    >>> from cogmem.testing import MANUAL, FrozenClock
    >>> clock = FrozenClock()
    >>> with cogmem.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
    ...     _ = engine.bank("alice").remember("I moved to Lisbon")
    ...     _ = clock.advance(days=1)
    ...     print(engine.bank("alice").recall("Lisbon").results[0].label)
    yesterday
"""

from __future__ import annotations

from cogmem.testing.fakes import MANUAL, CountingEmbedder, FrozenClock, GivenVectors
from cogmem.testing.llm import LoopbackServer, Reply, ScriptedCall, ScriptedLLM

__all__ = [
    "MANUAL",
    "CountingEmbedder",
    "FrozenClock",
    "GivenVectors",
    "LoopbackServer",
    "Reply",
    "ScriptedCall",
    "ScriptedLLM",
]

"""Fakes for tests of code that uses cogmem: a clock to move, embedders, a language model.

Example:
    >>> from datetime import timedelta
    >>> import cogmem_core
    >>> from cogmem_core.testing import MANUAL, FrozenClock
    >>> clock = FrozenClock()
    >>> with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
    ...     _ = engine.bank("alice").remember("I moved to Lisbon")
    ...     _ = clock.advance(days=1)
    ...     print(engine.bank("alice").recall("Lisbon").results[0].label)
    yesterday
"""

from cogmem_core.testing.fakes import MANUAL, CountingEmbedder, FrozenClock, GivenVectors
from cogmem_core.testing.llm import ScriptedCall, ScriptedLLM

__all__ = [
    "MANUAL",
    "CountingEmbedder",
    "FrozenClock",
    "GivenVectors",
    "ScriptedCall",
    "ScriptedLLM",
]

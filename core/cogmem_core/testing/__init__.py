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

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from cogmem_core.config import Config
from cogmem_core.config.consolidation import ConsolidationConfig
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.llm import LLMUnavailable, Usage
from cogmem_core.ports import FloatArray

__all__ = [
    "MANUAL",
    "CountingEmbedder",
    "FrozenClock",
    "GivenVectors",
    "ScriptedCall",
    "ScriptedLLM",
]
MANUAL = Config(consolidation=ConsolidationConfig(trigger="manual"))
"""The defaults without background dream cycles.

For a test that moves its clock by an hour or more, or that writes with a frozen clock and reads
with the real one, and must not depend on when the worker wakes up.
"""


class FrozenClock:
    """A clock that stands still until it is moved.

    Args:
        start: timezone-aware; 1 June 2026, noon UTC, if None.
    """

    def __init__(self, start: datetime | None = None) -> None:
        self.now = start or datetime(2026, 6, 1, 12, tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        """The time it stands at."""
        return self.now

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move the clock; negative values move it back."""
        self.now += timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        return self.now


class CountingEmbedder:
    """The hashing embedder; it records its texts and queries, and breaks on demand.

    Attributes:
        texts: every text that was embedded as a document, in order.
        queries: every query.
        failure: raised by the next calls while it is set.
    """

    def __init__(self, dimension: int = 64) -> None:
        self._inner = HashingEmbedder(dimension)
        self._lock = threading.Lock()
        self.texts: list[str] = []
        self.queries: list[str] = []
        self.failure: Exception | None = None

    @property
    def fingerprint(self) -> str:
        """Names the inner embedder."""
        return f"counting-{self._inner.fingerprint}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._inner.dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""
        self._check()
        with self._lock:
            self.texts.extend(texts)
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,)."""
        self._check()
        with self._lock:
            self.queries.append(text)
        return self._inner.embed_query(text)

    def _check(self) -> None:
        if self.failure is not None:
            raise self.failure


class GivenVectors:
    """Returns fixed vectors: the one whose name occurs in the text, else zeros.

    Args:
        vectors: by a word to look for; all of one dimension.
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self._vectors = {
            name: np.asarray(vector, dtype=np.float32) for name, vector in vectors.items()
        }
        self.dimension = len(next(iter(self._vectors.values())))
        self.fingerprint = f"given-{self.dimension}"

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), dimension)."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dimension,)."""
        blank: FloatArray = np.zeros(self.dimension, dtype=np.float32)
        return next((vector for name, vector in self._vectors.items() if name in text), blank)


Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One call of a `ScriptedLLM`."""

    messages: tuple[Mapping[str, Any], ...]
    response_model: type[BaseModel]
    timeout: float


class ScriptedLLM:
    """Gives the enqueued answers in order, then `default`; without one it is unavailable.

    Thread-safe.

    An answer is a model, a mapping that is validated as the model asked for, an exception that is
    raised, or a callable that gets the messages and returns one of these.

    Attributes:
        calls: all calls, in order.
        usage: the cost of the last call, as `OpenAILLM` reports it.
    """

    model = "scripted"

    def __init__(self, *answers: Any, default: Any = None) -> None:
        self._answers: deque[Any] = deque(answers)
        self._default = default
        self._lock = threading.Lock()
        self.calls: list[ScriptedCall] = []
        self.usage = Usage()

    def enqueue(self, *answers: Any) -> None:
        """Add answers for the next calls."""
        with self._lock:
            self._answers.extend(answers)

    def complete(
        self, messages: Sequence[Mapping[str, Any]], response_model: type[Model], timeout: float
    ) -> Model:
        """The next answer."""
        with self._lock:
            self.calls.append(ScriptedCall(tuple(messages), response_model, timeout))
            self.usage = Usage(prompt_tokens=10, completion_tokens=5, calls=1)
            answer = self._answers.popleft() if self._answers else self._default
        if callable(answer) and not isinstance(answer, (type, BaseModel)):
            answer = answer(messages)
        if answer is None:
            raise LLMUnavailable("nothing is scripted for this call; enqueue an answer")
        if _is_exception(answer):
            raise answer
        if isinstance(answer, Mapping):
            return response_model.model_validate_json(json.dumps(answer))
        return answer  # type: ignore[no-any-return]


def _is_exception(answer: Any) -> bool:
    if isinstance(answer, type):
        return issubclass(answer, BaseException)
    return isinstance(answer, BaseException)

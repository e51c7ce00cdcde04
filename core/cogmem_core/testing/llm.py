"""A language model for tests, which answers by a script."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from cogmem_core.llm import LLMUnavailable, Usage

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

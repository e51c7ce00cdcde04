"""Chat models of other frameworks, asked for JSON of a given shape: what the bridges of the adapters have in common."""

from __future__ import annotations

import contextvars
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from pydantic import BaseModel

from cogmem.llm.answers import LLMUnavailable, validated, with_schema
from cogmem.ports import Usage

__all__ = ["BorrowedLLM"]

Model = TypeVar("Model", bound=BaseModel)


class BorrowedLLM(ABC):
    """Implements `ports.LLM` over `chat`; thread-safe if that is.

    The schema stands in the prompt, because that is what every chat model takes. The time limit is kept here: a model
    that does not answer in time is left to itself.
    """

    def __init__(self) -> None:
        self._last = threading.local()

    @property
    @abstractmethod
    def model(self) -> str:
        """The model's name, for logs."""

    @abstractmethod
    def chat(self, messages: Sequence[Mapping[str, Any]]) -> tuple[str, Usage]:
        """What the model answers to `{"role", "content"}` messages, and what that cost."""

    @property
    def usage(self) -> Usage:
        """What this thread's last `complete` cost, failed ones included."""
        usage: Usage = getattr(self._last, "usage", Usage())
        return usage

    def complete(self, messages: Sequence[Mapping[str, Any]], response_model: type[Model], timeout: float) -> Model:
        """Answer within `timeout` seconds.

        Raises:
            LLMUnavailable: too late. LLMOutputError: an answer that is no JSON, or has another shape.
            Else whatever the model raises.
        """
        self._last.usage = Usage(calls=1)
        box = _Box()
        asked = with_schema(messages, response_model)
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._ask, asked, box), name="cogmem-llm", daemon=True).start()
        if not box.done.wait(timeout):
            raise LLMUnavailable(f"{self!r} did not answer in time")
        if box.error is not None:
            raise box.error
        text, usage = box.answer
        self._last.usage = Usage(usage.prompt_tokens, usage.completion_tokens, calls=1)
        return validated(text, response_model)

    def _ask(self, messages: Sequence[Mapping[str, Any]], box: _Box) -> None:
        with box:
            box.answer = self.chat(messages)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"


class _Box:
    """What came of a call in another thread: `answer`, or the `error` with which its block ended."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer = "", Usage()
        self.error: BaseException | None = None

    def __enter__(self) -> _Box:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        self.error = error
        self.done.set()
        return True

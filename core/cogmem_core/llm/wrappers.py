"""Wraps chat models of other frameworks for the engine; the adapters' bridges build on it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from cogmem_core.base.error_texts import reason, status_of
from cogmem_core.base.timeouts import CallTimeout, Deadline, TimeLimitedCaller
from cogmem_core.errors import CogMemError
from cogmem_core.llm.answers import (
    LLMOutputError,
    LLMUnavailable,
    Messages,
    Model,
    validated,
    with_schema,
)
from cogmem_core.ports import Usage

STOP_REASONS = ("finish_reason", "stop_reason", "done_reason")
"""Under which of these names the clients of language models tell why an answer ended."""
_LENGTH_REASONS = {"length", "max_tokens"}
_REFUSED_STATUS = (400, 404, 422)
_UNUSABLE = (
    "LengthFinishReasonError",
    "ContentFilterFinishReasonError",
    "OutputParserException",
    "ValidationError",
)
"""What clients raise of an answer that they got.

By name, because the clients are no dependencies.
"""


class NoStructuredOutput(Exception):
    """The model gives no structured output for this schema: it has to be asked by a prompt."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said.

    Attributes:
        text: or the arguments of the tool that it called, as JSON.
        cut_off: it had more to say than there was room for.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    cut_off: bool = False


@dataclass(slots=True)
class _Call:
    """One `complete`: what it may take, and what it has cost so far."""

    messages: Messages
    deadline: Deadline
    usage: Usage = field(default_factory=Usage)


class BorrowedLLM(ABC):
    """Implements `ports.LLM` over `ask`. Thread-safe if that is.

    The model is asked for structured output; where it has none, or the server refuses it, by a
    prompt with the schema, and the JSON is taken out of the text. Which of the two works is
    remembered for each kind of answer. It is asked in a thread and a context of its own, apart from
    the run that is going on. A call is given up when its time is over, and while it hangs on
    further ones are refused at once.

    Attributes:
        model: the model's name, for health and log.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self._begin()

    def _begin(self) -> None:
        """What a copy in another process does not take over."""
        self._caller = TimeLimitedCaller()
        self._unstructured: set[type[BaseModel]] = set()
        self._last_call = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        own = ("_caller", "_unstructured", "_last_call")
        return {name: value for name, value in self.__dict__.items() if name not in own}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    @abstractmethod
    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        shape: type[BaseModel] | None,
        on_request: Callable[[], None],
    ) -> ModelReply:
        """Ask the model once.

        Args:
            messages: `{"role", "content"}`.
            shape: what its structured output has to be; None = just ask.
            on_request: to be called right before the model is.

        Raises:
            NoStructuredOutput: it has no structured output. Else whatever the model raises.
        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"

    @property
    def usage(self) -> Usage:
        """What this thread's last `complete` cost, failed ones included.

        Tokens are 0 where the model tells none.
        """
        usage: Usage = getattr(self._last_call, "usage", Usage())
        return usage

    def complete(
        self, messages: Sequence[Mapping[str, Any]], response_model: type[Model], timeout: float
    ) -> Model:
        """Answer within `timeout` seconds.

        Raises:
            LLMUnavailable: no answer: the model failed, or too late.
            LLMOutputError: one of another shape.
        """
        call = _Call(messages, Deadline(timeout))
        try:
            # In an empty context, as the caller runs it: the engine's own questions are no part of
            # the run that happens to be going on.
            return self._caller.call(lambda: self._answer(call, response_model), timeout)
        except CallTimeout as error:
            raise LLMUnavailable(f"{self!r} did not answer in time ({error})") from error
        finally:
            self._last_call.usage = call.usage

    def _answer(self, call: _Call, response_model: type[Model]) -> Model:
        with _TranslatedErrors(self):
            if response_model not in self._unstructured:
                with suppress(NoStructuredOutput):
                    return self._read(call, response_model, structured=True)
            return self._read(call, response_model, structured=False)

    def _read(self, call: _Call, response_model: type[Model], *, structured: bool) -> Model:
        def on_request() -> None:
            if call.deadline.passed:
                raise LLMUnavailable(f"{self!r} did not answer in time")
            call.usage += Usage(calls=1)

        if structured:
            reply = self.ask(call.messages, response_model, on_request)
        else:
            reply = self.ask(with_schema(call.messages, response_model), None, on_request)
            self._unstructured.add(response_model)
        call.usage += reply.usage
        if reply.cut_off:
            raise LLMOutputError("the answer was cut off by the token limit")
        return validated(reply.text, response_model)


def cut_off(reasons: Iterable[object]) -> bool:
    """Whether one of the reasons why an answer ended is that there was no more room for it."""
    return any(str(reason).lower() in _LENGTH_REASONS for reason in reasons)


class RefusalAsUnstructured:
    """A block that asks for structured output; a server's refusal raises `NoStructuredOutput`."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _kind: object, error: BaseException | None, _at: object) -> None:
        if isinstance(error, NotImplementedError) or status_of(error) in _REFUSED_STATUS:
            raise NoStructuredOutput from error


class _TranslatedErrors:
    """Turns a model's exceptions into cogmem's, without their text, which may quote the prompt."""

    def __init__(self, llm: BorrowedLLM) -> None:
        self._llm = llm

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _kind: object, error: BaseException | None, _at: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, CogMemError):
            name = type(error).__name__
            if name in _UNUSABLE:
                raise LLMOutputError(f"the answer cannot be used ({name})") from error
            raise LLMUnavailable(f"{self._llm!r} failed ({reason(error)})") from error

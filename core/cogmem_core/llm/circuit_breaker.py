"""Stops asking a language model that does not answer, so that no step waits for its time-out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from math import ceil
from typing import Any

from pydantic import ValidationError

from cogmem_core.base.error_texts import reason
from cogmem_core.config import LLMConfig
from cogmem_core.llm.answers import LLMOutputError, LLMUnavailable, Messages, Model
from cogmem_core.ports import LLM, Usage

_REASON_CHARACTERS = 120
_ANSWER_ERRORS = (LLMOutputError, ValidationError)


class CircuitBreaker:
    """A language model behind a switch; thread-safe, and calls may run at the same time.

    After so many calls in a row that raised, further ones are refused at once. When the rest
    have passed, one call is let through: if it is answered the model is back, else it is left alone
    for as long again. An answer that cannot be used is an answer: the model can be reached,
    whatever it says.

    Args:
        llm: the model.
        limits: `cooldown_failures` in a row, `cooldown_seconds` of rest.
        clock: seconds, monotonic.
    """

    def __init__(self, llm: LLM, limits: LLMConfig, *, clock: Callable[[], float]) -> None:
        self._llm = llm
        self._max_failures = limits.cooldown_failures
        self._seconds = limits.cooldown_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failures_in_row = 0
        self._reason = ""
        self._open_until = 0.0
        self._trial_running = False
        self._refusals = threading.local()

    def __repr__(self) -> str:
        return f"CircuitBreaker({self._llm!r})"

    @property
    def model(self) -> str:
        """The model's name."""
        return str(getattr(self._llm, "model", type(self._llm).__name__))

    @property
    def trouble(self) -> str:
        """Why the last call failed; empty if it was answered, or none was made."""
        with self._lock:
            return self._reason if self._failures_in_row else ""

    @property
    def usage(self) -> Any:
        """What the model says of this thread's last call; nothing spent if it was refused here."""
        refusal_usage: Usage | None = getattr(self._refusals, "usage", None)
        if refusal_usage is not None:
            return refusal_usage
        return getattr(self._llm, "usage", None)

    def complete(self, messages: Messages, response_model: type[Model], timeout: float) -> Model:
        """The model's answer.

        Raises:
            LLMUnavailable: the model is left alone and was not asked. Else whatever the model
                raises.
        """
        trial = self._enter()
        with ExitStack() as stack:
            stack.push(lambda _kind, error, _at: self._leave(error, trial=trial))
            return self._llm.complete(messages, response_model, timeout)

    def _enter(self) -> bool:
        """Let a call through, or raise.

        True if it is the one that decides whether the model is back.
        """
        with self._lock:
            refusal = self._refusal()
            trial = refusal is None and self._failures_in_row >= self._max_failures
            self._trial_running = self._trial_running or trial
        self._refusals.usage = None if refusal is None else Usage()
        if refusal is not None:
            raise LLMUnavailable(refusal)
        return trial

    def _leave(self, error: BaseException | None, *, trial: bool) -> None:
        """Note how a call ended; one that was interrupted says nothing about the model."""
        with self._lock:
            if trial:
                self._trial_running = False
            if error is None or isinstance(error, _ANSWER_ERRORS):
                self._failures_in_row = 0
            elif isinstance(error, Exception):
                self._failures_in_row += 1
                self._reason = (
                    " ".join(reason(error).split())[:_REASON_CHARACTERS] or type(error).__name__
                )
                if trial or self._failures_in_row == self._max_failures:
                    self._open_until = self._clock() + self._seconds

    def _refusal(self) -> str | None:
        seconds = self._open_until - self._clock()
        if self._failures_in_row < self._max_failures or (seconds <= 0 and not self._trial_running):
            return None
        state = "it is being tried again"
        if seconds > 0:
            state = f"it is left alone for {ceil(seconds)} more seconds"
        return f"the model failed {self._failures_in_row} times in a row; {state}: {self._reason}"

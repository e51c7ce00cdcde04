"""The budget for a language model: tokens per call and day, calls per cycle and day."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timezone

from cogmem_core.errors import ConfigError
from cogmem_core.ports import Usage

__all__ = ["Budget"]


@dataclass(frozen=True, slots=True)
class _Limits:
    per_call_tokens: int | None
    calls_per_cycle: int | None
    calls_per_day: int | None
    tokens_per_day: int | None


_ANSWERS_THAT_TELL = 5


class _Today:
    """What was spent on the current day; shared by a budget and its cycles."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.lock = threading.Lock()
        self._clock = clock
        self._day: date | None = None
        self.calls = 0
        self.tokens = 0
        self.answers = 0
        self.unusable = 0
        self.refusal = ""

    def turn(self) -> None:
        """Start from zero if a new day (UTC) has begun; a clock that goes back opens no new day."""
        day = self._clock().astimezone(timezone.utc).date()
        if self._day is None or day > self._day:
            self._day = day
            self.calls = 0
            self.tokens = 0
            self.answers = 0
            self.unusable = 0
            self.refusal = ""


class Budget:
    """Granted before a call, settled after it; thread-safe. None = unlimited, 0 = never.

    `calls_per_cycle` binds the budgets that `cycle()` returns; they share the daily limits with
    this one.

    Args:
        per_call_tokens: estimated tokens of one prompt.
        calls_per_cycle: calls of one dream cycle.
        calls_per_day: calls of one day, UTC by the clock.
        tokens_per_day: tokens of prompts and answers of one day.
        clock: the engine's time, timezone-aware.

    Raises:
        ConfigError: a limit is negative.
    """

    def __init__(
        self,
        *,
        per_call_tokens: int | None = None,
        calls_per_cycle: int | None = None,
        calls_per_day: int | None = None,
        tokens_per_day: int | None = None,
        clock: Callable[[], datetime],
    ) -> None:
        self._limits = _Limits(per_call_tokens, calls_per_cycle, calls_per_day, tokens_per_day)
        values = {name: getattr(self._limits, name) for name in _Limits.__slots__}
        problems = [
            f"{name} is {limit}; use 0 or more"
            for name, limit in values.items()
            if (limit or 0) < 0
        ]
        if problems:
            raise ConfigError("; ".join(problems))
        self._today = _Today(clock)
        self._cycle_calls: int | None = None

    def cycle(self) -> Budget:
        """A budget for one dream cycle: its own count of calls, the same day."""
        budget = Budget.__new__(Budget)
        budget._limits = self._limits
        budget._today = self._today
        budget._cycle_calls = 0
        return budget

    def take(self, tokens: int = 0) -> str | None:
        """Reserve one call and about `tokens` tokens for its prompt, until `record`.

        Returns:
            None if granted, else the reason of the refusal; then nothing was taken.
        """
        with self._today.lock:
            self._today.turn()
            refusal = self._refusal(tokens)
            if refusal is None:
                self._add(calls=1, tokens=tokens)
            elif "per day" in refusal:
                self._today.refusal = refusal
            return refusal

    def count_answer(self, *, usable: bool) -> None:
        """Note that the model answered, and whether anything could be done with it."""
        with self._today.lock:
            self._today.turn()
            self._today.answers += 1
            self._today.unusable += not usable

    def troubles(self) -> list[str]:
        """What should be known of the current day: a budget that is spent, answers that are mostly unusable."""
        with self._today.lock:
            self._today.turn()
            answers = self._today.answers
            unusable = self._today.unusable
            refusal = self._today.refusal
        sentences = []
        if refusal:
            sentences.append(
                f"the language model's budget of the day is spent, rules decide: {refusal}"
            )
        if answers >= _ANSWERS_THAT_TELL and 2 * unusable > answers:
            sentences.append(
                f"{unusable} of {answers} answers of the language model were unusable today, rules decided; "
                "try another model"
            )
        return sentences

    def record(self, spent: Usage, *, reserved: int = 0) -> None:
        """Settle a granted call: its real cost replaces the reserved tokens and the one call.

        A server that tells no tokens leaves the reservation standing; without a request it is given
        back.
        """
        tokens = spent.prompt_tokens + spent.completion_tokens
        with self._today.lock:
            self._today.turn()
            self._add(
                calls=spent.calls - 1, tokens=tokens - reserved if tokens or not spent.calls else 0
            )

    @property
    def calls_today(self) -> int:
        """Calls of the current day."""
        with self._today.lock:
            self._today.turn()
            return self._today.calls

    @property
    def tokens_today(self) -> int:
        """Tokens of the current day, reservations included."""
        with self._today.lock:
            self._today.turn()
            return self._today.tokens

    def _refusal(self, tokens: int) -> str | None:
        limits = self._limits
        today = self._today
        checks = (
            ("tokens per call", tokens, limits.per_call_tokens),
            ("calls per cycle", (self._cycle_calls or 0) + 1, self._cycle_limit()),
            ("calls per day", today.calls + 1, limits.calls_per_day),
            ("tokens per day", today.tokens + tokens, limits.tokens_per_day),
        )
        for name, amount, limit in checks:
            if limit is not None and amount > limit:
                return f"over budget: {name} are limited to {limit}, this call would make {amount}"
        return None

    def _cycle_limit(self) -> int | None:
        return None if self._cycle_calls is None else self._limits.calls_per_cycle

    def _add(self, *, calls: int, tokens: int) -> None:
        if self._cycle_calls is not None:
            self._cycle_calls += calls
        self._today.calls = max(0, self._today.calls + calls)
        self._today.tokens = max(0, self._today.tokens + tokens)

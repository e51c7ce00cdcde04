"""The budget for a language model: tokens per call and day, calls per cycle and day."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from typing import Protocol, TypeVar

from cogmem_core.config import LLMConfig
from cogmem_core.errors import StoreError
from cogmem_core.ports import Usage

Value = TypeVar("Value")


_ANSWERS_THAT_TELL = 5
_CHANGES_THAT_TELL = 3


class Account(Protocol):
    """Where what was spent is kept for later, and for other processes."""

    def read(self) -> str:
        """What was kept last; empty if nothing was."""

    def exchange(self, change: Callable[[str], str]) -> None:
        """Keep what becomes of it; nobody else changes it meanwhile."""


@dataclass(slots=True)
class _Spent:
    """What was spent on one day."""

    day: str = ""
    calls: int = 0
    tokens: int = 0
    answers: int = 0
    unusable: int = 0
    changes: int = 0
    missed: int = 0
    refusal: str = ""


class _Today:
    """What was spent on the current day; shared by a budget and its cycles."""

    def __init__(self, clock: Callable[[], datetime], account: Account | None) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._account = account
        self._spent = _Spent()

    def change(self, change: Callable[[_Spent], Value]) -> Value:
        """Change what was spent.

        An account that fails costs no call: then this process counts for itself.
        """
        done: list[Value] = []

        def exchange(kept: str) -> str:
            self._take_over(kept)
            done.append(change(self._spent))
            return json.dumps(asdict(self._spent))

        with self._lock:
            if self._account is not None:
                with suppress(StoreError):
                    self._account.exchange(exchange)
            if not done:
                exchange("")
            return done[0]

    def read(self) -> _Spent:
        """What was spent."""
        with self._lock:
            kept = ""
            if self._account is not None:
                with suppress(StoreError):
                    kept = self._account.read()
            self._take_over(kept)
            return replace(self._spent)

    def _take_over(self, kept: str) -> None:
        """What others spent; zero if a new day (UTC) has begun. A clock that goes back opens none."""
        if kept:
            self._spent = max(_Spent(**json.loads(kept)), self._spent, key=lambda one: one.day)
        day = self._clock().astimezone(timezone.utc).date().isoformat()
        if day > self._spent.day:
            self._spent = _Spent(day)


class Budget:
    """Granted before a call, settled after it; thread-safe. None = unlimited, 0 = never.

    `calls_per_cycle` binds the budgets that `cycle()` returns; they share the daily limits with
    this one.

    Args:
        limits: of a call, a cycle and a day.
        clock: the engine's time, timezone-aware.
        account: where the day is kept; None = in this process only.
    """

    def __init__(
        self,
        limits: LLMConfig,
        *,
        clock: Callable[[], datetime],
        account: Account | None = None,
    ) -> None:
        self._limits = limits
        self._today = _Today(clock, account)
        self._cycle_calls: int | None = None

    def cycle(self) -> Budget:
        """A budget for one dream cycle: its own count of calls, the same day."""
        budget = copy.copy(self)
        budget._cycle_calls = 0
        return budget

    def take(self, tokens: int = 0) -> str | None:
        """Reserve one call and about `tokens` tokens for its prompt, until `record`.

        Returns:
            None if granted, else the reason of the refusal; then nothing was taken.
        """

        def take(spent: _Spent) -> str | None:
            refusal = self._refusal(spent, tokens)
            if refusal is None:
                self._add(spent, calls=1, tokens=tokens)
            elif "per day" in refusal:
                spent.refusal = refusal
            return refusal

        return self._today.change(take)

    def count_answer(self, *, usable: bool) -> None:
        """Note that the model answered, and whether anything could be done with it."""

        def count(spent: _Spent) -> None:
            spent.answers += 1
            spent.unusable += not usable

        self._today.change(count)

    def count_changes(self, changes: int, *, missed: int) -> None:
        """Note how many statements the model had to judge that newer ones make untrue, and left standing."""

        def count(spent: _Spent) -> None:
            spent.changes += changes
            spent.missed += missed

        self._today.change(count)

    def troubles(self) -> list[str]:
        """What should be known of the current day: a budget that is spent, answers that are mostly of no use."""
        spent = self._today.read()
        sentences = []
        if spent.refusal:
            sentences.append(
                f"the language model's budget of the day is spent, rules decide: {spent.refusal}"
            )
        if spent.answers >= _ANSWERS_THAT_TELL and 2 * spent.unusable > spent.answers:
            sentences.append(
                f"{spent.unusable} of {spent.answers} answers of the language model were unusable "
                "today, rules decided; try another model"
            )
        if spent.changes >= _CHANGES_THAT_TELL and 2 * spent.missed > spent.changes:
            sentences.append(
                f"the language model left standing {spent.missed} of {spent.changes} statements that newer "
                "ones made untrue today, rules decided; try another model"
            )
        return sentences

    def record(self, spent: Usage, *, reserved: int = 0) -> None:
        """Settle a granted call: its real cost replaces the reserved tokens and the one call.

        A server that tells no tokens leaves the reservation standing; without a request it is given
        back.
        """
        tokens = spent.prompt_tokens + spent.completion_tokens
        more = tokens - reserved if tokens or not spent.calls else 0
        self._today.change(lambda today: self._add(today, calls=spent.calls - 1, tokens=more))

    @property
    def calls_today(self) -> int:
        """Calls of the current day."""
        return self._today.read().calls

    @property
    def tokens_today(self) -> int:
        """Tokens of the current day, reservations included."""
        return self._today.read().tokens

    def _refusal(self, today: _Spent, tokens: int) -> str | None:
        limits = self._limits
        of_cycle = None if self._cycle_calls is None else limits.calls_per_cycle
        checks = (
            ("tokens per call", tokens, limits.per_call_tokens),
            ("calls per cycle", (self._cycle_calls or 0) + 1, of_cycle),
            ("calls per day", today.calls + 1, limits.calls_per_day),
            ("tokens per day", today.tokens + tokens, limits.tokens_per_day),
        )
        for name, amount, limit in checks:
            if limit is not None and amount > limit:
                return f"over budget: {name} are limited to {limit}, this call would make {amount}"
        return None

    def _add(self, today: _Spent, *, calls: int, tokens: int) -> None:
        if self._cycle_calls is not None:
            self._cycle_calls += calls
        today.calls = max(0, today.calls + calls)
        today.tokens = max(0, today.tokens + tokens)

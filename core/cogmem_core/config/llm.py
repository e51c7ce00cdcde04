"""Settings of `[llm]`: what the language model may cost."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["LLMConfig"]


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """What may be asked of the language model; None = unlimited.

    Attributes:
        timeout_seconds: for one step, retries included.
        per_call_tokens: estimated tokens of one prompt.
        calls_per_cycle: calls of one dream cycle.
        calls_per_day, tokens_per_day: by UTC day.
        cooldown_failures: so many failures in a row, and the model is left alone for
            `cooldown_seconds`.
    """

    timeout_seconds: float = number(30.0, 0.1, 600.0)
    per_call_tokens: int | None = number(None, 0, 10_000_000)
    calls_per_cycle: int | None = number(25, 0, 1_000_000)
    calls_per_day: int | None = number(None, 0, 10_000_000)
    tokens_per_day: int | None = number(None, 0, 10_000_000_000)
    cooldown_failures: int = number(3, 1, 1_000)
    cooldown_seconds: float = number(60.0, 0.0, 86_400.0)

"""Settings of `[echo]`: repeated context in a turn."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["EchoConfig"]


@dataclass(frozen=True, slots=True)
class EchoConfig:
    """What counts as memory that comes back: it creates and reinforces nothing.

    Attributes:
        minutes: how long something recalled counts as injected.
        pasted_words: a person's text counts as pasted from so many words on; who says a short thing
            again means it.
        candidates: memories that an assistant's turn is compared with; earlier_turns: and so many
            turns before it.
        told_words, told_share: a turn repeats a text that was not injected here if it holds so many
            of its words, or such a share of them; small talk has a word or two in common with
            anything.
    """

    minutes: float = number(60.0, 0.0, 100_000.0)
    pasted_words: int = number(8, 1, 1_000)
    candidates: int = number(8, 0, 1_000)
    earlier_turns: int = number(6, 0, 100)
    told_words: int = number(4, 1, 1_000)
    told_share: float = number(0.6, 0.0, 1.0)

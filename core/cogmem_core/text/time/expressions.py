"""Expressions that may name times, in their messages, and the rules that found them. Pure; texts are folded."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import TimeRules
from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, by_language
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import fold_beginning
from cogmem_core.text.time.periods import Period
from cogmem_core.text.time.tense import Lean, clause_around, lean

WEEKLY = AnyPattern("time.ends.weekly")
"""What comes back each week."""
MONTHLY = AnyPattern("time.ends.monthly")
"""What comes back each month."""
FUTURE = AnyPattern("time.ends.future")
"""What will be."""
HABIT = MergedPattern(rf"\b(?:{all_patterns('time.habits')})\b")
"""What happens every time."""
_YEARLY = AnyPattern("time.ends.yearly")
_SINCE = by_language("time.since")


class Message(NamedTuple):
    """A message that may name times.

    Attributes:
        text: what it says.
        folded: the text after `fold_letters`.
        said_at: when it was said, in the speaker's time zone.
    """

    text: str
    folded: str
    said_at: datetime


@in_its_language
def tells_habit(text: str) -> bool:
    """Whether a text tells what happens every time: "rent is due on the 3rd", "my birthday is"."""
    folded = fold_beginning(text)
    if HABIT.search(folded):
        return True
    return any(pattern.search(folded) for pattern in (_YEARLY, MONTHLY, WEEKLY))


class Rule(NamedTuple):
    """What an expression looks like and what it means.

    Attributes:
        quick: what it looks like, with a test whether a text may hold it.
        resolve: what it means; None if it is no time there.
        language: the code of its language.
        direction: -1 if it looks back, 1 if it looks ahead.
        units: the unit that it moves by.
        relative: whether its meaning depends on when it was said, apart from a missing year.
    """

    quick: QuickPattern
    resolve: Callable[[Expression], Period | None]
    language: str
    direction: int
    units: str
    relative: bool


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression in its message."""

    match: re.Match[str]
    message: Message
    rule: Rule

    def __getitem__(self, group: str) -> str:
        """What a group matched; "" if there is none or it matched nothing."""
        return (group in self.match.re.groupindex and self.match[group]) or ""

    @property
    def today(self) -> date:
        """The local day on which it was said."""
        return self.message.said_at.date()

    @property
    def words(self) -> TimeRules:
        """The words of its language."""
        return LANGUAGES[self.rule.language].time

    @property
    def _sentence(self) -> tuple[int, int]:
        return clause_around(self.message.folded, *self.match.span())

    @property
    def is_habit(self) -> bool:
        """Whether its sentence tells what happens every time."""
        return HABIT.search(self.message.folded, *self._sentence) is not None

    def says(self, words: AnyPattern) -> bool:
        """Whether its sentence holds some words."""
        low, high = self._sentence
        return words.search(self.message.folded[low:high]) is not None

    def is_lower(self, group: str) -> bool:
        """Whether a group begins with a lower-case letter."""
        return self.message.text[self.match.start(group)].islower()

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands, without a preposition before it."""
        return self.match.span("x" if "x" in self.match.re.groupindex else 0)

    @property
    def is_since(self) -> bool:
        """Whether something is so since then: "in Leeds since May"."""
        since = _SINCE.get(self.rule.language)
        start, end = self.span
        low, high = self._sentence
        folded = self.message.folded
        marked = f"{folded[low:start]}<{folded[start:end]}>{folded[end:high]}"
        return bool(since and since.search(marked))

    @property
    def lean(self) -> Lean:
        """Where its sentence looks; back from what is so since then."""
        return -1 if self.is_since else lean(self.message.folded, *self.span, self.rule.language)

    @property
    def towards(self) -> int:
        """Where it looks; ahead in doubt."""
        return self.lean or 1

    @property
    def stands(self) -> bool:
        """Whether its sentence tells of the present, and not what was or will be."""
        return not self.says(FUTURE) and self.lean >= 0

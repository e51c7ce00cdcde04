"""A summary of what is known in one category (seed 001, category summaries); names and numbers of the memories only.

The twin quotes the sentences that say most.
"""

from __future__ import annotations

from cogmem_core.skills.grounds import Grounds, TextAnswer, checked, quoted, shown
from cogmem_core.skills.run import Message, Skill, ask

__all__ = ["OVERVIEW"]

_TASK = (
    "Summarise what is remembered in one category (`category`): a concise overview of at most "
    "eight sentences that stand alone, in the language of the memories and in the third person, "
    "with names instead of pronouns. The most lasting and most telling things come first. Where "
    "memories differ, the one said later holds. Keep names, numbers, negations and doubts as they "
    "were said. Add nothing."
)
_CHARACTERS = 1_500
_SENTENCES = 8


def _prompt(given: Grounds) -> list[Message]:
    return ask(_TASK, shown(given))


def _parse(answer: TextAnswer, given: Grounds) -> str:
    return checked(answer, given, characters=_CHARACTERS, sentences=_SENTENCES)


def _quoted(given: Grounds) -> str:
    return quoted(given, _SENTENCES)


OVERVIEW: Skill[Grounds, TextAnswer, str] = Skill("overview", _prompt, TextAnswer, _parse, _quoted)

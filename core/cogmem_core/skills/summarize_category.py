"""A summary of one category of memories, with names and numbers of the memories only.

The heuristic quotes the sentences that say most.
"""

from __future__ import annotations

from cogmem_core.skills.grounds import Grounds, TextAnswer, as_data, check_text, quote
from cogmem_core.skills.run import Message, Skill, ask

_TASK = (
    "Summarise what is remembered in one category (`category`): a concise overview of at most "
    "eight sentences that stand alone, in the language of the memories and in the third person, "
    "with names instead of pronouns. The most lasting and most telling things come first. Where "
    "memories differ, the one said later holds. Keep names, numbers, negations and doubts as they "
    "were said. Add nothing."
)
_CHARACTERS = 1_500
_SENTENCES = 8


def _prompt(grounds: Grounds) -> list[Message]:
    return ask(_TASK, as_data(grounds))


def _parse(answer: TextAnswer, grounds: Grounds) -> str:
    return check_text(answer, grounds, characters=_CHARACTERS, sentences=_SENTENCES)


def _quote(grounds: Grounds) -> str:
    return quote(grounds, _SENTENCES)


OVERVIEW: Skill[Grounds, TextAnswer, str] = Skill("overview", _prompt, TextAnswer, _parse, _quote)

"""What memories have in common: a theme, an insight, a pattern of behaviour.

Names and numbers come from the memories only. The heuristic finds nothing new: it quotes the
sentences that say most, for a text that must be written again because one of its memories is gone.
"""

from __future__ import annotations

from functools import partial

from cogmem_core.skills.grounds import Grounds, TextAnswer, as_data, check_text, quote
from cogmem_core.skills.run import Message, Skill, ask

_RULES = (
    " Write in the language of the memories and in the third person, with names instead of "
    "pronouns. Use only names and numbers that stand in the memories, and their words where you "
    "can; add no denial that none of them holds. Do not list the memories. If there is nothing of "
    "that kind to say, answer with an empty text."
)
_THEME = (
    "These memories belong together. Name the theme that they have in common: one sentence that "
    "stands alone and says what they tell about the person or the matter."
)
_INSIGHT = (
    "These memories are often used together. State the insight that follows from them together "
    "and stands in none of them alone: one to three sentences of distilled knowledge that stand "
    "alone."
)
_PATTERN = (
    "Find the pattern of behaviour behind these memories: what this person usually does, prefers, "
    "avoids or decides, and under which circumstances. One or two sentences that stand alone. "
    "Claim nothing that holds for one memory only."
)
_CHARACTERS = 600
_QUOTES = 3


def _prompt(grounds: Grounds, task: str) -> list[Message]:
    return ask(task + _RULES, as_data(grounds))


def _parse(answer: TextAnswer, grounds: Grounds, *, sentences: int) -> str:
    return check_text(answer, grounds, characters=_CHARACTERS, sentences=sentences)


def _quote(grounds: Grounds) -> str:
    return quote(grounds, _QUOTES)


def _insight_skill(name: str, task: str, sentences: int) -> Skill[Grounds, TextAnswer, str]:
    return Skill(
        name, partial(_prompt, task=task), TextAnswer, partial(_parse, sentences=sentences), _quote
    )


THEME = _insight_skill("theme", _THEME, 1)
INSIGHT = _insight_skill("insight", _INSIGHT, 3)
PATTERN = _insight_skill("pattern", _PATTERN, 2)

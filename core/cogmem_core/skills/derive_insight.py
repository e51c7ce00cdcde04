"""What memories have in common: a theme, an insight, a pattern of behaviour, an overview of a category.

Names and numbers come from the memories only. The heuristic finds nothing new: it quotes the
sentences that say most, for a text that must be written again because one of its memories is gone.
"""

from __future__ import annotations

from functools import partial

from cogmem_core.skills.grounds import Grounds, TextAnswer, asking, check_text, quote
from cogmem_core.skills.run import Skill

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
_OVERVIEW = (
    "Summarise what is remembered in one category (`category`): a concise overview of at most "
    "eight sentences that stand alone, in the language of the memories and in the third person, "
    "with names instead of pronouns. The most lasting and most telling things come first. Where "
    "memories differ, the one said later holds. Keep names, numbers, negations and doubts as they "
    "were said. Add nothing."
)


def _text_skill(
    name: str, task: str, *, sentences: int, characters: int = 600, quotes: int = 3
) -> Skill[Grounds, TextAnswer, str]:
    parse = partial(check_text, characters=characters, sentences=sentences)
    return Skill(name, asking(task), TextAnswer, parse, partial(quote, max_sentences=quotes))


THEME = _text_skill("theme", _THEME + _RULES, sentences=1)
INSIGHT = _text_skill("insight", _INSIGHT + _RULES, sentences=3)
PATTERN = _text_skill("pattern", _PATTERN + _RULES, sentences=2)
OVERVIEW = _text_skill("overview", _OVERVIEW, sentences=8, characters=1_500, quotes=8)

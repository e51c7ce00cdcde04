"""Consolidation of fading memories: several of them become one summary that keeps every fact (seed 003).

A summary that loses a number, a name, a negation or most of what one memory says, or brings in one
of its own, is refused; then the texts are strung together as they are.
"""

from __future__ import annotations

from collections import Counter

from cogmem_core.skills.grounds import Ground, Grounds, TextAnswer, checked, dropped, shown
from cogmem_core.skills.merge_texts import negates
from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.tokens import tokens

__all__ = ["CONDENSE", "strung"]

_TASK = (
    "Compress these related memories into a single concise summary that preserves all key facts. "
    "Write one clear paragraph, in the language of the memories and in the third person. Preserve "
    "specific names, dates, numbers, and preferences, negations and doubts, and who said what. "
    "`said` is the day on which a memory was told: replace relative dates by absolute ones, seen "
    "from there. Add nothing."
)
_SHORT = 300  # characters; so long a summary may be however short its memories are
_KEPT = 0.3  # share of a memory's own words that the summary must hold; inflection and paraphrase change many


def strung(grounds: Grounds) -> str:
    """`Summary: a | b | c` (seed 003); where several voices speak, each text says whose it is."""
    voices = {item.speaker for item in grounds.items}
    return "Summary: " + " | ".join(_told(item, named=len(voices) > 1) for item in grounds.items)


def _told(item: Ground, *, named: bool) -> str:
    return f"{item.speaker}: {item.text}" if named and item.speaker else item.text


def _prompt(given: Grounds) -> list[Message]:
    return ask(_TASK, shown(given))


def _parse(answer: TextAnswer, given: Grounds) -> str:
    text = checked(
        answer, given, characters=max(_SHORT, sum(len(item.text) for item in given.items))
    )
    if lost := dropped(text, given):
        raise ValueError(f"the summary loses {len(lost)} names or numbers")
    if not negates(text) and any(negates(item.text) for item in given.items):
        raise ValueError("the summary loses a negation")
    if _forgets(text, given):
        raise ValueError("the summary loses most of what a memory says")
    return text


def _forgets(text: str, given: Grounds) -> bool:
    """Whether a memory is missing, as far as its words tell that no other memory has (all of them, if it has none)."""
    held = set(tokens(text))
    said = [set(tokens(item.text)) for item in given.items]
    shared = Counter(word for words in said for word in words)
    own = [{word for word in words if shared[word] == 1} or words for words in said]
    return any(len(words & held) < _KEPT * len(words) for words in own)


CONDENSE: Skill[Grounds, TextAnswer, str] = Skill("condense", _prompt, TextAnswer, _parse, strung)

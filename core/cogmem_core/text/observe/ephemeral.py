"""Does a statement matter for hours only? Where somebody is right now, a mood, an errand of the day. EN and TR; pure.

Only present states of the speaker count, and only with a word for now: "I'm at the airport right
now", not "Today I got engaged". If unsure, it lasts.
"""

from __future__ import annotations

import re

from cogmem_core.text.folding import MAX_INPUT, fold_letters

__all__ = ["is_passing"]

_NOW = re.compile(
    r"\b(?:right now|at the moment|just now|currently|for now|this (?:morning|afternoon|evening)|tonight|today"
    r"|su an(?:da)?|simdi|simdilik|bugun|bu (?:sabah|aksam|gece))\b"
)
_STATE = re.compile(
    r"\b(?:i am|i'm|we are|we're|user is)\s(?:(?:still|just|so|very|really|a bit|feeling|quite|all)\s){0,2}"
    r"(?:at|in|on|stuck|waiting|tired|hungry|sick|busy|cold|late|sleepy|exhausted|bored|grumpy|home|out|driving|walking"
    r"|cooking|shopping|packing|watching|eating|having|heading|running late|in bed|feeling)\b"
    r"|\bi have (?:a|an) (?:headache|cold|hangover|meeting|call)\b"
    r"|\b(?:yorgunum|acim|hastayim|mesgulum|usuyorum|yoldayim|evdeyim|isteyim|disaridayim|bekliyorum|toplantidayim)\b"
    r"|\bbasim agriyor\b"
)
_LASTING = re.compile(
    r"\b(?:since|every|always|never|usually|anymore|years?|months?|engaged|married|pregnant|hired|fired|diagnosed|allergic"
    r"|her (?:gun|zaman)|beri|hamile|nisanl\w*|evlen\w*)\b"
)


def is_passing(text: str) -> bool:
    """Whether a fact will be of no use after a few hours or days."""
    folded = fold_letters(text[:MAX_INPUT])
    return bool(_NOW.search(folded) and _STATE.search(folded)) and not _LASTING.search(folded)

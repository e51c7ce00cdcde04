"""Does a statement tell how things stand, or what happened once? English and Turkish; pure.

Human memory keeps the two apart (Tulving 1972): what happened fades unless it is needed, what
    somebody knows of himself
does not. "My blood group is AB positive" stands until something else is said; "I had soup for
lunch" is over. Whoever asks to be remembered ("keep in mind that ...") is taken at his word. If
unsure, nothing stands.
"""

from __future__ import annotations

import re

from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon.calendar import NOT_PAST, PAST_VERBS

__all__ = ["is_standing"]

_ASKS = re.compile(
    r"\b(?:keep in mind|bear in mind|remember (?:that|this|my|i)|do(?:n't| not) forget|never forget|make a note"
    r"|note that|for the record|you should know|you must know|important to know|from now on|must never"
    r"|in case of emergency|unutma\w*|aklinda (?:tut|bulun)\w*|not (?:al|et)\w*|bilmen gerek\w*"
    r"|bundan (?:boyle|sonra))\b"
)
_DAY = re.compile(
    r"\b(?:(?<!as of )(?<!from )today|tonight|yesterday|tomorrow|right now|at the moment|just now"
    r"|this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend)|lately|outside"
    r"|bugun|dun|yarin|simdi|su an(?:da)?|bu (?:sabah|aksam|gece|hafta))\b"
)
_OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|mine|we|we're|we've|our|user|ben\w{0,4}|biz\w{0,4}|\w{2,}(?:im|iyorum))\b"
)
_MUSING = re.compile(
    r"\b(?:i (?:think|guess|wonder|hope|wish|suppose|feel|swear|bet|can't believe|should|could|might|would|will)"
    r"|i'll|i'd|i'm (?:so |a bit |really |just |pretty |very |still )?"
    r"(?:tired|cheerful|glad|happy|sorry|sure|afraid|bored|hungry)|let me|sanirim|galiba|umarim)\b"
)
_WORDS = re.compile(r"[a-z']+")
_LASTING = frozenset({"since", "always", "never", "every", "usually", "still", "ever"})


def is_standing(text: str) -> bool:
    """Whether a person's statement tells how things stand with him, or asks to be remembered."""
    folded = fold_letters(text[:MAX_INPUT])
    if _ASKS.search(folded):
        return True
    if "?" in folded or _DAY.search(folded) or _MUSING.search(folded):
        return False
    words = _WORDS.findall(folded)
    if not _LASTING.isdisjoint(words) or attribute_of(text) is not None:
        return True
    return _OWN.search(folded) is not None and not any(map(_is_past, words))


def _is_past(word: str) -> bool:
    return word in PAST_VERBS or (len(word) > 4 and word.endswith("ed") and word not in NOT_PAST)

"""Consolidation of fading memories: several of them become one summary that keeps every fact.

A summary that loses a number, a name, a negation or most of what one memory says, or adds one of
its own, is refused; then the texts are joined as they are.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from cogmem_core.reading.facts import denies
from cogmem_core.skills.grounds import Ground, Grounds, TextAnswer, asking, check_text, dropped
from cogmem_core.skills.run import Skill
from cogmem_core.text.tokens import tokens

_TASK = (
    "Compress these related memories into a single concise summary that preserves all key facts. "
    "Write one clear paragraph, in the language of the memories and in the third person. Preserve "
    "specific names, dates, numbers, and preferences, negations and doubts, and who said what. "
    "`said` is the day on which a memory was told: replace relative dates by absolute ones, seen "
    "from there. Add nothing."
)
_SHORT = 300  # characters; a summary may always be this long, however short its memories are
# Share of a memory's own words that the summary must hold; inflection and paraphrase change many.
_MIN_SHARE = 0.3


def joined(grounds: Grounds) -> str:
    """`Summary: a | b | c`; if several voices speak, each text names its speaker."""
    voices = {item.speaker for item in grounds.items}
    texts = [_with_speaker(item) if len(voices) > 1 else item.text for item in grounds.items]
    return "Summary: " + " | ".join(texts)


def _with_speaker(item: Ground) -> str:
    return f"{item.speaker}: {item.text}" if item.speaker else item.text


def _parse(answer: TextAnswer, grounds: Grounds) -> str:
    length = sum(len(item.text) for item in grounds.items)
    text = check_text(answer, grounds, characters=max(_SHORT, length))
    lost = dropped(text, grounds)
    if lost:
        raise ValueError(f"the summary loses {len(lost)} names or numbers")
    if not denies(text) and any(denies(item.text) for item in grounds.items):
        raise ValueError("the summary loses a negation")
    if _omits_memory(text, grounds):
        raise ValueError("the summary loses most of what a memory says")
    return text


def _omits_memory(text: str, grounds: Grounds) -> bool:
    """Whether the summary holds too few of the words that only one memory has.

    A memory without words of its own is measured by all its words.
    """
    summary_words = set(tokens(text))
    word_sets = [set(tokens(item.text)) for item in grounds.items]
    counts = Counter(chain.from_iterable(word_sets))
    for words in word_sets:
        own_words = {word for word in words if counts[word] == 1} or words
        if len(own_words & summary_words) < _MIN_SHARE * len(own_words):
            return True
    return False


CONDENSE: Skill[Grounds, TextAnswer, str] = Skill(
    "condense", asking(_TASK), TextAnswer, _parse, joined
)

"""Whether a prompt quotes a memory, whatever changed in its white space, case or length. Pure."""

from __future__ import annotations

import unicodedata

from cogmem_core.text.tokens import limit_marks

__all__ = ["flat", "present"]

_BEGINNING = 80  # characters: a longer text that was cut after them still counts
_SHINGLE = 5  # words
_MIN_SHARE = 0.8  # of a text's shingles: splitters and compactors tear texts apart
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
_UNSPACED_FROM = "\u2e80"  # scripts from here on write words without spaces


def flat(text: str) -> str:
    """A text as `present` compares it.

    NFKC, case folded, without invisible characters, single spaces; linear time.
    """
    visible = unicodedata.normalize("NFKC", limit_marks(text)).translate(_INVISIBLE)
    # Folding case may take composed letters apart again, and marks that something invisible kept
    # apart are one run now.
    folded = unicodedata.normalize("NFKC", limit_marks(visible.casefold()))
    return " ".join(folded.split())


def present(memory: str, prompt: str) -> bool:
    """Whether a prompt holds a memory: the whole, its beginning, or most stretches of five words.

    Args:
        memory: as `flat` returns it. No prompt holds an empty memory.
        prompt: as `flat` returns it.
    """
    if not memory:
        return False
    if _holds_words(prompt, memory):
        return True
    if len(memory) <= _BEGINNING:
        return False
    return memory[:_BEGINNING] in prompt or _shingle_share(memory, prompt) >= _MIN_SHARE


def _holds_words(prompt: str, text: str) -> bool:
    """Whether the prompt holds the text and not merely as a part of longer words."""
    start = prompt.find(text)
    while start >= 0:
        end = start + len(text)
        first_pair = prompt[start - 1 : start] + text[0]
        last_pair = text[-1] + prompt[end : end + 1]
        if not _within_word(first_pair) and not _within_word(last_pair):
            return True
        start = prompt.find(text, start + 1)
    return False


def _within_word(pair: str) -> bool:
    """Whether two characters belong to one word."""
    return len(pair) == 2 and pair.isalnum() and max(pair) < _UNSPACED_FROM


def _shingle_share(memory: str, prompt: str) -> float:
    """The share of the memory's stretches of five words that the prompt holds, 0..1."""
    words = memory.split(" ")
    count = len(words) - _SHINGLE + 1
    if count < 1:
        return 0.0
    hits = sum(" ".join(words[start : start + _SHINGLE]) in prompt for start in range(count))
    return hits / count

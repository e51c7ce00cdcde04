"""Whether a memory stands in a prompt, whatever the way there did to white space, case or length. Pure."""

from __future__ import annotations

import unicodedata

from cogmem_core.text.tokens import limit_marks

__all__ = ["flat", "present"]

_BEGINNING = 80  # characters: a longer text that was cut after them still counts
_SHINGLE = 5  # words
_ENOUGH = 0.8  # of a text's shingles: splitters and compactors tear texts apart
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
_UNSPACED_FROM = "\u2e80"  # scripts from here on write words without spaces


def flat(text: str) -> str:
    """A text as `present` compares it: NFKC, case folded, without invisible characters, single spaces; linear time."""
    visible = unicodedata.normalize("NFKC", limit_marks(text)).translate(_INVISIBLE)
    # Folding case may take composed letters apart again, and marks that something invisible kept apart are one run now.
    return " ".join(unicodedata.normalize("NFKC", limit_marks(visible.casefold())).split())


def present(memory: str, prompt: str) -> bool:
    """Whether a prompt holds a memory: as a whole, its beginning, or most of its stretches of five words.

    Args:
        memory, prompt: as `flat` returns them. An empty memory is nowhere.
    """
    if not memory:
        return False
    if _as_words(memory, prompt):
        return True
    if len(memory) <= _BEGINNING:
        return False
    return memory[:_BEGINNING] in prompt or _shingles(memory, prompt) >= _ENOUGH


def _as_words(text: str, prompt: str) -> bool:
    """Whether the prompt holds the text and not merely as a part of longer words."""
    at = prompt.find(text)
    while at >= 0:
        end = at + len(text)
        before, after = prompt[at - 1 : at] + text[0], text[-1] + prompt[end : end + 1]
        if not (_joined(before) or _joined(after)):
            return True
        at = prompt.find(text, at + 1)
    return False


def _joined(pair: str) -> bool:
    return len(pair) == 2 and pair.isalnum() and max(pair) < _UNSPACED_FROM


def _shingles(memory: str, prompt: str) -> float:
    words = memory.split(" ")
    found = [" ".join(words[start : start + _SHINGLE]) in prompt for start in range(len(words) - _SHINGLE + 1)]
    return sum(found) / len(found) if found else 0.0

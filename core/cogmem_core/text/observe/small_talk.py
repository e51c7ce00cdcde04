"""The gate for messages and queries that carry nothing: greetings, confirmations, commands, thanks.

Pure, EN and TR.
"""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.patterns import ACKNOWLEDGEMENTS, CONFIRMATIONS, FILE_ROOTS, GREETINGS

__all__ = ["TrivialKind", "is_trivial"]

TrivialKind = Literal["empty", "greeting", "confirmation", "command", "acknowledgement"]

_MAX_CHARACTERS = 120  # longer texts are no mere courtesy
_MAX_COMMAND = 400
_LONGEST_PHRASE = 6  # words
_WORD = re.compile(r"[^\W_]+")
_COMMAND = re.compile(r"/([a-z][\w:-]{0,31})(?:[ \t][^\n]*)?")
_STRETCHED = re.compile(r"(.)\1{2,}")
_UNSTRETCHED = (r"\g<0>", r"\1", r"\1\1")  # haha, heyyyy, goooood
# `hey Claude`, `merhaba hocam`: who is greeted adds nothing.
_FILLERS = frozenset(
    """
    all and again assistant baby bro buddy claude chatgpt dear dude everyone folks friend gpt guys jarvis just man mate
    my now oh so sir siri team then there too very well ve abi abla arkadaslar canim cok dostum hocam kanka kardesim ya
    """.split()  # noqa: SIM905 - a table is read as a table
)


def is_trivial(text: str) -> TrivialKind | None:
    """Whether a message or query needs neither remembering nor looking up.

    It is trivial if it consists of nothing but known phrases ("ok, thanks!", "çok teşekkürler"), of
    one slash command, or of signs and emoji. Letters may be repeated, and Turkish may be spelt
    without its own letters.

    Returns:
        The kind of its first phrase; None if there is anything else in it.
    """
    bare = text.strip()
    if not bare:
        return "empty"
    if bare[0] == "/" and len(bare) <= _MAX_COMMAND:
        command = _COMMAND.fullmatch(bare.lower())
        if command and command[1] not in FILE_ROOTS:
            return "command"
    if len(bare) > _MAX_CHARACTERS:
        return None
    words = "\n".join(_WORD.findall(fold_letters(bare).replace("'", "")))
    if not words:
        return "acknowledgement"
    spellings = dict.fromkeys(_STRETCHED.sub(kept, words) for kept in _UNSTRETCHED)
    return next(filter(None, (_kind(spelt.split("\n")) for spelt in spellings)), None)


def _kind(words: list[str]) -> TrivialKind | None:
    """Read the words as a chain of known phrases, the longest first."""
    kind: TrivialKind | None = None
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - position), 0, -1):
            found = _phrase_kind(" ".join(words[position : position + length]))
            if found:
                kind = kind or found
                position += length
                break
        else:
            if words[position] not in _FILLERS:
                return None
            position += 1
    return kind


def _phrase_kind(phrase: str) -> TrivialKind | None:
    if phrase in GREETINGS:
        return "greeting"
    if phrase in CONFIRMATIONS:
        return "confirmation"
    return "acknowledgement" if phrase in ACKNOWLEDGEMENTS else None

"""The gate for texts that carry nothing: greetings, confirmations, commands, thanks."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Literal

from cogmem_core.languages.merged import Entries, all_words
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.languages.tables import words
from cogmem_core.text.folding import fold_letters

TrivialKind = Literal["empty", "greeting", "confirmation", "command", "acknowledgement"]

_MAX_CHARACTERS = 120  # a longer text is more than a courtesy
_MAX_COMMAND = 400
_LONGEST_PHRASE = 6  # words
_WORD = re.compile(r"[^\W_]+")
_COMMAND = re.compile(r"/([a-z][\w:-]{0,31})(?:[ \t][^\n]*)?")
_STRETCHED = re.compile(r"(.)\1{2,}")
_UNSTRETCHED = (r"\1", r"\1\1")  # heyyyy, goooood
# First words of absolute paths, which are no slash commands: `/tmp is full`.
_FILE_ROOTS = words(
    "bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr users var volumes"
)
_ACKNOWLEDGEMENTS = all_words("observe.small_talk.acknowledgements")
_CONFIRMATIONS = all_words("observe.small_talk.confirmations")
_GREETINGS = all_words("observe.small_talk.greetings")


# A phrase of several kinds is a greeting first, then a confirmation.
def _kinds() -> dict[str, TrivialKind]:
    return {
        **dict.fromkeys(_ACKNOWLEDGEMENTS, "acknowledgement"),
        **dict.fromkeys(_CONFIRMATIONS, "confirmation"),
        **dict.fromkeys(_GREETINGS, "greeting"),
    }


_KINDS = Entries(_kinds)
# What is said to somebody by a name: greetings, thanks, good wishes.
_ADDRESSED = all_words("observe.small_talk.addressed") | _GREETINGS
# `hey Claude`, `merhaba hocam`: who is greeted adds nothing.
_FILLERS = all_words("observe.small_talk.fillers")


@in_its_language
@cached_by_language(2_048)
def is_trivial(text: str) -> TrivialKind | None:
    """Whether a message or query needs neither remembering nor looking up.

    It is trivial if it consists of nothing but known phrases ("ok, thanks!", "çok teşekkürler"),
    of one slash command, or of signs and emoji. Letters may be repeated, and Turkish may be spelt
    without its own letters.

    Returns:
        The kind of its first phrase; None if there is anything else in it.
    """
    bare = text.strip()
    if not bare:
        return "empty"
    if bare[0] == "/" and len(bare) <= _MAX_COMMAND:
        command = _COMMAND.fullmatch(bare.lower())
        if command and command[1] not in _FILE_ROOTS:
            return "command"
    if len(bare) > _MAX_CHARACTERS:
        return None
    lines = "\n".join(_WORD.findall(fold_letters(bare).replace("'", "")))
    if not lines:
        return "acknowledgement"
    readings = [lines]
    if _STRETCHED.search(lines):
        readings += [_STRETCHED.sub(replacement, lines) for replacement in _UNSTRETCHED]
    for reading in readings:
        phrases = _phrases(reading.split("\n"), _KINDS)
        if phrases:
            return _KINDS[phrases[0]]
    return None


def is_addressed(text: str) -> bool:
    """Whether a text, without the names in it, only greets, thanks or wishes somebody well."""
    return bool(_phrases(_WORD.findall(fold_letters(text).replace("'", "")), _ADDRESSED))


def _phrases(words: list[str], known: Container[str]) -> list[str]:
    """The known phrases of which words are a chain, the longest first; none if there is anything else in them."""
    phrases: list[str] = []
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - position), 0, -1):
            phrase = " ".join(words[position : position + length])
            if phrase in known:
                phrases.append(phrase)
                position += length
                break
        else:
            if words[position] not in _FILLERS:
                return []
            position += 1
    return phrases

"""The gate for texts that carry nothing: greetings, confirmations, commands, thanks."""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.languages.merged import Kept, all_words
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


_KINDS = Kept(_kinds)
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
        kind = _kind(reading.split("\n"))
        if kind:
            return kind
    return None


def is_addressed(text: str) -> bool:
    """Whether a text, without the names in it, only greets, thanks or wishes somebody well."""
    words = _WORD.findall(fold_letters(text).replace("'", ""))
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - position), 0, -1):
            if " ".join(words[position : position + length]) in _ADDRESSED:
                position += length
                break
        else:
            if words[position] not in _FILLERS:
                return False
            position += 1
    return bool(words) and not _FILLERS.now().issuperset(words)


def _kind(words: list[str]) -> TrivialKind | None:
    """Read the words as a chain of known phrases, the longest first."""
    kinds = _KINDS()
    kind: TrivialKind | None = None
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - position), 0, -1):
            phrase_kind = kinds.get(" ".join(words[position : position + length]))
            if phrase_kind:
                kind = kind or phrase_kind
                position += length
                break
        else:
            if words[position] not in _FILLERS:
                return None
            position += 1
    return kind

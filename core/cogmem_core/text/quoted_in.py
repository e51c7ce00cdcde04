"""Whether a prompt quotes a memory, whatever changed in its white space, case, length or escapes. Pure."""

from __future__ import annotations

import html
import re
import sys
from functools import cached_property

from cogmem_core.base.lru import text_cache
from cogmem_core.text.folding import single_spaced
from cogmem_core.text.tokens import composed

_BEGINNING = 80  # characters: a longer text that was cut after them still counts
_SHINGLE = 5  # words
_MIN_SHARE = 0.8  # of a text's shingles: splitters and compactors tear texts apart
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_UNSPACED_FROM = "\u2e80"  # scripts from here on write words without spaces
_FEW = 16  # texts that are looked for one by one
_LAYERS = 4  # a text in JSON in JSON in JSON in HTML
_ESCAPE = re.compile(
    r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[^\W\d_]|[\W_])", re.DOTALL
)
_BLANKS = "ntrfvb"  # what these letters stand for behind a backslash is white space


def flat(text: str) -> str:
    """A text as `present` compares it.

    NFKC, case folded, without invisible characters, single spaces; linear time.
    """
    if text.isascii():
        return single_spaced(text.casefold())
    visible = _INVISIBLE.sub("", composed(text))
    # Folding case may take composed letters apart again, and marks that something invisible kept
    # apart are one run now.
    return single_spaced(composed(visible.casefold()))


def flat_prompt(prompt: str) -> str:
    r"""A prompt as `present` reads it: as it stands, and as it reads without its escapes.

    Texts stand escaped in JSON, in Python's `repr` and in XML; each layer of escapes that is taken
    off adds a line.

    Example:
        >>> flat_prompt('["K\u00f6ln\\nin May"]').splitlines()[1]
        '["köln in may"]'
    """
    layers = [prompt]
    for _ in range(_LAYERS):
        plain = _without_escapes(layers[-1])
        if plain == layers[-1]:
            break
        layers.append(plain)
    return "\n".join(map(flat, layers))


def _without_escapes(text: str) -> str:
    """A text without the entities of XML and HTML; if it has none, without one layer of backslashes."""
    if "&" in text and (plain := html.unescape(text)) != text:
        return plain
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_escaped, text)
    # JSON writes what is beyond the basic plane as two halves.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(match: re.Match[str]) -> str:
    """What an escape stands for; what stands for nothing stays as it is."""
    sign = match[1]
    if len(sign) > 1:
        code = int(sign[1:], 16)
        return chr(code) if code <= sys.maxunicode else match[0]
    if sign.isalpha():
        return " " if sign in _BLANKS else match[0]
    return sign


class Prompt:
    """A prompt in which many texts are looked for.

    Args:
        text: the prompt as it was sent.
    """

    def __init__(self, text: str) -> None:
        self._raw = text
        self._found: dict[str, bool] = {}

    def holds(self, text: str) -> bool:
        """Whether `present` finds a text; `text` as `flat` returns it."""
        is_held = self._found.get(text)
        if is_held is None:
            is_held = self._may_hold(text) and present(text, self.text)
            self._found[text] = is_held
        return is_held

    @cached_property
    def text(self) -> str:
        """As `flat_prompt` returns it."""
        return flat_prompt(self._raw)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self.text.split())

    def _may_hold(self, text: str) -> bool:
        """False where a few words tell that the text cannot be there."""
        if len(self._found) < _FEW:
            return True
        beginning, words = _words_of(text)
        if self._words.issuperset(beginning):
            return True
        return len(text) > _BEGINNING and 2 * len(self._words & words) >= len(words)


@text_cache(8_192)
def _words_of(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a text's beginning that stand between two others, and all its words.

    The words at both ends may touch something else in a prompt.
    """
    return frozenset(text[:_BEGINNING].split(" ")[1:-1]), frozenset(text.split(" "))


def present(memory: str, prompt: str) -> bool:
    """Whether a prompt holds a memory: the whole, its beginning, or most stretches of five words.

    Args:
        memory: as `flat` returns it. No prompt holds an empty memory.
        prompt: as `flat` or `flat_prompt` returns it.
    """
    if not memory:
        return False
    if _holds_words(prompt, memory):
        return True
    if len(memory) <= _BEGINNING:
        return False
    return memory[:_BEGINNING] in prompt or _holds_shingles(memory, prompt)


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


def _holds_shingles(memory: str, prompt: str) -> bool:
    """Whether the prompt holds most of the memory's stretches of five words."""
    words = memory.split(" ")
    count = len(words) - _SHINGLE + 1
    missing = 0
    for start in range(count):
        if " ".join(words[start : start + _SHINGLE]) not in prompt:
            missing += 1
            if count - missing < _MIN_SHARE * count:
                return False
    return count > 0

"""Whether a prompt quotes a memory, whatever changed in its white space, case, length or escapes. Pure."""

from __future__ import annotations

import html
import re
import sys
import unicodedata

from cogmem_core.text.tokens import limit_marks

__all__ = ["flat", "flat_prompt", "present"]

_BEGINNING = 80  # characters: a longer text that was cut after them still counts
_SHINGLE = 5  # words
_MIN_SHARE = 0.8  # of a text's shingles: splitters and compactors tear texts apart
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
_UNSPACED_FROM = "\u2e80"  # scripts from here on write words without spaces
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
        return " ".join(text.casefold().split())
    visible = unicodedata.normalize("NFKC", limit_marks(text)).translate(_INVISIBLE)
    # Folding case may take composed letters apart again, and marks that something invisible kept
    # apart are one run now.
    folded = unicodedata.normalize("NFKC", limit_marks(visible.casefold()))
    return " ".join(folded.split())


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


def _escaped(found: re.Match[str]) -> str:
    """What an escape stands for; what stands for nothing stays as it is."""
    sign = found[1]
    if len(sign) > 1:
        code = int(sign[1:], 16)
        return chr(code) if code <= sys.maxunicode else found[0]
    if sign.isalpha():
        return " " if sign in _BLANKS else found[0]
    return sign


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

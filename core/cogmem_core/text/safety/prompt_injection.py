"""Orders to the model, false claims, would-be rules in what is said: a signal, never the defence. Pure, linear time.

A text is looked at as it is and as a model may read it: without invisible characters, with
    look-alike letters and
digits put right, spaced-out words joined, and what is encoded decoded (base64, hexadecimal,
percent, HTML, rot13, reversed).
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote

from cogmem_core.text.lexicon.orders import CLAIMS, INSTRUCTIONS, MARKUP, RULES, Table
from cogmem_core.text.tokens import limit_marks

__all__ = ["Sign", "plainly", "signs"]

Sign = Literal["instruction", "markup", "claim", "rule"]

_TABLES: dict[Sign, Table] = {
    "instruction": INSTRUCTIONS,
    "markup": MARKUP,
    "claim": CLAIMS,
    "rule": RULES,
}


def _compiled(sign: Sign, words: tuple[str, ...], pattern: str) -> re.Pattern[str]:
    # Markup stands anywhere, and some scripts write no spaces between words.
    bare = sign == "markup" or words[0] >= "\u3000"
    return re.compile(pattern if bare else rf"(?<![^\W_])(?:{pattern})")


_COMPILED = {
    sign: tuple((words, _compiled(sign, words, pattern)) for words, pattern in table)
    for sign, table in _TABLES.items()
}
# What a text can hold only if somebody hid it there.
_HIDDEN: tuple[Sign, ...] = ("instruction", "markup")
# Cyrillic, Greek, Armenian, Latin look-alikes of ASCII letters, as lower-case letters.
_ALIKE = dict(
    zip(
        map(ord, "аеорсухіјѕԁɡһкԛԝѵΑαΒΕεΗΙιΚκΜΝΟοΡρΤτυΥΧχνոսցօհɑɩıłøđℓ"),
        "aeopcyxijsdghkqwvaabeehiikkmnooppttuyxxvnugohaiilodl",
        strict=True,
    )
)
_DOTLESS = str.maketrans("ıİ", "iI")
_LEET = str.maketrans("01345789@$!|", "oieastbgasil")
_LEETED = re.compile(r"[a-z][01345789@$!|][a-z]|[01345789@$!|][a-z]{2}")
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
# Words that most orders hold, and that no text holds backwards or rotated by chance.
_TELLING = (
    "instruction",
    "previous",
    "system",
    "ignore",
    "always",
    "recommend",
    "admin",
    "from now on",
    "prompt",
    "you must",
)
_BACKWARDS = tuple(word[::-1] for word in _TELLING)
_ROTATED = tuple(word.translate(_ROT13) for word in _TELLING)
_BETWEEN = re.compile(r"[ .*_-]")
_SPLIT = re.compile(r"[a-z]{1,3}[.*_-][a-z]{1,8}[.*_-][a-z]{1,8}")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_][ .*_-]){3,80}[^\W_](?![^\W_])")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}")
_HEX = re.compile(r"(?<![0-9a-zA-Z])[0-9a-fA-F]{24,}(?![0-9a-zA-Z])")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_RUNS = 64
"""Encoded stretches that are decoded, the first ones."""
_PRINTABLE = 0.9


def signs(text: str) -> tuple[Sign, ...]:
    """What kinds of order, markup, claim or rule a text holds, in the order of this module's tables.

    Takes time linear in the text. An empty result means only that none of the known forms was
    found.
    """
    plain = plainly(text)
    found = {sign for sign in _COMPILED if _holds(sign, plain)}
    for view in _views(text, plain):
        found |= {sign for sign in _HIDDEN if sign not in found and _holds(sign, view)}
    return tuple(sign for sign in _COMPILED if sign in found)


def plainly(text: str) -> str:
    """A text as a reader sees it: compatibility forms as plain letters, no marks, lower-case, one space each.

    Line ends stay, because what begins a line may pass for a speaker. Takes time linear in the
    text.
    """
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", limit_marks(text.translate(_DOTLESS)))
        # Marks that something invisible kept apart are one run now.
        text = unicodedata.normalize("NFC", limit_marks("".join(map(_visible, decomposed))))
    return "\n".join(" ".join(line.split()) for line in text.lower().splitlines()).strip()


@lru_cache(maxsize=4096)
def _visible(character: str) -> str:
    """Nothing for what is not seen and for marks on letters.

    Tags (U+E0000) as the letters that they are.
    """
    code = ord(character)
    if 0xE0020 <= code < 0xE007F:
        return chr(code - 0xE0000)
    category = unicodedata.category(character)
    if category in ("Cf", "Cc", "Mn", "Me") and character not in "\t\n\r":
        # Marks that belong to the script, as in Hindi and Arabic, are kept.
        return (
            character
            if category == "Mn" and code >= 0x0591 and not 0x1AB0 <= code <= 0x20FF
            else ""
        )
    return character


def _holds(sign: Sign, plain: str) -> bool:
    if sign != "markup":
        plain = plain.replace("\n", " ")
    # Loops, because a generator for each row costs more than the row.
    for words, pattern in _COMPILED[sign]:
        for word in words:
            if word in plain:
                if pattern.search(plain):
                    return True
                break
    return False


def _views(text: str, plain: str) -> Iterator[str]:
    """The text as it may be meant."""
    alike = plain.translate(_ALIKE)
    if alike != plain:
        yield alike
    spelt = _SPACED.sub(lambda match: _BETWEEN.sub("", match.group()), plain)
    if spelt != plain:
        yield spelt
    if _SPLIT.search(plain):
        yield _BETWEEN.sub("", plain)
    if _LEETED.search(plain):
        yield plain.translate(_LEET)
    if any(word in plain for word in _BACKWARDS):
        yield plain[::-1]
    if any(word in plain for word in _ROTATED):
        yield plain.translate(_ROT13)
    for decoded in _decoded(text):
        if decoded != text:
            yield plainly(decoded)


def _decoded(text: str) -> Iterator[str]:
    if "%" in text:
        yield unquote(text)
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield _ESCAPED.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    for number, match in enumerate(_BASE64.finditer(text)):
        if number >= _RUNS:
            break
        run = match.group().replace("-", "+").replace("_", "/")
        yield from _read(base64.b64decode, run[: len(run) // 4 * 4])
    for number, match in enumerate(_HEX.finditer(text)):
        if number >= _RUNS:
            break
        run = match.group()
        yield from _read(bytes.fromhex, run[: len(run) // 2 * 2])


def _read(decode: Callable[[str], bytes], run: str) -> Iterator[str]:
    """What bytes say, if they are a text."""
    try:
        told = decode(run).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return
    if told and sum(map(str.isprintable, told)) >= _PRINTABLE * len(told):
        yield told

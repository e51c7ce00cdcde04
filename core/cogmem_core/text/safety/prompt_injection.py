"""Orders to the model, false claims and would-be rules in a text: a signal, never the defence.

A text is read as it is and as a model may read it: without invisible characters, with look-alike
letters and digits put right, spaced-out words joined, and what is encoded decoded (base64,
hexadecimal, percent, HTML, rot13, reversed). Linear time.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal
from urllib.parse import unquote

from cogmem_core.languages.base import PatternTable, SafetyRules
from cogmem_core.languages.loading import language_of_ours
from cogmem_core.languages.merged import Kept, languages_guarding
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.text.folding import single_spaced
from cogmem_core.text.tokens import limit_marks

Sign = Literal["instruction", "markup", "claim", "rule"]

# Chat markup that no speaker says.
_MARKUP: PatternTable = (
    (
        ("<|", "|>"),
        r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text"
        r"|eot_id|start_header_id|end_header_id)\|?>",
    ),
    (("inst]", "<<sys", "<</sys"), r"\[/?inst\]|<</?sys>>"),
    (
        ("system", "assistant", "developer", "human", "instruction"),
        r"(?:^|[\n.!?>\"'\])}] ?)(?:\[|<|#{1,4} ?|\*\*)?(?:system|developer)"
        r"(?: (?:message|prompt|note|override|notice|instruction|update))?(?:\]|>|\*\*)? ?[:>]"
        r"|[\n>] ?(?:human|assistant|user) ?: "
        r"|#{2,4} ?(?:system|instruction|assistant|human|response)s? ?:?",
    ),
    (
        (
            "<system",
            "</system",
            "<instruction",
            "</instruction",
            "<assistant",
            "</assistant",
            "<user",
            "</user",
            "<memor",
            "</memor",
            "<tool",
            "</tool",
            "<prompt",
            "</prompt",
            "<function",
            "</function",
        ),
        r"</?(?:system|instructions?|assistant|user|human|memor(?:y|ies)"
        r"|tool[_-]?(?:call|use|result|response)s?|prompt|function[_-]?(?:call|result)s?)"
        r"(?:[ _-][\w=\"' -]{0,60})?/?>",
    ),
    (('"role"', "'role'"), r"[\"']role[\"'] ?: ?[\"'](?:system|developer|assistant|tool)[\"']"),
    (
        ("begin", "end"),
        r"-{3,8} ?(?:begin|end)(?: of)? (?:system|instructions?|prompt|memor(?:y|ies)|context)"
        r" ?-{3,8}",
    ),
)


def _tables() -> dict[Sign, PatternTable]:
    anywhere: SafetyRules = language_of_ours("any").safety
    instructions = anywhere.instructions
    claims = anywhere.claims
    rules: PatternTable = ()
    for language in languages_guarding():
        instructions += language.safety.instructions
        claims += language.safety.claims
        rules += language.safety.rules
    return {"instruction": instructions, "markup": _MARKUP, "claim": claims, "rule": rules}


_Row = tuple[tuple[str, ...], re.Pattern[str]]


def _compiled(sign: Sign, table: PatternTable) -> tuple[_Row, ...]:
    rows: list[_Row] = []
    for words, pattern in table:
        # Markup is found anywhere, and some scripts write no spaces between words.
        if sign != "markup" and words[0] < "\u3000":
            pattern = rf"(?<![^\W_])(?:{pattern})"  # noqa: PLW2901 - the same pattern
        rows.append((words, re.compile(pattern)))
    return tuple(rows)


_COMPILED = Kept(lambda: {sign: _compiled(sign, table) for sign, table in _tables().items()})
_TELLING = Kept(
    lambda: [word for language in languages_guarding() for word in language.safety.telling_words]
)
"""Words that most orders hold, and that no text holds backwards or rotated by chance."""
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
_BACKWARDS = Kept(lambda: [word[::-1] for word in _TELLING()])
_ROTATED = Kept(lambda: [word.translate(_ROT13) for word in _TELLING()])
_BETWEEN = re.compile(r"[ .*_-]")
_SPLIT = re.compile(r"[a-z]{1,3}[.*_-][a-z]{1,8}[.*_-][a-z]{1,8}")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_][ .*_-]){3,80}[^\W_](?![^\W_])")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}")
_HEX = re.compile(r"(?<![0-9a-zA-Z])[0-9a-fA-F]{24,}(?![0-9a-zA-Z])")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_RUNS = 64  # encoded stretches that are decoded, the first ones
_PRINTABLE = 0.9


@in_its_language
def signs(text: str) -> tuple[Sign, ...]:
    """The kinds of order, markup, claim and rule that a text holds, in the order of `Sign`.

    Takes time linear in the text. An empty result means only that the text has none of the known
    forms.
    """
    plain = normalized(text)
    detected = {sign for sign in _COMPILED() if _holds(sign, plain)}
    for view in _views(text, plain):
        for sign in _HIDDEN:
            if sign not in detected and _holds(sign, view):
                detected.add(sign)
    return tuple(sign for sign in _COMPILED() if sign in detected)


def normalized(text: str) -> str:
    """A text as a reader sees it: plain letters without marks, lower-case, with single blanks.

    Line ends stay, because what begins a line may pass for a speaker. Takes time linear in the
    text.
    """
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", limit_marks(text.translate(_DOTLESS)))
        # Marks that something invisible kept apart are one run now.
        text = unicodedata.normalize("NFC", limit_marks("".join(map(_visible, decomposed))))
    return "\n".join(map(single_spaced, text.lower().splitlines())).strip()


@cached_by_language(4_096)
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
    for words, pattern in _COMPILED()[sign]:
        for word in words:
            if word in plain:
                if pattern.search(plain):
                    return True
                break
    return False


def _views(text: str, plain: str) -> Iterator[str]:
    """The text as it may be meant."""
    latin = plain.translate(_ALIKE)
    if latin != plain:
        yield latin
    joined = _SPACED.sub(lambda match: _BETWEEN.sub("", match.group()), plain)
    if joined != plain:
        yield joined
    if _SPLIT.search(plain):
        yield _BETWEEN.sub("", plain)
    if _LEETED.search(plain):
        yield plain.translate(_LEET)
    if any(word in plain for word in _BACKWARDS()):
        yield plain[::-1]
    if any(word in plain for word in _ROTATED()):
        yield plain.translate(_ROT13)
    for decoded in _decoded(text):
        if decoded != text:
            yield normalized(decoded)


def _decoded(text: str) -> Iterator[str]:
    if "%" in text:
        yield unquote(text)
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield _ESCAPED.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    for match in islice(_BASE64.finditer(text), _RUNS):
        run = match.group().replace("-", "+").replace("_", "/")
        yield from _readable(base64.b64decode, run[: len(run) // 4 * 4])
    for match in islice(_HEX.finditer(text), _RUNS):
        run = match.group()
        yield from _readable(bytes.fromhex, run[: len(run) // 2 * 2])


def _readable(decode: Callable[[str], bytes], run: str) -> Iterator[str]:
    """The text that encoded bytes hold, if they hold one."""
    try:
        decoded = decode(run).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return
    if decoded and sum(map(str.isprintable, decoded)) >= _PRINTABLE * len(decoded):
        yield decoded

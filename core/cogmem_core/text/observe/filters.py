"""The seven filters in front of the observer: each names what it keeps out. Linear time."""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.languages.merged import MergedPattern, guarding_patterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import fold_letters, single_spaced

MINIMUM_CHARACTERS = 10
"""A message must be longer; white space at its ends does not count."""
MAXIMUM_CHARACTERS = 5_000
"""A message must be shorter; white space at its ends does not count."""
MARKDOWN_LINES = 5
"""So many lines of bullets or bold are a document, not a message."""
CODE_SHARE = 0.5
"""A larger share of the characters in fences is code (> 50 %)."""
MAXIMUM_EMOJI = 3
"""More are decoration (> 3)."""

FilterReason = Literal[
    "length",
    "system_content",
    "prompt_injection",
    "xml_block",
    "markdown_heavy",
    "code_heavy",
    "emoji_heavy",
]

# Written by the machinery around the agent, not by anybody in the conversation.
_SYSTEM = re.compile(
    r"</?(?:system[-_ ]?(?:reminder|prompt|message)?|instructions|developer"
    r"|environment[-_](?:context|details)|tool[-_](?:call|use|result|response)s?"
    r"|function[-_](?:call|result)s?|command[-_](?:name|message|args)|thinking"
    r"|local-command-stdout|heartbeat)(?:\s[^<>]{0,200})?/?>"
    r"|heartbeat_(?:ok|check|ping)"
    r"|system-reminder"
    r"|\[(?:system|heartbeat)(?: message| notification| event)?\]"
    r"|^[ \t]{0,8}heartbeat\b[ \t]{0,8}(?:$|[:.,!-])"
    r"|read heartbeat\.md",
    re.MULTILINE,
)
_CHAT_TOKENS = r"<\|(?:im_start|im_end|system|endoftext|begin_of_text)\|?>|\[/?inst\]|<</?sys>>"
_CHAT_MARKUP = rf"{_CHAT_TOKENS}|#{{2,4}} ?(?:system|instruction)s?:?"
# Tags that pretend to write to the memory, and comments that address whoever reads the source.
_MEMORY_MARKUP = (
    r"[\[{<#]{1,3} ?/?(?:[a-z]{1,20}[_.: -])?(?:memor(?:y|ies)|tool|system)[_.: -]{1,2}"
    r"(?:write|update|add|save|insert|set|store|append|delete|output|result|call|command|override"
    r"|entry)s?\b"
    r"|[\[{<#]{1,3} ?/?(?:save|write|store|add|append|commit|insert)[_-](?:to|in|into)[_-]memory\b"
    r"|(?:<!--|/\*)[^>*:]{0,40}\b(?:ai|assistant|agent|llm|model|chatbot|bot|claude|gpt|copilot"
    r")s? ?[:,]"
)
# Orders to the model: a signal that keeps junk out, never the defence against injected memories.
_ORDERS = guarding_patterns("observe.signals.injections")
# A heading "Instructions" may stand in a person's own notes.
_ORDER = MergedPattern(rf"(?<![a-z0-9])(?:{_ORDERS}|{_CHAT_TOKENS})")
_INJECTION = MergedPattern(rf"(?<![a-z0-9])(?:{_ORDERS}|{_CHAT_MARKUP}|{_MEMORY_MARKUP})")
_XML_OPEN = re.compile(r"<[a-z][\w.:-]{0,60}(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_XML_CLOSE = re.compile(r"</[a-z][\w.:-]{0,60}>", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]{0,12}(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]")
_FENCE = re.compile("```|~~~")
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa\u2600-\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f3fa\U0001f400-\U0001faff]|[0-9#*]\ufe0f?\u20e3"
)
_JOINER = "\u200d"
# Invisible characters split a word for a pattern but not for a model.
_INVISIBLE = (
    0xAD,
    0x180E,
    0xFEFF,
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xE0000, 0xE0080),
)
_FULL_WIDTH = range(0xFF01, 0xFF5F)  # twins of ASCII
_PLAIN: dict[int, int | None] = dict.fromkeys(_INVISIBLE)
_PLAIN.update(zip(_FULL_WIDTH, range(0x21, 0x7F), strict=True))
_PLAIN.update({0x3000: 0x20, 0xA0: 0x20})


@in_its_language
def refusal(text: str, *, form: bool = True) -> FilterReason | None:
    """The first filter that keeps a message out, in the order of the names.

    Args:
        text: the message; of one that is not shorter than `MAXIMUM_CHARACTERS` only the length is
            read.
        form: the filters that only look at form apply, too.

    Returns:
        The filter's name, None if the message passes all seven.
    """
    if not text or (form and not MINIMUM_CHARACTERS < len(text) < MAXIMUM_CHARACTERS):
        return "length"
    if _SYSTEM.search(fold_letters(text)):
        return "system_content"
    if _INJECTION.search(_readable(text)):
        return "prompt_injection"
    # A block of XML as a whole begins with a tag and closes one.
    if _XML_OPEN.match(text.lstrip()) and _XML_CLOSE.search(text):
        return "xml_block"
    return _overloaded(text) if form else None


def gives_orders(text: str) -> bool:
    """Whether a text gives orders to the model, in plain words or in marks of chat templates."""
    return _ORDER.search(_readable(text)) is not None


def _readable(text: str) -> str:
    """The text folded, on one line, without invisible characters."""
    plain = fold_letters(text if text.isascii() else text.translate(_PLAIN))
    return single_spaced(plain)


def _overloaded(text: str) -> FilterReason | None:
    """What there is too much of in a message."""
    if markdown_lines(text) >= MARKDOWN_LINES:
        return "markdown_heavy"
    if code_share(text) > CODE_SHARE:
        return "code_heavy"
    return "emoji_heavy" if count_emoji(text) > MAXIMUM_EMOJI else None


def markdown_lines(text: str) -> int:
    """How many lines are bullets, numbered items, or hold something in bold."""
    return sum(1 for line in text.splitlines() if _BULLET.match(line) or line.count("**") >= 2)


def code_share(text: str) -> float:
    """Share of the characters that stand between code fences, 0..1.

    A fence that is never closed runs to the end.
    """
    return sum(map(len, _FENCE.split(text)[1::2])) / max(1, len(text))


def count_emoji(text: str) -> int:
    """How many emoji a reader sees: a family, a skin tone, a flag or a keycap is one."""
    if text.isascii():
        return 0
    return sum(
        1 for match in _EMOJI.finditer(text) if text[match.start() - 1 : match.start()] != _JOINER
    )

"""Thoughts that a model wrote before its answer: `<think>...</think>`, `[THINK]...[/THINK]`. Linear."""

from __future__ import annotations

import re

_NAME = r"(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)"
_TAG = re.compile(
    rf"(?:(?P<line>^)[ \t]{{0,20}})?(?:<(?P<close>/?){_NAME}(?:\s[^<>\n]{{0,200}})?>"
    r"|\[(?P<close2>/?)(?:think(?:ing)?|reasoning)\]|\u25c1(?P<close3>/?)think\u25b7)",
    re.IGNORECASE | re.MULTILINE,
)


def without_thoughts(text: str) -> str:
    """The text without thoughts, wherever they stand, nested too.

    A block that is closed but never opened began before the text, as where a prompt opened it. One
    that is opened at the beginning of a line and never closed runs to the end. A tag within a line
    that nothing closes is a word about tags.

    Returns:
        The text itself if there are none; else the rest without white space around it.
    """
    tags = list(_TAG.finditer(text))
    if not tags:
        return text
    pieces: list[str] = []
    position = 0
    depth = 0
    last_close = max((i for i, tag in enumerate(tags) if _closes(tag)), default=-1)
    for index, tag in enumerate(tags):
        if _closes(tag):
            if depth == 0:
                pieces.clear()  # everything before it was thought
            depth = max(0, depth - 1)
            position = tag.end()
        elif index < last_close or depth or tag["line"] is not None:
            if depth == 0:
                pieces.append(text[position : tag.start()])
            depth += 1
    if depth == 0:
        pieces.append(text[position:])
    return re.sub(r"\n{3,}", "\n\n", "".join(pieces)).strip()


def _closes(tag: re.Match[str]) -> bool:
    return bool(tag["close"] or tag["close2"] or tag["close3"])

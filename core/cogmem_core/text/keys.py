"""What is hashed, and what is embedded and tokenised, of a text. Pure."""

from __future__ import annotations

import hashlib
from datetime import datetime

from cogmem_core.languages import LANGUAGES
from cogmem_core.text.folding import single_spaced

# The retrieval keys name months in English, whatever the language of the text.
_MONTHS = LANGUAGES["en"].time.month_names

ASKED = "\n? "
"""Before the question that a short turn answers, in its key."""
_SAID = "\n: "
"""Before the text itself, in a key that tells who said it or when."""


def plain(text: str) -> str:
    """The text with case folded and runs of white space made one space: what makes two texts the same."""
    return single_spaced(text.casefold())


def content_hash(text: str) -> str:
    """SHA-256 (hex) of `plain(text)`."""
    return hashlib.sha256(plain(text).encode()).hexdigest()


def index_key(
    content: str, *, speaker: str | None = None, at: datetime | None = None, question: str = ""
) -> str:
    """The retrieval key of a text.

    `[8 May, 2023] Caroline`, the text, and the question that it answers, each in a line of its own.
    Date and speaker are part of what people ask for ("what did Caroline do in May?"): their words
    are searched for, and `embedded_text` leaves them out.

    Args:
        content: the text.
        speaker: who said it.
        at: when it was said.
        question: the question that it answers; "" if there is none.
    """
    key = ""
    if at:
        key += f"[{at.day} {_MONTHS[at.month - 1]}, {at.year}] "
    if speaker:
        key += speaker
    key = f"{key.rstrip()}{_SAID}{content}" if key else content
    if question:
        key += f"{ASKED}{question}"
    return key


def embedded_text(key: str) -> str:
    """What is embedded of a key: the text, and the question that it answers.

    Without the date and the speaker, which are the same for much that has nothing to do with one
    another: recall@10 rises by 2 points, MRR by 1 (measured on ten conversations).
    """
    head, mark, text = key.partition(_SAID)
    return text if mark and "\n" not in head else key


def own_key(key: str, content: str, *, speaker: str | None, at: datetime) -> str:
    """The key of a text without a question; it is dated if `key`, its present one, is."""
    is_dated = key.startswith(index_key("", speaker=speaker, at=at))
    return index_key(content, speaker=speaker, at=at if is_dated else None)


def restated(key: str, former: str, content: str, *, speaker: str | None, at: datetime) -> str:
    """The key of a text that takes the place of another one and answers the same question.

    Args:
        key: the key of the former text.
        former: the former text.
        content: the new text.
        speaker: who said it.
        at: when it was said.
    """
    restated_key = own_key(key, content, speaker=speaker, at=at)
    question = asked_in(key, former)
    if question:
        restated_key += f"{ASKED}{question}"
    return restated_key


def asked_in(key: str, content: str) -> str:
    """The question that stands in the key of a text; "" if there is none."""
    _, mark, question = key.rpartition(ASKED)
    if not mark or "\n" in question or (content and key.endswith(content)):
        return ""
    return question

"""From LangChain's words to cogmem's: which bank is meant, and what a message says as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.prompt_values import PromptValue

from cogmem.whose import Whose, bank_of, banks_of, engine_of

__all__ = ["Whose", "bank_of", "banks_of", "engine_of", "text_of"]

_TEXT_BLOCKS = (None, "text", "input_text", "output_text")
_MESSAGES = ("human", "ai", "system", "tool", "function", "chat", "developer")
_PAIR = 2


def text_of(said: object) -> str:
    r"""What a person would read: of a string, a message, message content or any list of these.

    The text blocks of an answer follow each other as the model wrote them; other blocks, and messages, stand on lines
    of their own. Images, sounds, files, tool calls and reasoning say nothing; nor does what is none of the below.

    Args:
        said: a string; a LangChain message, as object, `{"role": ..., "content": ...}` or `("user", "...")`; content
            blocks; a prompt value; a list of any of these; None.

    Example:
        >>> text_of([{"type": "text", "text": "Who is this?"}, {"type": "image", "url": "https://example.org/a.png"}])
        'Who is this?'
        >>> text_of([("user", "I moved."), ("assistant", "Where to?")])
        'I moved.\nWhere to?'
    """
    if isinstance(said, (PromptValue, BaseMessage, Mapping)) or _is_pair(said):
        inner, between = _content(said)
        return between.join(text for text in map(text_of, inner) if text)
    if isinstance(said, Iterable) and not isinstance(said, (str, bytes)):
        return "\n".join(text for text in map(text_of, said) if text)
    return said if isinstance(said, str) else ""


def _content(said: Any) -> tuple[Sequence[object], str]:
    """What a message or a block consists of, and what stands between its parts."""
    if isinstance(said, PromptValue):
        return said.to_messages(), "\n"
    if isinstance(said, AIMessage) and isinstance(said.content, list):
        return said.content, ""
    if isinstance(said, BaseMessage):
        return [said.content], ""
    if isinstance(said, Mapping):
        kind = said.get("type")
        if "role" in said or kind in _MESSAGES:
            return [said.get("content")], ""
        return [said.get("text") if kind in _TEXT_BLOCKS else None], ""
    return [said[1]], ""


def _is_pair(said: object) -> bool:
    return isinstance(said, tuple) and len(said) == _PAIR and isinstance(said[0], str)

"""From LangChain's words to cogmem's: which bank is meant, and what a message says as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.prompt_values import PromptValue

from cogmem.bank import MemoryBank
from cogmem.engine import Engine
from cogmem.errors import InvalidInput

__all__ = ["Whose", "bank_of", "banks_of", "engine_of", "text_of"]

Whose = str | Callable[..., str] | None
"""A namespace, or a function that tells it from what an adapter knows of the run."""

_TEXT_BLOCKS = (None, "text", "input_text", "output_text")
_MESSAGES = ("human", "ai", "system", "tool", "function", "chat", "developer")
_PAIR = 2


def bank_of(bank: MemoryBank | None, engine: Engine | None, namespace: str | None) -> MemoryBank:
    """The bank that an adapter was given: itself, or as an engine and a namespace.

    Raises:
        InvalidInput: neither, both, or only half of one; an argument of the wrong type. BankClosed: engine is closed.
    """
    if bank is not None:
        if not isinstance(bank, MemoryBank):
            raise InvalidInput(f"bank is a {type(bank).__name__}; give a cogmem.MemoryBank, such as engine.bank('ann')")
        if engine is not None or namespace is not None:
            raise InvalidInput("bank is given and so is engine or namespace; give bank alone, or engine and namespace")
        return bank
    if engine is None:
        raise InvalidInput("bank is missing; give bank=engine.bank('ann'), or engine= and namespace='ann'")
    if not isinstance(engine, Engine):
        raise InvalidInput(f"engine is a {type(engine).__name__}; give the cogmem.Engine that cogmem.open() returns")
    if namespace is None:
        raise InvalidInput("namespace is missing; an engine needs one, such as namespace='ann', or give bank alone")
    return engine.bank(namespace)


def banks_of(bank: MemoryBank | None, engine: Engine | None, namespace: Whose) -> Callable[..., MemoryBank]:
    """As `bank_of`, for each run anew if the namespace is a function: its arguments are those of the result.

    Raises:
        InvalidInput: as `bank_of`; later, if the function returns no usable namespace.
    """
    if not callable(namespace):
        fixed = bank_of(bank, engine, namespace)
        return lambda *_: fixed
    if bank is not None or not isinstance(engine, Engine):
        raise InvalidInput("namespace is a function, which needs engine=, and no bank=")
    return lambda *known: engine.bank(namespace(*known))


def engine_of(source: Engine | MemoryBank | None, bank: MemoryBank | None) -> Engine:
    """The engine that is meant: itself, or that of a bank.

    Raises:
        InvalidInput: neither or both are given, or something else.
    """
    if (source is None) == (bank is None):
        raise InvalidInput("give either engine= or bank=, and not both")
    given = source if bank is None else bank
    found = given.engine if isinstance(given, MemoryBank) else given
    if not isinstance(found, Engine):
        raise InvalidInput(f"engine is a {type(found).__name__}; give the cogmem.Engine that cogmem.open() returns")
    return found


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

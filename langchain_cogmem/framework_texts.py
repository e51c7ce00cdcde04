"""Texts that LangChain writes in the name of a person or a model.

LangChain marks the messages that it writes in a person's name. What it writes in a model's name
bears no mark, so it is known by its text; a test compares the texts with those of the installed
version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

__all__ = ["SOURCE", "by_framework", "ended_without_answer", "written_by_langchain"]

SOURCE = "lc_source"
"""The mark of middleware texts, in a message's `additional_kwargs` or a run's metadata."""
_TEXTS = (
    r"Model call limits exceeded: (thread|run) limit \(\d+/\d+\)(, run limit \(\d+/\d+\))?",
    r"Model call failed after \d+ attempts? with \w+: .*",
    r"('.*' tool|Tool) call limit reached: (thread|run) limit exceeded \(\d+/\d+ calls\)"
    r"( and run limit exceeded \(\d+/\d+ calls\))?\.",
    r"Agent stopped due to max iterations\.",
    r"Agent stopped due to iteration limit or time limit\.",
    r"Sorry, need more steps to process this request\.",
)
_PATTERN = re.compile("|".join(f"(?:{text})" for text in _TEXTS), re.DOTALL)


def by_framework(text: str) -> bool:
    """Whether LangChain itself wrote an answer: a limit was reached, or the model failed.

    Example:
        >>> by_framework("Model call limits exceeded: run limit (1/1)")
        True
        >>> by_framework("It is sunny.")
        False
    """
    return _PATTERN.fullmatch(text.strip()) is not None


def written_by_langchain(message: BaseMessage) -> bool:
    """Whether LangChain wrote a message in the name of a person or a model.

    Example:
        >>> summary = HumanMessage("In short ...", additional_kwargs={"lc_source": "summarization"})
        >>> written_by_langchain(summary)
        True
    """
    if isinstance(message, HumanMessage):
        return bool(message.additional_kwargs.get(SOURCE))
    return isinstance(message, AIMessage) and by_framework(str(message.text))


def ended_without_answer(output: object) -> bool:
    """Whether a chain or an agent ended without an answer of a model, by what it returned."""
    if isinstance(output, BaseMessage):
        return written_by_langchain(output)
    if not isinstance(output, Mapping):
        return False
    messages = output.get("messages")
    answer = output.get("output")
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    return (isinstance(last, AIMessage) and written_by_langchain(last)) or (
        isinstance(answer, str) and by_framework(answer)
    )

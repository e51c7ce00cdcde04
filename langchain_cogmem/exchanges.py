"""What the chains of a memory were asked and answered, for as long as the process runs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from cogmem_core.base.lru import LRUCache

__all__ = ["Conversation", "Exchanges"]

_MOST = 4_096
Conversation = tuple[str, str | None]
"""Namespace and session."""


class Exchanges:
    """Questions that wait for an answer, and the last exchanges of each conversation; thread-safe.

    A copy has none.

    Args:
        recent: how many exchanges of a conversation are kept.

    Example:
        >>> exchanges = Exchanges(recent=1)
        >>> exchanges.ask(("ann", None), "Name three cities.", "ref-1")
        >>> exchanges.answer(("ann", None), "Name three cities.", "Rome, Paris and Oslo.")
        True
        >>> [message.content for message in exchanges.recent(("ann", None))]
        ['Name three cities.', 'Rome, Paris and Oslo.']
    """

    def __init__(self, recent: int) -> None:
        self._recent = recent
        self._lock = threading.Lock()
        self._open: LRUCache[tuple[Conversation, str], str] = LRUCache(_MOST)
        self._answered: LRUCache[Conversation, deque[list[BaseMessage]]] = LRUCache(_MOST)

    def open_ref(self, conversation: Conversation, question: str) -> str | None:
        """The ref under which a question was written that nobody has answered yet."""
        with self._lock:
            return self._open.get((conversation, question))

    def ask(self, conversation: Conversation, question: str, ref: str) -> None:
        """A question was written, under that ref."""
        with self._lock:
            self._open.put((conversation, question), ref)

    def answer(
        self,
        conversation: Conversation,
        question: str,
        answer: str,
        shown: Iterable[BaseMessage] = (),
    ) -> bool:
        """A question was answered; returns whether it was written when it was asked.

        `shown`: the memories that stood in front of it.
        """
        with self._lock:
            if self._recent:
                window = self._answered.get(conversation)
                window = deque(maxlen=self._recent) if window is None else window
                window.append([*shown, HumanMessage(question), AIMessage(answer)])
                self._answered.put(conversation, window)
            return self._open.pop((conversation, question)) is not None

    def recent(self, conversation: Conversation) -> list[BaseMessage]:
        """The last exchanges of a conversation, oldest first, each behind its memories."""
        with self._lock:
            return [*chain.from_iterable(self._answered.get(conversation) or ())]

    def clear(self, conversation: Conversation) -> None:
        """Forget the exchanges of a conversation."""
        with self._lock:
            self._answered.pop(conversation)

    def __reduce__(self) -> tuple[Callable[..., Exchanges], tuple[Any, ...]]:
        return Exchanges, (self._recent,)

"""What the chains of a memory were asked and answered, for as long as the process runs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from cogmem_core.base.lru import LRUCache
from langchain_cogmem.framework_texts import memories_message

__all__ = ["Conversation", "Exchanges"]

_MOST = 4_096
Conversation = tuple[str, str | None]
"""Namespace and session."""
_Exchange = tuple[str, frozenset[str], str, str]
"""The memories that were shown, their ids, the question and the answer."""


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
        self._answered: LRUCache[Conversation, deque[_Exchange]] = LRUCache(_MOST)

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
        block: str = "",
        memory_ids: Collection[str] = (),
    ) -> bool:
        """A question was answered; returns whether it was written when it was asked.

        `block`: the memories that stood in front of it, with those ids.
        """
        with self._lock:
            if self._recent:
                window = self._answered.get(conversation)
                window = deque(maxlen=self._recent) if window is None else window
                window.append((block, frozenset(memory_ids), question, answer))
                self._answered.put(conversation, window)
            return self._open.pop((conversation, question)) is not None

    def recent(
        self,
        conversation: Conversation,
        gone: Callable[[Collection[str]], Collection[str]] = lambda _: (),
    ) -> list[BaseMessage]:
        """The last exchanges of a conversation, oldest first, each behind its memories.

        `gone`: tells of memories those that are shown no more; no block shows one of them.
        """
        with self._lock:
            window = list(self._answered.get(conversation) or ())
        lost = gone(frozenset[str]().union(*(shown for _, shown, _, _ in window)))
        messages: list[BaseMessage] = []
        for block, shown, question, answer in window:
            messages += [memories_message(block)] if block and shown.isdisjoint(lost) else []
            messages += [HumanMessage(question), AIMessage(answer)]
        return messages

    def clear(self, conversation: Conversation) -> None:
        """Forget the exchanges of a conversation."""
        with self._lock:
            self._answered.pop(conversation)

    def __reduce__(self) -> tuple[Callable[..., Exchanges], tuple[Any, ...]]:
        return Exchanges, (self._recent,)

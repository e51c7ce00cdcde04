"""Which memories of a conversation stood in the prompt of the call that answered the user.

The memory of a conversation is asked for its memories, and is told the answer. What happens between
it cannot see: an engine may show the memories only to a model that writes the question anew, or
leave them out. Where a framework reports the calls of its models, they are followed here, and the
recalls know of them (`RegisteredRecall.shown_for`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.recall_registry import RegisteredRecall
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.quoted_in import Prompt

_ROOTS = 1_000
_RECALLS_PER_ROOT = 16


class AnsweringCalls:
    """Follows the calls of models in runs in which a conversation's memory showed something.

    Thread-safe; all it keeps is bounded.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recalls: LRUCache[Hashable, list[RegisteredRecall]] = LRUCache(_ROOTS)
        self._calls: LRUCache[Hashable, list[tuple[RegisteredRecall, frozenset[str]]]] = LRUCache(
            _ROOTS
        )

    def add_recall(self, root: Hashable, source: RegisteredRecall) -> None:
        """The memory of a conversation showed a recall within a root run."""
        source.in_conversation = True
        with self._lock:
            recalls = self._recalls.get(root) or []
            if all(source is not recall for recall in recalls):
                self._recalls.put(root, [*recalls[1 - _RECALLS_PER_ROOT :], source])

    def add_prompt(self, root: Hashable, call: Hashable, prompt: Callable[[], str]) -> None:
        """A model was asked within a root run; `prompt` is called if it matters."""
        with self._lock:
            recalls = self._recalls.get(root)
        if recalls:
            built_prompt = Prompt(prompt())
            within = [(source, source.within(built_prompt)) for source in recalls]
            with self._lock:
                self._calls.put(call, within)

    def add_answer(self, call: Hashable, answer: Callable[[], str]) -> None:
        """A model answered; `answer` is called if it matters, and a blank one is none."""
        with self._lock:
            recalls = self._calls.pop(call) or []
        text = answer() if recalls else ""
        if text.strip():
            for source, memory_ids in recalls:
                source.add_call(text, memory_ids)

    def drop_call(self, call: Hashable) -> None:
        """A model failed or was cut off."""
        with self._lock:
            self._calls.pop(call)


def shown_part(bank: MemoryBank, recall: Recall, answer: str) -> Recall:
    """The memories of a recall that stood in the prompt of the call that gave an answer.

    All of them where no such call was followed.
    """
    source = bank.engine.recall_registry.find(recall.id)
    memory_ids = source.shown_for(answer) if source is not None else None
    return recall if memory_ids is None else recall.only(memory_ids)

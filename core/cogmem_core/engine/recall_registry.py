"""What was recalled lately, so that an answer can be traced to it: in RAM, bounded, of this process only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from cogmem_core.base.lru import LRUCache
from cogmem_core.feedback.queue import FeedbackListener
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.quoted_in import Prompt, flat
from cogmem_core.text.safety.context_frame import OPEN

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank


_MOST = 2_048
_JUDGED = 8 * _MOST
_SECONDS = 900.0
_ENDS = " .!?\u2026"
_CALLS = 16
_PART = 16  # characters of an answer


@dataclass(slots=True)
class RootRun:
    """A run without a parent, in which recalls are made.

    Attributes:
        open: it has begun and not ended.
        recall_ids: the last recalls that were made in it.
    """

    open: bool = False
    recall_ids: list[str] = field(default_factory=list)


@dataclass
class RegisteredRecall:
    """A recall, and whose it is.

    Attributes:
        recall: without what was withheld: no model saw that.
        at: seconds, of the clock of `RecallRegistry`.
        claimed: an answer was traced to it.
        root_runs: the runs that it is known to belong to.
        in_conversation: the memory of a conversation made it: only what answers the user judges it,
            and not a question that was written anew.
        calls: of the calls of models that were followed in its run, oldest first: (what was
            answered, which of its memories stood in the prompt).
        hearers: whoever is told what answers made of its memories.
    """

    bank: MemoryBank
    recall: Recall
    at: float = 0.0
    claimed: bool = field(default=False, compare=False)
    root_runs: list[RootRun] = field(default_factory=list, compare=False)
    in_conversation: bool = field(default=False, compare=False)
    calls: list[tuple[str, frozenset[str]]] = field(default_factory=list, compare=False)
    hearers: list[FeedbackListener] = field(default_factory=list, compare=False)

    def add_call(self, answer: str, memory_ids: frozenset[str]) -> None:
        """A model of its run answered, and these of its memories stood in the prompt."""
        self.calls = [*self.calls[1 - _CALLS :], (flat(answer), memory_ids)]

    def shown_for(self, answer: str) -> frozenset[str] | None:
        """Its memories that stood in the prompt of the call that gave an answer.

        None if no call was followed; empty if none of those that were gave this answer: the
        framework wrote it.
        """
        if not self.calls:
            return None
        text = flat(answer)
        for whole in (True, False):  # a parser may have left the thoughts of an agent out
            for answer_text, memory_ids in reversed(self.calls):
                if answer_text == text or (not whole and text in answer_text):
                    return memory_ids
        # Some engines put an answer together of several.
        parts = [
            ids
            for answer_text, ids in self.calls
            if len(answer_text) >= _PART and answer_text in text
        ]
        return frozenset().union(*parts)

    def within(self, prompt: Prompt, *, in_context: bool = True) -> frozenset[str]:
        """The ids of its memories that stand in a prompt, word for word or as `Recall.context` words them.

        Args:
            prompt: the prompt.
            in_context: False = only word for word, which costs less.
        """
        memory_ids = {memory_id for memory_id, text in self._texts.items() if prompt.holds(text)}
        if in_context and len(memory_ids) < len(self._texts) and OPEN in prompt.text:
            memory_ids |= {
                memory_id for memory_id, text in self._lines.items() if prompt.holds(text)
            }
        return frozenset(memory_ids)

    def asked_in(self, prompt: Prompt) -> bool:
        """Whether the question stands in a prompt, too."""
        return prompt.holds(self.question)

    def prepare(self) -> None:
        """Make its texts ready to be looked for."""
        _ = self._texts, self.question

    @property
    def ids(self) -> frozenset[str]:
        """Its memories."""
        return frozenset(self._texts)

    @property
    def busy(self) -> bool:
        """Whether a run that it belongs to is still going on: no other run's prompt was made of it."""
        return any(run.open for run in self.root_runs)

    def text(self, memory_id: str) -> str:
        """The text of one of its memories, as `flat` returns it."""
        return self._texts[memory_id]

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        memories = [*self.recall.hot, *(item.memory for item in self.recall.results)]
        return {memory.id: flat(memory.content) for memory in memories}

    @cached_property
    def _lines(self) -> Mapping[str, str]:
        return {
            memory_id: flat(line).rstrip(_ENDS)  # a profile tells it without
            for memory_id, line in self.recall.block().shown.items()
            if memory_id in self._texts
        }

    @cached_property
    def question(self) -> str:
        """What it was made for, as `flat` returns it."""
        return flat(self.recall.query)


class Listener(Protocol):
    """Whoever knows in which run something is recalled."""

    def asked(self, source: RegisteredRecall) -> None:
        """Something was asked a moment ago, in this context, whether or not anything was found."""

    def made(self, source: RegisteredRecall) -> None:
        """Something was recalled a moment ago, in this context."""


class RecallRegistry:
    """The recalls of the last quarter of an hour, at most 2,048. Thread-safe.

    Whoever listens is told of each recall in the context that it is made in, and is forgotten when
    it is no longer in use.

    Args:
        clock: seconds; never goes back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._registered: LRUCache[str, RegisteredRecall] = LRUCache(_MOST)
        self._judged: LRUCache[tuple[str, str], str] = LRUCache(_JUDGED)
        self._kept_runs: LRUCache[Hashable, bool] = LRUCache(_MOST)
        self._listeners: WeakSet[Listener] = WeakSet()

    def listen(self, listener: Listener) -> None:
        """Tell a listener of all recalls from now on."""
        with self._lock:
            self._listeners.add(listener)

    def register(self, bank: MemoryBank, recall: Recall) -> RegisteredRecall:
        """Remember a recall; one that found nothing cannot be the source of an answer."""
        now = self._clock()
        kept = replace(recall, withheld=()) if recall.withheld else recall
        registered = RegisteredRecall(bank, kept, now)
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener.asked(registered)
        if recall.results or recall.hot:
            with self._lock:
                self._registered.put(recall.id, registered)
                for oldest in list(islice(self._registered.oldest(), 2)):
                    if oldest.at < now - _SECONDS:
                        self._registered.pop(oldest.recall.id)
            for listener in listeners:
                listener.made(registered)
        return registered

    def judged_as(self, memory_id: str, recall_ids: Sequence[str]) -> str:
        """The recall under which an answer judges a memory that several recalls of one run showed.

        Args:
            memory_id: the memory.
            recall_ids: the recalls that showed it to the model, the one that fits best first.

        Returns:
            The recall under which it was judged already, if there is one; else the first. All of
            them share it from now on, so that whoever asks for any of them is told the same.
        """
        with self._lock:
            earlier = (self._judged.get((recall_id, memory_id)) for recall_id in recall_ids)
            chosen = next(
                (recall_id for recall_id in earlier if recall_id is not None), recall_ids[0]
            )
            for recall_id in recall_ids:
                self._judged.put((recall_id, memory_id), chosen)
        return chosen

    def claim_run(self, run: Hashable) -> bool:
        """Whether nobody else keeps what was called in a root run; from now on somebody does."""
        with self._lock:
            is_free = self._kept_runs.get(run) is None
            self._kept_runs.put(run, True)
        return is_free

    def find(self, recall_id: str) -> RegisteredRecall | None:
        """The recall of that id; None if it is forgotten, or was made too long ago."""
        with self._lock:
            registered = self._registered.peek(recall_id)
        if registered is None or registered.at < self._since():
            return None
        return registered

    def tell(
        self,
        namespace: str,
        recall_ids: Iterable[str],
        hearer: FeedbackListener,
    ) -> None:
        """Have somebody told of the judgements that answers make under recalls of a namespace."""
        for recall_id in recall_ids:
            registered = self.find(recall_id)
            if registered is not None and registered.bank.namespace == namespace:
                with self._lock:
                    if hearer not in registered.hearers:
                        registered.hearers.append(hearer)

    def unclaimed(self, limit: int) -> list[RegisteredRecall]:
        """The newest to which no answer was traced yet, newest first."""
        with self._lock:
            waiting = (registered for registered in self._recent() if not registered.claimed)
            return list(islice(waiting, limit))

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._registered.clear()
            self._judged.clear()

    def _since(self) -> float:
        return self._clock() - _SECONDS

    def _recent(self) -> Iterator[RegisteredRecall]:
        since = self._since()
        return takewhile(lambda registered: registered.at >= since, self._registered.newest())

    def __len__(self) -> int:
        with self._lock:
            return sum(1 for _ in self._recent())

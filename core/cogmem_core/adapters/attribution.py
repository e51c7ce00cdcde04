"""Which answer was made of which memories: what the callbacks of both frameworks report, put together.

A framework tells of runs (chains, spans) that have parents, of recalls within them, of prompts and of answers. An
answer is credited to exactly those memories whose text stood in the prompt it answers, if they were recalled under the
same root run; else to a recent recall that fits the prompt. Of several answers of one run to the same memories the last
one counts (the one before it was a rewritten question, or said what tool to call), and of answers made at the same
time all. A run that fails credits nothing.

Nothing here waits: it is bookkeeping in memory, and what is learnt the worker writes down.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from cogmem_core.engine.recall_registry import Recollection
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.lru import LRUCache
from cogmem_core.models import Feedback
from cogmem_core.text.quoted_in import flat

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["Attribution", "FeedbackOptions", "Heard", "Tracing"]

Heard = Callable[[tuple[Feedback, ...]], None]
_MATCHES = ("prompt", "all")
_RUNS_PER_ROOT = 16
_POOL = 256
_Key = tuple[str, str]
"""(recall's id, memory's id)."""


@dataclass(slots=True)
class _Run:
    root: Hashable
    quiet: bool


@dataclass(slots=True)
class _Root:
    """A run without a parent, and what happened under it.

    Attributes:
        open: it was seen to begin and has not ended: answers wait for its end.
        recalls: what was recalled under it, and which of its memories went on.
        answers: what has been answered, per memory.
    """

    open: bool = False
    recalls: dict[str, tuple[Recollection, frozenset[str]]] = field(default_factory=dict)
    answers: dict[_Key, _Answer] = field(default_factory=dict)


@dataclass(slots=True)
class _Call:
    """A language model at work: what stood in its prompt."""

    root: Hashable
    began: int
    shown: list[tuple[Recollection, frozenset[str]]]


@dataclass(slots=True)
class _Answer:
    source: Recollection
    text: str
    ended: int


class FeedbackOptions(TypedDict, total=False):
    """What the handlers of both frameworks take; see `Tracing`."""

    match: str
    similarity_fn: Similarity | None
    background: bool
    on_feedback: Heard | None
    max_runs: int


@dataclass(frozen=True, slots=True)
class Tracing:
    """How answers are traced.

    Attributes:
        match: "prompt" = memories whose text is in the prompt; "all" = all that were recalled under the same root run.
        similarity_fn: as for `MemoryBank.feedback`.
        background: the worker writes what is learnt; False = before `answered` or `ended` returns.
        on_feedback: called with each judgement, by whichever thread makes it.
        max_runs: how many roots, and how many calls, are kept at once; older ones are given up.
        lingering: recalls outlive the end of their root run: where answers are streamed after it.
        guessing: the root of a run is only likely: where none of what was recalled under it was recalled for a question
            that stands in the prompt, a recent recall whose question does goes first.
    """

    match: str = "prompt"
    similarity_fn: Similarity | None = None
    background: bool = True
    on_feedback: Heard | None = None
    max_runs: int = 1_000
    lingering: bool = False
    guessing: bool = False

    def __post_init__(self) -> None:
        if self.match not in _MATCHES:
            raise InvalidInput(f"match is {self.match!r}; use 'prompt' or 'all'")
        if isinstance(self.max_runs, bool) or not isinstance(self.max_runs, int) or self.max_runs < 1:
            raise InvalidInput(f"max_runs is {self.max_runs!r}; use a whole number from 1")

    @classmethod
    def of(cls, options: FeedbackOptions, *, lingering: bool = False, guessing: bool = False) -> Tracing:
        """What a handler was given, checked.

        Raises:
            InvalidInput: an option that does not exist, or is unusable.
        """
        known = FeedbackOptions.__annotations__
        if unknown := options.keys() - known.keys():
            raise InvalidInput(f"unknown options {sorted(unknown)}; there are {', '.join(known)}")
        return cls(**options, lingering=lingering, guessing=guessing)


class Attribution:
    """Traces answers to memories, for one engine. Thread-safe; all it keeps is bounded."""

    def __init__(self, engine: Engine, tracing: Tracing | None = None) -> None:
        self.engine, self._how = engine, tracing or Tracing()
        self._lock = threading.Lock()
        self._runs: LRUCache[Hashable, _Run] = LRUCache(self._how.max_runs * _RUNS_PER_ROOT)
        self._roots: LRUCache[Hashable, _Root] = LRUCache(self._how.max_runs)
        self._calls: LRUCache[Hashable, _Call] = LRUCache(self._how.max_runs)
        self._time = 0

    def begun(self, run: Hashable, parent: Hashable | None = None, *, quiet: bool = False) -> None:
        """A run began.

        Args:
            quiet: what language models answer within it is no answer to the user: a retriever, a re-ranker.
        """
        with self._lock:
            if self._runs.get(run) is not None:
                return
            above = None if parent is None else self._runs.get(parent)
            # A parent that was never reported still tells which runs belong together; its end will not be seen.
            root = run if parent is None else parent if above is None else above.root
            self._runs.put(run, _Run(root, quiet or (above is not None and above.quiet)))
            if parent is None:
                self._root(root).open = True

    def recalled(self, run: Hashable, recall_id: str, memory_ids: Iterable[str] | None = None) -> None:
        """Memories were recalled within a run; `memory_ids`: which of them went on, all if None."""
        known = self.engine.recollections.find(recall_id)
        if known is None:
            return
        ids = known.ids if memory_ids is None else known.ids.intersection(memory_ids)
        with self._lock:
            recalls = self._root(self._root_of(run)).recalls
            before = recalls[recall_id][1] if recall_id in recalls else frozenset[str]()
            recalls[recall_id] = (known, before | ids)

    def prompted(self, call: Hashable, prompt: str) -> None:
        """A language model was asked; the call began as a run before."""
        with self._lock:
            run = self._runs.get(call)
            root = self._root_of(call)
            here = self._roots.get(root)
            recalls = [] if here is None else list(here.recalls.values())
            self._time += 1
            began = self._time
        if run is not None and run.quiet:
            return
        shown = self._shown(recalls, flat(prompt))
        if shown:
            with self._lock:
                self._calls.put(call, _Call(root, began, shown))

    def answered(self, call: Hashable, answer: str) -> None:
        """A language model answered; a blank answer is none, nor is one that only calls tools: give ""."""
        with self._lock:
            asked = self._calls.pop(call)
            self._time += 1
            if asked is None or not answer.strip():
                return
            root = self._roots.get(asked.root)
            waits = root is not None and root.open
            answers = root.answers if root is not None and waits else {}
            for source, ids in asked.shown:
                for memory_id in ids:
                    self._note(answers, (source.recall.id, memory_id), source, answer, asked.began)
        if not waits:
            self._deliver(answers)

    def failed(self, call: Hashable) -> None:
        """A language model failed or was cut off: no answer."""
        with self._lock:
            self._calls.pop(call)

    def ended(self, run: Hashable, *, failed: bool = False) -> None:
        """A run ended; the end of a root run is when its answers count. A call that still runs counts when it ends."""
        answers: dict[_Key, _Answer] = {}
        with self._lock:
            known = self._runs.pop(run)
            root = self._roots.get(run) if known is not None and known.root == run else None
            if root is not None:
                answers, root.answers, root.open = root.answers, {}, False
                if not self._how.lingering:
                    self._roots.pop(run)
        if not failed:
            self._deliver(answers)

    @property
    def pending(self) -> Mapping[str, int]:
        """How many runs, roots and calls are kept at the moment."""
        with self._lock:
            return {"runs": len(self._runs), "roots": len(self._roots), "calls": len(self._calls)}

    def _root_of(self, run: Hashable) -> Hashable:
        known = self._runs.get(run)
        return run if known is None else known.root

    def _root(self, root: Hashable) -> _Root:
        found = self._roots.get(root)
        if found is None:
            found = _Root()
            self._roots.put(root, found)
        return found

    def _note(self, answers: dict[_Key, _Answer], key: _Key, source: Recollection, text: str, began: int) -> None:
        before = answers.get(key)
        if before is not None and before.ended > began and text not in before.text:
            text = f"{before.text}\n{text}"
        elif before is not None and before.ended > began:
            text = before.text  # a model that answers by asking itself is told of twice
        answers[key] = _Answer(source, text, self._time)

    def _shown(
        self, recalls: Iterable[tuple[Recollection, frozenset[str]]], prompt: str
    ) -> list[tuple[Recollection, frozenset[str]]]:
        if self._how.match == "all":
            return list(recalls)
        here = [(source, ids & source.within(prompt)) for source, ids in recalls]
        here = [(source, ids) for source, ids in here if ids]
        if here and (not self._how.guessing or any(source.asked_in(prompt) for source, _ in here)):
            return here
        recent = self._from_pool(prompt)
        return recent if not here or any(source.asked_in(prompt) for source, _ in recent) else here

    def _from_pool(self, prompt: str) -> list[tuple[Recollection, frozenset[str]]]:
        """The recent recalls that fit the prompt, each memory under one of them only.

        First those whose question is in the prompt, too; of those, and of the others, the newest first.
        """
        fitting = [
            (source, ids) for source in self.engine.recollections.unclaimed(_POOL) if (ids := source.within(prompt))
        ]
        fitting.sort(key=lambda one: not one[0].asked_in(prompt))
        chosen: list[tuple[Recollection, frozenset[str]]] = []
        taken: set[str] = set()
        for source, ids in fitting:
            if left := ids - taken:
                chosen.append((source, left))
                taken |= left
        return chosen

    def _deliver(self, answers: Mapping[_Key, _Answer]) -> None:
        together: dict[tuple[str, str], tuple[Recollection, set[str]]] = {}
        for (recall_id, memory_id), answer in answers.items():
            together.setdefault((recall_id, answer.text), (answer.source, set()))[1].add(memory_id)
        for (_, text), (source, ids) in together.items():
            source.claimed = True
            source.bank.credit(
                source.recall.only(ids),
                text,
                similarity_fn=self._how.similarity_fn,
                heard=self._how.on_feedback,
                wait=not self._how.background,
            )

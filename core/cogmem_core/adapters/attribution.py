"""Which answer was made of which memories: what the callbacks of both frameworks report, put together.

A framework tells of runs (chains, spans) that have parents, of recalls within them, of prompts and of answers. An
answer is credited to exactly those memories whose text stood in the prompt it answers, if they were recalled under the
same root run; else to a recent recall that fits the prompt, if it is the only one. Of several answers of one run to the
same memories the last one counts (the one before it was a rewritten question, or said what tool to call), and of
answers made at the same time all. A memory is judged once by an answer, however many recalls showed it. A run that
fails credits nothing.

Nothing here waits: it is bookkeeping in memory, and what is learnt the worker writes down.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from cogmem_core.adapters.sightings import Key, Sighting, nearest, single, together
from cogmem_core.engine.recall_registry import RegisteredRecall, RootRun
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
_RECALLS_PER_ROOT = 256
_POOL = 256


@dataclass(slots=True)
class _Run:
    """`path`: itself and all above it, the root first."""

    path: tuple[Hashable, ...]
    quiet: bool

    @property
    def root(self) -> Hashable:
        return self.path[0]


@dataclass(slots=True)
class _Root:
    """A run without a parent, and what happened under it.

    Attributes:
        home: open = it was seen to begin and has not ended: answers wait for its end.
        recalls: what was recalled under it, and which of its memories went on, by the recall's id.
        answers: what has been answered, per memory.
    """

    home: RootRun = field(default_factory=RootRun)
    recalls: dict[str, Sighting] = field(default_factory=dict)
    answers: dict[Key, _Answer] = field(default_factory=dict)


@dataclass(slots=True)
class _Call:
    """A language model at work: what stood in its prompt."""

    root: Hashable
    began: int
    shown: list[Sighting]


@dataclass(slots=True)
class _Answer:
    source: RegisteredRecall
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
        current: tells the run that is going on in this context, so that recalls that nobody reports are known to belong
            to it; None = there is none.
    """

    match: str = "prompt"
    similarity_fn: Similarity | None = None
    background: bool = True
    on_feedback: Heard | None = None
    max_runs: int = 1_000
    lingering: bool = False
    guessing: bool = False
    current: Callable[[], Hashable | None] | None = None

    def __post_init__(self) -> None:
        if self.match not in _MATCHES:
            raise InvalidInput(f"match is {self.match!r}; use 'prompt' or 'all'")
        if isinstance(self.max_runs, bool) or not isinstance(self.max_runs, int) or self.max_runs < 1:
            raise InvalidInput(f"max_runs is {self.max_runs!r}; use a whole number from 1")

    @classmethod
    def of(
        cls,
        options: FeedbackOptions,
        *,
        lingering: bool = False,
        guessing: bool = False,
        current: Callable[[], Hashable | None] | None = None,
    ) -> Tracing:
        """What a handler was given, checked.

        Raises:
            InvalidInput: an option that does not exist, or is unusable.
        """
        known = FeedbackOptions.__annotations__
        if unknown := options.keys() - known.keys():
            raise InvalidInput(f"unknown options {sorted(unknown)}; there are {', '.join(known)}")
        return cls(**options, lingering=lingering, guessing=guessing, current=current)


class Attribution:
    """Traces answers to memories, for one engine. Thread-safe; all it keeps is bounded."""

    def __init__(self, engine: Engine, tracing: Tracing | None = None) -> None:
        self.engine, self._how = engine, tracing or Tracing()
        self._lock = threading.Lock()
        self._runs: LRUCache[Hashable, _Run] = LRUCache(self._how.max_runs * _RUNS_PER_ROOT)
        self._roots: LRUCache[Hashable, _Root] = LRUCache(self._how.max_runs)
        self._calls: LRUCache[Hashable, _Call] = LRUCache(self._how.max_runs)
        self._time = 0
        engine.recall_registry.listen(self)

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
            path = () if parent is None else (parent,) if above is None else above.path
            self._runs.put(run, _Run((*path, run), quiet or (above is not None and above.quiet)))
            if parent is None:
                self._root(run).home.open = True

    def recalled(self, run: Hashable, recall_id: str, memory_ids: Iterable[str] | None = None) -> None:
        """Memories were recalled within a run; `memory_ids`: which of them went on, all if None."""
        source = self.engine.recall_registry.find(recall_id)
        if source is None:
            return
        ids = source.ids if memory_ids is None else source.ids.intersection(memory_ids)
        with self._lock:
            path = self._path_of(run)
            self._sighted(self._root(path[0]), Sighting(source, ids, path, reported=True))

    def made(self, source: RegisteredRecall) -> None:
        """Something was recalled in this context, whoever did it: it belongs to the run that is going on here."""
        run = None if self._how.current is None else self._how.current()
        with self._lock:
            open_run = None if run is None else self._runs.get(run)
            root = None if open_run is None else self._roots.get(open_run.root)
            if open_run is not None and root is not None:
                self._sighted(root, Sighting(source, source.ids, open_run.path))

    def prompted(self, call: Hashable, prompt: str) -> None:
        """A language model was asked; the call began as a run before."""
        with self._lock:
            run = self._runs.get(call)
            path = self._path_of(call)
            here = self._roots.get(path[0])
            recalls = [] if here is None else list(here.recalls.values())
            self._time += 1
            began = self._time
        if run is not None and run.quiet:
            return
        shown = self._shown(recalls, flat(prompt), path)
        if shown:
            with self._lock:
                self._calls.put(call, _Call(path[0], began, shown))

    def answered(self, call: Hashable, answer: str) -> None:
        """A language model answered; a blank answer is none, nor is one that only calls tools: give ""."""
        with self._lock:
            asked = self._calls.pop(call)
            self._time += 1
            if asked is None or not answer.strip():
                return
            root = self._roots.get(asked.root)
            waits = root is not None and root.home.open
            answers = root.answers if root is not None and waits else {}
            for sighting in asked.shown:
                for memory_id in sighting.ids:
                    self._note(answers, memory_id, sighting.source, answer, asked.began)
        if not waits:
            self._deliver(answers)

    def failed(self, call: Hashable) -> None:
        """A language model failed or was cut off: no answer."""
        with self._lock:
            self._calls.pop(call)

    def ended(self, run: Hashable, *, failed: bool = False) -> None:
        """A run ended; the end of a root run is when its answers count. A call that still runs counts when it ends."""
        answers: dict[Key, _Answer] = {}
        with self._lock:
            known = self._runs.pop(run)
            root = self._roots.get(run) if known is not None and known.root == run else None
            if root is not None:
                answers, root.answers, root.home.open = root.answers, {}, False
                if not self._how.lingering:
                    self._roots.pop(run)
        if not failed:
            self._deliver(answers)

    @property
    def pending(self) -> Mapping[str, int]:
        """How many runs, roots and calls are kept at the moment."""
        with self._lock:
            return {"runs": len(self._runs), "roots": len(self._roots), "calls": len(self._calls)}

    def _path_of(self, run: Hashable) -> tuple[Hashable, ...]:
        known = self._runs.get(run)
        return (run,) if known is None else known.path

    def _root(self, root: Hashable) -> _Root:
        found = self._roots.get(root)
        if found is None:
            found = _Root()
            self._roots.put(root, found)
        return found

    def _sighted(self, root: _Root, seen: Sighting) -> None:
        """What is reported counts: it tells which of the memories went on."""
        before = root.recalls.get(seen.source.recall.id)
        if before is None or before.reported == seen.reported:
            ids = seen.ids if before is None else before.ids | seen.ids
            path = seen.path if before is None else before.path
            root.recalls[seen.source.recall.id] = Sighting(seen.source, ids, path, seen.reported)
        elif seen.reported:
            root.recalls[seen.source.recall.id] = seen
        if len(root.recalls) > _RECALLS_PER_ROOT:
            root.recalls.pop(next(iter(root.recalls)))
        if not self._how.guessing and all(home is not root.home for home in seen.source.root_runs):
            seen.source.root_runs.append(root.home)

    def _note(
        self, answers: dict[Key, _Answer], memory_id: str, source: RegisteredRecall, text: str, began: int
    ) -> None:
        before = answers.get((source.recall.id, memory_id))
        if before is not None and before.ended > began and text not in before.text:
            text = f"{before.text}\n{text}"
        elif before is not None and before.ended > began:
            text = before.text  # a model that answers by asking itself is told of twice
        answers[source.recall.id, memory_id] = _Answer(source, text, self._time)

    def _shown(self, recalls: Iterable[Sighting], prompt: str, path: tuple[Hashable, ...]) -> list[Sighting]:
        """What of the recalls stands in a prompt, those first that fit best."""
        if self._how.match == "all":
            return [sighting for sighting in recalls if sighting.reported]
        present = [left for sighting in recalls if (left := sighting.within(prompt)).ids]
        here = nearest(present, path)
        if not here or (self._how.guessing and not any(sighting.source.asked_in(prompt) for sighting in here)):
            inside = len(path) > 1 and not self._how.guessing  # what it was made of is likely known in its run
            pool = self.engine.recall_registry.unclaimed(_POOL)
            free = pool if self._how.guessing else [source for source in pool if not source.busy]
            recent = [] if present and not here else single(free, prompt, asked=inside)
            asked = any(sighting.source.asked_in(prompt) for sighting in recent)
            here = recent if asked or not here else here
        return sorted(here, key=lambda one: (not one.source.asked_in(prompt), -len(one.ids)))

    def _deliver(self, answers: Mapping[Key, _Answer]) -> None:
        """Each memory learns from an answer once, under the recall that fits best or was judged by it already."""
        bunches: dict[tuple[str, str], tuple[RegisteredRecall, set[str]]] = {}
        texts = {key: (answer.source, answer.text) for key, answer in answers.items()}
        for _, memory_id, text, sources in together(texts):
            ids = [source.recall.id for source in sources]
            chosen = self.engine.recall_registry.judged_as(memory_id, ids)
            for source in sources:
                source.claimed = True
                if source.recall.id == chosen:
                    bunches.setdefault((chosen, text), (source, set()))[1].add(memory_id)
        for (_, text), (source, memory_ids) in bunches.items():
            source.bank.feedback(
                source.recall.only(memory_ids),
                text,
                similarity_fn=self._how.similarity_fn,
                heard=self._how.on_feedback,
                wait=not self._how.background,
            )

"""Which answer was made of which memories, from what both frameworks' callbacks report.

A framework tells of runs (chains, spans) that have parents, of recalls within them, of prompts and
of answers. An answer is credited to exactly those memories whose text stood in the prompt it
answers, if they were recalled under the same root run; else to a recall that was made before in the
same task or thread, else to a recent recall, if it fits the prompt and no other namespace's does.
Of several answers of one run to the same memories the last one counts (the one before it was a
rewritten question, or said what tool to call), and of answers made at the same time all. A memory
is judged once by an answer, however many recalls showed it. What the memory of a conversation
recalled is not judged by a question that a model wrote anew. A run that fails credits nothing.

Nothing here waits: it is bookkeeping in memory, and what is learnt the worker writes down.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cogmem_core.adapters.run_recalls import (
    Key,
    RunRecall,
    changed_texts,
    group_by_memory,
    nearest_recalls,
    not_empty,
    unambiguous_recalls,
)
from cogmem_core.adapters.scores import all_of, run_scores
from cogmem_core.adapters.task_runs import RunListener, TaskRuns
from cogmem_core.base.lru import LRUCache
from cogmem_core.edge.checks import flag, positive
from cogmem_core.engine.recall_registry import RegisteredRecall, RootRun
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.text.quoted_in import Prompt, flat
from cogmem_core.values.models import Feedback

if TYPE_CHECKING:
    from cogmem_core.engine import Engine


FeedbackListener = Callable[[tuple[Feedback, ...]], None]
_MATCHES = ("prompt", "all")
_RUNS_PER_ROOT = 16
_RECALLS_PER_ROOT = 256
_ARGUMENTS_PER_ROOT = 16
_POOL = 256
_HERE = 32
_BEGUN_HERE: ContextVar[tuple[RootRun, ...]] = ContextVar("cogmem_begun_here", default=())
"""The last root runs that began in this task or thread: what they recalled may stand in a later prompt."""


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
        arguments: what its models gave to tools.
    """

    home: RootRun = field(default_factory=RootRun)
    recalls: dict[str, RunRecall] = field(default_factory=dict)
    answers: dict[Key, _Answer] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Call:
    """A language model at work: what stood in its prompt."""

    path: tuple[Hashable, ...]
    began: int
    recalls: list[RunRecall]


@dataclass(slots=True)
class _Answer:
    """What was answered to a memory; blank while its model has only called tools."""

    source: RegisteredRecall
    text: str
    ended: int
    path: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Tracing:
    """How answers are traced.

    Attributes:
        match: "prompt" = memories whose text is in the prompt; "all" = all that were recalled under
            the same root run.
        similarity_fn: as for `MemoryBank.feedback`.
        background: the worker writes what is learnt; False = before `add_answer` or `end_run`
            returns.
        on_feedback: called with each judgement, by whichever thread makes it.
        max_runs: how many roots, and how many calls, are kept at once; older ones are given up.
        observe_runs: what tools are called for a task is kept, see `TaskRuns`.
        on_run: called with each run that was kept, by the worker's thread.
        lingering: recalls outlive the end of their root run: where answers are streamed after it.
        guessing: the root of a run is only likely: where none of what was recalled under it was
            recalled for a question that stands in the prompt, a recent recall whose question does
            goes first.
        current: tells the run that is going on in this context, so that recalls that nobody reports
            are known to belong to it; None = there is none.
    """

    match: str = "prompt"
    similarity_fn: Similarity | None = None
    background: bool = True
    on_feedback: FeedbackListener | None = None
    max_runs: int = 1_000
    observe_runs: bool = True
    on_run: RunListener | None = None
    lingering: bool = False
    guessing: bool = False
    current: Callable[[], Hashable | None] = lambda: None

    def __post_init__(self) -> None:
        if self.match not in _MATCHES:
            raise InvalidInput(f"match is {self.match!r}; use 'prompt' or 'all'")
        positive("max_runs", self.max_runs)
        flag("observe_runs", self.observe_runs)


class Attribution:
    """Traces answers to memories, for one engine. Thread-safe; all it keeps is bounded."""

    def __init__(self, engine: Engine, tracing: Tracing) -> None:
        self.engine = engine
        self._tracing = tracing
        self._lock = threading.Lock()
        self._runs: LRUCache[Hashable, _Run] = LRUCache(tracing.max_runs * _RUNS_PER_ROOT)
        self._roots: LRUCache[Hashable, _Root] = LRUCache(tracing.max_runs)
        self._calls: LRUCache[Hashable, _Call] = LRUCache(tracing.max_runs)
        self._time = 0
        self.task_runs: TaskRuns | None = None
        if tracing.observe_runs:
            self.task_runs = TaskRuns(
                engine,
                self.path_of,
                on_run=tracing.on_run,
                max_runs=tracing.max_runs,
            )
        engine.recall_registry.listen(self)

    def start_run(
        self, run: Hashable, parent: Hashable | None = None, *, quiet: bool = False
    ) -> None:
        """A run began.

        Args:
            run: its id.
            parent: the id of the run that it belongs to; None = it is a root.
            quiet: what language models answer within it is not an answer to the user: a retriever,
                a re-ranker.
        """
        with self._lock:
            if self._runs.get(run) is not None:
                return
            if parent is None:
                self._runs.put(run, _Run((run,), quiet))
                home = self._roots.made(run, _Root).home
                home.open = True
                _note_here(home)
                return
            # A parent that was never reported still tells which runs belong together; its end will
            # not be seen.
            above = self._runs.get(parent) or _Run((parent,), quiet=False)
            self._runs.put(run, _Run((*above.path, run), quiet or above.quiet))

    def add_recall(
        self,
        run: Hashable,
        recall_id: str,
        memory_ids: Iterable[str] | None = None,
        *,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """Memories were recalled within a run.

        Args:
            run: its id.
            recall_id: the recall.
            memory_ids: which of its memories went on; None = all.
            texts: the texts as which they went on, by the memories' ids; None = their own.
        """
        source = self.engine.recall_registry.find(recall_id)
        if source is None:
            return
        ids = source.ids if memory_ids is None else source.ids.intersection(memory_ids)
        changed = changed_texts(source, texts) if texts else {}
        with self._lock:
            path = self._path_of(run)
            new = RunRecall(source, ids, path, reported=True, texts=changed)
            self._merge(self._roots.made(path[0], _Root), new)

    def asked(self, source: RegisteredRecall) -> None:
        """Something was asked in this context: it may be the task of the run that is going on here."""
        run = self._tracing.current()
        if run is not None and self.task_runs is not None:
            self.task_runs.asked(run, source)

    def made(self, source: RegisteredRecall) -> None:
        """Something was recalled in this context: it belongs to the run that is going on here."""
        scores = run_scores() if not source.hearers else None
        if scores is not None:
            source.hearers.append(scores)
        source.prepare()  # here and not later, on an event loop that looks at a prompt
        run = self._tracing.current()
        if run is None:
            _note_here(RootRun(recall_ids=[source.recall.id]))
            return
        with self._lock:
            open_run = self._runs.get(run)
            root = self._roots.get(open_run.root) if open_run is not None else None
            if open_run is not None and root is not None:
                self._drop_rewritten(root, source.question)
                self._merge(root, RunRecall(source, source.ids, open_run.path))

    def add_question(self, run: Hashable, question: str) -> None:
        """Something is searched for within a run.

        If a model has just written it, that was no answer to the user: it does not judge what the
        memory of the conversation recalled.
        """
        with self._lock:
            root = self._roots.get(self._path_of(run)[0])
            if root is not None and root.answers:
                self._drop_rewritten(root, flat(question))

    def add_prompt(self, call: Hashable, prompt: str) -> None:
        """A language model was asked; the call was reported as a run before."""
        with self._lock:
            run = self._runs.get(call)
            path = self._path_of(call)
            root = self._roots.get(path[0])
            recalls = list(root.recalls.values()) if root is not None else []
            self._time += 1
            began = self._time
        if (run is not None and run.quiet) or not (
            recalls or self.engine.recall_registry.unclaimed(1)
        ):
            return
        prompt_recalls = self._recalls_in(recalls, Prompt(prompt), path)
        if prompt_recalls:
            with self._lock:
                self._calls.put(call, _Call(path, began, prompt_recalls))

    def root_of(self, run: Hashable) -> Hashable:
        """The root of a run; itself, if it was not reported."""
        return self.path_of(run)[0]

    def path_of(self, run: Hashable) -> tuple[Hashable, ...]:
        """A run and all above it, the root first; itself alone, if it was not reported."""
        with self._lock:
            return self._path_of(run)

    def add_answer(self, call: Hashable, answer: str, *, arguments: str = "") -> None:
        """A language model answered.

        Args:
            call: what was reported with its prompt.
            answer: what it said to the user; "" for one that only calls tools.
            arguments: what it gave to tools, as text; it counts with the run's last answer, and by
                itself if there is none.
        """
        with self._lock:
            model_call = self._calls.pop(call)
            self._time += 1
            if model_call is None or not (answer.strip() or arguments.strip()):
                return
            root = self._roots.get(model_call.path[0])
            if root is not None and arguments.strip():
                root.arguments = [*root.arguments[1 - _ARGUMENTS_PER_ROOT :], arguments]
            # While the root run is open, its answers wait for its end.
            waits = root is not None and root.home.open
            answers = root.answers if root is not None and waits else {}
            for run_recall in model_call.recalls:
                for memory_id in run_recall.ids:
                    key = (run_recall.source.recall.id, memory_id)
                    new = _Answer(run_recall.source, answer, self._time, model_call.path)
                    _add_text(answers, key, new, model_call.began)
        if not waits:
            self._deliver(answers, arguments)

    def drop_call(self, call: Hashable) -> None:
        """A language model failed or was cut off: no answer."""
        with self._lock:
            self._calls.pop(call)

    def end_run(self, run: Hashable, *, failed: bool = False, answer: str = "") -> None:
        """A run ended; the end of a root run is when its answers count.

        A call that still runs counts when it ends.

        Args:
            run: its id.
            failed: it teaches nothing.
            answer: what it returned, where its models only filled in the arguments of a tool: an
                answer in a structure.
        """
        answers: dict[Key, _Answer] = {}
        arguments = ""
        with self._lock:
            tracked = self._runs.pop(run)
            if tracked is not None and answer.strip() and not failed:
                self._answer_blanks(tracked, answer)
            root = self._roots.get(run) if tracked is not None and tracked.root == run else None
            if root is not None:
                answers = root.answers
                arguments = "\n".join(root.arguments)
                root.answers = {}
                root.arguments = []
                root.home.open = False
                if not self._tracing.lingering:
                    self._roots.pop(run)
        if not failed:
            self._deliver(answers, arguments)

    @property
    def pending(self) -> Mapping[str, int]:
        """How many runs, roots and calls are kept at the moment."""
        with self._lock:
            return {"runs": len(self._runs), "roots": len(self._roots), "calls": len(self._calls)}

    def _path_of(self, run: Hashable) -> tuple[Hashable, ...]:
        tracked = self._runs.get(run)
        return (run,) if tracked is None else tracked.path

    def _merge(self, root: _Root, new: RunRecall) -> None:
        """Add a recall to a root; a reported recall counts, as it tells which memories went on."""
        recall_id = new.source.recall.id
        existing = root.recalls.get(recall_id)
        if existing is None:
            root.recalls[recall_id] = new
        elif existing.reported == new.reported:
            root.recalls[recall_id] = existing.with_more(new)
        elif new.reported:
            root.recalls[recall_id] = new
        if len(root.recalls) > _RECALLS_PER_ROOT:
            root.recalls.pop(next(iter(root.recalls)))
        root.home.recall_ids = [*root.home.recall_ids[1 - _HERE :], recall_id]
        if not self._tracing.guessing and all(
            home is not root.home for home in new.source.root_runs
        ):
            new.source.root_runs.append(root.home)

    def _drop_rewritten(self, root: _Root, question: str) -> None:
        """Take back what a model has answered to a conversation's memory, if it is a question."""
        for key, answer in list(root.answers.items()):
            if answer.source.in_conversation and flat(answer.text) == question:
                del root.answers[key]

    def _answer_blanks(self, run: _Run, answer: str) -> None:
        """Give an answer to what was shown in a run whose models only called tools."""
        root = self._roots.get(run.root)
        for waiting in root.answers.values() if root is not None else ():
            if run.path[-1] in waiting.path and not waiting.text.strip():
                waiting.text = answer

    def _recalls_in(
        self, recalls: Iterable[RunRecall], prompt: Prompt, path: tuple[Hashable, ...]
    ) -> list[RunRecall]:
        """The recalls of a run whose memories stand in a prompt, those that fit best first."""
        if self._tracing.match == "all":
            return [run_recall for run_recall in recalls if run_recall.reported]
        present = not_empty(run_recall.within(prompt) for run_recall in recalls)
        matches = nearest_recalls(present, path)
        if not matches or (self._tracing.guessing and not _any_asked(matches, prompt)):
            # Where several namespaces say the same, none of them is meant.
            recent = self._recent_recalls(prompt, path) if matches or not present else []
            if not matches or _any_asked(recent, prompt):
                matches = recent

        def fit(run_recall: RunRecall) -> tuple[bool, int]:
            return not run_recall.source.asked_in(prompt), -len(run_recall.ids)

        return sorted(matches, key=fit)

    def _recent_recalls(self, prompt: Prompt, path: tuple[Hashable, ...]) -> list[RunRecall]:
        """Recalls of unknown runs whose memories stand in a prompt."""
        # What a prompt inside a run was made of is likely known in that run.
        needs_question = len(path) > 1 and not self._tracing.guessing
        registry = self.engine.recall_registry
        ids_here: dict[str, None] = {}
        for home in reversed(_BEGUN_HERE.get()):
            ids_here.update(dict.fromkeys(reversed(home.recall_ids)))
        made_here = map(registry.find, ids_here)
        unclaimed = [source for source in made_here if source is not None and not source.claimed]
        matches = unambiguous_recalls(self._free(unclaimed), prompt, needs_question=needs_question)
        if matches:
            return matches
        recent = registry.unclaimed(_POOL)
        return unambiguous_recalls(self._free(recent), prompt, needs_question=needs_question)

    def _free(self, sources: Iterable[RegisteredRecall]) -> list[RegisteredRecall]:
        """Recalls of runs that have ended, or are not known for sure."""
        return [source for source in sources if self._tracing.guessing or not source.busy]

    def _deliver(self, answers: Mapping[Key, _Answer], arguments: str) -> None:
        """Teach each memory an answer once, under the recall that fits best or has judged it."""
        groups: dict[tuple[str, str], tuple[RegisteredRecall, set[str]]] = {}
        texts = {key: (answer.source, answer.text) for key, answer in answers.items()}
        for _, memory_id, text, sources in group_by_memory(texts):
            ids = [source.recall.id for source in sources]
            judged_recall = self.engine.recall_registry.judged_as(memory_id, ids)
            for source in sources:
                source.claimed = True
                if source.recall.id == judged_recall:
                    groups.setdefault((judged_recall, text), (source, set()))[1].add(memory_id)
        for (_, text), (source, memory_ids) in groups.items():
            source.bank.feedback(
                source.recall.only(memory_ids),
                text,
                similarity_fn=self._tracing.similarity_fn,
                arguments=arguments,
                heard=all_of(self._tracing.on_feedback, *source.hearers),
                wait=not self._tracing.background,
            )


def _note_here(home: RootRun) -> None:
    """Remember which root runs began in this task or thread."""
    _BEGUN_HERE.set((*_BEGUN_HERE.get(), home)[-_HERE:])


def _add_text(answers: dict[Key, _Answer], key: Key, new: _Answer, began: int) -> None:
    """Keep an answer to a memory: the last one, or all that were made at the same time.

    Args:
        answers: what has been answered so far.
        key: of the memory.
        new: the answer.
        began: when its call began.
    """
    existing = answers.get(key)
    if existing is not None and not new.text.strip():
        return  # a later call of tools takes no answer back
    if existing is not None and existing.ended > began:
        # A model that answers by asking itself reports its answer twice.
        text = new.text if new.text not in existing.text else ""
        new.text = "\n".join(filter(None, (existing.text, text)))
    answers[key] = new


def _any_asked(recalls: Iterable[RunRecall], prompt: Prompt) -> bool:
    """Whether the question of one of the recalls stands in the prompt."""
    return any(run_recall.source.asked_in(prompt) for run_recall in recalls)

"""The recalls of a run: which of them a prompt was made of, and which stood in that of the call that answered.

A recall is judged only within its own namespace and run. Where it is not known in which run it was
made, the prompt has to tell; where it could be of several recalls, nothing is learnt.

The memory of a conversation is asked for its memories, and is told the answer. What happens between
it cannot see: an engine may show the memories only to a model that writes the question anew, or
leave them out. Where a framework reports the calls of its models, they are followed here, and the
recalls know of them (`RegisteredRecall.shown_for`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.base.grouping import grouped
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.recall_registry import RegisteredRecall
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.quoted_in import Prompt, flat

Key = tuple[str, str]
"""(recall's id, memory's id)."""
Path = tuple[Hashable, ...]
"""A run and all above it, the root first."""
_SHORTENED = 12
"""Characters: a shorter rest of a memory may stand in a prompt by chance."""


@dataclass(frozen=True, slots=True)
class RunRecall:
    """Memories of a recall, in a run or in a prompt.

    Attributes:
        source: the recall.
        ids: which of its memories.
        path: the run in which it was made, and all above it.
        reported: it was said which of its memories went on.
        texts: as what else than their own texts they went on, by id, as `flat` returns it: what a
            compressor left of them.
    """

    source: RegisteredRecall
    ids: frozenset[str]
    path: Path = ()
    reported: bool = False
    texts: Mapping[str, str] = field(default_factory=dict)

    def within(self, prompt: Prompt) -> RunRecall:
        """What of it stands in a prompt."""
        present_ids = self.source.within(prompt)
        shortened = {memory_id for memory_id, text in self.texts.items() if prompt.holds(text)}
        return self.only(self.ids & (present_ids | shortened))

    def only(self, ids: Iterable[str]) -> RunRecall:
        """The same with nothing but these memories."""
        return replace(self, ids=frozenset(ids))

    def with_more(self, other: RunRecall) -> RunRecall:
        """Both, of one recall that was reported twice."""
        return replace(self, ids=self.ids | other.ids, texts={**self.texts, **other.texts})


def changed_texts(source: RegisteredRecall, texts: Mapping[str, str]) -> dict[str, str]:
    """Those texts of a recall's memories that say something else than the memories do."""
    changed = {}
    for memory_id in source.ids.intersection(texts):
        shown_text = flat(texts[memory_id])
        if len(shown_text) >= _SHORTENED and shown_text != source.text(memory_id):
            changed[memory_id] = shown_text
    return changed


def nearest_recalls(run_recalls: Sequence[RunRecall], path: Path) -> list[RunRecall]:
    """Of memories of several namespaces with the same text: those recalled nearest to a prompt.

    A user's own recall shares more of the runs with the user's prompt than that of somebody else
    does. Where that leaves more than one namespace, none of them is meant.

    Args:
        run_recalls: what stands in the prompt.
        path: the run of the prompt, and all above it.
    """
    closest: dict[str, tuple[int, set[str]]] = {}
    for run_recall in run_recalls:
        near = _common_runs(run_recall.path, path)
        for memory_id in run_recall.ids:
            text = run_recall.source.text(memory_id)
            best, namespaces = closest.get(text, (near, set[str]()))
            if near > best:
                namespaces = set()
            if near >= best:
                namespaces.add(run_recall.source.bank.namespace)
            closest[text] = (max(near, best), namespaces)
    namespace_of = {
        text: next(iter(namespaces))
        for text, (_, namespaces) in closest.items()
        if len(namespaces) == 1
    }
    return not_empty(_of_namespaces(run_recall, namespace_of) for run_recall in run_recalls)


def not_empty(run_recalls: Iterable[RunRecall]) -> list[RunRecall]:
    """The recalls that have memories left."""
    return [run_recall for run_recall in run_recalls if run_recall.ids]


def unambiguous_recalls(
    sources: Iterable[RegisteredRecall], prompt: Prompt, *, needs_question: bool
) -> list[RunRecall]:
    """The memories in a prompt, of recalls whose run is not known; newest first.

    Nothing where the recalls that fit belong to several namespaces. A memory that was recalled for
    several questions is left out, unless one of these questions stands in the prompt.

    Args:
        sources: the recalls, newest first.
        prompt: the prompt.
        needs_question: the question has to stand in the prompt in any case.
    """
    listed = list(sources)
    recall_ids = {source.recall.id for source in listed if source.asked_in(prompt)}
    if needs_question and not recall_ids:
        return []
    # Most of these recalls have nothing to do with the prompt, and to render their blocks takes long.
    fitting = not_empty(
        RunRecall(source, source.within(prompt, in_context=source.recall.id in recall_ids))
        for source in listed
    )
    if len({run_recall.source.bank.namespace for run_recall in fitting}) != 1:
        return []
    candidates = [run_recall for run_recall in fitting if run_recall.source.recall.id in recall_ids]
    if not candidates and not needs_question:
        candidates = fitting
    questions: dict[str, set[str]] = {}
    for run_recall in candidates:
        for memory_id in run_recall.ids:
            questions.setdefault(memory_id, set()).add(run_recall.source.question)
    unambiguous = {memory_id for memory_id in questions if len(questions[memory_id]) == 1}
    return not_empty(run_recall.only(run_recall.ids & unambiguous) for run_recall in candidates)


def group_by_memory(
    answers: Mapping[Key, tuple[RegisteredRecall, str]],
) -> list[tuple[str, str, str, list[RegisteredRecall]]]:
    """Each memory that an answer judges, once.

    As (namespace, memory's id, answer, the recalls that showed it).

    Args:
        answers: (recall's id, memory's id) → the recall and the answer, the recalls that fit best
            first.
    """
    judgements = grouped(
        ((source.bank.namespace, memory_id, text), source)
        for (_, memory_id), (source, text) in answers.items()
    )
    return [(*judged, sources) for judged, sources in judgements.items()]


def _of_namespaces(run_recall: RunRecall, namespace_of: Mapping[str, str]) -> RunRecall:
    """Its memories whose text belongs to the recall's own namespace."""
    source = run_recall.source
    namespace = source.bank.namespace
    ids = [
        memory_id
        for memory_id in run_recall.ids
        if namespace_of.get(source.text(memory_id)) == namespace
    ]
    return run_recall.only(ids)


def _common_runs(path: Path, other: Path) -> int:
    """How many runs two paths have in common, counted from the root."""
    count = 0
    for run, other_run in zip(path, other, strict=False):
        if run != other_run:
            break
        count += 1
    return count


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

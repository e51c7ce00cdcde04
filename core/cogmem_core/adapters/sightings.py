"""Of which recalls a prompt was made, and under which of them an answer is judged. Pure bookkeeping, no threads.

A recall is judged only within its own namespace and run. Where it is not known in which run it was made, the prompt
has to tell; where it could be of several recalls, nothing is learnt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cogmem_core.engine import MemoryBank
from cogmem_core.engine.recall_registry import RegisteredRecall
from cogmem_core.feedback import Similarity
from cogmem_core.retrieval.recall import Recall

__all__ = ["Key", "Sighting", "learn", "nearest", "shared", "single", "together"]

Key = tuple[str, str]
"""(recall's id, memory's id)."""
Path = tuple[Hashable, ...]
"""A run and all above it, the root first."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Memories of a recall, in a run or in a prompt.

    Attributes:
        source: the recall.
        ids: which of its memories.
        path: the run in which it was made, and all above it.
        reported: it was said which of its memories went on.
    """

    source: RegisteredRecall
    ids: frozenset[str]
    path: Path = ()
    reported: bool = False

    def within(self, prompt: str) -> Sighting:
        """What of it stands in a prompt."""
        return self.only(self.ids & self.source.within(prompt))

    def only(self, ids: Iterable[str]) -> Sighting:
        """The same with nothing but these memories."""
        return Sighting(self.source, frozenset(ids), self.path, self.reported)


def nearest(sightings: Sequence[Sighting], path: Path) -> list[Sighting]:
    """Of memories of several namespaces that say the same: those that were recalled nearest to a prompt.

    A user's own recall shares more of the runs with the user's prompt than that of somebody else does. Where that
    leaves more than one namespace, none of them is meant.

    Args:
        sightings: what stands in the prompt.
        path: the run of the prompt, and all above it.
    """
    closest: dict[str, tuple[int, set[str]]] = {}
    for sighting in sightings:
        near = _shared(sighting.path, path)
        for memory_id in sighting.ids:
            text = sighting.source.text(memory_id)
            best, namespaces = closest.get(text, (near, set[str]()))
            namespaces = namespaces if near <= best else set[str]()
            if near >= best:
                namespaces.add(sighting.source.bank.namespace)
            closest[text] = (max(near, best), namespaces)
    meant = {text: namespaces for text, (_, namespaces) in closest.items() if len(namespaces) == 1}
    return [left for sighting in sightings if (left := _of_namespace(sighting, meant)).ids]


def single(sources: Iterable[RegisteredRecall], prompt: str, *, asked: bool) -> list[Sighting]:
    """The memories in a prompt, of recalls of which it is not known in which run they were made; newest first.

    Nothing where the recalls that fit belong to several namespaces, nor of a memory that was recalled for several
    questions, unless one of them stands in the prompt.

    Args:
        sources: the recalls, newest first.
        prompt: as `flat` returns it.
        asked: the question has to stand in the prompt in any case.
    """
    fitting = [Sighting(source, ids) for source in sources if (ids := source.within(prompt))]
    if len({sighting.source.bank.namespace for sighting in fitting}) != 1:
        return []
    with_question = [sighting for sighting in fitting if sighting.source.asked_in(prompt)]
    candidates = with_question if with_question or asked else fitting
    questions: dict[str, set[str]] = {}
    for sighting in candidates:
        for memory_id in sighting.ids:
            questions.setdefault(memory_id, set()).add(sighting.source.question)
    sure = {memory_id for memory_id, several in questions.items() if len(several) == 1}
    return [left for sighting in candidates if (left := sighting.only(sighting.ids & sure)).ids]


def together(answers: Mapping[Key, tuple[RegisteredRecall, str]]) -> list[tuple[str, str, str, list[RegisteredRecall]]]:
    """Each memory that an answer judges, once: (namespace, memory's id, answer, the recalls that showed it).

    Args:
        answers: (recall's id, memory's id) → the recall and the answer, the recalls that fit best first.
    """
    judgements: dict[tuple[str, str, str], list[RegisteredRecall]] = {}
    for (_, memory_id), (source, text) in answers.items():
        judgements.setdefault((source.bank.namespace, memory_id, text), []).append(source)
    return [(*judged, sources) for judged, sources in judgements.items()]


def shared(bank: MemoryBank, recalls: Iterable[Recall]) -> None:
    """Several recalls were shown to the model that answers: what several hold is judged once.

    Args:
        bank: whose recalls.
        recalls: those that the model read.
    """
    recall_ids_by_memory: dict[str, list[str]] = {}
    for recall in recalls:
        for memory_id in recall.memory_ids:
            recall_ids_by_memory.setdefault(memory_id, []).append(recall.id)
    for memory_id, recall_ids in recall_ids_by_memory.items():
        bank.engine.recall_registry.judged_as(memory_id, recall_ids)


def learn(
    bank: MemoryBank,
    recall: Recall,
    answer: str,
    *,
    similarity_fn: Similarity | None,
    wait: bool,
) -> None:
    """Let memories learn from an answer, as `MemoryBank.feedback`.

    What the same answer judged under another recall of the run is left out.
    """
    registry = bank.engine.recall_registry
    memory_ids = recall.memory_ids
    own = [key for key in memory_ids if registry.judged_as(key, [recall.id]) == recall.id]
    if own or not memory_ids:
        bank.feedback(recall.only(own), answer, similarity_fn=similarity_fn, wait=wait)


def _of_namespace(sighting: Sighting, meant: Mapping[str, set[str]]) -> Sighting:
    own = sighting.source.bank.namespace
    return sighting.only(
        memory_id for memory_id in sighting.ids if own in meant.get(sighting.source.text(memory_id), ())
    )


def _shared(path: Path, other: Path) -> int:
    """How many runs two paths have in common."""
    pairs = zip(path, other, strict=False)
    return next((place for place, (one, two) in enumerate(pairs) if one != two), min(len(path), len(other)))

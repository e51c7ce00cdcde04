"""The kinds of records that hold words: one table of how each is found, counted and deleted.

An erasure is resolved over all of them. A text column of the schema belongs to a kind, or is listed
in `WITHOUT_WORDS`; `tests/unit/storage/test_record_kinds.py` fails for one that does neither.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from cogmem_core.storage.files.erased_text import strings
from cogmem_core.storage.ledger.documents import ITEM
from cogmem_core.storage.ledger.memories import EVERYTHING, Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.ledger.turns import all_of
from cogmem_core.values.models import Episode, Intention, Memory, Procedure, TaskRun

MEMORIES = "memories"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record.

    Attributes:
        name: what a receipt calls them.
        columns: the text columns of its tables, and of those that go with it, "table: column column".
        rows: all records of a namespace.
        key: what a record is deleted by.
        words: what a record says: it goes with a word of that.
        labels: names that the caller gave it: it stays with them, and the receipt tells.
        at: the attribute that tells when it came to be.
        session: the attribute that tells its session; "" = it tells none.
        speaker: the same of who said it.
        metadata: the same of the caller's metadata.
        drop: deletes records by their keys; memories are deleted by the erasure itself.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Namespace], Iterable[Any]]
    words: Callable[[Any], Iterable[str]]
    key: Callable[[Any], Any] = lambda record: record.id
    labels: Callable[[Any], Iterable[str | None]] = lambda _: ()
    at: str = "created_at"
    session: str = ""
    speaker: str = ""
    metadata: str = ""
    drop: Callable[[Namespace, Collection[Any]], object] = lambda *_: None

    def untold(self, within: Filter, record: Any) -> tuple[str, ...]:
        """What a filter asks that a record does not tell."""
        asked = (
            ("session", within.session_id, self.session),
            ("speaker", within.speaker, self.speaker),
            ("metadata", within.where, self.metadata),
        )
        return tuple(
            name
            for name, value, attribute in asked
            if value is not None and getattr(record, attribute, None) is None
        )

    def admits(self, within: Filter, record: Any) -> bool:
        """Whether a filter leaves a record, by what it tells."""
        session_id, speaker, metadata = (
            getattr(record, attribute, None)
            for attribute in (self.session, self.speaker, self.metadata)
        )
        return within.admits_telling(
            getattr(record, self.at),
            within.session_id if session_id is None else session_id,
            within.speaker if speaker is None else speaker,
            metadata,
        )


def _agents(name: str) -> Callable[[Namespace], Iterable[Any]]:
    """Records of agents; a namespace that never had any is not searched for them."""
    return lambda ns: getattr(ns, name).all() if ns.journal.agent_seq() else ()


def _dropping(name: str) -> Callable[[Namespace, Collection[Any]], object]:
    return lambda ns, keys: getattr(ns, name).drop(list(keys))


def _drop_agents(name: str) -> Callable[[Namespace, Collection[Any]], object]:
    def drop(ns: Namespace, keys: Collection[Any]) -> None:
        getattr(ns, name).drop(keys)
        ns.reviews.drop_of(keys)

    return drop


def _memory_labels(memory: Memory) -> Iterator[str | None]:
    yield from (memory.session_id, memory.speaker, *memory.refs, *memory.tags)
    yield from strings({k: v for k, v in memory.metadata.items() if k != ITEM})


def _turn_labels(turn: Episode) -> Iterator[str | None]:
    yield from (turn.session_id, turn.speaker, turn.ref)
    if turn.position is None:
        yield from strings(turn.metadata)


def _intention_words(intention: Intention) -> Iterator[str]:
    yield from (intention.text, intention.when or "")
    yield from strings(list(intention.metadata.values()))


def _procedure_words(procedure: Procedure) -> Iterator[str]:
    lists = (procedure.steps, procedure.avoid, procedure.preconditions, procedure.provenance)
    yield from (procedure.trigger, procedure.name, procedure.reason, *chain(*lists))


def _run_words(run: TaskRun) -> Iterator[str]:
    yield run.task
    yield from strings([value for call in run.calls for value in call.arguments.values()])


KINDS = (
    Kind(
        MEMORIES,
        (
            "memories: content index_key terms session_id speaker entities tags metadata sources"
            " reading clause_states",
            "clauses: subject slot",
            "versions: content index_key reason",
            "journal: reason before detail standing",
            "reviews: content",
        ),
        lambda ns: chain.from_iterable(pages_of(ns.memories, EVERYTHING)),
        lambda memory: (memory.content,),
        labels=_memory_labels,
        at="recorded_at",
        session="session_id",
        speaker="speaker",
        metadata="metadata",
    ),
    Kind(
        "turns",
        ("episodes: content session_id speaker ref metadata reason",),
        lambda ns: all_of(ns.turns),
        lambda turn: (turn.content,),
        labels=_turn_labels,
        at="at",
        session="session_id",
        speaker="speaker",
        metadata="metadata",
        drop=_dropping("turns"),
    ),
    Kind(
        "notes",
        ("notes: content session_id speaker entities refs",),
        lambda ns: chain(ns.notes.of_level("note"), ns.notes.of_level("trace")),
        lambda note: (note.content, *note.entities),
        labels=lambda note: (note.session_id, note.speaker, *note.refs),
        at="observed_at",
        session="session_id",
        speaker="speaker",
        drop=_dropping("notes"),
    ),
    Kind(
        "documents",
        ("items: path key value",),
        lambda ns: ns.documents.below(),
        lambda item: strings(list(item.value.values())),
        key=lambda item: (item.path, item.key),
        labels=lambda item: (*item.path, item.key),
        at="updated_at",
        drop=_dropping("documents"),
    ),
    Kind(
        "questions",
        ("feedback: query",),
        lambda ns: ns.feedback.questions(),
        lambda question: (question.query,),
        key=lambda question: question.recall_id,
        at="at",
        drop=lambda ns, keys: ns.feedback.blank_questions(list(keys)),
    ),
    Kind(
        "intentions",
        ("intentions: content",),
        _agents("intentions"),
        _intention_words,
        labels=lambda intention: (intention.session_id, intention.fired_in),
        session="session_id",
        metadata="metadata",
        drop=_drop_agents("intentions"),
    ),
    Kind(
        "procedures",
        ("procedures: content",),
        _agents("procedures"),
        _procedure_words,
        drop=_drop_agents("procedures"),
    ),
    Kind(
        "runs of tasks",
        ("task_runs: content session_id",),
        lambda ns: ns.task_runs.newest(),
        _run_words,
        labels=lambda run: (run.session_id, *(call.tool for call in run.calls)),
        at="at",
        session="session_id",
        drop=_dropping("task_runs"),
    ),
)
"""In the order in which they are deleted."""
AGENTS = ("intentions", "procedures", "runs of tasks")


WITHOUT_WORDS: Mapping[str, str] = {
    "memories": "id namespace content_hash category tier state channels emotion write_source"
    " data_source temporal_type superseded_by support fingerprint",
    "clauses": "memory_id namespace state by guards",
    "episodes": "id namespace role mode status zone",
    "versions": "memory_id namespace fingerprint replaced_by",
    "relations": "source_id target_id type namespace",
    "journal": "namespace memory_id kind actor run_id salt chain",
    "synaptic_tags": "memory_id namespace session_id",
    "short_term": "memory_id namespace",
    "notes": "id namespace level priority role",
    "feedback": "memory_id recall_id namespace signal",
    "items": "namespace memory_ids revision",
    "dreams": "namespace owner last_turn marks",
    "runs": "id namespace cause state marks report",
    "tombstones": "id namespace",
    "rejections": "namespace digest claim memory_id",
    "intentions": "id namespace state",
    "procedures": "id namespace state",
    "task_runs": "id namespace",
    "reviews": "id namespace state target_id proposal",
    "derivations": "namespace memory_id source_namespace source_id",
    "namespaces": "namespace chain seals",
    "erasures": "id namespace",
    "erased": "id place speaker key forms",
    "meta": "key value",
    "vector_state": "name fingerprint manifest applied",
    "principals": "name kind owner",
    "grants": "id principal namespaces right effect reason granted_by revoked_by",
    "access_log": "id principal act namespaces reason by",
}
"""Text columns that hold ids, digests, figures and words of ours, or what people say of rights and seals."""

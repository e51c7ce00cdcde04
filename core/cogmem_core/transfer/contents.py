"""What a file holds, before anything of it is written.

And what a stranger's file may not say of itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from cogmem_core.changes import Put
from cogmem_core.config import GuardConfig
from cogmem_core.edge.trust import QUARANTINED, screened_memory, without_rank
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.documents import ItemKey
from cogmem_core.values.access_records import OF_THE_LEDGER, WRITTEN_BY
from cogmem_core.values.models import (
    Episode,
    Feedback,
    Intention,
    Memory,
    ObservationNote,
    Outcomes,
    Procedure,
    Relation,
    Review,
    ShortTerm,
    SynapticTag,
    TaskRun,
)
from cogmem_core.values.results import Item

_EARNED = (
    "access_count",
    "used_count",
    "retrieval_count",
    "utility",
    "storage_strength",
    "ignored_streak",
    "pinned",
    "immutable",
)
_DIRECT = ("observer", "formation", "manual")
_DEFAULTS: dict[str, Any] = {item.name: item.default for item in fields(Memory)}


@dataclass(slots=True)
class Contents:
    """A parsed file: nothing is written before all of it could be read.

    `feedback`: by memory, then by recall. `seals`: what is never to be kept from then on.
    """

    renamed: bool
    seals: Sequence[object] = ()
    episodes: dict[str, Episode] = field(default_factory=dict)
    memories: dict[str, Put] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    tags: dict[str, SynapticTag] = field(default_factory=dict)
    short_term: dict[str, ShortTerm] = field(default_factory=dict)
    feedback: dict[str, dict[str, Feedback]] = field(default_factory=dict)
    notes: dict[str, ObservationNote] = field(default_factory=dict)
    items: dict[ItemKey, Item] = field(default_factory=dict)
    records: dict[str, Intention | Procedure] = field(default_factory=dict)
    reviews: dict[str, Review] = field(default_factory=dict)
    task_runs: dict[str, TaskRun] = field(default_factory=dict)

    def change(self, memory_id: str, **fields: Any) -> None:
        """Put other fields into a memory's `Put`."""
        self.memories[memory_id] = replace(self.memories[memory_id], **fields)

    def leave_out(self, memory_ids: Collection[str]) -> None:
        """These memories are not stored: nothing links to them."""
        self.relations = [
            link
            for link in self.relations
            if link.source_id not in memory_ids and link.target_id not in memory_ids
        ]

    def leave_out_sealed(self) -> int:
        """Leave out what tells of sealed topics alone; returns how many memories that are."""
        sealed = {
            memory_id
            for memory_id, put in self.memories.items()
            if put.stored.memory.content == NOT_KEPT
        }
        self.memories = {key: put for key, put in self.memories.items() if key not in sealed}
        self.notes = {key: note for key, note in self.notes.items() if note.content != NOT_KEPT}
        for at, item in self.items.items():
            left = tuple(name for name in item.memory_ids if name not in sealed)
            self.items[at] = replace(item, memory_ids=left)
        self.leave_out(sealed)
        return len(sealed)


def estrange(contents: Contents, trust: float, guard: GuardConfig) -> None:
    """Turn the contents into a stranger's: untrusted, without the rank, the use and the past that they claim.

    What waits in the file (turns to be encoded, notes to be reflected on) would become a person's
    words here: turns are kept as said, notes are left out. What was decided there is not decided
    here.
    """
    for memory_id, put in contents.memories.items():
        contents.change(memory_id, past=(), stored=_estranged(put.stored, trust, guard))
    for turn_id, turn in contents.episodes.items():
        if turn.status == "queued":
            contents.episodes[turn_id] = replace(turn, status="skipped", reason="a stranger's")
    contents.tags = {}
    contents.short_term = {}
    contents.feedback = {}
    contents.notes = {}
    contents.task_runs = {}
    contents.reviews = {}
    for record_id, record in contents.records.items():
        if isinstance(record, Procedure):
            contents.records[record_id] = _untried(record)
        elif record.is_live:
            contents.records[record_id] = replace(record, state="proposed", kind="inferred")


def attribute(contents: Contents, author: str) -> None:
    """Make what a file says the word of whoever imports it; what was decided there does not count here."""
    for memory_id, put in contents.memories.items():
        memory = put.stored.memory
        memory = replace(memory, metadata=_attributed(memory.metadata, author))
        contents.change(memory_id, stored=replace(put.stored, memory=memory))
    for turn_id, turn in contents.episodes.items():
        metadata = _attributed(turn.metadata, author)
        contents.episodes[turn_id] = replace(turn, metadata=metadata)
    contents.reviews = {}


def _attributed(metadata: Mapping[str, Any], author: str) -> dict[str, Any]:
    own = {name: value for name, value in metadata.items() if name not in OF_THE_LEDGER}
    return {**own, WRITTEN_BY: author}


def _untried(procedure: Procedure) -> Procedure:
    """A stranger's procedure begins anew, without the outcomes that it claims."""
    if not procedure.is_live:
        return procedure
    return replace(procedure, state="candidate", outcomes=Outcomes(), reason="a stranger's")


def _estranged(stored: Stored, trust: float, guard: GuardConfig) -> Stored:
    memory = replace(
        stored.memory,
        trust=min(trust, stored.memory.trust),
        data_source="federation",
        **{name: _DEFAULTS[name] for name in _EARNED},
    )
    return replace(stored, memory=without_rank(memory, guard))


def screen(contents: Contents, guard: GuardConfig) -> None:
    """Set aside what orders the model about, unless a person released it where it comes from."""
    for memory_id, put in contents.memories.items():
        memory = put.stored.memory
        if memory.state == "active" and QUARANTINED not in memory.metadata:
            claims = memory.category != "item" and memory.write_source in _DIRECT
            checked = screened_memory(memory, guard, claims=claims)
            if checked.state == "quarantined":
                contents.change(memory_id, stored=replace(put.stored, memory=checked))

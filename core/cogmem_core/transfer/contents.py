"""What a file holds, before anything of it is written, and what of it may be kept here.

What one bank kept, another one's settings may not allow; a stranger's file may not say everything of itself; and what
was erased here is left out, whatever kind of record it is. Memories that say it again are refused where all changes are
(see `changes.rejected`), but for the texts of documents. A namespace that was erased as a whole may be imported again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any

from cogmem_core.changes import Put
from cogmem_core.changes.erased import ErasedTexts, erased_apart
from cogmem_core.config import EncodingConfig, GuardConfig
from cogmem_core.edge.trust import QUARANTINED, screened_memory, without_rank
from cogmem_core.encoding.sanitize import (
    add_redactions,
    sanitize_label,
    sanitize_labels,
    sanitize_value,
)
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.documents import ITEM, ItemKey
from cogmem_core.storage.ledger.record_kinds import KINDS, Kind
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
    seals: Sequence[object]
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

    @property
    def others(self) -> dict[str, int]:
        """How many documents and records of agents there are, by kind."""
        intentions = sum(isinstance(record, Intention) for record in self.records.values())
        counts = {
            "documents": len(self.items),
            "intentions": intentions,
            "procedures": len(self.records) - intentions,
            "runs": len(self.task_runs),
        }
        return {kind: count for kind, count in counts.items() if count}

    def change(self, memory_id: str, **fields: Any) -> None:
        """Put other fields into a memory's `Put`."""
        self.memories[memory_id] = replace(self.memories[memory_id], **fields)

    def leave_out(self, memory_ids: Iterable[str]) -> None:
        """These memories are not stored: nothing links to them."""
        gone = set(memory_ids)
        self.memories = {key: put for key, put in self.memories.items() if key not in gone}
        self.relations = [
            link
            for link in self.relations
            if link.source_id not in gone and link.target_id not in gone
        ]

    def leave_out_sealed(self) -> int:
        """Leave out what tells of sealed topics alone; returns how many memories that are."""
        sealed = {
            memory_id
            for memory_id, put in self.memories.items()
            if put.stored.memory.content == NOT_KEPT
        }
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


_LABELS = ("speaker", "session_id", "ref", "tags", "path")
_JSON = ("channels", "entities", "metadata", "sources", "tags")
_GENERATED = frozenset(
    ("kind", "id", "namespace", "vector", "fingerprint", "content_hash", "support", "memory_ids")
)
"""What the engine made: numbers, hashes and ids, which hold nobody's words."""
_REF = 3  # the place of a source's ref in a list
_GENERATED_ENDINGS = ("_id", "_at")


def sanitized_line(
    where: str, line: Mapping[str, Any], settings: EncodingConfig
) -> Mapping[str, Any]:
    """The line without what may not be kept; the same line if there is nothing of the kind.

    A memory whose text is another one now counts as edited: its hash, key and vector are made anew.

    Args:
        where: file and line, for the message.
        line: a record as the file has it.
        settings: what is taken out or refused.

    Raises:
        InvalidInput: something is in the line that is refused.
    """
    sanitizer = _LineSanitizer(settings)
    sanitized = sanitizer.sanitize_record(where, line, item=line.get("kind") == "item")
    if not sanitizer.redacted_kinds:
        return line
    if isinstance(sanitized.get("metadata"), Mapping):
        sanitized["metadata"] = add_redactions(
            sanitized["metadata"], sorted(sanitizer.redacted_kinds)
        )
    return sanitized


class _LineSanitizer:
    """Takes out of one line what may not be kept; `redacted_kinds`: the kinds of it."""

    def __init__(self, settings: EncodingConfig) -> None:
        self._settings = settings
        self.redacted_kinds = set[str]()

    def sanitize_record(
        self, where: str, record: Mapping[str, Any], *, item: bool = False
    ) -> dict[str, Any]:
        """A record, or one within a record; `item`: its key is the key of a document, no text."""
        sanitized = {}
        for name, value in record.items():
            location = f"{where}, {name}"
            if item and name == "key" and isinstance(value, str):
                sanitized[name] = self._sanitize_name(location, value)
            else:
                sanitized[name] = self._sanitize_field(location, name, value)
        return sanitized

    def _sanitize_field(self, where: str, name: str, value: Any) -> Any:
        if name in _LABELS:
            return self._sanitize_name(where, value)
        if name in _GENERATED or name.endswith(_GENERATED_ENDINGS):
            return value
        if name == "sources" and isinstance(value, list):
            return [self._sanitize_source(where, element) for element in value]
        if name == "metadata" and isinstance(value, Mapping):
            return self._sanitize_metadata(where, value)
        if name == "before" and isinstance(value, Mapping):
            return {
                field: self._sanitize_former_value(where, field, element)
                for field, element in value.items()
            }
        return sanitize_value(where, value, self._settings, kinds=self.redacted_kinds)

    def _sanitize_source(self, where: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.sanitize_record(where, value)
        if isinstance(value, list) and len(value) > _REF:  # as the journal has it
            return [*value[:_REF], self._sanitize_name(where, value[_REF]), *value[_REF + 1 :]]
        return value

    def _sanitize_name(self, where: str, value: Any) -> Any:
        """A name, or a list of names; what is neither is refused by who reads it."""
        if isinstance(value, str):
            return sanitize_label(where, value, self._settings, self.redacted_kinds)
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return list(sanitize_labels(where, value, self._settings, self.redacted_kinds))
        return value

    def _sanitize_metadata(self, where: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """The address in them stays the one that the document has."""
        other_entries = {name: entry for name, entry in value.items() if name != ITEM}
        sanitized = dict(
            sanitize_value(where, other_entries, self._settings, kinds=self.redacted_kinds)
        )
        if ITEM in value:
            address = value[ITEM]
            if isinstance(address, Mapping):
                sanitized[ITEM] = self.sanitize_record(where, address, item=True)
            else:
                sanitized[ITEM] = self._sanitize_name(where, address)
        return sanitized

    def _sanitize_former_value(self, where: str, name: str, value: Any) -> Any:
        """A former field as the journal has it: lists and objects are JSON in a string."""
        if name not in _JSON or not isinstance(value, str):
            return self._sanitize_field(where, name, value)
        try:
            inner = json.loads(value)
        except (ValueError, RecursionError):
            return value  # who reads it says what is wrong with it
        sanitized = self._sanitize_field(where, name, inner)
        return value if sanitized == inner else json.dumps(sanitized, ensure_ascii=False)


ERASED = "erased here"
"""What a report says of records that are left out."""
_KINDS = {kind.name: kind for kind in KINDS}
_TYPES = {"intentions": Intention, "procedures": Procedure}


def leave_out_erased(services: Services, namespace: str, contents: Contents) -> int:
    """Take out of a file what was erased; returns how many records went, but for memories."""
    with services.ledger.whole() as reader:
        erased = erased_apart(reader, namespace)
    if not erased.rows:
        return 0
    places: Mapping[str, MutableMapping[Any, Any]] = {
        "turns": contents.episodes,
        "notes": contents.notes,
        "documents": contents.items,
        "intentions": contents.records,
        "procedures": contents.records,
        "runs of tasks": contents.task_runs,
    }
    count = 0
    for name, rows in places.items():
        of_kind = [key for key, row in rows.items() if isinstance(row, _TYPES.get(name, object))]
        going = [key for key in of_kind if _says(erased, _KINDS[name], rows[key])]
        gone = [rows.pop(key) for key in going]
        count += len(gone)
        if name == "documents":
            contents.leave_out(chain.from_iterable(item.memory_ids for item in gone))
    for memory_id, put in contents.memories.items():
        contents.memories[memory_id] = _without_past(erased, put)
    return count


def _says(erased: ErasedTexts, kind: Kind, record: Any) -> bool:
    """Whether a record says what was erased, and is no person's word of later."""
    speaker = getattr(record, kind.speaker, None)
    matches = chain.from_iterable(
        erased.matches(text, speaker, sure=True) for text in kind.words(record) if text
    )
    if isinstance(record, Episode) and record.role == "user":
        return any(record.recorded_at <= decode_moment(match.erased.at) for match in matches)
    return any(matches)


def _without_past(erased: ErasedTexts, put: Put) -> Put:
    """A memory without its former texts that were erased; then its journal goes, too, which tells of them."""
    former = tuple(
        archived
        for archived in put.former
        if not erased.matches(
            archived.stored.memory.content, archived.stored.memory.speaker, sure=True
        )
    )
    return put if len(former) == len(put.former) else replace(put, former=former, past=())

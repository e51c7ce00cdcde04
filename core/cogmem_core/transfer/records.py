"""One JSON object per line: what a bank's records look like outside.

Times are ISO 8601 UTC, vectors base64 float32. A file may be damaged or made by hand: whether its values fit the fields
of a record is looked at first.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime, timezone
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from cogmem_core.base.runtime import is_id
from cogmem_core.edge import checks
from cogmem_core.edge.clauses import reading_of
from cogmem_core.intentions.recurrence import SESSION, rule_of
from cogmem_core.maths.fsrs import LEAST_STABILITY
from cogmem_core.ports import Archived, FloatArray, Stored
from cogmem_core.storage.ledger.codec import (
    as_json,
    decode_fields,
    decode_vector,
    encode_fields,
    encode_vector,
    fields_from_json,
    hints_of,
)
from cogmem_core.storage.ledger.documents import written
from cogmem_core.text.keys import content_hash, restated
from cogmem_core.values.models import (
    Episode,
    Feedback,
    Intention,
    JournalEntry,
    Memory,
    MemoryVersion,
    ObservationNote,
    Procedure,
    Relation,
    Review,
    ShortTerm,
    SynapticTag,
    TaskRun,
)
from cogmem_core.values.readings import from_json, to_json
from cogmem_core.values.results import Item

_LARGEST = 2**63 - 1
_IDS = ("id", "memory_id", "source_id", "target_id", "superseded_by")
_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        (
            "importance",
            "utility",
            "arousal",
            "intensity",
            "source_confidence",
            "trust",
            "ratio",
            "prior",
            "weight",
            "confidence",
        ),
        (0.0, 1.0),
    ),
    **dict.fromkeys(("difficulty", "storage_strength"), (1.0, 10.0)),
    **dict.fromkeys(
        ("access_count", "used_count", "ignored_streak", "retrieval_count", "number"),
        (0.0, 2**31 - 1),
    ),
    **dict.fromkeys(("stability", "initial_stability"), (math.ulp(0.0), 1e6)),  # days
    "reinforcement_interval": (0.0, math.inf),
    "window": (0.0, 2_678_400.0),  # seconds: 31 days
    "valence": (-1.0, 1.0),
    "version": (1.0, 2**31 - 1),
}
"""Of the fields that have these names in any record."""
_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda _value: True,
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    int: lambda value: _is_number(value, int) and abs(value) <= _LARGEST,
    float: lambda value: _is_number(value, int, float) and math.isfinite(value),
    datetime: lambda value: isinstance(value, datetime) and _in_the_calendar(value),
}


def check(kind: type, values: Mapping[str, Any]) -> None:
    """Refuse values of which one has not the type that the record declares for its field.

    Raises:
        ValueError: one has not; says which.
    """
    for name, hint in hints_of(kind).items():
        if name in values and not (_fits(hint, values[name]) and _in_range(name, values[name])):
            raise ValueError(f"{name} cannot be {str(values[name])[:60]!r}")


def identified(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The line, if every id in it is a UUID as this package writes them.

    Raises:
        ValueError: one is not; says which.
    """
    for name in _IDS:
        value = line.get(name)
        if value is not None and not (isinstance(value, str) and is_id(value)):
            raise ValueError(f"{name} cannot be {str(value)[:60]!r}: it is no UUID")
    return line


def _in_range(name: str, value: Any) -> bool:
    low, high = _RANGES.get(name, (-math.inf, math.inf))
    return not _is_number(value, int, float) or low <= value <= high


def _fits(hint: Any, value: Any) -> bool:
    origin = get_origin(hint)
    arguments = get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin in (Union, UnionType):
        return any(_fits(argument, value) for argument in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(arguments[0], item) for item in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(
            _fits(arguments[1], item) for item in value.values()
        )
    return _PLAIN[hint](value) if hint in _PLAIN else isinstance(value, hint)


def _in_the_calendar(moment: datetime) -> bool:
    """Aware, and a moment of the years 1 to 9999 also in UTC, in which it is stored."""
    try:
        return moment.utcoffset() is not None and bool(moment.astimezone(timezone.utc))
    except OverflowError:
        return False


def _is_number(value: Any, *kinds: type) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


FORMAT = "cogmem"
VERSION = 7
READABLE = (1, 2, 3, 4, 5, 6, 7)
"""Version 1 had no notes, tags and short-term facts, version 2 no feedback, version 3 no documents, version 4 no
intentions and procedures, version 5 no reviews, and it did not tell what a memory rests on, version 6 not how single
clauses stand."""
KINDS: Mapping[str, type[Any]] = {
    "episode": Episode,
    "relation": Relation,
    "tag": SynapticTag,
    "short_term": ShortTerm,
    "feedback": Feedback,
    "note": ObservationNote,
    "intention": Intention,
    "procedure": Procedure,
    "review": Review,
    "task_run": TaskRun,
    "version": MemoryVersion,
    "item": Item,
}
"""What the line of a record calls it, if its fields are what the line holds."""
_NAMES = {kind: name for name, kind in KINDS.items()}
EDITED = ""
"""In place of the fingerprint of a vector: it is that of another text."""


def _told(record: Any) -> dict[str, Any]:
    """The fields of a record that its line holds, as JSON."""
    values: dict[str, Any] = as_json(record)
    return {name: value for name, value in values.items() if name not in ("namespace", "seq")}


def write_memory(stored: Stored, rests_on: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """A memory with its key and vector, and what it was derived from as (namespace, id)."""
    memory = stored.memory
    values = _told(replace(memory, reading=None))
    # What every reader reads alike is not told; which clause is which, only the one that counted them.
    del values["reading"]
    if memory.clause_states:
        values["reading"] = to_json(reading_of(memory))
    else:
        del values["clause_states"]
    if rests_on:
        values["rests_on"] = [list(source) for source in rests_on]
    return {"kind": "memory", **values, **_vector(stored)}


def read_rests_on(
    line: Mapping[str, Any], renamed: Callable[[str, str], tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """What a memory was derived from; raises ValueError or TypeError on a damaged line.

    Args:
        line: of the memory.
        renamed: gives (namespace, id) of a source as it is here.
    """
    sources = []
    for name, source_id in line.get("rests_on", ()):
        if not isinstance(name, str) or not name or not name.isprintable():
            raise ValueError(f"rests_on cannot hold {str(name)[:60]!r}")
        if not isinstance(source_id, str) or not is_id(source_id):
            raise ValueError(f"rests_on cannot hold {str(source_id)[:60]!r}: it is no UUID")
        sources.append(renamed(name, source_id))
    return tuple(sources)


def _vector(stored: Stored) -> dict[str, Any]:
    encoded = base64.b64encode(encode_vector(stored.vector)).decode()
    return {"key": stored.key, "fingerprint": stored.fingerprint, "vector": encoded}


def read_memory(line: Mapping[str, Any], namespace: str) -> Stored:
    """The inverse; raises KeyError, TypeError or ValueError on a damaged line.

    A text that is not the one that was exported is taken for an edited one: its hash and key are
    made anew, and its vector has to be.
    """
    told = {name: value for name, value in line.items() if name != "reading"}
    values = _checked(Memory, told, namespace)
    if "reading" in line:
        values["reading"] = from_json(line["reading"])
    memory = Memory(**values)
    # Earlier engines went below that; at 0 nothing can be computed any more.
    lasting = {
        name: max(LEAST_STABILITY, getattr(memory, name))
        for name in ("stability", "initial_stability")
    }
    stored = _stored(replace(memory, **lasting), line)
    return stored if memory.content_hash == content_hash(memory.content) else _edited(stored)


def _edited(stored: Stored) -> Stored:
    memory = stored.memory
    # Which text the key was made for is not known any more.
    rehashed = replace(memory, content_hash=content_hash(memory.content), clause_states=())
    key = restated(stored.key, "", memory.content, speaker=memory.speaker, at=memory.recorded_at)
    return replace(stored, memory=rehashed, key=key, fingerprint=EDITED)


def _stored(memory: Memory, line: Mapping[str, Any]) -> Stored:
    vector = _read_vector(line["vector"])
    return Stored(memory, str(line["key"]), vector, str(line["fingerprint"]))


def _read_vector(encoded: str) -> FloatArray:
    try:
        return decode_vector(base64.b64decode(encoded, validate=True))
    except binascii.Error as error:
        raise ValueError(f"the vector is not base64: {error}") from error


def write_archived(archived: Archived) -> dict[str, Any]:
    """A former version with its vector."""
    memory = archived.stored.memory
    version = MemoryVersion(
        memory.id,
        memory.version,
        memory.content,
        archived.replaced_at,
        archived.replaced_by,
        archived.reason,
    )
    return {**write(version), **_vector(archived.stored)}


def read_archived(line: Mapping[str, Any], current: Memory) -> Archived:
    """The inverse, given the memory as it is now."""
    values = _checked(MemoryVersion, line)
    former = replace(current, content=values["content"], version=values["version"])
    return Archived(
        _stored(former, line), values["replaced_at"], values["replaced_by"], values["reason"]
    )


def _checked(kind: type, line: Mapping[str, Any], namespace: str | None = None) -> dict[str, Any]:
    """The fields of a record from its line; raises ValueError or TypeError on a damaged one."""
    values = fields_from_json(kind, line)
    if "namespace" in hints_of(kind):
        values["namespace"] = namespace
    check(kind, values)
    for name in ("sources", "clause_states", "calls"):
        for part in values.get(name, ()):
            check(type(part), {item.name: getattr(part, item.name) for item in fields(part)})
    return values


def write(record: Any) -> dict[str, Any]:
    """A record whose fields are what its line holds; of what kind it is stands under `kind`, its own `origin`."""
    values = _told(record)
    if isinstance(record, (Intention, Review)):
        values["origin"] = values["kind"]
    return {**values, "kind": _NAMES[type(record)]}


def read(line: Mapping[str, Any], namespace: str) -> Any:
    """The inverse; a rule of an intention that is none is refused."""
    kind = KINDS[line["kind"]]
    values = {name: value for name, value in line.items() if name != "seq"}
    if kind in (Intention, Review):
        values["kind"] = line["origin"]
    record = kind(**_checked(kind, values, namespace))
    if isinstance(record, Intention) and record.every not in ("", SESSION):
        rule_of(record.every, record.starts_at or record.created_at, record.zone, record.times)
    return record


def write_change(entry: JournalEntry) -> dict[str, Any]:
    """A journal entry; its kind is called `change` here."""
    values = _told(replace(entry, before=encode_fields(entry.before)))
    return {**values, "kind": "change", "change": entry.kind}


def read_change(line: Mapping[str, Any]) -> JournalEntry:
    """The inverse."""
    before = decode_fields(line.get("before", {}))
    encode_fields(before)  # what could not be written is refused here, before anything is
    values = {**line, "seq": 0, "kind": line["change"], "before": before}
    return JournalEntry(**_checked(JournalEntry, values))


def write_item(item: Item) -> dict[str, Any]:
    """A document; its value as text, because a line sorts the names in an object."""
    line = {**write(replace(item, score=None, vector=None)), "value": written(item.value)}
    del line["score"], line["vector"]
    if item.vector is not None:
        line["vector"] = base64.b64encode(encode_vector(item.vector)).decode()
    return line


def read_item(line: Mapping[str, Any]) -> Item:
    """The inverse; a JSON object that no database refuses."""
    encoded = line.get("vector")
    vector = None if encoded is None else _read_vector(encoded)
    if vector is not None and not (len(vector) and np.isfinite(vector).all()):
        raise ValueError("the vector holds nothing, or what is not finite")
    value = json.loads(checks.json_object("value", json.loads(line["value"])))
    return replace(Item(**_checked(Item, {**line, "value": value, "vector": None})), vector=vector)

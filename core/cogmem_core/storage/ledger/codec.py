"""Records to rows and back. JSON and float32 only: nothing here can execute what it reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from cogmem_core.base.digests import text_digest
from cogmem_core.base.lru import text_cache
from cogmem_core.errors import StoreError
from cogmem_core.ports import FloatArray
from cogmem_core.text.tokens import ANALYSER, tokens
from cogmem_core.values.models import ClauseState, JournalEntry, Memory, Source
from cogmem_core.values.readings import STANDINGS, Reading, from_json, to_json

ANALYSER_MARK = text_digest(ANALYSER, 8)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_read_value = json.JSONDecoder().raw_decode
MEMORY_COLUMNS = tuple(item.name for item in fields(Memory))
# The constructor of a frozen class looks each of its fields up by name: twice as slow.
_SETTERS = tuple(getattr(Memory, name).__set__ for name in MEMORY_COLUMNS)


def encode_time(moment: datetime | None) -> int | None:
    """Microseconds since 1970 UTC."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


@lru_cache(maxsize=8_192)  # the times of a memory are often the same
def decode_time(stamp: int | None) -> datetime | None:
    """The inverse of `encode_time`."""
    return None if stamp is None else _EPOCH + timedelta(0, 0, stamp)


def decode_moment(stamp: int) -> datetime:
    """A moment that is always there."""
    return decode_time(stamp)  # type: ignore[return-value]


def dump(value: Any) -> str:
    """Compact JSON with sorted keys."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def encode_terms(key: str) -> str:
    """The tokens of an index key behind a mark of the analyser that made them, so that opening need not repeat it."""
    return " ".join((ANALYSER_MARK, *tokens(key)))


def decode_terms(terms: str, key: str) -> list[str]:
    """The tokens; made anew from the key if another analyser wrote them."""
    mark, *stored_tokens = terms.split(" ")
    return stored_tokens if mark == ANALYSER_MARK else tokens(key)


def encode_vector(vector: FloatArray) -> bytes:
    """Little-endian float32."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def decode_vector(blob: bytes) -> FloatArray:
    """A read-only view of the stored vector."""
    return np.frombuffer(blob, dtype="<f4")


def _encode_sources(sources: Sequence[Source]) -> str:
    return dump([[s.episode_id, s.start, s.end, s.ref, encode_time(s.at)] for s in sources])


def _load(text: str) -> Any:
    """As `json.loads`, at two thirds of its price for what `dump` wrote: no blank stands round the value."""
    try:
        value, end = _read_value(text)
    except ValueError:
        return json.loads(text)
    return value if end == len(text) else json.loads(text)


def _decode_sources(text: str) -> tuple[Source, ...]:
    return tuple(Source(row[0], row[1], row[2], row[3], decode_time(row[4])) for row in _load(text))


def _decode_list(text: str) -> tuple[str, ...]:
    return tuple(_load(text)) if text != "[]" else ()


def _decode_map(text: str) -> Mapping[str, Any]:
    return _load(text) if text != "{}" else {}


def _encode_reading(reading: Reading | None) -> str:
    return "" if reading is None else dump(to_json(reading))


@text_cache(4_096)
def decode_reading(text: str) -> Reading | None:
    """A text taken apart, as it was stored, without the text; None if none is."""
    return from_json(_load(text)) if text else None


def _encode_states(states: Sequence[ClauseState]) -> str:
    rows = [
        [s.number, s.state, encode_time(s.since), encode_time(s.until), s.by, s.reason]
        for s in states
    ]
    return dump(rows) if rows else ""


def _decode_states(text: str) -> tuple[ClauseState, ...]:
    return tuple(map(_decode_state, _load(text))) if text else ()


def _decode_state(row: Sequence[Any]) -> ClauseState:
    number, state, since, until, by, reason = row
    if state not in STANDINGS:
        raise ValueError(f"no clause is {str(state)[:20]!r}")
    return ClauseState(int(number), state, decode_time(since), decode_time(until), by, reason)


Record = TypeVar("Record")
_Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]
_TIME: _Pair = (encode_time, decode_time)
_LIST: _Pair = (lambda value: dump(list(value)), _decode_list)
_MAP: _Pair = (lambda value: dump(dict(value)), _decode_map)
_FLAG: _Pair = (int, bool)
_TIMES = (
    "at",
    "recorded_at",
    "created_at",
    "updated_at",
    "last_reinforced_at",
    "last_retrieved_at",
    "next_reinforcement_at",
    "referenced_at",
    "valid_from",
    "valid_until",
    "last_activated_at",
    "tagged_at",
    "expires_at",
    "observed_at",
    "replaced_at",
    "started_at",
    "last_at",
    "granted_at",
    "revoked_at",
    "until",
)
"""The names of moments in any record."""
_CODECS: dict[str, _Pair] = {
    **dict.fromkeys(_TIMES, _TIME),
    **dict.fromkeys(("entities", "tags", "support", "refs"), _LIST),
    **dict.fromkeys(("channels", "metadata", "marks", "report"), _MAP),
    **dict.fromkeys(("flashbulb", "pinned", "immutable", "captured", "allowed"), _FLAG),
    "sources": (_encode_sources, _decode_sources),
    "reading": (_encode_reading, decode_reading),
    "clause_states": (_encode_states, _decode_states),
}
_DECODERS = tuple((i, _CODECS[name][1]) for i, name in enumerate(MEMORY_COLUMNS) if name in _CODECS)


def encode_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Memory fields by name to column values."""
    encoded = {**values}
    for name in encoded.keys() & _CODECS.keys():
        encoded[name] = _CODECS[name][0](values[name])
    return encoded


def decode_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `encode_fields`."""
    decoded = {**values}
    for name in decoded.keys() & _CODECS.keys():
        decoded[name] = _CODECS[name][1](values[name])
    return decoded


def encode_memory(memory: Memory) -> dict[str, Any]:
    """All of a memory's columns, without shard, key and vector."""
    return encode_fields({name: getattr(memory, name) for name in MEMORY_COLUMNS})


def decode_memory(row: Sequence[Any]) -> Memory:
    """The first columns of a row, in the order of `MEMORY_COLUMNS`.

    Raises:
        StoreError: the row is damaged.
    """
    values = list(row[: len(MEMORY_COLUMNS)])
    try:
        for position, decode in _DECODERS:
            values[position] = decode(values[position])
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        name = MEMORY_COLUMNS[position]
        raise StoreError(
            f"{name} of memory {row[0]} cannot be read: {error}; run `cogm doctor`"
        ) from error
    memory = object.__new__(Memory)
    for put, value in zip(_SETTERS, values, strict=True):
        put(memory, value)
    return memory


def encode_row(record: Any) -> dict[str, Any]:
    """The columns of a record that stands in a table of its own, without the shard."""
    return encode_fields({item.name: getattr(record, item.name) for item in fields(record)})


def decode_row(kind: type[Record], row: Mapping[Any, Any]) -> Record:
    """The inverse of `encode_row`; what no column holds is as it is by default."""
    names = [item.name for item in fields(kind) if item.name in row]  # type: ignore[arg-type]
    return kind(**decode_fields({name: row[name] for name in names}))


def as_json(value: Any) -> Any:
    """A record, or a value of one, as JSON has it: times are ISO 8601."""
    if is_dataclass(value):
        return {item.name: as_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return tuple(map(as_json, value))
    return dict(value) if isinstance(value, Mapping) else value


@lru_cache(maxsize=32)
def hints_of(kind: type) -> dict[str, Any]:
    """The types that a record declares for its fields, by name."""
    hints = get_type_hints(kind)
    return {item.name: hints[item.name] for item in fields(kind)}


def fields_from_json(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `as_json`: the fields of a record; what has another type than it declares stays as it is."""
    return {
        name: _from_json(hint, values[name])
        for name, hint in hints_of(kind).items()
        if name in values
    }


def _from_json(hint: Any, value: Any) -> Any:
    if isinstance(value, str) and datetime in (hint, *get_args(hint)):
        return datetime.fromisoformat(value)
    if isinstance(value, list) and get_origin(hint) is tuple:
        return tuple(_from_json(get_args(hint)[0], item) for item in value)
    if isinstance(value, dict) and is_dataclass(hint):
        return hint(**fields_from_json(hint, value))  # type: ignore[arg-type, operator]
    return value


def decode_entry(row: Mapping[str, Any]) -> JournalEntry:
    """A row of the journal."""
    return decode_row(JournalEntry, {**row, "before": decode_fields(json.loads(row["before"]))})

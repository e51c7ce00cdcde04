"""Tables of what was said: JSON Lines and CSV, whose columns are named by a mapping or by what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cogmem_core.edge.checks import display
from cogmem_core.errors import InvalidInput
from cogmem_core.transfer.foreign.found import (
    Context,
    Finding,
    Numbered,
    Passed,
    message,
    text_of,
)

FIELDS: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "text", "message", "memory", "fact", "body"),
    "role": ("role", "sender", "author"),
    "speaker": ("speaker", "name", "user"),
    "at": ("at", "created_at", "timestamp", "create_time", "date", "time", "datetime"),
    "session_id": ("session_id", "conversation_id", "thread_id", "session", "conversation"),
    "ref": ("ref", "id", "uuid", "message_id"),
}
"""The fields of a turn, each with the names under which tables have it, the likeliest first."""
TEXTS = FIELDS["content"]
_SOME = 12  # names of columns in a message


def checked_mapping(mapping: Mapping[str, str]) -> Mapping[str, str]:
    """A mapping of fields to columns.

    Raises:
        InvalidInput: it is none, or names a field that there is not.
    """
    if not isinstance(mapping, Mapping):
        raise InvalidInput(
            f'mapping is {display(mapping)}; give a dict such as {{"content": "text"}}'
        )
    for name, column in mapping.items():
        if name not in FIELDS or not isinstance(column, str) or not column:
            fields = ", ".join(FIELDS)
            raise InvalidInput(
                f"mapping has {name!r}: {column!r}; give names of columns, each for one of {fields}"
            )
    return mapping


def is_row(entry: Any) -> bool:
    """An object with a text under one of the usual names."""
    return isinstance(entry, Mapping) and any(
        isinstance(entry.get(name), (str, list)) for name in TEXTS
    )


def rows(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """One turn a row; without a role, the user's."""
    row = numbered.entry.value
    where = numbered.where("row")
    if not isinstance(row, Mapping):
        yield numbered.broken("row", "is no object with names")
        return
    columns = {name: _column(row, name, context.mapping) for name in FIELDS}
    content = columns["content"]
    if content is None:
        names = ", ".join(map(str, list(row)[:_SOME]))
        yield Passed(
            "broken",
            f"{where} has no text; name its column in mapping (content=...), one of {names}",
        )
        return
    values = {name: row.get(column) for name, column in columns.items() if column is not None}
    yield message(
        context,
        numbered,
        "row",
        role=values.get("role") or "user",
        text=text_of(values["content"]),
        at=values.get("at"),
        speaker=values.get("speaker"),
        session=values.get("session_id"),
        ref=values.get("ref"),
    )


def _column(row: Mapping[str, Any], name: str, mapping: Mapping[str, str]) -> str | None:
    """The row's own name of a field."""
    if name in mapping:
        return mapping[name] if mapping[name] in row else None
    names = {str(key).strip().casefold(): str(key) for key in row}
    columns = set(mapping.values())
    for usual in FIELDS[name]:
        if usual in names and names[usual] not in columns:
            return names[usual]
    return None

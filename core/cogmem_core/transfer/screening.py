"""A line of an export as it may be kept: what one bank kept, another one's settings may not allow.

Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cogmem_core.config import EncodingConfig
from cogmem_core.encoding.sanitize import (
    add_redactions,
    sanitize_label,
    sanitize_labels,
    sanitize_value,
)
from cogmem_core.storage.ledger.documents import ITEM

_NAMES = ("speaker", "session_id", "ref")
_LISTS = ("tags", "path")
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
                sanitized[name] = sanitize_label(
                    location, value, self._settings, self.redacted_kinds
                )
            else:
                sanitized[name] = self._sanitize_field(location, name, value)
        return sanitized

    def _sanitize_field(self, where: str, name: str, value: Any) -> Any:
        if name in _NAMES or name in _LISTS:
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

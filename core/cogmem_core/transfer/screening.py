"""A line of an export as it may be kept: what one bank kept, another one's settings may not allow.

Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cogmem_core.config import EncodingConfig
from cogmem_core.encoding.sanitize import marked, screen_label, screen_labels, screen_value
from cogmem_core.storage.ledger.documents import ITEM

__all__ = ["screened"]

_NAMES = ("speaker", "session_id", "ref")
_LISTS = ("tags", "path")
_JSON = ("channels", "entities", "metadata", "sources", "tags")
_MADE = frozenset(
    ("kind", "id", "namespace", "vector", "fingerprint", "content_hash", "support", "memory_ids")
)
"""What the engine made: numbers, hashes and ids, which hold nobody's words."""
_REF = 3  # the place of a source's ref in a list
_MADE_ENDINGS = ("_id", "_at")


def screened(where: str, line: Mapping[str, Any], settings: EncodingConfig) -> Mapping[str, Any]:
    """The line without what may not be kept; the same line if there is nothing of the kind.

    A memory whose text is another one now counts as edited: its hash, key and vector are made anew.

    Args:
        where: file and line, for the message.
        line: a record as the file has it.
        settings: what is taken out or refused.

    Raises:
        InvalidInput: something is in the line that is refused.
    """
    sieve = _Sieve(settings)
    kept = sieve.record(where, line, item=line.get("kind") == "item")
    if not sieve.found:
        return line
    if isinstance(kept.get("metadata"), Mapping):
        kept["metadata"] = marked(kept["metadata"], sorted(sieve.found))
    return kept


class _Sieve:
    """Takes out of one line what may not be kept; `found`: the kinds of it."""

    def __init__(self, settings: EncodingConfig) -> None:
        self._settings = settings
        self.found = set[str]()

    def record(
        self, where: str, record: Mapping[str, Any], *, item: bool = False
    ) -> dict[str, Any]:
        """A record, or one within a record; `item`: its key is the key of a document, no text."""
        kept = {}
        for name, value in record.items():
            place = f"{where}, {name}"
            if item and name == "key" and isinstance(value, str):
                kept[name] = screen_label(place, value, self._settings, self.found)
            else:
                kept[name] = self._field(place, name, value)
        return kept

    def _field(self, where: str, name: str, value: Any) -> Any:
        if name in _NAMES or name in _LISTS:
            return self._named(where, value)
        if name in _MADE or name.endswith(_MADE_ENDINGS):
            return value
        if name == "sources" and isinstance(value, list):
            return [self._source(where, one) for one in value]
        if name == "metadata" and isinstance(value, Mapping):
            return self._metadata(where, value)
        if name == "before" and isinstance(value, Mapping):
            return {field: self._former(where, field, one) for field, one in value.items()}
        return screen_value(where, value, self._settings, found=self.found)

    def _source(self, where: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.record(where, value)
        if isinstance(value, list) and len(value) > _REF:  # as the journal has it
            return [*value[:_REF], self._named(where, value[_REF]), *value[_REF + 1 :]]
        return value

    def _named(self, where: str, value: Any) -> Any:
        """A name, or a list of names; what is neither is refused by who reads it."""
        if isinstance(value, str):
            return screen_label(where, value, self._settings, self.found)
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return list(screen_labels(where, value, self._settings, self.found))
        return value

    def _metadata(self, where: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """The address in them stays the one that the document has."""
        rest = {name: one for name, one in value.items() if name != ITEM}
        kept = dict(screen_value(where, rest, self._settings, found=self.found))
        if ITEM in value:
            at = value[ITEM]
            kept[ITEM] = (
                self.record(where, at, item=True)
                if isinstance(at, Mapping)
                else self._named(where, at)
            )
        return kept

    def _former(self, where: str, name: str, value: Any) -> Any:
        """A former field as the journal has it: lists and objects are JSON in a string."""
        if name not in _JSON or not isinstance(value, str):
            return self._field(where, name, value)
        try:
            inner = json.loads(value)
        except (ValueError, RecursionError):
            return value  # who reads it says what is wrong with it
        kept = self._field(where, name, inner)
        return value if kept == inner else json.dumps(kept, ensure_ascii=False)

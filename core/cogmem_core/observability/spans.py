"""The names that spans carry: OpenTelemetry's conventions for generative AI, memory operations. Pure.

The conventions are in development. tests/data/gen_ai_memory.json is the list that these names are checked against.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OPERATION_NAME = "gen_ai.operation.name"
PROVIDER_NAME = "gen_ai.provider.name"
STORE_ID = "gen_ai.memory.store.id"
RECORD_ID = "gen_ai.memory.record.id"
RECORD_COUNT = "gen_ai.memory.record.count"
QUERY_TEXT = "gen_ai.memory.query.text"
ERROR_TYPE = "error.type"
NAMESPACE = "cogmem.namespace"
"""Not of the conventions, which have no name for whose memories they are."""

OPERATIONS: Mapping[str, str] = {
    "recall": "search_memory",
    "tip_of_tongue": "search_memory",
    "add": "create_memory",
    "remember": "upsert_memory",
    "append_messages": "upsert_memory",
    "write_items": "upsert_memory",
    "observe": "upsert_memory",
    "reflect": "upsert_memory",
    "edit": "update_memory",
    "supersede": "update_memory",
    "restore": "update_memory",
    "settle_versions": "update_memory",
    "consolidate": "update_memory",
    "undo": "update_memory",
    "forget": "delete_memory",
    "clear_transcript": "delete_memory",
}
"""What the conventions call an operation of the op log; all others are "cogmem." and their own name."""


def span_name(op: str) -> str:
    """The name of an operation's span."""
    return OPERATIONS.get(op, f"cogmem.{op}")


def opening_attributes(
    op: str, store: str, fields: Mapping[str, Any], *, content: bool
) -> dict[str, str]:
    """What is said of an operation at its beginning.

    Args:
        op: its name in the op log.
        store: the id of the bank.
        fields: of its record.
        content: whether texts and namespaces may be told.
    """
    attributes = {OPERATION_NAME: span_name(op), PROVIDER_NAME: "cogmem", STORE_ID: store}
    if content:
        for name, field in ((NAMESPACE, "namespace"), (QUERY_TEXT, "input")):
            if isinstance(fields.get(field), str):
                attributes[name] = fields[field]
    return attributes

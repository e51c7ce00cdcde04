"""Items for a store, and which of them were found."""

from datetime import datetime, timezone

from langgraph.store.base import SearchItem

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
CELLO = {"text": "Alice plays the cello"}
RAIN = {"text": "Bob was soaked by the rain"}


def keys(found: list[SearchItem]) -> list[str]:
    return [item.key for item in found]

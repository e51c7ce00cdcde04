"""Documents, as `bank.items()` gives and takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = ["Item", "ItemWrite"]


@dataclass(frozen=True, slots=True)
class Item:
    """A document that is kept beside the memories of a bank.

    Attributes:
        path: the labels of its folder, the outermost first.
        key: its name in the folder.
        value: a JSON object, with what the secrets setting lets through.
        memory_ids: of its indexed texts, in their order.
        score: cosine with the query, -1..1, of the text that fits best; None where there was no
            query, or is no text.
    """

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    memory_ids: tuple[str, ...] = ()
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ItemWrite:
    """A document to put, or to delete where `value` is None.

    Attributes:
        path: the labels of its folder: strings with something in them, 1,024 bytes together as
            JSON.
        key: its name there: at most 512 bytes of UTF-8.
        value: a JSON object; what was there before is replaced as a whole.
        texts: what of it is found by meaning; each distinct text becomes a memory.
    """

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any] | None
    texts: tuple[str, ...] = ()

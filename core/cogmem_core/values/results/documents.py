"""Documents, as `bank.items()` gives and takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Item:
    """A document that is kept beside the memories of a bank.

    Attributes:
        path: the labels of its folder, the outermost first.
        key: its name in the folder.
        value: a JSON object, with what the secrets setting lets through.
        memory_ids: of its indexed texts, in their order.
        score: how similar it is to the query, see `Items.search`; None where there was no query,
            or nothing to compare.
        ttl: seconds that it lives after it was last written, or read with `refresh`; None = until
            it is deleted.
        expires_at: from then on it is gone; None = never.
        vector: what the caller compares it by, float32 of any length; None = its texts.
    """

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    memory_ids: tuple[str, ...] = ()
    score: float | None = None
    ttl: float | None = None
    expires_at: datetime | None = None
    vector: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ItemWrite:
    """A document to put, or to delete where `value` is None.

    Attributes:
        path: the labels of its folder: strings with something in them, 1,024 bytes together as
            JSON.
        key: its name there: at most 512 bytes of UTF-8.
        value: a JSON object; what was there before is replaced as a whole.
        texts: what of it is found by meaning; each distinct text becomes a memory.
        ttl: seconds that it lives after it was last written, or read with `refresh`: a number
            above 0; None = until it is deleted.
        vector: finite numbers that the caller compares it by, made by a model of the caller's;
            None = its texts are compared.
    """

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any] | None
    texts: tuple[str, ...] = ()
    ttl: float | None = None
    vector: Sequence[float] | None = None

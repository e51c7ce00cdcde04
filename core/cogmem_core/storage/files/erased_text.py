"""The words that are erased, and the places in which they may stand. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cogmem_core.storage.files.scan import SHORTEST
from cogmem_core.text.keys import plain


def strings(value: Any) -> Iterator[str]:
    """Every string in JSON values, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


class Words:
    """Texts that are erased; case and white space do not count."""

    def __init__(self) -> None:
        self._long: set[str] = set()
        self._short: set[str] = set()

    def add(self, *texts: str) -> None:
        """Erase these."""
        for text in filter(None, map(plain, texts)):
            (self._long if len(text.encode()) >= SHORTEST else self._short).add(text)

    def held(self, text: str) -> bool:
        """Whether a text is, or contains, an erased one.

        Short ones ("ok") are contained in too much.
        """
        plain_text = plain(text)
        return plain_text in self._short or any(erased in plain_text for erased in self._long)

    def quoted(self, text: str) -> bool:
        """As `held`, for what comes from the same turn: there short ones count too, as whole words."""
        plain_text = plain(text)
        whole = (rf"(?<!\w){re.escape(erased)}(?!\w)" for erased in self._short)
        return self.held(text) or any(re.search(pattern, plain_text) for pattern in whole)

    def part(self, text: str) -> bool:
        """Whether a text is part of an erased one."""
        plain_text = plain(text)
        return any(plain_text in erased for erased in (*self._long, *self._short))

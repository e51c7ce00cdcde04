"""Ids as people type them: whole, or the beginning or end that tells one from all others."""

from __future__ import annotations

import re

from cogmem.bank import MemoryBank
from cogmem.engine import Engine
from cogmem.errors import InvalidInput, NotFound
from cogmem.storage.reader import Filter

__all__ = ["complete", "find"]

_WHOLE = 36
_PART = re.compile(r"[0-9a-f][0-9a-f-]{7,34}")
_NAMED = 5


def find(engine: Engine, bank: MemoryBank, given: str) -> str | None:
    """The whole id for a part of it; None if it is no part of an id here.

    Raises:
        InvalidInput: several ids begin or end so; the message names them.
    """
    part = given.strip().lower()
    if not _PART.fullmatch(part):
        return None
    with engine.services.ledger.reading() as reader:
        known = reader.ids(bank.namespace, Filter())
    found = sorted(memory_id for memory_id in known if memory_id.startswith(part) or memory_id.endswith(part))
    if len(found) > 1:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise InvalidInput(f"id {given!r} is ambiguous: {', '.join(found[:_NAMED])}{more}; give more characters of it")
    return found[0] if found else None


def complete(engine: Engine, bank: MemoryBank, given: str) -> str:
    """The whole id.

    Raises:
        NotFound: no memory of this namespace has that id. InvalidInput: several have.
    """
    text = given.strip()
    if len(text) == _WHOLE:
        return bank.get(text.lower()).id
    found = find(engine, bank, text)
    if found is None:
        raise NotFound(
            f"no memory {given!r} in namespace {bank.namespace!r}; give an id that `cogmem list` shows, "
            "or at least its first or last 8 characters"
        )
    return found

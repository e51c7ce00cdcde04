"""Ids as people type them: whole, or the beginning or end that tells one from all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import ConsolidationRun
from cogmem_core.storage.ledger.reader import Filter
from cogmem_core.text.plural import counted

__all__ = ["complete", "find", "find_run"]

_WHOLE = 36
_PART = re.compile(r"[0-9a-f][0-9a-f-]{7,34}")
_NAMED = 5
_RUNS = 100_000
_LAST = "last"


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
    return _only(given, part, known)


def _only(given: str, part: str, known: Iterable[str]) -> str | None:
    """The one id that begins or ends so; None if there is none."""
    found = sorted(one for one in known if one.startswith(part) or one.endswith(part))
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
            f"no memory {given!r} in namespace {bank.namespace!r}; give an id that `cogm list` shows, "
            "or at least its first or last 8 characters"
        )
    return found


def find_run(bank: MemoryBank, given: str) -> str:
    """The whole id of a dream cycle; `last` is the newest that was not undone.

    Raises:
        NotFound: this namespace has no such cycle. InvalidInput: several ids begin or end so.
    """
    text, runs = given.strip().lower(), bank.consolidation_runs(limit=_RUNS)
    if text == _LAST:
        return _newest(bank, runs)
    found = _only(given, text, [run.id for run in runs]) if _PART.fullmatch(text) or len(text) == _WHOLE else None
    if found is None:
        raise NotFound(
            f"no dream cycle {given!r} in namespace {bank.namespace!r}; give an id that `cogm runs` shows, "
            "its first or last 8 characters, or last"
        )
    return found


def _newest(bank: MemoryBank, runs: Sequence[ConsolidationRun]) -> str:
    """The newest cycle that is done."""
    found = next((run.id for run in runs if run.state == "done"), None)
    if found is not None:
        return found
    what = "no dream cycle ran yet"
    if runs:
        what = f"every one of the {counted(len(runs), 'dream cycle', 'dream cycles')} on record was undone or cut short"
    raise NotFound(f"{what} in namespace {bank.namespace!r}; there is nothing to take back")

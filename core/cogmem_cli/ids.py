"""Ids as people type them: whole, or the beginning or end that tells one from all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import ConsolidationRun
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.engine import MemoryBank

_ID_LENGTH = 36
_PART = re.compile(r"[0-9a-f][0-9a-f-]{7,34}")
_LISTED = 5
_RUNS = 100_000
_LAST = "last"


def find(bank: MemoryBank, typed: str) -> str | None:
    """The whole id for a part of it; None if it is no part of an id here.

    Raises:
        InvalidInput: several ids begin or end so; the message names them.
    """
    part = typed.strip().lower()
    if not _PART.fullmatch(part):
        return None
    from cogmem_core.storage.ledger.memories import Filter

    with bank.engine.services.ledger.reading(bank.namespace) as ns:
        ids = ns.memories.ids(Filter())
    return _unique_match(typed, part, ids)


def _unique_match(typed: str, part: str, ids: Iterable[str]) -> str | None:
    """The one id that begins or ends so; None if there is none."""
    matches = sorted(
        candidate for candidate in ids if candidate.startswith(part) or candidate.endswith(part)
    )
    if len(matches) > 1:
        more = f" and {len(matches) - _LISTED} more" if len(matches) > _LISTED else ""
        raise InvalidInput(
            f"id {typed!r} is ambiguous: {', '.join(matches[:_LISTED])}{more}; give more characters "
            "of it"
        )
    return matches[0] if matches else None


def complete_among(typed: str, ids: Iterable[str]) -> str:
    """The whole id of a record that is no memory; what was typed if it is part of none.

    Raises:
        InvalidInput: several ids begin or end so.
    """
    part = typed.strip().lower()
    match = _unique_match(typed, part, ids) if _PART.fullmatch(part) else None
    return match or part


def complete(bank: MemoryBank, typed: str) -> str:
    """The whole id.

    Raises:
        NotFound: no memory of this namespace has that id.
        InvalidInput: several have.
    """
    text = typed.strip()
    if len(text) == _ID_LENGTH:
        return bank.get(text.lower()).id
    memory_id = find(bank, text)
    if memory_id is None:
        raise NotFound(
            f"no memory {typed!r} in namespace {bank.namespace!r}; give an id that `cogm list` "
            "shows, "
            "or at least its first or last 8 characters"
        )
    return memory_id


def find_run(bank: MemoryBank, typed: str) -> str:
    """The whole id of a dream cycle; `last` is the newest that changed something and was not undone.

    Raises:
        NotFound: this namespace has no such cycle.
        InvalidInput: several ids begin or end so.
    """
    text = typed.strip().lower()
    runs = bank.consolidation_runs(limit=_RUNS)
    if text == _LAST:
        return _newest_run(bank, runs)
    run_id = None
    if _PART.fullmatch(text) or len(text) == _ID_LENGTH:
        run_id = _unique_match(typed, text, [run.id for run in runs])
    if run_id is None:
        raise NotFound(
            f"no dream cycle {typed!r} in namespace {bank.namespace!r}; give an id that `cogm "
            "runs` shows, "
            "its first or last 8 characters, or last"
        )
    return run_id


def _newest_run(bank: MemoryBank, runs: Sequence[ConsolidationRun]) -> str:
    """The newest cycle that is done and changed something."""
    done = (run.id for run in runs if run.state == "done")
    newest = next(filter(bank.consolidation_changes, done), None)
    if newest is not None:
        return newest
    reason = "no dream cycle ran yet"
    if runs:
        cycles = counted(len(runs), "dream cycle", "dream cycles")
        reason = f"every one of the {cycles} on record was undone or cut short, or changed nothing,"
    raise NotFound(f"{reason} in namespace {bank.namespace!r}; there is nothing to take back")

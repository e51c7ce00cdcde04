"""What an erasure notes of what it deletes: digests, so that it is known again if it comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain

from cogmem_core.changes.erased import NEARLY, SURE, ErasedTexts, Keyed
from cogmem_core.erasure.scope import Scope
from cogmem_core.storage.ledger.record_kinds import KINDS, MEMORIES
from cogmem_core.storage.ledger.transaction import Namespace, Transaction

_ASKED = "questions"
"""What was asked tells nothing by itself, and may be asked again."""
_READ = 1_000
"""Texts that are taken apart in one erasure; of more only the words are noted: others wait to write."""


def note_erased(
    writer: Transaction, namespace: str, scope: Scope, at: datetime, *, whole: bool
) -> None:
    """Note what goes, but for what memories say that stay.

    Args:
        writer: the transaction of the erasure, before anything is deleted.
        namespace: where.
        scope: what goes.
        at: the time.
        whole: the namespace goes, too.
    """
    keyed = Keyed.of(writer, namespace)
    texts = dict.fromkeys(_texts(writer.at(namespace), scope))
    brief = len(texts) > _READ
    said = (keyed.noted(*text, at, whole=whole, brief=brief) for text in texts)
    rows = {row.id: row for row in chain.from_iterable(said)}
    noted = ErasedTexts(keyed, rows.values())
    for memory in scope.staying:
        for match in noted.matches(memory.content, memory.speaker):
            row = rows.pop(match.erased.id, None)
            if row is not None and match.how == NEARLY:
                sure = {kind: digests for kind, digests in row.forms.items() if kind in SURE}
                rows[row.id] = replace(row, forms=sure)
    writer.erased.put(rows.values())


def _texts(ns: Namespace, scope: Scope) -> Iterator[tuple[str, str | None]]:
    """What goes, each text with who said it."""
    for memory_id, stored in scope.memories.items():
        yield stored.memory.content, stored.memory.speaker
        for version in ns.history.versions(memory_id):
            yield version.content, stored.memory.speaker
    for half in chain.from_iterable(scope.blanked.values()):
        yield half.content, half.speaker
    for kind in KINDS:
        if kind.name not in (MEMORIES, _ASKED):
            for record in scope.rows.get(kind.name, {}).values():
                speaker = getattr(record, kind.speaker, None)
                yield from ((text, speaker) for text in kind.words(record))

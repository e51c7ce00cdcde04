"""What was erased, as keyed digests: in the ledger, and in a file beside it that outlives a restored backup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from cogmem_core.storage.files.folder import make_private
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import dump
from cogmem_core.storage.ledger.table import BATCH, Questions, chunks, upserting

_E = schema.erased.c


@dataclass(frozen=True, slots=True)
class Erased:
    """A statement, or a text, that was erased; nothing in it can be read back.

    Attributes:
        id: the same statement of the same namespace has it again.
        place: a digest of the namespace.
        speaker: a digest of who said it.
        key: tells the key of the digests from others, and nothing of it.
        forms: digests of its forms, by how they tell it; see `changes.erased`.
        at: when it was erased, in microseconds since 1970 UTC.
        whole: 1 if it went with its whole namespace.
    """

    id: str
    place: str
    speaker: str
    key: str
    forms: Mapping[str, Sequence[str]]
    at: int
    whole: int


class ErasedTable(Questions):
    """What was erased, of all namespaces."""

    def of(self, place: str) -> list[Erased]:
        """What was erased in a namespace."""
        return self._read(select(schema.erased).where(_E.place == place))

    def all(self) -> list[Erased]:
        """What was erased anywhere."""
        return self._read(select(schema.erased))

    def mark(self) -> str:
        """Another one after each erasure, of whatever process."""
        row = self._connection.execute(select(func.count(), func.max(_E.at))).one()
        return f"{row[0]}/{row[1]}"

    def _read(self, query: Any) -> list[Erased]:
        rows = self._connection.execute(query).mappings()
        return [Erased(**{**row, "forms": json.loads(row["forms"])}) for row in rows]

    def put(self, rows: Iterable[Erased]) -> None:
        """Note them; what is there already gets the newer moment."""
        values = [{**asdict(row), "forms": dump(row.forms)} for row in rows]
        query = upserting(self._connection.dialect.name, schema.erased, ("forms", "at", "whole"))
        for part in chunks(values, BATCH):
            self._connection.execute(query, part)


def beside(ledger: Path) -> Path:
    """The file beside a ledger, or beside a backup of one."""
    return ledger.with_name(f"{ledger.name}.erased")


def read_beside(ledger: Path | None) -> list[Erased]:
    """What the file beside a ledger tells; lines that cannot be read are passed over."""
    path = None if ledger is None else beside(ledger)
    if path is None or not path.is_file():
        return []
    found = []
    names = {item.name for item in fields(Erased)}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        with suppress(ValueError, TypeError):
            values = json.loads(line)
            if values.keys() == names:
                found.append(Erased(**values))
    return found


def write_beside(ledger: Path, rows: Iterable[Erased]) -> None:
    """Add to the file beside a ledger what it does not tell yet.

    Each line begins with a line's end: what a crash left of another one is not joined with it.

    Raises:
        OSError: it cannot be written, or only a part of it.
    """
    told = {row.id: row for row in read_beside(ledger)}
    lines = [f"\n{dump(asdict(row))}" for row in rows if told.get(row.id) != row]
    if lines:
        path = beside(ledger)
        make_private(path)
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(lines))

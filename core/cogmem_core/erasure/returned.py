"""Whether what was erased is there again: its digests are held against every record and file. Changes nothing.

What the person says again himself, after the erasure, is not erased any more, nor is what follows from that. All
else is listed: what a restored backup, an import, an agent or somebody else brought back.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cogmem_core.access import policy_of
from cogmem_core.changes.erased import ErasedTexts, Keyed, Match
from cogmem_core.encoding.observe_turn import IMPORTED
from cogmem_core.process.services import Services
from cogmem_core.storage.files.erased_text import strings
from cogmem_core.storage.files.folder import LEDGER_FILE
from cogmem_core.storage.files.scan import files
from cogmem_core.storage.ledger.backup import known_backups
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.erased import Erased
from cogmem_core.storage.ledger.record_kinds import KINDS, MEMORIES, Kind
from cogmem_core.storage.ledger.sqlite_locks import raw
from cogmem_core.text.plural import counted
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import Episode, JournalEntry, Memory
from cogmem_core.values.results import ErasureCheck, Returned

CHECKED = "erasures_checked"
"""The mark of a namespace: when it was looked over last by a dream cycle."""
RETURNED = "erasures_returned"
"""The mark of a namespace: how much of what was erased was there then."""
_INDEX = "chroma"
"""Holds ids and vectors, and no text."""
_SQLITE = b"SQLite format 3\0"
_RUN = re.compile(rb"(?:[\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]{1,3}){8,}")
_SEVERAL_WORDS = re.compile(r"[^\W\d_]{2,}\W+[^\W_]")
_LONGEST = 2_000  # characters of a piece of a file that are read at once
_MOST_BYTES = 2**28


class _Found(NamedTuple):
    """A record that says something erased; `said_again`: the person said it, after the erasure."""

    returned: Returned
    match: Match
    since: datetime
    said_again: bool


def verify(
    services: Services, namespaces: Sequence[str], *, pause: Callable[[], None] = lambda: None
) -> ErasureCheck:
    """Hold what was erased in a namespace, and in its compartments, against all that is there.

    Args:
        services: of the engine.
        namespaces: the namespace, and its compartments.
        pause: called now and then.
    """
    found: list[Returned] = []
    old: list[Returned] = []
    known: list[ErasedTexts] = []
    backups: list[Path] = []
    records = unknown = 0
    for name in namespaces:
        with services.ledger.whole() as reader:
            keyed = Keyed.of(reader, name)
            erased = ErasedTexts(keyed, reader.erased.all())
            backups = known_backups(reader.meta)
        known.append(erased)
        unknown = max(unknown, erased.unknown)
        if erased.rows:
            records_of = _Records(services, name, erased, pause)
            found += records_of.returned()
            records += records_of.count
    search = _Files(known, pause)
    if any(erased.rows for erased in known):
        found += search.returned(_files_of(services))
        old = search.returned([path for path in backups if path.is_file()])
    if unknown:
        noted = counted(unknown, "erasure was", "erasures were")
        search.unchecked.append(
            f"{noted} noted with another key, by a bank that this one was not made of"
        )
    return ErasureCheck(
        erased=sum(len(erased.rows) for erased in known),
        records=records,
        files=search.count,
        returned=tuple(found),
        backups=tuple(item.id for item in old),
        unchecked=tuple(search.unchecked),
    )


@dataclass
class _Records:
    """The records of one namespace."""

    services: Services
    namespace: str
    erased: ErasedTexts
    pause: Callable[[], None]
    count: int = 0

    def returned(self) -> Iterator[Returned]:
        """What says something erased, each record once."""
        found = list(chain.from_iterable(map(self._of_kind, KINDS)))
        known_since: dict[str, datetime] = {}
        for item in found:
            if item.said_again:
                row = item.match.erased.id
                known_since[row] = min(item.since, known_since.get(row, item.since))
        listed = set()
        for item in found:
            since = known_since.get(item.match.erased.id)
            key = (item.returned.kind, item.returned.id)
            if (since is None or item.since < since) and key not in listed:
                listed.add(key)
                yield item.returned

    def _of_kind(self, kind: Kind) -> Iterator[_Found]:
        with self.services.ledger.reading(self.namespace) as ns:
            former = ns.history.texts() if kind.name == MEMORIES else {}
            records = list(kind.rows(ns))
        for record in records:
            self.count += 1
            self.pause()
            key = kind.key(record)
            texts = [*kind.words(record), *former.get(key, ())]
            speaker = getattr(record, kind.speaker, None)
            matches = chain.from_iterable(self.erased.matches(t, speaker) for t in set(texts) if t)
            for match in matches:
                since = _since(kind, record)
                yield _Found(
                    _entry(kind.name, key, match, since),
                    match,
                    since,
                    self._said_again(record, match.erased),
                )

    def _said_again(self, record: Any, erased: Erased) -> bool:
        """Whether the person whose word it was says it again, or a person brought it back."""
        if isinstance(record, Memory):
            ids = [source.episode_id for source in record.sources if source.episode_id]
            with self.services.ledger.reading(self.namespace) as ns:
                turns = list(ns.turns.by_ids(ids).values())
                entries = ns.journal.of_memory(record.id)
            stated = not ids and self._is_own(record, erased)
            if any(_by_hand(entry, erased, stated=stated) for entry in entries):
                return True
        else:
            turns = [record] if isinstance(record, Episode) else []
        return any(
            turn.role == "user"
            and IMPORTED not in turn.metadata
            and turn.recorded_at > decode_moment(erased.at)
            and self._is_own(turn, erased)
            for turn in turns
        )

    def _is_own(self, record: Episode | Memory, erased: Erased) -> bool:
        """Whether the same one speaks, and no agent for him."""
        writer = record.metadata.get(WRITTEN_BY)
        principal = self._principals.get(str(writer)) if writer else None
        by_person = not writer or (principal is not None and principal.kind == "person")
        by_person &= not isinstance(record, Memory) or record.data_source == "user_message"
        return by_person and self.erased.keyed.speaker(record.speaker) == erased.speaker

    @cached_property
    def _principals(self) -> Any:
        return policy_of(self.services).principals


def _by_hand(entry: JournalEntry, erased: Erased, *, stated: bool) -> bool:
    """Whether somebody brought a memory back since; `stated`: or stated it, in his own words."""
    since = entry.actor == "user" and entry.at > decode_moment(erased.at)
    return since and (stated or entry.kind == "revive")


def _since(kind: Kind, record: Any) -> datetime:
    """Since when a record is there, as far as it tells."""
    for name in ("updated_at" if kind.at == "updated_at" else "created_at", "recorded_at", kind.at):
        moment = getattr(record, name, None)
        if moment is not None:
            return moment  # type: ignore[no-any-return]
    return datetime.min.replace(tzinfo=timezone.utc)


def _entry(kind: str, key: Any, match: Match, since: datetime | None) -> Returned:
    name = key if isinstance(key, str) else "/".join((*key[0], key[1]))
    return Returned(kind, name, match.how, since, decode_moment(match.erased.at))


def _files_of(services: Services) -> list[Path]:
    """The files of the bank's folder but for the ledger, whose records were looked at, and the index."""
    ledger = services.ledger.file
    if ledger is None or ledger.name != LEDGER_FILE:
        return []
    return [
        path
        for path in files(ledger.parent)
        if not path.name.startswith(LEDGER_FILE)
        and path.relative_to(ledger.parent).parts[0] != _INDEX
    ]


@dataclass
class _Files:
    """Files that are searched for what was erased.

    Attributes:
        known: what was erased, by namespace.
        pause: called now and then.
        count: how many were searched.
        unchecked: those that could not be, and why, in sentences.
    """

    known: Sequence[ErasedTexts]
    pause: Callable[[], None]
    count: int = 0
    unchecked: list[str] = field(default_factory=list)

    def returned(self, paths: Iterable[Path]) -> list[Returned]:
        """Those that say something erased."""
        found: list[Returned] = []
        for path in paths:
            try:
                stats = path.stat()
                if stats.st_size > _MOST_BYTES:
                    self.unchecked.append(f"{path} is too large to be searched")
                    continue
                self.count += 1
                match = self._first_match(path)
            except FileNotFoundError:  # it vanished meanwhile
                continue
            except (OSError, sqlite3.Error) as error:
                self.unchecked.append(f"{path} could not be searched: {error}")
                continue
            if match is not None:
                since = datetime.fromtimestamp(stats.st_mtime, timezone.utc)
                found.append(_entry("file", str(path), match, since))
        return found

    def _first_match(self, path: Path) -> Match | None:
        seen: set[str] = set()
        for text in _texts(path):
            if text in seen or not _SEVERAL_WORDS.search(text):
                continue
            seen.add(text)
            self.pause()
            for erased in self.known:
                for match in erased.matches(text, None, sure=True):
                    return match
        return None


def _texts(path: Path) -> Iterator[str]:
    """The texts in a file: of a SQLite file what its columns hold, of others what can be read."""
    with raw(path) as file:
        content = file.read()
    if content.startswith(_SQLITE):
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as copy:
            yield from _columns(copy)
        return
    for run in _RUN.finditer(content):
        for part in run[0].decode("utf-8", "ignore").split('"'):
            with suppress(ValueError):
                part = json.loads(f'"{part}"')  # noqa: PLW2901 - as it was before it was JSON
            yield from (part[i : i + _LONGEST] for i in range(0, len(part), _LONGEST))


def _columns(copy: sqlite3.Connection) -> Iterator[str]:
    copy.text_factory = lambda value: value.decode("utf-8", "replace")
    tables = [row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        name = table.replace('"', '""')
        for row in copy.execute(f'SELECT * FROM "{name}"'):  # noqa: S608 - a name of the file's own
            yield from chain.from_iterable(_strings(value) for value in row)


def _strings(value: object) -> Iterable[str]:
    """The texts in a value of a row, also if it is JSON."""
    if not isinstance(value, str):
        return ()
    if value[:1] in "{[":
        with suppress(ValueError):
            return strings(json.loads(value))
    return (value,)

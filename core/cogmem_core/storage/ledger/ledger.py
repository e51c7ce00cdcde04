"""The ledger: opening, versions of the schema, transactions.

Rows here are the truth; indexes follow them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, delete, inspect, select

from cogmem_core.base.interrupt_safe import scope
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreError, StoreUnavailable, StoreVersionError
from cogmem_core.storage.files.folder import LEDGER_FILE, prepare_folder, tighten_bank
from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.backup import back_up
from cogmem_core.storage.ledger.database import Database
from cogmem_core.storage.ledger.erased import read_beside
from cogmem_core.storage.ledger.integrity import damaged_pages
from cogmem_core.storage.ledger.meta import ERASURES_KEY, MetaTable
from cogmem_core.storage.ledger.migrations import MIGRATIONS, OLDEST, SCHEMA_VERSION, create
from cogmem_core.storage.ledger.postgres import Locks, Value, lock_key, persistent, transient
from cogmem_core.storage.ledger.sqlite import APPLICATION_ID, application_id
from cogmem_core.storage.ledger.table import upserting
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.storage.vectors.chroma.generations import GenerationState
from cogmem_core.values.readings import VERSION

__all__ = ["EMBEDDER_KEY", "LEDGER_FILE", "READER_KEY", "Ledger"]

EMBEDDER_KEY = "embedder"
READER_KEY = "reader"
"""The version of the reader that has read every text."""
_EMBEDDED = "embedded"
_NAME_KEY = "ledger_name"
_COLLECTIONS = "collections"
_MIGRATING = lock_key("cogmem", "migration")
Tables = TypeVar("Tables")


class Ledger:
    """All rows of all namespaces.

    Args:
        folder: the bank's folder; None = in memory (or `config.ledger_url`).
        now: the engine's clock.
        copy_of: instead of a folder: that of a bank which is read into memory, and is not changed.

    Attributes:
        read_only: nothing can be written.
        file: the SQLite file, also that of which it is a copy; None = in memory, or on a server.

    Raises:
        StoreError: the folder is a file, belongs to something else, cannot be written or is
            damaged.
        StoreVersionError: it was written by a newer cogmem.
    """

    def __init__(
        self,
        folder: Path | None,
        config: StorageConfig,
        now: Callable[[], datetime],
        *,
        copy_of: Path | None = None,
    ) -> None:
        self._now = now
        self._config = config
        self._name = ""
        self.read_only = copy_of is not None
        if folder is not None:
            # With a server, too: for the op log, and an embedded index.
            _make_folder(folder)
        target = config.ledger_url or (prepare_folder(folder) if folder else None)
        self.database = Database(target, config)
        self.file = self.database.path if copy_of is None else copy_of / LEDGER_FILE
        with ExitStack() as undone:
            undone.callback(self.database.close)
            if copy_of is not None:
                self.database.take_over(copy_of / LEDGER_FILE)
            self._migrate()
            self._take_in_erased()
            if copy_of is not None:
                self.name()
                self.database.freeze()
            undone.pop_all()

    @scope
    def reading(self, namespace: str) -> Iterator[Namespace]:
        """A consistent snapshot of a namespace."""
        with self.database.reading() as connection:
            yield Namespace(connection, namespace, None)

    @scope
    def whole(self) -> Iterator[Transaction]:
        """A consistent snapshot of all namespaces."""
        with self.database.reading() as connection:
            yield Transaction(connection)

    @scope
    def writing_to(self, namespace: str) -> Iterator[Namespace]:
        """One transaction; committed when the block ends, rolled back on any exception.

        Nobody else writes to the namespace between its begin and its end, so what it reads is what
        it changes. SQLite has one writer at a time; on PostgreSQL other namespaces are written
        meanwhile.
        """
        with self.database.writing(self._locks(namespace)) as connection:
            yield Namespace(connection, namespace, self._now())

    @scope
    def writing(self, namespace: str | None = None) -> Iterator[Transaction]:
        """As `writing_to`, for callers who need more of the ledger than one namespace.

        Args:
            namespace: the only one that is written to; None = nobody else writes at all.
        """
        with self.database.writing(self._locks(namespace)) as connection:
            yield Transaction(connection, self._now())

    @scope
    def beside(self) -> Iterator[Transaction]:
        """A transaction for rows that belong to no namespace; on PostgreSQL nobody waits for it."""
        with self.database.writing() as connection:
            yield Transaction(connection, self._now())

    @scope
    def alone(self) -> Iterator[Connection]:
        """One transaction over all tables; nobody else writes meanwhile."""
        with self.database.writing(self._locks(None)) as connection:
            yield connection

    def _locks(self, namespace: str | None) -> Locks:
        if self.database.sqlite:
            return Locks()
        whole = lock_key(self.name(), "ledger")
        if namespace is None:
            return Locks([whole])
        return Locks([lock_key(self.name(), "namespace", namespace)], [whole])

    def write(self, namespace: str, work: Callable[[Transaction], Value]) -> Value:
        """As `write_to`, for callers who need more of the ledger than one namespace."""
        return self._repeated(lambda: self.writing(namespace), work)

    def write_to(self, namespace: str, work: Callable[[Namespace], Value]) -> Value:
        """As `writing_to`, for callers who wait: a collision, or a lost session before the end, is repeated.

        Args:
            namespace: the only namespace that is written to.
            work: what to do in the transaction; it may be called more than once, and what it did
                before is undone.
        """
        return self._repeated(lambda: self.writing_to(namespace), work)

    def _repeated(
        self,
        transaction: Callable[[], AbstractContextManager[Tables]],
        work: Callable[[Tables], Value],
    ) -> Value:
        def attempt() -> Value:
            with transaction() as tables:
                return work(tables)

        def may_retry(error: BaseException) -> bool:
            cause = error.__cause__
            return isinstance(error, StoreUnavailable) and cause is not None and transient(cause)

        # SQLite has one writer at a time: nothing collides, and there is no session to lose.
        return attempt() if self.database.sqlite else persistent(attempt, self._config, may_retry)

    def close(self) -> None:
        """Return all connections."""
        self.database.close()

    def _migrate(self) -> None:
        with self.database.reading() as connection:
            version = self._version(connection)
        if version == SCHEMA_VERSION:
            return
        if version:
            back_up(self.database, version)
        # Of several workers that start at once one migrates, and the others wait for it.
        with self.database.writing(Locks([_MIGRATING])) as connection:
            version = self._version(connection)
            if version == SCHEMA_VERSION:
                return
            meta = MetaTable(connection)
            if not version:
                create(connection)
                meta.set(READER_KEY, str(VERSION))
                version = SCHEMA_VERSION
            for step in range(version, SCHEMA_VERSION):
                MIGRATIONS[step](connection)
            if self.database.sqlite:
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            meta.set("schema_version", str(SCHEMA_VERSION))
            meta.claim(_NAME_KEY, secrets.token_hex(8))
            # From the beginning: a backup that is restored must know what was erased after it.
            meta.claim(ERASURES_KEY, secrets.token_hex(32))

    def _take_in_erased(self) -> None:
        """A backup that was restored learns from the file beside it what was erased since."""
        told = read_beside(self.file)
        if not told:
            return
        with self.whole() as reader:
            known = {row.id for row in reader.erased.all()}
        missing = [row for row in told if row.id not in known]
        if missing:
            with self.beside() as writer:
                writer.erased.put(missing)

    def _version(self, connection: Connection) -> int:
        tables = set(inspect(connection).get_table_names())
        if self.database.sqlite and tables and application_id(connection) != APPLICATION_ID:
            raise StoreError(
                f"{self.database.path} is a SQLite file of another program; name a new or empty "
                "folder for the bank"
            )
        if "meta" not in tables:
            return 0
        value = connection.scalar(
            select(schema.meta.c.value).where(schema.meta.c.key == "schema_version")
        )
        if not (value or "0").isdecimal():
            raise StoreError(
                f"the ledger's schema version is {value!r}: the file is damaged; restore it from a "
                "backup"
            )
        version = int(value or 0)
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                f"the ledger has schema {version}, this cogmem knows up to {SCHEMA_VERSION}; "
                "upgrade cogmem"
            )
        if 0 < version < OLDEST:
            raise StoreVersionError(
                f"the ledger has schema {version}, which no release wrote; open it with cogmem 0.2 "
                "first"
            )
        return version

    def load_generation(self) -> GenerationState | None:
        """State of the embedded vector index; implements `generations.GenerationStore`."""
        v = schema.vector_state
        with self.database.reading() as connection:
            row = connection.execute(select(v).where(v.c.name == _EMBEDDED)).mappings().first()
        if row is None:
            return None
        applied = json.loads(row["applied"]).get(_COLLECTIONS)
        if applied is None:
            # Its vectors were kept by shard, as no version does any more: it counts as built for
            # another embedder.
            return GenerationState(row["number"], dirty=True)
        return GenerationState(
            row["number"],
            row["fingerprint"],
            bool(row["dirty"]),
            row["manifest"],
            applied,
            row["deleted"],
        )

    def save_generation(self, state: GenerationState) -> None:
        """Replace the state of the vector index.

        A late worker never leads back to a generation that is gone.
        """
        row = {
            "name": _EMBEDDED,
            "number": state.number,
            "fingerprint": state.fingerprint,
            "dirty": int(state.dirty),
            "manifest": state.manifest,
            "applied": json.dumps({_COLLECTIONS: dict(state.applied)}),
            "deleted": state.deleted,
        }
        v = schema.vector_state
        with self.database.writing() as connection:
            query = upserting(connection.dialect.name, v, tuple(row)[1:], rising="number")
            connection.execute(query, row)

    def pending_erasures(self) -> list[str]:
        """Erasure jobs whose indexes and files are not yet clean."""
        with self.database.reading() as connection:
            return list(connection.scalars(select(schema.erasures.c.id)))

    @property
    def left_to_operator(self) -> tuple[str, ...]:
        """What is left to do where the database is a server's, whose files cannot be reached from here."""
        if self.database.sqlite:
            return ()
        steps = "ANALYZE; VACUUM FULL; then switch and recycle its write-ahead log"
        return (
            f"PostgreSQL keeps deleted rows in its files: {steps} (cookbook/guide/servers.md); so do "
            "replicas and backups",
        )

    def finish_erasure(self, job: str) -> None:
        """Forget the job: nothing of what it erased is left."""
        with self.database.writing() as connection:
            connection.execute(delete(schema.erasures).where(schema.erasures.c.id == job))

    def name(self) -> str:
        """A random name that no other ledger has.

        Collections on a shared Chroma server carry it, and locks.
        """
        if not self._name:
            with self.whole() as wide:
                self._name = wide.meta.get(_NAME_KEY) or ""
        return self._name

    def embedder(self) -> str | None:
        """Fingerprint of the embedder that this ledger's vectors come from.

        None while it is empty.
        """
        with self.whole() as wide:
            return wide.meta.get(EMBEDDER_KEY)

    def check(self) -> list[str]:
        """Problems that SQLite's own quick check finds; empty if none."""
        try:
            with self.database.reading() as connection:
                return damaged_pages(connection, indexes=False)
        except StoreError as error:
            return [str(error)]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        tighten_bank(folder)
    except FileExistsError:
        raise StoreError(f"{folder} is a file; give the path of a folder for the bank") from None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"cannot use the folder {folder}: {error}; make it readable and writable"
        ) from error

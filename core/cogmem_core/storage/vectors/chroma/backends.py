"""Where Chroma runs: in the bank's folder, in memory, or on a server.

Each answers the same questions: may it be used, is the last generation sound, open one, retire one,
seal one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cogmem_core.base.digests import text_digest
from cogmem_core.config import StorageConfig
from cogmem_core.errors import ConfigError, StoreError
from cogmem_core.storage.files.disk_space import check_room
from cogmem_core.storage.files.folder import tighten_below
from cogmem_core.storage.vectors.chroma.client import (
    Connection,
    connect_folder,
    connect_memory,
    connect_server,
    fork_problem,
    server_address,
)
from cogmem_core.storage.vectors.chroma.collections import Collections, drop_collections
from cogmem_core.storage.vectors.chroma.generations import (
    FolderLock,
    GenerationState,
    GenerationStore,
    create_generation,
    gate,
    generation_path,
    leftovers,
    next_number,
    remove_others,
    settled_manifest,
)

# Chroma Cloud refuses larger writes (measured).
_SERVER_BATCH = 300
_BANK_DIGITS = 16
_engine_numbers: Iterator[int] = itertools.count(1)


class Backend(Protocol):
    """One place where generations live.

    Attributes:
        batch: vectors that are written at once.
        store: remembers the generation.
        shared: True if others write there, too, and it can be away.
    """

    batch: int
    store: GenerationStore
    shared: bool = False

    def claim(self) -> str:
        """Take the place for this engine; the reason if it cannot be had, empty if it can."""
        return ""

    def release(self) -> None:
        """Give the place to the next engine."""
        return

    def judge(self, state: GenerationState | None, fingerprint: str) -> str:
        """Why the generation may not be opened; empty if it may."""

    def holds(self, state: GenerationState | None) -> bool:
        """Whether a generation is there, open or not; `state` is what the ledger remembers."""

    def number_after(self, state: GenerationState | None) -> int:
        """A number above that of every generation."""
        return (state.number if state else 0) + 1

    def create(self, previous: GenerationState | None) -> int:
        """Make room for a new, empty generation; its number is above all others."""
        return self.number_after(previous)

    def open(self, state: GenerationState, *, check: bool) -> Collections:
        """Open a generation; with `check`, only if it answers as it should."""

    def room(self, state: GenerationState) -> None:  # noqa: ARG002
        """Raise StoreError if the generation cannot be written to because there is no room for it.

        Costs little.
        """
        return

    def retire(self, old: Collections | None, *keep: int) -> None:
        """Close a generation and delete all but those to keep; what cannot be deleted is tried again later."""

    def seal(self, current: Collections, state: GenerationState) -> None:
        """Close the current generation and remember that it is sound."""

    def doubt(self, current: Collections, state: GenerationState) -> str:  # noqa: ARG002
        """Why the open generation is not to be used any more; empty if it is.

        Only others can take it away.
        """
        return ""


def choose_backend(
    root: Path | None, store: GenerationStore, config: StorageConfig, bank: str
) -> Backend:
    """The backend that the settings ask for; opens nothing.

    Raises:
        ConfigError: the server's address is malformed, or the server would be shared without the
            bank's name.
    """
    if config.chroma_url is not None:
        return _Server(store, config, bank)
    return _Memory(config) if root is None else _Folder(root, store, config)


class _Folder(Backend):
    """Embedded Chroma in a numbered folder, held by one engine at a time."""

    def __init__(self, root: Path, store: GenerationStore, config: StorageConfig) -> None:
        self.batch = config.write_slice
        self.store = store
        self._root = root.resolve()
        self._config = config
        self._lock: FolderLock | None = None

    def claim(self) -> str:
        problem = fork_problem()
        if problem or self._lock is not None:
            return problem
        self._lock = FolderLock.acquire(self._root)
        if self._lock:
            return ""
        return "another engine holds this folder's vector index; this one searches exactly"

    def release(self) -> None:
        lock = self._lock
        self._lock = None
        if lock is not None:
            lock.release()

    def judge(self, state: GenerationState | None, fingerprint: str) -> str:
        return gate(self._root, state, fingerprint)

    def holds(self, state: GenerationState | None) -> bool:  # noqa: ARG002
        try:
            return bool(leftovers(self._root, None))
        except NotADirectoryError:
            # Something is in the way: whether a generation is there cannot be told.
            return True

    def number_after(self, state: GenerationState | None) -> int:
        return next_number(self._root, state)

    def create(self, previous: GenerationState | None) -> int:
        number = self.number_after(previous)
        create_generation(self._root, number)
        return number

    def open(self, state: GenerationState, *, check: bool) -> Collections:
        self.room(state)
        connection = connect_folder(
            generation_path(self._root, state.number), self._config.write_seconds
        )
        tighten_below(self._root)
        return _opened(connection, _prefix(state), self._config, check=check)

    def room(self, state: GenerationState) -> None:
        check_room(generation_path(self._root, state.number))

    def retire(self, old: Collections | None, *keep: int) -> None:
        if old is not None:
            old.close()
        remove_others(self._root, *keep)

    def seal(self, current: Collections, state: GenerationState) -> None:
        if not current.close():
            return
        tighten_below(self._root)
        try:
            digest = settled_manifest(generation_path(self._root, state.number))
        except (OSError, StoreError):
            # The state stays dirty, so the next open rebuilds: closing must not fail for that.
            return
        self.store.save_generation(replace(state, dirty=False, manifest=digest))


class _Memory(Backend):
    """Chroma in memory. All engines of a process share one store, so each has names of its own."""

    def __init__(self, config: StorageConfig) -> None:
        self.batch = config.write_slice
        self.store = _Forgetful()
        self._config = config
        self._engine = next(_engine_numbers)

    def claim(self) -> str:
        return fork_problem()

    def judge(self, state: GenerationState | None, fingerprint: str) -> str:  # noqa: ARG002
        return "an index in memory starts empty"

    def holds(self, state: GenerationState | None) -> bool:  # noqa: ARG002
        return False

    def open(self, state: GenerationState, *, check: bool) -> Collections:
        prefix = _prefix(state, f"e{self._engine}", f"g{state.number}")
        return _opened(
            connect_memory(self._config.write_seconds), prefix, self._config, check=check
        )

    def retire(self, old: Collections | None, *keep: int) -> None:  # noqa: ARG002
        if old is not None:
            old.close(drop=True)

    def seal(self, current: Collections, state: GenerationState) -> None:  # noqa: ARG002
        current.close(drop=True)


class _Server(Backend):
    """A Chroma server, shared by banks and by the workers of one bank.

    The server journals by itself, so a worker that dies leaves nothing to distrust; a generation is
    a name prefix. A half-built generation is never emptied first: the replay from 0 overwrites it,
    and another worker may be filling it.
    """

    def __init__(self, store: GenerationStore, config: StorageConfig, bank: str) -> None:
        self.batch = _SERVER_BATCH
        self.shared = True
        self.store = store
        self._config = config
        self._bank = text_digest(bank, _BANK_DIGITS)
        self._url = config.chroma_url or ""
        server_address(self._url)
        if not bank:
            raise ConfigError(
                "storage.chroma_url names a server, which banks share: give the index the bank's "
                "name"
            )

    def judge(self, state: GenerationState | None, fingerprint: str) -> str:
        if state is None or state.number < 1:
            return "there is no generation yet"
        return "" if state.fingerprint == fingerprint else "it was built for another embedder"

    def holds(self, state: GenerationState | None) -> bool:
        # The state of a version that kept vectors by shard names no embedder.
        return state is not None and (bool(state.applied) or not state.fingerprint)

    def open(self, state: GenerationState, *, check: bool) -> Collections:
        collections = _opened(self._connect(), self._prefix(state), self._config, check=check)
        if check and any(state.applied.values()) and collections.empty:
            collections.close()
            raise StoreError("the Chroma server has lost its collections")
        return collections

    def retire(self, old: Collections | None, *keep: int) -> None:
        """Also what a worker left behind that died, or came late: every other generation of this bank goes."""
        if old is not None:
            old.close()
        connection = self._connect()
        try:
            drop_collections(
                connection, f"cogmem-{self._bank}-", keep=[f"g{number}" for number in keep]
            )
        finally:
            connection.stop()

    def seal(self, current: Collections, state: GenerationState) -> None:
        current.close()
        self.store.save_generation(replace(state, dirty=False))

    def doubt(self, current: Collections, state: GenerationState) -> str:
        saved = self.store.load_generation()
        if saved is None or saved.number != state.number or saved.fingerprint != state.fingerprint:
            return "another worker has replaced it"
        return "the Chroma server has lost its collections" if current.thinned() else ""

    def _connect(self) -> Connection:
        return connect_server(self._url, self._config.write_seconds)

    def _prefix(self, state: GenerationState) -> str:
        return "-".join(
            ("cogmem", self._bank, f"g{state.number}", text_digest(state.fingerprint, 8))
        )


class _Forgetful(GenerationStore):
    """Nothing in memory survives, so nothing is remembered."""

    def load_generation(self) -> GenerationState | None:
        return None

    def save_generation(self, state: GenerationState) -> None:  # noqa: ARG002
        return None


def _prefix(state: GenerationState, *more: str) -> str:
    return "-".join(("cogmem", text_digest(state.fingerprint, 8), *more))


def _opened(
    connection: Connection, prefix: str, config: StorageConfig, *, check: bool
) -> Collections:
    try:
        collections = Collections(connection, prefix, config.sync_threshold)
        if check:
            collections.verify()
    except StoreError:
        connection.stop()
        raise
    return collections

"""What rows of bad input are tried on: a scene of banks and folders, and what of it has to stay as it was."""

import dataclasses
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import cogmem_core
from cogmem_core import CogMemError, Config, InvalidInput
from cogmem_core.config import StorageConfig
from cogmem_core.testing import CountingEmbedder, FrozenClock

UNKNOWN = "01890000-0000-7000-8000-000000000000"
UTC = timezone.utc
AHEAD, BEHIND = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
NAIVE = datetime(2026, 5, 1, 12)  # noqa: DTZ001 - that it is naive is the point


class Scene:
    """What a row may use: a bank in memory with two memories, a closed bank on disk, an empty folder."""

    def __init__(self, tmp_path: Path) -> None:
        self.tmp_path, self.folder = tmp_path, tmp_path / "brain"
        self.embedder = CountingEmbedder()
        self._engine: cogmem_core.Engine | None = None

    @property
    def engine(self) -> cogmem_core.Engine:
        if self._engine is None:
            self._engine = cogmem_core.open(
                embedder=self.embedder, clock=FrozenClock(), config=Config()
            )
            self._engine.bank("alice").remember("The meeting is on Thursday", ref="t1")
            self._engine.bank("alice").add("Prefers green tea", immutable=True)
            self._engine.bank("bob").remember("Bob keeps a secret")
        return self._engine

    @property
    def bank(self) -> cogmem_core.MemoryBank:
        return self.engine.bank("alice")

    @property
    def id(self) -> str:
        return self.bank.list()[0].id

    @property
    def foreign_id(self) -> str:
        return self.engine.bank("bob").list()[0].id

    def seeded(self) -> Path:
        """A closed bank on disk of 300 memories, 120 characters each."""
        kept = self.tmp_path.parent / "seeded"  # made once, for all scenes
        if not kept.exists():
            with self.opened(folder=kept) as engine:
                notes = [f"note {i}: " + "lorem ipsum " * 10 for i in range(300)]
                engine.bank("alice").remember(notes, mode="raw")
                engine.flush()
        return Path(shutil.copytree(kept, self.folder))

    def opened(self, embedder: Any = None, folder: Path | None = None) -> cogmem_core.Engine:
        return cogmem_core.open(
            folder or self.folder,
            embedder=embedder or self.embedder,
            clock=FrozenClock(),
            config=Config(storage=StorageConfig(index_above=0)),
        )

    def state(self) -> object:
        """Everything that a row must leave as it was."""
        kept = [tree_of(self.tmp_path)]
        if self._engine is not None:
            kept += [export_of(self._engine.bank(name), self.tmp_path) for name in ("alice", "bob")]
        return kept

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()


def tree_of(folder: Path) -> dict[str, bytes | None]:
    """Every file with its bytes; the write-ahead log's index and Chroma's files may change without a meaning."""
    passing = ("-shm", "-wal")
    paths = [
        p for p in folder.rglob("*") if not p.name.endswith(passing) and "chroma" not in p.parts
    ]
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(paths)}


def export_of(bank: cogmem_core.MemoryBank, folder: Path) -> list[str]:
    path = folder / "state.jsonl"
    bank.export(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    return lines


Act = Callable[[Scene], Any]


@dataclasses.dataclass(frozen=True)
class Row:
    """One bad input: what is prepared, what is tried, the exact error, and words that its message must hold."""

    act: Act
    error: type[CogMemError]
    words: tuple[str, ...]
    arrange: Act | None = None


def refused(
    act: Act, *words: str, error: type[CogMemError] = InvalidInput, arrange: Act | None = None
) -> Row:
    return Row(act, error, words, arrange)

"""What an engine is made of: its parts, each as the configuration has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cogmem_core.base.runtime import Runtime, monotonic
from cogmem_core.config import Config
from cogmem_core.embedders.cache import CachedEmbedder
from cogmem_core.embedders.factory import resolve
from cogmem_core.errors import EmbedderMismatch
from cogmem_core.llm import Budget
from cogmem_core.ports import Embedder
from cogmem_core.storage.ledger.ledger import LEDGER_FILE, Ledger
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
from cogmem_core.storage.vectors.follower import ChromaFollower

CHROMA_FOLDER = "chroma"
LOG_FILE = "ops-log.jsonl"
_SPENT_KEY = "llm_spent"


class _Account:
    """What the language model cost today, kept in the ledger: for all processes, and the next one."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def read(self) -> str:
        with self._ledger.whole() as reader:
            return reader.meta.get(_SPENT_KEY) or ""

    def exchange(self, change: Callable[[str], str]) -> None:
        with self._ledger.beside() as writer:
            writer.meta.exchange(_SPENT_KEY, change)


def make_budget(config: Config, runtime: Runtime, ledger: Ledger) -> Budget:
    """What may be asked of the language model."""
    return Budget(config.llm, clock=runtime.now, account=_Account(ledger))


def with_cache(embedder: str | Embedder | object, config: Config) -> CachedEmbedder:
    """The embedder that is meant, remembering recent texts."""
    settings = config.embedding
    return CachedEmbedder(
        resolve(embedder, config=settings, clock=monotonic),
        clock=monotonic,
        entries=settings.cache_entries,
    )


def check_embedder(ledger: Ledger, embedder: Embedder) -> None:
    """Raise `EmbedderMismatch` if the ledger's vectors come from another one."""
    stored = ledger.embedder()
    if stored is not None and stored != embedder.fingerprint:
        raise EmbedderMismatch(
            f"this bank was embedded with {stored!r}, not with {embedder.fingerprint!r}; open it "
            "with the former, "
            "or re-embed it: cogm reindex --embedder NAME"
        )
    check_length(ledger, embedder)


def check_length(ledger: Ledger, embedder: Embedder) -> None:
    """Raise `EmbedderMismatch` if the ledger's vectors of this embedder are longer or shorter than it says."""
    with ledger.whole() as wide:
        length = wide.embeddings.length(embedder.fingerprint)
    if length not in (None, embedder.dimension):
        raise EmbedderMismatch(
            f"this bank's vectors of {embedder.fingerprint!r} have {length} numbers; give another "
            "model a fingerprint of its own"
        )


def file_identity(folder: Path | None) -> tuple[int, int] | None:
    """Which file a folder's ledger is, whatever it is called; None if there is none."""
    if folder is None:
        return None
    try:
        stats = (folder / LEDGER_FILE).stat()
    except OSError:
        return None
    return stats.st_dev, stats.st_ino


def make_follower(
    folder: Path | None, ledger: Ledger, embedder: Embedder, config: Config
) -> ChromaFollower:
    """The vector index and what keeps it up to date; touches no file yet."""
    root = None if folder is None else folder / CHROMA_FOLDER
    index = ChromaIndex(
        root, ledger, embedder.fingerprint, embedder.dimension, config.storage, bank=ledger.name()
    )
    return ChromaFollower(ledger, index, config.storage)


def origin_of(
    folder: Path | None, ledger: Ledger, embedder: object, llm: object
) -> dict[str, str | None]:
    """Where an engine comes from, as JSON values; see `reopen`.

    Args:
        folder: of its files.
        ledger: its ledger, which has a name of its own.
        embedder: as it was given to `cogmem_core.open`; an object cannot be written down.
        llm: as `embedder`.
    """
    return {
        "ledger": ledger.name(),
        "folder": None if folder is None else str(folder.resolve()),
        "embedder": embedder if isinstance(embedder, str) else None,
        "llm": llm if isinstance(llm, str) else None,
    }

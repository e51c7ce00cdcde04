"""What the write path and the read path work with: one bundle per engine, passed down explicitly."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cogmem.config import Config
from cogmem.errors import EmbedderMismatch
from cogmem.ports import LLM, Embedder
from cogmem.runtime import Runtime
from cogmem.storage.ledger import EMBEDDER_KEY, Ledger
from cogmem.storage.search import Searcher
from cogmem.storage.writer import Writer

__all__ = ["Claims", "Services"]


class Claims:
    """Turns that some thread of this process is encoding right now, so that no other one starts on them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: set[str] = set()

    @contextmanager
    def taking(self, ids: Iterable[str]) -> Iterator[frozenset[str]]:
        """Yields those of the ids that were free; they are held until the block ends."""
        with self._lock:
            free = frozenset(ids) - self._held
            self._held |= free
        try:
            yield free
        finally:
            with self._lock:
                self._held -= free


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one engine.

    Attributes:
        embedder: turns texts into vectors; remembers those of recent queries.
        searcher: candidates from vectors and words.
        claims: see `Claims`.
    """

    config: Config
    ledger: Ledger
    searcher: Searcher
    embedder: Embedder
    runtime: Runtime
    llm: LLM | None = None
    claims: Claims = field(default_factory=Claims)

    def guard_embedder(self, writer: Writer) -> None:
        """Make sure that this ledger's vectors come from this engine's embedder; the first write decides.

        Raises:
            EmbedderMismatch: another process re-embedded the bank meanwhile.
        """
        known = writer.get_meta(EMBEDDER_KEY)
        if known is None:
            writer.set_meta(EMBEDDER_KEY, self.embedder.fingerprint)
        elif known != self.embedder.fingerprint:
            raise EmbedderMismatch(
                f"the bank was embedded with {known!r}, this engine uses {self.embedder.fingerprint!r}; "
                f"open it with {known!r}, or re-embed it: cogmem reindex --embedder NAME"
            )

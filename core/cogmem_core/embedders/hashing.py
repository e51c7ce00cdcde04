"""An embedder without a model: hashed words and character trigrams. It knows spelling, not meaning.

An explicit choice for tests and for machines without weights; never a silent fallback.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from cogmem_core.errors import ConfigError
from cogmem_core.ports import FloatArray
from cogmem_core.text.tokens import limit_marks

MAXIMUM_DIMENSION = 65_536
TRIGRAM_SHARE = 0.5
"""Length of a word's trigrams relative to the word: near spellings match less than equal words."""

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Feature hashing with signs (Weinberger et al. 2009); equal texts get equal vectors.

    Words count 1 + ln(occurrences). A text without features gets one fixed unit vector.

    Args:
        dimension: length of a vector, 1..65536.

    Raises:
        ConfigError: `dimension` is out of range.
    """

    local = True
    """It computes here and now."""

    def __init__(self, dimension: int = 384) -> None:
        if (
            isinstance(dimension, bool)
            or not isinstance(dimension, int)
            or not 1 <= dimension <= MAXIMUM_DIMENSION
        ):
            raise ConfigError(
                f"hashing dimension is {dimension!r}; use an integer from 1 to {MAXIMUM_DIMENSION}"
            )
        self._dimension = dimension

    def __repr__(self) -> str:
        return f"HashingEmbedder(dimension={self._dimension})"

    @property
    def fingerprint(self) -> str:
        """`hashing-v1-<dimension>`."""
        return f"hashing-v1-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors, float32 of shape (len(texts), dimension)."""
        matrix = np.empty((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            matrix[row] = self.embed_query(text)
        return matrix

    def embed_query(self, text: str) -> FloatArray:
        """A unit vector, float32 of shape (dimension,)."""
        vector = np.zeros(self._dimension, dtype=np.float64)
        for feature, weight in _features(text).items():
            code = _code(feature)
            vector[(code >> 1) % self._dimension] += weight if code & 1 else -weight
        length = math.sqrt(float(vector @ vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)


def _features(text: str) -> dict[str, float]:
    plain = unicodedata.normalize("NFKC", limit_marks(text)).casefold()
    # Emoji and other symbols are features only where there is no word: beside words, punctuation
    # would be noise.
    words = Counter(_WORD.findall(plain) or [mark for mark in plain if not mark.isspace()])
    features: dict[str, float] = {}
    for word, occurrences in words.items():
        weight = 1.0 + math.log(occurrences)
        features["w:" + word] = weight
        padded = f"<{word}>"
        share = weight * TRIGRAM_SHARE / math.sqrt(len(padded) - 2)
        for start in range(len(padded) - 2):
            key = "t:" + padded[start : start + 3]
            features[key] = features.get(key, 0.0) + share
    return features


@lru_cache(maxsize=65_536)
def _code(feature: str) -> int:
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")

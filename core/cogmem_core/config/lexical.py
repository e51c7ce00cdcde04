"""Settings of `[lexical]`: the word index."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["LexicalConfig"]


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """BM25 (rank_bm25's Okapi variant).

    Attributes:
        k1, b: 0.9 and 0.4 win on conversations (measured on LoCoMo); the library's own defaults are
            1.5 and 0.75.
        epsilon: floor for negative inverse document frequencies, as a share of the mean.
    """

    k1: float = number(0.9, 0.0, 10.0)
    b: float = number(0.4, 0.0, 1.0)
    epsilon: float = number(0.25, 0.0, 1.0)

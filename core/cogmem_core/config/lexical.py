"""Settings of `[lexical]`: the word index."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat

from cogmem_core.config.sections import Share, section

__all__ = ["LexicalConfig"]


@section("lexical")
class LexicalConfig:
    """BM25 (rank_bm25's Okapi variant)."""

    k1: Annotated[StrictFloat, Field(ge=0.0, le=10.0)] = 0.9
    """BM25's term saturation; 0.9 wins on conversations (measured on LoCoMo), the library's
    default is 1.5."""
    b: Share = 0.4
    """BM25's length normalization; 0.4 wins on conversations (measured on LoCoMo), the library's
    default is 0.75."""
    epsilon: Share = 0.25
    """Floor for negative inverse document frequencies, as a share of the mean."""

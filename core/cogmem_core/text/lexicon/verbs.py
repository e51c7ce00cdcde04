"""Verbs of all languages."""

from __future__ import annotations

from cogmem_core.text.vocabulary import ADVERBS, AUXILIARIES, BASE_VERBS
from cogmem_core.text.vocabulary import GOVERNING as HEDGES
from cogmem_core.text.vocabulary import THIRD_PERSON as IRREGULAR_THIRD

__all__ = ["ADVERBS", "AUXILIARIES", "BASE_VERBS", "HEDGES", "IRREGULAR_THIRD"]

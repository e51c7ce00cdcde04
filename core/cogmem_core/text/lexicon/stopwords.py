"""Stop words by language."""

from __future__ import annotations

from cogmem_core.languages import LANGUAGES
from cogmem_core.text.vocabulary import STOPWORDS

__all__ = ["ENGLISH", "STOPWORDS", "TURKISH"]

ENGLISH = LANGUAGES["en"].words.stop_words
TURKISH = LANGUAGES["tr"].words.stop_words

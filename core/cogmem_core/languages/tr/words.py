"""Turkish: words as such."""

from __future__ import annotations

from cogmem_core.languages.base import WordRules

__all__ = ["WORDS"]

WORDS = WordRules()

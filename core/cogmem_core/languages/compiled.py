"""Patterns of each language, compiled once."""

from __future__ import annotations

import re
from collections.abc import Callable

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import Language

__all__ = ["by_language"]


def by_language(
    pattern_of: Callable[[Language], str], flags: int = 0
) -> dict[str, re.Pattern[str]]:
    """The pattern of each language that has one, by the code of the language."""
    patterns: dict[str, re.Pattern[str]] = {}
    for code, language in LANGUAGES.items():
        pattern = pattern_of(language)
        if pattern:
            patterns[code] = re.compile(pattern, flags)
    return patterns

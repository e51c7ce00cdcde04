"""What a text says besides its matter: a rule, a denial, a doubt, a danger.

Phrases of the default languages count in a text of any language.
"""

from __future__ import annotations

import re

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.reading import DEFAULT
from cogmem_core.languages.tables import lazy_pattern

# Asked of every memory that a recall weighs: to find its language would take longer than the rest of its row.
_OF_DEFAULT = [LANGUAGES[code].observe.notes for code in DEFAULT]
_RULE = lazy_pattern(rf"\b(?:{'|'.join(notes.rules for notes in _OF_DEFAULT)})\b", re.IGNORECASE)
_HOW_TO = lazy_pattern(rf"\b(?:{'|'.join(notes.how_to for notes in _OF_DEFAULT)})\b", re.IGNORECASE)


def tells_rule(text: str) -> bool:
    """Whether a text speaks of what always holds, in a default language."""
    return _RULE.search(text) is not None


def tells_how_to(text: str) -> bool:
    """Whether a text speaks of how something is done, in a default language."""
    return _HOW_TO.search(text) is not None

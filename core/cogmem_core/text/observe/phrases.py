"""What a text says besides its matter: a rule, a denial, a doubt, a danger.

Phrases of the default languages count in a text of any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import NoteRules
from cogmem_core.languages.merged import MergedPattern, guarding_patterns
from cogmem_core.languages.reading import DEFAULT, in_its_language
from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.text.folding import fold_letters


def _phrases(phrases_of: Callable[[NoteRules], str]) -> MergedPattern:
    alternatives = guarding_patterns(lambda language: phrases_of(language.observe.notes))
    return MergedPattern(rf"\b(?:{alternatives})\b")


# Asked of every memory that a recall weighs: to find its language would take longer than the rest of its row.
_OF_DEFAULT = [LANGUAGES[code].observe.notes for code in DEFAULT]
_RULE = lazy_pattern(rf"\b(?:{'|'.join(notes.rules for notes in _OF_DEFAULT)})\b", re.IGNORECASE)
_HOW_TO = lazy_pattern(rf"\b(?:{'|'.join(notes.how_to for notes in _OF_DEFAULT)})\b", re.IGNORECASE)
_DENIAL = MergedPattern(
    guarding_patterns(lambda language: language.observe.notes.denials), re.IGNORECASE
)
_DOUBT = _phrases(lambda notes: notes.doubts)
_CRITICAL = _phrases(lambda notes: notes.critical)


def tells_rule(text: str) -> bool:
    """Whether a text speaks of what always holds, in a default language."""
    return _RULE.search(text) is not None


def tells_how_to(text: str) -> bool:
    """Whether a text speaks of how something is done, in a default language."""
    return _HOW_TO.search(text) is not None


@in_its_language
def negates(text: str) -> bool:
    """Whether a text holds a word of negation."""
    return _DENIAL.search(text) is not None


@in_its_language
def is_doubtful(text: str) -> bool:
    """Whether somebody says that he is not sure."""
    return _DOUBT.search(fold_letters(text)) is not None


@in_its_language
def is_critical(text: str) -> bool:
    """Whether a text names a deadline, a danger, a fault or an illness."""
    return _CRITICAL.search(fold_letters(text)) is not None

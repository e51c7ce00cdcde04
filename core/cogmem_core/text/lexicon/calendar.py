"""Words of time of all languages."""

from __future__ import annotations

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import all_words
from cogmem_core.languages.tables import any_of
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, PAST_VERBS, WEEKDAYS

__all__ = ["MONTHS", "NOT_PAST", "NUMBERS", "PAST_VERBS", "TURKISH_MONTHS", "WEEKDAYS", "any_of"]

NOT_PAST = all_words(lambda language: language.time.not_past)
TURKISH_MONTHS = LANGUAGES["tr"].time.months

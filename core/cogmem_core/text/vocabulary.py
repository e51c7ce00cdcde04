"""The word tables of all languages together, as `fold_letters` writes them. Pure.

Where the language of a text does not matter, or is not known, its words are looked up here.
"""

from cogmem_core.languages.merged import all_entries, all_words

STOPWORDS = all_words("words.stop_words")
"""Words that say nothing about a topic, lower-case, with the letters of their languages."""
BASE_VERBS = all_words("words.base_verbs")
THIRD_PERSON = all_entries("words.third_person")
"""Irregular verbs: base form -> third person singular."""
PAST_VERBS = all_words("time.past_verbs")
"""Past forms without a regular ending."""
GOVERNING = all_words("words.governing")
"""Words that govern what follows: a clause cut off after them would claim more than was said."""
WEEKDAYS = all_entries("time.weekdays")
"""Names of days; Monday is 0."""
MONTHS = all_entries("time.months")
"""Names and abbreviations of months; January is 1."""
SEASONS = all_entries("time.seasons")
"""Names of seasons, and the first month of each."""
NOT_PAST = all_words("time.not_past")
"""Words that look like past forms and are none."""
NUMBERS = all_entries("time.numbers")
PARTS_OF_DAY = all_entries("time.day_parts")
"""Local hours from (inclusive) and to (exclusive); a night is counted to the day it begins on."""

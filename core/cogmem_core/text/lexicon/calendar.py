"""Words of time, English and Turkish, as `fold_letters` writes them: lower-case, Turkish letters as ASCII.

Weekdays count from Monday = 0, months from January = 1. Seasons are those of the northern hemisphere, by whole months;
a winter belongs to the year of its December.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CLOCK_UNITS",
    "ENGLISH_MONTHS",
    "MONTHS",
    "MONTH_NAMES",
    "NOT_FUTURE",
    "NOT_PAST",
    "NUMBERS",
    "PARTS",
    "PAST_VERBS",
    "SEASONS",
    "SEASON_NAMES",
    "TURKISH_MONTHS",
    "UNITS",
    "WEEKDAYS",
    "any_of",
]

WEEKDAYS: dict[str, int] = {
    **{name: i for i, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())},
    **{name: i for i, name in enumerate("pazartesi sali carsamba persembe cuma cumartesi pazar".split())},
}
ENGLISH_MONTHS: dict[str, int] = {
    **{
        name: i
        for i, name in enumerate(
            "january february march april may june july august september october november december".split(), 1
        )
    },
    **{name: i for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)},
    "sept": 9,
}
TURKISH_MONTHS: dict[str, int] = {
    name: i
    for i, name in enumerate("ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik".split(), 1)
}
MONTHS: dict[str, int] = {**ENGLISH_MONTHS, **TURKISH_MONTHS}
MONTH_NAMES: dict[bool, tuple[str, ...]] = {
    False: tuple("January February March April May June July August September October November December".split()),
    True: tuple("Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split()),
}
"""By month - 1; the key is whether the text is Turkish."""
SEASONS: dict[str, int] = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "ilkbahar": 3,
    "bahar": 3,
    "yaz": 6,
    "sonbahar": 9,
    "guz": 9,
    "kis": 12,
}
"""First month of each season."""
SEASON_NAMES: dict[bool, dict[int, str]] = {
    False: {3: "spring", 6: "summer", 9: "autumn", 12: "winter"},
    True: {3: "ilkbahar", 6: "yaz", 9: "sonbahar", 12: "kış"},
}
UNITS: dict[str, str] = {
    "day": "days",
    "week": "weeks",
    "fortnight": "fortnights",
    "month": "months",
    "year": "years",
    "gun": "days",
    "hafta": "weeks",
    "ay": "months",
    "yil": "years",
    "sene": "years",
}
CLOCK_UNITS: dict[str, str] = {
    "minute": "minutes",
    "min": "minutes",
    "hour": "hours",
    "dakika": "minutes",
    "dk": "minutes",
    "saat": "hours",
}
NUMBERS: dict[str, int] = {
    **{name: i for i, name in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)},
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "couple of": 2,
    "twenty": 20,
    "thirty": 30,
    **{name: i for i, name in enumerate("bir iki uc dort bes alti yedi sekiz dokuz on".split(), 1)},
    "on bes": 15,
    "yirmi": 20,
    "otuz": 30,
}
PARTS: dict[str, tuple[int, int]] = {
    "morning": (6, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 24),
    "sabah": (6, 12),
    "ogleden sonra": (12, 18),
    "aksam": (18, 24),
    "gece": (18, 24),
}
"""Local hours from (inclusive) and to (exclusive); a night is counted to the day on which it begins."""

PAST_VERBS: frozenset[str] = frozenset(
    """
    ate became began bought broke brought built came caught chose cost did drank drew drove fell felt flew forgot
    found gave got grew had heard held hurt kept knew laid learnt led left lent lost made meant met paid ran rang read
    rode said sang sat saw sent set shot slept sold spent spoke spilt stole stood swam taught thought threw told took
    understood was wasn't went were weren't woke won wore wrote didn't hadn't couldn't could quit put
    """.split()
)
"""English past forms that do not end in -ed."""
NOT_PAST: frozenset[str] = frozenset(
    """
    bed breed exceed feed greed hundred indeed infrared kindred need proceed red sacred seed shed speed succeed weed
    adi cadi hadi haydi hindi kadi kedi kendi simdi tadi yedi adim yardim cati kati kutu mutlu alti fisti parti
    """.split()
)
"""Words with the shape of an English or Turkish past form that are none."""
NOT_FUTURE: frozenset[str] = frozenset("gelecek yiyecek icecek giyecek yakacak".split())
"""Turkish nouns with the shape of a future form; `gelecek` is also a verb, at the end of a sentence."""


def any_of(words: Iterable[str]) -> str:
    """A regular expression for one of the words, longest first."""
    return "(?:" + "|".join(sorted(words, key=lambda word: (-len(word), word))) + ")"

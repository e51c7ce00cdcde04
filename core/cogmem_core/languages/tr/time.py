"""Turkish: dates, times, periods and tenses."""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re

from cogmem_core.languages.base import DatedWords, TimeExpression, TimeRules
from cogmem_core.languages.tables import any_of
from cogmem_core.languages.tr.ends import ENDS
from cogmem_core.languages.tr.words import NOT_PAST

WEEKDAYS: dict[str, int] = {
    "pazartesi": 0,
    "sali": 1,
    "carsamba": 2,
    "persembe": 3,
    "cuma": 4,
    "cumartesi": 5,
    "pazar": 6,
}
MONTHS: dict[str, int] = {
    "ocak": 1,
    "subat": 2,
    "mart": 3,
    "nisan": 4,
    "mayis": 5,
    "haziran": 6,
    "temmuz": 7,
    "agustos": 8,
    "eylul": 9,
    "ekim": 10,
    "kasim": 11,
    "aralik": 12,
}
_MONTH_NAMES = tuple(
    "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split()
)
_SEASONS = {"ilkbahar": 3, "bahar": 3, "yaz": 6, "sonbahar": 9, "guz": 9, "kis": 12}
_UNITS = {"gun": "days", "hafta": "weeks", "ay": "months", "yil": "years", "sene": "years"}
_CLOCK_UNITS = {"dakika": "minutes", "dk": "minutes", "saat": "hours"}
NOT_FUTURE: frozenset[str] = frozenset("gelecek yiyecek icecek giyecek yakacak".split())
"""Nouns with the shape of a future form; `gelecek` is also a verb, at the end of a sentence."""

_WEEKDAY = any_of(WEEKDAYS)
_MONTH = any_of(MONTHS)
_SEASON = any_of(_SEASONS)
_UNIT = rf"(?P<u>{any_of([*_UNITS, *_CLOCK_UNITS])})"
_CASE = r"(?:'?(?:[dt][ae]n?|y?[ae]|n[ae]|nd[ae]n?|n?[iu]n|y?[iu]|ki|[dt][ae]ki|ndaki|ndeki))?"
_UNTIL_AHEAD = r"(?= (?:kadar|dek|degin)\b)"
_PAIR = r"(?: ?[-\u2013] ?| (?:ile|ila|ve) )"
_DAY_WORD = r"(?: gunu(?:n[ae]|nden|nun|nde)?)"

_EXPRESSIONS = (
    TimeExpression(
        r"(?<![\d.-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b(?:'[dt][ae]n?\b)?(?![.-]?\d)",
        "numeric date",
        relative=False,
    ),
    TimeExpression(
        rf"(?<![\d.,])\b(?P<d>\d{{1,2}}) (?P<m>{_MONTH})(?: (?P<y>\d{{4}}))?"
        rf"(?: {_WEEKDAY}{_DAY_WORD}?)?{_CASE}\b",
        "day and month",
        relative=False,
    ),
    TimeExpression(
        rf"(?<![\d.,])\b(?P<d>\d{{1,2}}){_PAIR}(?P<d2>\d{{1,2}}) (?P<m>{_MONTH})(?: (?P<y>\d{{4}}))?"
        rf"{_CASE}\b",
        "days of a month",
        relative=False,
    ),
    TimeExpression(
        r"\b(?:(?:(?P<w>gecen|gelecek|onumuzdeki|bu) )?(?P<u>ay|yil|sene)(?:in|nin)?"
        rf"|(?P<m>{_MONTH})(?: (?P<y>\d{{4}}))?(?: ayi(?:nin)?|'?n?[iu]n)?"
        r"|(?P<y2>(?:19|20)\d\d)(?: yili(?:nin)?|'?n?[iu]n)?)"
        r" (?P<e>son|bas)[iu]n(?:[dt][ae]n?|[ae])\b",
        "edge",
    ),
    TimeExpression(r"\bhaftaya bugun\b", "same day", 1, "weeks"),
    TimeExpression(
        r"\bayin (?P<d>\d{1,2})'?(?:s?[iu]n(?:d[ae]n?|[ae]|[iu])|s?[iu])\b", "day of month"
    ),
    TimeExpression(
        rf"\b(?:(?P<m>{_MONTH}) (?P<y>\d{{4}})|(?P<y2>\d{{4}}) (?P<m2>{_MONTH}))"
        rf"(?: ayi\w{{0,4}}|{_CASE})\b",
        "month and year",
        relative=False,
    ),
    TimeExpression(
        r"\b(?P<w>gecen|gectigimiz|onumuzdeki|gelecek|bu)"
        rf" (?P<n>{_WEEKDAY}|{_MONTH}|{_SEASON}|hafta ?sonu|hafta|ay|yil|sene)"
        rf"(?:{_DAY_WORD}| ayi\w{{0,4}}|{_CASE})\b",
        "last or next",
    ),
    TimeExpression(
        r"\b(?:(?P<w>gecen|gectigimiz|gelecek|onumuzdeki|bu) hafta|haftaya),?"
        rf" (?P<n>{_WEEKDAY})(?:{_DAY_WORD}|{_CASE})\b",
        "weekday of a week",
    ),
    TimeExpression(
        rf"(?<!\bher\s)\b(?:(?P<n>{_WEEKDAY})(?:{_DAY_WORD}|(?<!pazar){_CASE})\b(?! gunleri))",
        "weekday",
    ),
    TimeExpression(
        r"\b(?P<n>bugun|bu gun|dun|yarindan sonra|yarin|evvelsi gun|(?<!\d\s)onceki gun|evvelki gun|obur gun)"
        r"(?:u|e|a|k[iu]|d[ae]n|un|in)?\b",
        "relative day",
    ),
    TimeExpression(r"\b(?P<n>bu)(?= <day part>)", "relative day"),
    TimeExpression(rf"\b<count> {_UNIT} once(?:ki|sin\w{{0,4}})?\b", "counted units", -1),
    TimeExpression(rf"\b<count> {_UNIT} sonra\b", "counted units", 1),
    TimeExpression(rf"\b<count> {_UNIT} icinde\b", "within", 1),
    TimeExpression(rf"\bson <count> {_UNIT}(?:[dt][ae]|[dt][iu]r)?\b", "stretch", -1),
    TimeExpression(
        rf"\b(?P<m>{_MONTH})(?:'?[dt][ae]n?|'?y?[ae]{_UNTIL_AHEAD}| ayi(?:nda|ndan|na|nin|ni)?)\b",
        "month",
        relative=False,
    ),
    TimeExpression(
        rf"\b(?P<y>\d{{4}}) (?P<n>{_SEASON})(?:i\w{{0,5}})?\b", "season and year", relative=False
    ),
    TimeExpression(r"\b(?P<n>yaz|kis|ilkbahar|sonbahar|bahar)(?:in|da)\b", "season"),
    TimeExpression(
        r"(?P<x>(?<![\d.-])\b(?:19|20)\d\d(?:'?[dt][ae]n?| (?:yili|senesi)\w{0,5}))\b",
        "year",
        relative=False,
    ),
    TimeExpression(
        rf"(?P<x>(?<![\d.-])\b(?:19|20)\d\d'?y?[ae]{_UNTIL_AHEAD})", "year", relative=False
    ),
    TimeExpression(
        rf"(?P<x>(?<![\d.-])\b(?:19|20)\d\d)(?={_PAIR}(?:19|20)\d\d aras)", "year", relative=False
    ),
    TimeExpression(
        rf"(?<![\d.-])\b(?:19|20)\d\d{_PAIR}(?P<x>(?:19|20)\d\d)(?= aras)", "year", relative=False
    ),
    TimeExpression(r"(?<!\bher\s)(?<!\d\s)\bhafta ?sonu(?:nd[ae]n?|na)?\b", "weekend"),
    TimeExpression(r"\bhaftaya\b", "fixed unit", 1, "weeks"),
    TimeExpression(r"\bseneye\b", "fixed unit", 1, "years"),
)

_UNTIL = re.compile(r"\s+(?:kadar|dek|değin|doğru)\b")
_SINCE = re.compile(r"\s+(?:beri|itibaren|sonra|önce)\b")
_DATIVE = re.compile(r"(?:yarina|bugune|gunune|[^t][fmrsl][ai]y[ae])$")
_ABLATIVE = re.compile(r"[dt][ae]n$")
_ADJECTIVE = re.compile(r"k[iu]$")


def write(words: DatedWords) -> str:
    """The date with the case ending that the expression had.

    The ending follows a noun whose vowels need no thought.
    """
    noun = _noun(words)
    if words.kind == "time":
        return noun
    return noun + _case_ending(words, "e" if noun.endswith("i") else "a")


def _noun(words: DatedWords) -> str:
    first = words.first
    day = f"{first.date()}"
    parts = {6: "sabahı", 12: "öğleden sonrası"}
    nouns = {
        "time": f"{day} saat {first:%H:%M}",
        "part": f"{day} {parts.get(first.hour, 'akşamı')}",
        "week": f"{day} haftası",
        "weekend": f"{day} hafta sonu",
        "month": f"{first.year:04} {_MONTH_NAMES[first.month - 1]} ayı",
        "season": f"{first.year:04} {TIME.season_names.get(first.month, '')} mevsimi",
        "year": f"{first.year:04} yılı",
        "range": f"{day} ile {words.last.date()} arası",
    }
    return nouns.get(words.kind, f"{day} tarihi")


def _case_ending(words: DatedWords, vowel: str) -> str:
    """Dative, ablative, the adjective in -ki or the locative, after a possessive."""
    if _UNTIL.match(words.text, words.end) or _DATIVE.search(words.folded):
        return f"n{vowel}"
    if _SINCE.match(words.text, words.end) or _ABLATIVE.search(words.folded):
        return f"nd{vowel}n"
    if _ADJECTIVE.search(words.folded):
        return f"nd{vowel}ki"
    return f"nd{vowel}"


TIME = TimeRules(
    weekdays=WEEKDAYS,
    months=MONTHS,
    month_names=_MONTH_NAMES,
    seasons=_SEASONS,
    season_names={3: "ilkbahar", 6: "yaz", 9: "sonbahar", 12: "kış"},
    units=_UNITS,
    clock_units=_CLOCK_UNITS,
    weekend_names=frozenset(("hafta sonu", "haftasonu")),
    numbers={
        "bir": 1,
        "iki": 2,
        "uc": 3,
        "dort": 4,
        "bes": 5,
        "alti": 6,
        "yedi": 7,
        "sekiz": 8,
        "dokuz": 9,
        "on": 10,
        "on bir": 11,
        "on iki": 12,
        "on uc": 13,
        "on dort": 14,
        "on bes": 15,
        "on alti": 16,
        "on yedi": 17,
        "on sekiz": 18,
        "on dokuz": 19,
        "yirmi": 20,
        "otuz": 30,
        "kirk": 40,
        "elli": 50,
        "altmis": 60,
        "doksan": 90,
    },
    day_parts={
        "sabah": (6, 12),
        "ogleden sonra": (12, 18),
        "aksam": (18, 24),
        "gece": (18, 24),
    },
    relative_days={
        "bugun": 0,
        "bu gun": 0,
        "bu": 0,
        "dun": -1,
        "yarin": 1,
        "evvelsi gun": -2,
        "evvelki gun": -2,
        "onceki gun": -2,
        "obur gun": 2,
        "yarindan sonra": 2,
    },
    directions={"gecen": -1, "gectigimiz": -1, "onumuzdeki": 1, "gelecek": 1},
    months_also_nouns=frozenset(("ocak",)),
    noon=("oglen",),
    hour_prepositions=("saat",),
    bare_hour_prepositions=("saat",),
    lone_hour_prepositions=("saat",),
    hour_endings=("te", "ta", "de", "da"),
    part_endings=("leyin", "ustu", "i", "si"),
    not_past=NOT_PAST,
    not_future=NOT_FUTURE,
    looks_back=(
        r"beri|[a-z]{2,}[dt][iu](?:m|n|k|ler|lar|niz|nuz)?(?!')"
        r"|[a-z]{2,}m[iu]s(?:t?[iu]m|[iu]z|ler|lar)?"
    ),
    looks_ahead=(
        r"[a-z]{2,}(?:acak|ecek)(?:lar|ler|s[iu]n|s[iu]n[iu]z)?|[a-z]{2,}(?:acag|eceg)(?:im|iz)"
        r"|[a-z]{2,}(?:iyor|uyor)(?:um|sun|uz|sunuz|lar)?|lazim|gerek|gerekiyor"
    ),
    verb_last=True,
    habits=(r"her \w+|genelde|hep|haftada|ayda|gunde",),
    edges={"son": 1, "bas": -1},
    ends=ENDS,
    expressions=_EXPRESSIONS,
    write=write,
)

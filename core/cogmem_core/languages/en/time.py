"""English: dates, times, periods and tenses."""

from __future__ import annotations

import re

from cogmem_core.languages.base import DatedWords, TimeExpression, TimeRules
from cogmem_core.languages.en.ends import ENDS
from cogmem_core.languages.en.words import NOT_PAST, PAST_VERBS
from cogmem_core.languages.tables import any_of

_MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS: dict[str, int] = {
    "monday": 0,
    "tuesday": 1,
    "wednesday": 2,
    "thursday": 3,
    "friday": 4,
    "saturday": 5,
    "sunday": 6,
}
MONTHS: dict[str, int] = {
    **{name.lower(): number for number, name in enumerate(_MONTH_NAMES, 1)},
    **{name[:3].lower(): number for number, name in enumerate(_MONTH_NAMES, 1)},
    "sept": 9,
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNITS = {
    "day": "days",
    "week": "weeks",
    "fortnight": "fortnights",
    "month": "months",
    "year": "years",
}
_CLOCK_UNITS = {"minute": "minutes", "min": "minutes", "hour": "hours"}
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "a couple of": 2,
    "couple of": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
}
_PREPOSITIONS_OF_PEOPLE = ("for", "of", "from", "to", "before", "after", "through")

_WEEKDAY = any_of(WEEKDAYS)
_MONTH = any_of(MONTHS)
_FULL_MONTH = any_of(name for name in MONTHS if len(name) > 4 or name in ("may", "june", "july"))
_SEASON = any_of(_SEASONS)
_UNIT = rf"(?P<u>{any_of([*_UNITS, *_CLOCK_UNITS])})"
_NTH = r"(?:st|nd|rd|th)?"
_HABIT_PARTS = r"(?!\s(?:morning|afternoon|evening|night)s\b)"
_TO = r"(?: (?:to|until|till|til|through|thru) | ?[-\u2013] ?)"
_NO_HABIT = r"(?<!every\s)(?<!each\s)(?<!most\s)(?<!good\s)(?<!black\s)"

_EXPRESSIONS = (
    TimeExpression(
        r"(?<![\d.-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)",
        "numeric date",
        relative=False,
    ),
    TimeExpression(
        r"(?<![\d/.])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/])",
        "slashed date",
        relative=False,
    ),
    TimeExpression(
        r"(?<![\d.-])(?P<a>\d{1,2})-(?P<b>\d{1,2})-(?P<y>\d{4})(?![\d-])",
        "slashed date",
        relative=False,
    ),
    TimeExpression(
        rf"(?:\b{_WEEKDAY},? (?:the )?)?(?<![\d.,])\b(?P<d>\d{{1,2}}){_NTH} (?:of )?"
        rf"(?P<m>{_MONTH})\b(?:\.?,? (?P<y>\d{{4}})\b)?",
        "day and month",
        relative=False,
    ),
    TimeExpression(
        rf"(?:\b{_WEEKDAY},? )?\b(?P<m>{_MONTH})\.? (?:the )?(?P<d>\d{{1,2}}){_NTH}\b"
        r"(?![:%]| ?[ap]m\b)(?:,? (?P<y>\d{4})\b)?",
        "day and month",
        relative=False,
    ),
    TimeExpression(
        rf"(?<![\d.,])\b(?P<d>\d{{1,2}}){_NTH}{_TO}"
        rf"(?P<d2>\d{{1,2}}){_NTH} (?:of )?(?P<m>{_MONTH})\b(?:\.?,? (?P<y>\d{{4}})\b)?",
        "days of a month",
        relative=False,
    ),
    TimeExpression(
        rf"\bbetween (?P<x>(?P<d>\d{{1,2}}){_NTH} and (?P<d2>\d{{1,2}}){_NTH} (?:of )?"
        rf"(?P<m>{_MONTH})\b(?:\.?,? (?P<y>\d{{4}})\b)?)",
        "days of a month",
        relative=False,
    ),
    TimeExpression(
        rf"\b(?P<m>{_MONTH})\.? (?P<d>\d{{1,2}}){_NTH}{_TO}(?P<d2>\d{{1,2}}){_NTH}\b"
        r"(?![:%]| ?[ap]m\b)(?:,? (?P<y>\d{4})\b)?",
        "days of a month",
        relative=False,
    ),
    TimeExpression(
        rf"\b(?P<m>{_MONTH})\.?,? (?:of )?(?P<y>\d{{4}})\b", "month and year", relative=False
    ),
    TimeExpression(
        r"\b(?:the )?(?P<e>end|close|start|beginning) of (?:(?:the |(?P<w>this|next|last) )"
        rf"(?P<u>week|month|year)|(?P<m>{_FULL_MONTH})(?: (?P<y>\d{{4}}))?|(?P<y2>(?:19|20)\d\d))\b",
        "edge",
    ),
    TimeExpression(
        rf"\bthe (?P<n>{_WEEKDAY}|weekend|week|month|year|night) before last\b", "before last"
    ),
    TimeExpression(
        rf"(?<!once\s)(?<!twice\s)(?<!times\s)\b(?P<c>a|one|two|three) weeks? (?:from|on)"
        rf" (?:next |this )?(?P<n>{_WEEKDAY})\b",
        "weeks from a weekday",
    ),
    TimeExpression(rf"\b(?P<n>{_WEEKDAY}) week\b", "weeks from a weekday"),
    TimeExpression(
        r"\b(?P<w>last|next|previous|this past|this coming|this|the coming)"
        rf" (?P<n>{_WEEKDAY}|{_FULL_MONTH}|{_SEASON}|weekend|week|month|year)\b(?! of\b)",
        "last or next",
    ),
    TimeExpression(
        rf"\b(?P<n>{_WEEKDAY}),? (?:of )?(?P<w>last|next|this) week\b", "weekday of a week"
    ),
    TimeExpression(
        rf"\b(?P<w>last|next|this) week,? (?:on )?(?P<n>{_WEEKDAY})\b", "weekday of a week"
    ),
    TimeExpression(rf"{_NO_HABIT}\b(?P<n>{_WEEKDAY})\b{_HABIT_PARTS}", "weekday"),
    TimeExpression(
        r"\b(?P<n>today|yesterday|tomorrow|the day before yesterday|the day after tomorrow)\b",
        "relative day",
    ),
    TimeExpression(r"\b(?P<n>this|last)(?= <day part>\b)", "relative day"),
    TimeExpression(r"\b(?P<n>to)(?=night\b)", "relative day"),
    TimeExpression(rf"(?<!half\s)\b<count> {_UNIT}s? ago(?: today)?\b", "counted units", -1),
    TimeExpression(
        rf"\bin (?:about |around |exactly )?<count> {_UNIT}s?\b'?(?: time\b)?(?! of\b)",
        "counted units",
        1,
    ),
    TimeExpression(rf"\b<count> {_UNIT}s? from (?:now|today)\b", "counted units", 1),
    TimeExpression(rf"\b(?:the )?(?:last|past) <count> {_UNIT}s\b(?! of\b)", "stretch", -1),
    TimeExpression(rf"\bthe past {_UNIT}\b(?! of\b)", "stretch", -1),
    TimeExpression(rf"\b(?:the )?next <count> {_UNIT}s?\b(?! of\b)", "stretch", 1),
    TimeExpression(rf"\bwithin (?:the next )?<count> {_UNIT}s?\b(?! of\b)", "within", 1),
    TimeExpression(
        rf"\b(?P<p>in|since|by|until|till|up to|during|{any_of(_PREPOSITIONS_OF_PEOPLE)})"
        rf" (?:early |late |mid[- ])?(?P<x>(?P<m>{_FULL_MONTH}))\b",
        "month",
        relative=False,
    ),
    TimeExpression(
        rf"(?:^|[.!?;] )(?:as of|from) (?P<x>(?P<m>{_FULL_MONTH}))\b", "month", relative=False
    ),
    TimeExpression(
        rf"\b(?P<n>{_SEASON})(?: of|,)? (?P<y>\d{{4}})\b", "season and year", relative=False
    ),
    TimeExpression(
        rf"\b(?:in|over|during|since|until|by) the (?P<x>(?P<n>{_SEASON}))\b(?! of\b)", "season"
    ),
    TimeExpression(
        r"\b(?:in|since|by|until|till|up to|through|from|between|before|after|during|of)"
        r" (?P<x>(?:19|20)\d\d)\b(?![-/.:,]?\d)",
        "year",
        relative=False,
    ),
    TimeExpression(
        rf"\b(?:19|20)\d\d(?:{_TO}| and )(?P<x>(?:19|20)\d\d)\b(?![-/.:,]?\d)",
        "year",
        relative=False,
    ),
    TimeExpression(
        r"\b(?:from|between) (?P<x>(?:19|20)\d\d)(?= ?[-\u2013] ?(?:19|20)\d\d\b(?![-/.:,]?\d))",
        "year",
        relative=False,
    ),
    TimeExpression(r"\b(?:at|on|over|during|for) the (?P<x>weekend)\b(?! of\b)", "weekend"),
    TimeExpression(
        r"\bon the (?P<x>(?P<d>\d{1,2})(?:st|nd|rd|th))\b"
        r"(?! (?:of|and|floor|street|avenue|day|century|page|grade|hole|anniversary|birthday"
        r"|attempt"
        r"|try)\b)",
        "day of month",
    ),
    TimeExpression(r"<lone hour>", "hour", relative=False),
)

_PREPOSITION = re.compile(
    r"\b(?:on|in|at|by|since|until|till|from|to|before|after|for|of|during|through|than|over"
    r"|between|around|the)\s$"
)
_PREDICATE = re.compile(r"'s?\b|\s(?:is|are|was|were|has|have|had|will|would|'ll)\b")
_PREPOSITION_OF_KIND = {
    "day": "on",
    "part": "on",
    "time": "on",
    "weekend": "on",
    "week": "in",
    "month": "in",
    "season": "in",
    "year": "in",
    "range": "in",
}


def write(words: DatedWords) -> str:
    """The date with the preposition it needs.

    It needs none after another preposition, nor where it is a subject ("Tomorrow is").
    """
    date = _date(words)
    preceding = words.text[max(0, words.start - 12) : words.start].lower()
    if _PREPOSITION.search(preceding) or _PREDICATE.match(words.text, words.end):
        return date.removeprefix("the ") if preceding.endswith("the ") else date
    phrase = f"{_PREPOSITION_OF_KIND[words.kind]} {date}"
    if words.start == 0 and words.text[0].isupper():
        return phrase[0].upper() + phrase[1:]
    return phrase


def _date(words: DatedWords) -> str:
    first = words.first
    day = f"{first.date()}"
    if words.kind == "part":
        part = {6: "in the morning", 12: "in the afternoon"}.get(first.hour, "in the evening")
        return f"{day} {part}"
    phrases = {
        "time": f"{day} at {first:%H:%M}",
        "week": f"the week of {day}",
        "weekend": f"the weekend of {day}",
        "month": f"{_MONTH_NAMES[first.month - 1]} {first.year:04}",
        "season": f"{TIME.season_names.get(first.month, '')} {first.year:04}",
        "year": f"{first.year:04}",
        "range": f"the time from {day} to {words.last.date()}",
    }
    return phrases.get(words.kind, day)


TIME = TimeRules(
    weekdays=WEEKDAYS,
    months=MONTHS,
    month_names=_MONTH_NAMES,
    seasons=_SEASONS,
    season_names={3: "spring", 6: "summer", 9: "autumn", 12: "winter"},
    units=_UNITS,
    clock_units=_CLOCK_UNITS,
    weekend_names=frozenset(("weekend",)),
    numbers=_NUMBERS,
    day_parts={
        "morning": (6, 12),
        "afternoon": (12, 18),
        "evening": (18, 24),
        "night": (18, 24),
    },
    relative_days={
        "today": 0,
        "to": 0,
        "this": 0,
        "yesterday": -1,
        "last": -1,
        "tomorrow": 1,
        "the day before yesterday": -2,
        "the day after tomorrow": 2,
    },
    directions={
        "last": -1,
        "this past": -1,
        "previous": -1,
        "next": 1,
        "this coming": 1,
        "the coming": 1,
    },
    months_also_verbs=frozenset(("may", "march", "mar")),
    months_also_names=frozenset(("april", "may", "june", "august")),
    prepositions_of_people=frozenset(_PREPOSITIONS_OF_PEOPLE),
    dated_months={
        "may": r"\b(?:in|on|of|since|until|till|before|after|during|by|last|this|next|early|late"
        r"|mid)[ -]may\b|\bmay\s(?:[0-9]{1,2}\b|[0-9]{4}\b)"
        r"|\b[0-9]{1,2}(?:st|nd|rd|th)?\s(?:of\s)?may\b",
    },
    ordinal_endings=("st", "nd", "rd", "th"),
    rarely_figures=frozenset(("a", "an", "may", "no", "on")),
    day_links=("of",),
    noon=("noon",),
    on_the_hour=("o'clock",),
    hour_prepositions=("at", "around", "by", "@"),
    bare_hour_prepositions=("at", "@"),
    lone_hour_prepositions=("at", "around", "by", "until", "till"),
    hours_before_day=(
        r"(?:\b(?:at|around|by|@) )?(?<![\d:.])<hour>,?(?: on| of)?\s{1,3}$",
        r"\bat <number>(?: on)?\s{1,3}$",
    ),
    part_prepositions=("in the", "at", "by"),
    past_verbs=PAST_VERBS,
    not_past=NOT_PAST,
    looks_back=rf"{any_of(PAST_VERBS)}(?!')|(?<!\bbe\s)[a-z]{{2,}}ed|last|ago"
    rf"|since(?= (?:the )?(?:\d|{any_of(MONTHS)}))"
    r"|been(?! (?:meaning|planning|hoping|thinking|wanting|going|looking forward))",
    looks_ahead=(
        "will|shall|won't|going to|gonna|plan|plans|planning|is|are|am|isn't|aren't|have to|has to"
        "|must|should|let's|want|wants|hope|hopes|need|needs|can|next|i'm|i'll"
        r"|[a-z]{2,4}'(?:re|ll)|gets? [a-z]{2,}ed|(?<!was )(?<!were )getting [a-z]{2,}ed"
    ),
    habits=(
        r"every|each|usually|always|often|daily|weekly|monthly|yearly|(?:a|per) (?:day|week|month|year)"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days",
    ),
    edges={"end": 1, "close": 1, "start": -1, "beginning": -1},
    ends=ENDS,
    expressions=_EXPRESSIONS,
    write=write,
)

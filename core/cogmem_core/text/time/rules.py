"""The rules that `when` tries: one pattern and one resolver each, English and Turkish. Pure; texts are folded.

A pattern's group `x` is what counts as the expression; without it the whole match does. A blank in a pattern stands
for one to three white-space characters.
"""

# ruff: noqa: ARG001 - resolvers share one signature

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from functools import partial
from typing import NamedTuple

from cogmem_core.text.lexicon.calendar import (
    CLOCK_UNITS,
    ENGLISH_MONTHS,
    MONTHS,
    NUMBERS,
    PARTS,
    SEASONS,
    TURKISH_MONTHS,
    UNITS,
    WEEKDAYS,
    any_of,
)
from cogmem_core.text.time.clock import ALONE, clock_alone
from cogmem_core.text.time.periods import Period, month, nearest_weekday, season, shifted, unit, yearly
from cogmem_core.text.time.tense import Lean, clause_around, lean

__all__ = ["RULES", "Rule", "Said"]


class Said(NamedTuple):
    """A message: its text, the text folded, and when it was said, in the speaker's time zone."""

    text: str
    folded: str
    at: datetime

    @property
    def today(self) -> date:
        """The local day."""
        return self.at.date()

    def lean(self, match: re.Match[str], *, turkish: bool) -> Lean:
        """Where the sentence around a match looks."""
        return lean(self.folded, match.start(), match.end(), turkish=turkish)

    def habit(self, match: re.Match[str]) -> bool:
        """Whether the sentence tells what happens every time."""
        return bool(_HABIT.search(self.folded, *clause_around(self.folded, match.start(), match.end())))


Resolve = Callable[[re.Match[str], Said], Period | None]


class Rule(NamedTuple):
    """What an expression looks like and what it means; see `TimeMention` for the two flags."""

    pattern: re.Pattern[str]
    resolve: Resolve
    relative: bool
    turkish: bool


_HABIT = re.compile(
    r"\b(?:every|each|usually|always|often|daily|weekly|her (?:gun|hafta|ay|yil|sabah|aksam)|genelde|hep)\b"
)
_VERBS_TOO = ("may", "march", "mar")  # "it may", "we march"
_NAMES_TOO = ("april", "may", "june", "august")
_BEFORE_NAMES = ("for", "of", "from", "to", "before", "after", "through")
_FULL_MONTHS = [name for name in ENGLISH_MONTHS if len(name) > 4 or name in ("may", "june", "july")]
_TURKISH_UNITS = ("gun", "hafta", "ay", "yil", "sene")
_TURKISH_SEASONS = ("ilkbahar", "sonbahar", "bahar", "yaz", "kis", "guz")

_W = any_of(list(WEEKDAYS)[:7])
_WT = any_of(list(WEEKDAYS)[7:])
_EM = any_of(ENGLISH_MONTHS)
_FM = any_of(_FULL_MONTHS)
_TM = any_of(TURKISH_MONTHS)
_S = any_of(name for name in SEASONS if name not in _TURKISH_SEASONS)
_ST = any_of(_TURKISH_SEASONS)
_C = rf"(?P<c>\d{{1,4}}|{any_of(NUMBERS)})"
_U = rf"(?P<u>{any_of([u for u in UNITS if u not in _TURKISH_UNITS] + ['minute', 'min', 'hour'])})"
_UT = rf"(?P<u>{any_of([*_TURKISH_UNITS, 'dakika', 'dk', 'saat'])})"
_CASE = r"(?:'?(?:[dt][ae]n?|y?[ae]|n[ae]|nd[ae]n?|n?[iu]n|y?[iu]|ki|[dt][ae]ki|ndaki|ndeki))?"
_GUNU = r"(?: gunu(?:n[ae]|nden|nun|nde)?)"


def _numeric(match: re.Match[str], said: Said) -> Period:
    day = date(int(match["y"]), int(match["m"]), int(match["d"]))
    return Period(day, day, "day")


def _slashed(match: re.Match[str], said: Said) -> Period | None:
    """8/5/2023 is May in Lisbon and August in Boston; only 8/15/2023 and 15/8/2023 are sure."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["y"])
    if first <= 12 and second <= 12 and first != second:
        return None
    day = date(year, min(first, second), max(first, second))
    return Period(day, day, "day")


def _dated(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    """A day and a month, with its year or with the nearest one in the sentence's direction."""
    name, number = match["m"], int(match["d"])
    if name in _VERBS_TOO and match.group().endswith(name) and said.text[match.start("m")].islower():
        return None
    if match["y"]:
        day = date(int(match["y"]), MONTHS[name], number)
        return Period(day, day, "day")
    direction = said.lean(match, turkish=turkish) or 1
    return yearly(lambda y: unit(date(y, MONTHS[name], number), "days"), said.today, direction, whole=False)


def _month_year(match: re.Match[str], said: Said) -> Period:
    groups = match.groupdict()
    name, year = groups.get("m") or groups["m2"], groups.get("y") or groups["y2"]
    return month(int(year), MONTHS[name])


def _season_year(match: re.Match[str], said: Said) -> Period:
    return season(int(match["y"]), SEASONS[match["n"]])


def _whole_year(match: re.Match[str], said: Said) -> Period:
    return unit(date(int(match["x"][:4]), 1, 1), "years")


_TOWARDS = {"last": -1, "this past": -1, "previous": -1, "gecen": -1, "gectigimiz": -1}
_TOWARDS |= {"next": 1, "this coming": 1, "the coming": 1, "onumuzdeki": 1, "gelecek": 1}
_UNIT_NAMES = {**UNITS, "weekend": "weekends", "hafta sonu": "weekends", "haftasonu": "weekends"}


def _pointed(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    """Last, this or next something."""
    direction, name = _TOWARDS.get(match["w"], 0), re.sub(r"\s+", " ", match["n"])
    if name in _VERBS_TOO and not direction and said.text[match.start("n")].islower():
        return None
    if name in WEEKDAYS:
        day = nearest_weekday(said.today, WEEKDAYS[name], direction or said.lean(match, turkish=turkish) or 1)
        return Period(day, day, "day")
    if name in _UNIT_NAMES:
        return _unit_away(said.today, _UNIT_NAMES[name], direction)
    named = _named_period(name)
    towards = direction or said.lean(match, turkish=turkish) or 1
    return yearly(named, said.today, towards, whole=direction != 0)


def _named_period(name: str) -> Callable[[int], Period]:
    if name in SEASONS:
        return partial(season, first_month=SEASONS[name])
    return partial(month, number=MONTHS[name])


def _unit_away(today: date, units: str, direction: int) -> Period:
    """The calendar week, month, year before, of or after today; the next weekend is the coming one."""
    if units == "weekends":
        ahead = direction == 1 and today.weekday() < 5
        return unit(today if ahead else shifted(today, "weeks", direction), units)
    return unit(shifted(today, units, direction), units)


def _weekday_of_week(match: re.Match[str], said: Said) -> Period:
    direction = _TOWARDS.get(match["w"] or "", 1 if match["w"] is None else 0)
    monday = unit(shifted(said.today, "weeks", direction), "weeks").first
    day = monday + timedelta(days=WEEKDAYS[match["n"]])
    return Period(day, day, "day")


def _weekday(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    day = nearest_weekday(said.today, WEEKDAYS[match["n"]], said.lean(match, turkish=turkish) or 1)
    return Period(day, day, "day")


_NAMED = {
    "today": 0, "bugun": 0, "bu gun": 0, "to": 0, "this": 0, "bu": 0,
    "yesterday": -1, "dun": -1, "last": -1,
    "tomorrow": 1, "yarin": 1,
    "the day before yesterday": -2, "evvelsi gun": -2, "evvelki gun": -2,
    "the day after tomorrow": 2, "obur gun": 2, "yarindan sonra": 2,
}  # fmt: skip


def _named(match: re.Match[str], said: Said) -> Period:
    return unit(said.today + timedelta(days=_NAMED[re.sub(r"\s+", " ", match["n"])]), "days")


def _fixed(match: re.Match[str], said: Said, *, units: str, direction: int) -> Period:
    return _unit_away(said.today, units, direction)


def _count(match: re.Match[str]) -> int:
    said = re.sub(r"\s+", " ", match["c"])
    return int(said) if said.isdigit() else NUMBERS[said]


def _counted(match: re.Match[str], said: Said, *, direction: int, turkish: bool = False) -> Period | None:
    """So many units ago or from now; "finished it in 3 days" is a duration, no date."""
    if direction > 0 and said.lean(match, turkish=turkish) < 0:
        return None
    number, name = _count(match) * direction, match["u"]
    if name in CLOCK_UNITS:
        moved = said.at.astimezone(timezone.utc) + timedelta(**{CLOCK_UNITS[name]: number})
        local = moved.astimezone(said.at.tzinfo)
        return Period(local.date(), local.date(), "time", local.time(), local.time())
    day = shifted(said.today, UNITS[name], number)
    return unit(day, UNITS[name] if direction < 0 else "days")


def _stretch(match: re.Match[str], said: Said, *, direction: int, turkish: bool = False) -> Period | None:
    """The last or next so many units, today included; "within 3 days" in the past is a duration."""
    if match["u"] in CLOCK_UNITS or (direction > 0 and said.lean(match, turkish=turkish) < 0):
        return None
    number = _count(match) if "c" in match.groupdict() else 1
    other = shifted(said.today, UNITS[match["u"]], number * direction)
    return Period(min(other, said.today), max(other, said.today), "range")


def _in_month(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    name, lower = match["m"], said.text[match.start("m")].islower()
    if name == "ocak" and lower:  # also a stove
        return None
    if not turkish and match["p"] in _BEFORE_NAMES and (name in _NAMES_TOO or lower):
        return None
    return yearly(_named_period(name), said.today, said.lean(match, turkish=turkish) or 1, whole=False)


def _in_season(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    """Without a verb that looks back or ahead, "in the summer" is every summer."""
    towards = said.lean(match, turkish=turkish)
    if not towards or said.habit(match):
        return None
    return yearly(_named_period(match["n"]), said.today, towards, whole=False)


def _weekend(match: re.Match[str], said: Said, *, turkish: bool) -> Period | None:
    if said.habit(match):
        return None
    return _unit_away(said.today, "weekends", said.lean(match, turkish=turkish) or 1)


def _of_month(match: re.Match[str], said: Said) -> Period | None:
    """Resolve "on the 8th": the nearest one in the sentence's direction, today included."""
    direction, number = said.lean(match, turkish=False) or 1, int(match["d"])
    first = said.today.replace(day=1)
    for step in range(12):
        try:
            day = shifted(first, "months", step * direction).replace(day=number)
        except ValueError:
            continue
        if (day - said.today).days * direction >= 0:
            return Period(day, day, "day")
    return None


def _alone(match: re.Match[str], said: Said) -> Period | None:
    clock = None if said.habit(match) else clock_alone(match)
    if clock is None:
        return None
    return Period(said.today, said.today, "time", clock.start, clock.end)


def _spaced(pattern: str) -> re.Pattern[str]:
    pattern = pattern.replace(" ?", r"\s?").replace(" *", r"\s*")
    return re.compile(pattern.replace(" ", r"\s{1,3}"))


def _english(pattern: str, resolve: Resolve, *, relative: bool = True) -> Rule:
    return Rule(_spaced(pattern), resolve, relative, turkish=False)


def _turkish(pattern: str, resolve: Resolve, *, relative: bool = True) -> Rule:
    return Rule(_spaced(pattern), resolve, relative, turkish=True)


_NTH = r"(?:st|nd|rd|th)?"
_NO_HABIT = r"(?<!every\s)(?<!each\s)(?<!most\s)(?<!good\s)(?<!black\s)"
_THE_PARTS = any_of(PARTS)

RULES: tuple[Rule, ...] = (
    _english(r"(?<![\d.-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)", _numeric, relative=False),
    _turkish(
        r"(?<![\d.-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b(?:'[dt][ae]n?\b)?(?![.-]?\d)",
        _numeric,
        relative=False,
    ),
    _english(r"(?<![\d/.])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/])", _slashed, relative=False),
    _english(
        rf"(?:\b{_W},? (?:the )?)?(?<![\d.,])\b(?P<d>\d{{1,2}}){_NTH} (?:of )?(?P<m>{_EM})\b(?:\.?,?"
        rf" (?P<y>\d{{4}})\b)?",
        partial(_dated, turkish=False),
        relative=False,
    ),
    _english(
        rf"(?:\b{_W},? )?\b(?P<m>{_EM})\.? (?:the )?(?P<d>\d{{1,2}}){_NTH}\b(?![:%]| ?[ap]m\b)(?:,? (?P<y>\d{{4}})\b)?",
        partial(_dated, turkish=False),
        relative=False,
    ),
    _english(rf"\b(?P<m>{_EM})\.?,? (?:of )?(?P<y>\d{{4}})\b", _month_year, relative=False),
    _english(
        rf"\b(?P<w>last|next|previous|this past|this coming|this|the coming)"
        rf" (?P<n>{_W}|{_FM}|{_S}|weekend|week|month|year)\b(?! of\b)",
        partial(_pointed, turkish=False),
    ),
    _english(rf"\b(?P<n>{_W}),? (?:of )?(?P<w>last|next|this) week\b", _weekday_of_week),
    _english(rf"\b(?P<w>last|next|this) week,? (?:on )?(?P<n>{_W})\b", _weekday_of_week),
    _english(rf"{_NO_HABIT}\b(?P<n>{_W})\b", partial(_weekday, turkish=False)),
    _english(r"\b(?P<n>today|yesterday|tomorrow|the day before yesterday|the day after tomorrow)\b", _named),
    _english(rf"\b(?P<n>this|last)(?= (?:{_THE_PARTS})\b)", _named),
    _english(r"\b(?P<n>to)(?=night\b)", _named),
    _english(rf"(?<!half\s)\b{_C} {_U}s? ago\b", partial(_counted, direction=-1)),
    _english(rf"\bin (?:about |around |exactly )?{_C} {_U}s?\b'?(?: time\b)?(?! of\b)", partial(_counted, direction=1)),
    _english(rf"\b{_C} {_U}s? from (?:now|today)\b", partial(_counted, direction=1)),
    _english(rf"\b(?:the )?(?:last|past) {_C} {_U}s\b(?! of\b)", partial(_stretch, direction=-1)),
    _english(rf"\bthe past {_U}\b(?! of\b)", partial(_stretch, direction=-1)),
    _english(rf"\b(?:within|(?:the )?next) {_C} {_U}s?\b(?! of\b)", partial(_stretch, direction=1)),
    _english(
        rf"\b(?P<p>in|since|by|until|till|during|{any_of(_BEFORE_NAMES)})"
        rf" (?:early |late |mid[- ])?(?P<x>(?P<m>{_FM}))\b",
        partial(_in_month, turkish=False),
        relative=False,
    ),
    _english(rf"\b(?P<n>{_S})(?: of|,)? (?P<y>\d{{4}})\b", _season_year, relative=False),
    _english(
        rf"\b(?:in|over|during|since|until|by) the (?P<x>(?P<n>{_S}))\b(?! of\b)", partial(_in_season, turkish=False)
    ),
    _english(
        r"\b(?:in|since|by|until|till|from|before|after|during|of) (?P<x>(?:19|20)\d\d)\b(?![-/.:,]?\d)",
        _whole_year,
        relative=False,
    ),
    _english(r"\b(?:at|on|over|during|for) the (?P<x>weekend)\b(?! of\b)", partial(_weekend, turkish=False)),
    _english(
        r"\bon the (?P<x>(?P<d>\d{1,2})(?:st|nd|rd|th))\b"
        r"(?! (?:of|and|floor|street|avenue|day|century|page|grade|hole|anniversary|birthday|attempt|try)\b)",
        _of_month,
    ),
    Rule(ALONE, _alone, relative=False, turkish=False),
    _turkish(
        rf"(?<![\d.,])\b(?P<d>\d{{1,2}}) (?P<m>{_TM})(?: (?P<y>\d{{4}}))?(?: {_WT}{_GUNU}?)?{_CASE}\b",
        partial(_dated, turkish=True),
        relative=False,
    ),
    _turkish(
        rf"\b(?:(?P<m>{_TM}) (?P<y>\d{{4}})|(?P<y2>\d{{4}}) (?P<m2>{_TM}))(?: ayi\w{{0,4}}|{_CASE})\b",
        _month_year,
        relative=False,
    ),
    _turkish(
        rf"\b(?P<w>gecen|gectigimiz|onumuzdeki|gelecek|bu)"
        rf" (?P<n>{_WT}|{_TM}|{_ST}|hafta ?sonu|hafta|ay|yil|sene)(?:{_GUNU}| ayi\w{{0,4}}|{_CASE})\b",
        partial(_pointed, turkish=True),
    ),
    _turkish(
        rf"\b(?:(?P<w>gecen|gectigimiz|gelecek|onumuzdeki|bu) hafta|haftaya),? (?P<n>{_WT})(?:{_GUNU}|{_CASE})\b",
        _weekday_of_week,
    ),
    _turkish(
        rf"(?<!\bher\s)\b(?:(?P<n>{_WT})(?:{_GUNU}|(?<!pazar){_CASE})\b(?! gunleri))",
        partial(_weekday, turkish=True),
    ),
    _turkish(
        r"\b(?P<n>bugun|bu gun|dun|yarin|evvelsi gun|evvelki gun|obur gun)(?:u|e|a|k[iu]|d[ae]n|un|in)?\b", _named
    ),
    _turkish(rf"\b(?P<n>bu)(?= (?:{_THE_PARTS}))", _named),
    _turkish(rf"\b{_C} {_UT} once(?:ki|sin\w{{0,4}})?\b", partial(_counted, direction=-1)),
    _turkish(rf"\b{_C} {_UT} sonra\b", partial(_counted, direction=1, turkish=True)),
    _turkish(rf"\b{_C} {_UT} icinde\b", partial(_stretch, direction=1, turkish=True)),
    _turkish(rf"\bson (?:{_C}) {_UT}(?:[dt][ae]|[dt][iu]r)?\b", partial(_stretch, direction=-1)),
    _turkish(
        rf"\b(?P<m>{_TM})(?:'?[dt][ae]n?| ayi(?:nda|ndan|na|nin|ni)?)\b",
        partial(_in_month, turkish=True),
        relative=False,
    ),
    _turkish(rf"\b(?P<y>\d{{4}}) (?P<n>{_ST})(?:i\w{{0,5}})?\b", _season_year, relative=False),
    _turkish(r"\b(?P<n>yaz|kis|ilkbahar|sonbahar|bahar)(?:in|da)\b", partial(_in_season, turkish=True)),
    _turkish(
        r"(?P<x>(?<![\d.-])\b(?:19|20)\d\d(?:'?[dt][ae]n?| (?:yili|senesi)\w{0,5}))\b", _whole_year, relative=False
    ),
    _turkish(r"(?<!\bher\s)(?<!\d\s)\bhafta ?sonu(?:nd[ae]n?|na)?\b", partial(_weekend, turkish=True)),
    _turkish(r"\bhaftaya\b", partial(_fixed, units="weeks", direction=1)),
    _turkish(r"\bseneye\b", partial(_fixed, units="years", direction=1)),
)

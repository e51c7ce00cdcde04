"""The rules that find times: one pattern and one resolver each. Pure; texts are folded.

The patterns come from the languages, see `TimeExpression`.
"""

# ruff: noqa: ARG001 - resolvers share one signature

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from functools import partial
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import TimeRules
from cogmem_core.languages.merged import (
    AnyPattern,
    Entries,
    Kept,
    MergedPattern,
    all_entries,
    all_patterns,
    any_word,
    filled,
    languages_read,
)
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.clock import LONE_HOUR, clock_alone
from cogmem_core.text.time.periods import (
    Period,
    month,
    nearest_weekday,
    season,
    shifted,
    unit,
    yearly,
)
from cogmem_core.text.time.tense import Lean, clause_around, lean
from cogmem_core.text.vocabulary import (
    MONTHS,
    NUMBERS,
    PARTS_OF_DAY,
    SEASONS,
    WEEKDAYS,
)

_YEARLY = AnyPattern("time.ends.yearly")
_MONTHLY = AnyPattern("time.ends.monthly")
_WEEKLY = AnyPattern("time.ends.weekly")
_FUTURE = AnyPattern("time.ends.future")
_DUTIES = AnyPattern("time.ends.duties")

_HABIT = MergedPattern(rf"\b(?:{all_patterns('time.habits')})\b")
_DIRECTIONS = all_entries("time.directions")
_EDGES = all_entries("time.edges")
_RELATIVE_DAYS = all_entries("time.relative_days")
_CLOCK_UNITS = all_entries("time.clock_units")
_UNITS = Entries(
    lambda: {
        **all_entries("time.units"),
        **all_entries(lambda language: dict.fromkeys(language.time.weekend_names, "weekends")),
    }
)
_PLACEHOLDERS = {
    "<count>": rf"(?P<c>\d{{1,4}}|{any_word(NUMBERS)})",
    "<day part>": any_word(PARTS_OF_DAY),
    "<lone hour>": LONE_HOUR,
}


class Message(NamedTuple):
    """A message that may name times.

    Attributes:
        text: what it says.
        folded: the text after `fold_letters`.
        said_at: when it was said, in the speaker's time zone.
    """

    text: str
    folded: str
    said_at: datetime

    @property
    def today(self) -> date:
        """The local day."""
        return self.said_at.date()

    def is_habit(self, match: re.Match[str]) -> bool:
        """Whether the sentence around a match tells what happens every time."""
        sentence = clause_around(self.folded, match.start(), match.end())
        return _HABIT.search(self.folded, *sentence) is not None

    def says(self, match: re.Match[str], words: AnyPattern) -> bool:
        """Whether the sentence around a match holds some words."""
        low, high = clause_around(self.folded, match.start(), match.end())
        return words.search(self.folded[low:high]) is not None

    def is_lower(self, match: re.Match[str], group: str) -> bool:
        """Whether a group of a match begins with a lower-case letter."""
        return self.text[match.start(group)].islower()


@in_its_language
def tells_habit(text: str) -> bool:
    """Whether a text tells what happens every time: "rent is due on the 3rd", "my birthday is"."""
    folded = fold_letters(text[:MAX_INPUT])
    if _HABIT.search(folded):
        return True
    return any(map(_found_in(folded), (_YEARLY, _MONTHLY, _WEEKLY)))


def _found_in(folded: str) -> Callable[[AnyPattern], bool]:
    return lambda pattern: pattern.search(folded) is not None


class Rule(NamedTuple):
    """What an expression looks like and what it means.

    Attributes:
        quick: what it looks like, with a test whether a text may hold it.
        resolve: what it means; None if it is no time there.
        language: the code of its language.
        direction: -1 if it looks back, 1 if it looks ahead.
        units: the unit that it moves by.
        relative: whether its meaning depends on when it was said, apart from a missing year.
    """

    quick: QuickPattern
    resolve: Resolver
    language: str
    direction: int
    units: str
    relative: bool

    @property
    def words(self) -> TimeRules:
        """The words of its language."""
        return LANGUAGES[self.language].time

    def recurs(self, match: re.Match[str], message: Message, words: AnyPattern) -> bool:
        """Whether the sentence tells, by such words, what comes back, and not what was or will be."""
        return message.says(match, words) and self._stands(match, message)

    def is_usual(self, match: re.Match[str], message: Message) -> bool:
        """Whether the sentence tells what happens every time, and not what was or will be."""
        return message.is_habit(match) and self._stands(match, message)

    def _stands(self, match: re.Match[str], message: Message) -> bool:
        return not message.says(match, _FUTURE) and self.lean(match, message) >= 0

    def lean(self, match: re.Match[str], message: Message) -> Lean:
        """Where the sentence around a match looks."""
        return lean(message.folded, match.start(), match.end(), self.language)


Resolver = Callable[[re.Match[str], Message, Rule], "Period | None"]


def _day(day: date) -> Period:
    return Period(day, day, "day")


def _numeric_date(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return _day(date(int(match["y"]), int(match["m"]), int(match["d"])))


def _slashed_date(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """8/5/2023 is May in Lisbon and August in Boston; only 8/15/2023 and 15/8/2023 are sure."""
    first = int(match["a"])
    second = int(match["b"])
    if first <= 12 and second <= 12 and first != second:
        return None
    return _day(date(int(match["y"]), min(first, second), max(first, second)))


def _day_and_month(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """A day and a month, with its year or with the nearest one in the sentence's direction."""
    name = match["m"]
    number = int(match["d"])
    verb = name in rule.words.months_also_verbs and match.group().endswith(name)
    if verb and message.is_lower(match, "m"):
        return None
    if match["y"]:
        return _day(date(int(match["y"]), MONTHS[name], number))
    direction = rule.lean(match, message) or 1
    return yearly(
        lambda year: _day(date(year, MONTHS[name], number)), message.today, direction, whole=False
    )


def _days_of_month(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """Two days of one month: "from 3 to 7 June"."""
    first = int(match["d"])
    last = int(match["d2"])
    number = MONTHS[match["m"]]
    if first >= last:
        return None

    def days(year: int) -> Period:
        return Period(date(year, number, first), date(year, number, last), "range")

    if match["y"]:
        return days(int(match["y"]))
    return yearly(days, message.today, rule.lean(match, message) or 1, whole=False)


def _edge(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """The last or the first day of a week, a month or a year: "the end of the month"."""
    period: Period | None
    if match["y2"]:
        period = unit(date(int(match["y2"]), 1, 1), "years")
    elif match["u"]:
        direction = _DIRECTIONS.get(match["w"] or "", 0)
        period = _unit_away(message.today, _UNITS[match["u"]], direction)
    elif match["y"]:
        period = month(int(match["y"]), MONTHS[match["m"]])
    else:
        towards = rule.lean(match, message) or 1
        period = yearly(_period_of(match["m"]), message.today, towards, whole=False)
    if period is None:
        return None
    return _day(period.last if _EDGES[match["e"]] > 0 else period.first)


def _before_last(match: re.Match[str], message: Message, rule: Rule) -> Period:
    """The weekday, night, week, month or year before the last one."""
    name = match["n"]
    if name in WEEKDAYS:
        last = nearest_weekday(message.today, WEEKDAYS[name], -1)
        return _day(shifted(last, "weeks", -1))
    if name in _UNITS:
        return _unit_away(message.today, _UNITS[name], -2)
    return _day(shifted(message.today, "days", -2))


def _weeks_from_weekday(match: re.Match[str], message: Message, rule: Rule) -> Period:
    """So many weeks after the coming weekday: "a week from Friday", "Friday week"."""
    weeks = _count(match) if match.groupdict().get("c") else 1
    coming = nearest_weekday(message.today, WEEKDAYS[match["n"]], 1)
    return _day(shifted(coming, "weeks", weeks))


def _same_day(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return _day(shifted(message.today, rule.units, rule.direction))


def _month_and_year(match: re.Match[str], message: Message, rule: Rule) -> Period:
    groups = match.groupdict()
    name = groups.get("m") or groups["m2"]
    year = groups.get("y") or groups["y2"]
    return month(int(year), MONTHS[name])


def _season_and_year(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return season(int(match["y"]), SEASONS[match["n"]])


def _year(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return unit(date(int(match["x"][:4]), 1, 1), "years")


def _single_spaced(words: str) -> str:
    return re.sub(r"\s+", " ", words)


def _last_or_next(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """Last, this or next weekday, unit, month or season."""
    direction = _DIRECTIONS.get(match["w"], 0)
    name = _single_spaced(match["n"])
    verb = name in rule.words.months_also_verbs and not direction
    if verb and message.is_lower(match, "n"):
        return None
    if name in _UNITS:
        return _unit_away(message.today, _UNITS[name], direction)
    towards = direction or rule.lean(match, message) or 1
    if name in WEEKDAYS:
        return _day(nearest_weekday(message.today, WEEKDAYS[name], towards))
    return yearly(_period_of(name), message.today, towards, whole=direction != 0)


def _period_of(name: str) -> Callable[[int], Period]:
    """The season or month of that name, by year."""
    if name in SEASONS:
        return partial(season, first_month=SEASONS[name])
    return partial(month, number=MONTHS[name])


def _unit_away(today: date, units: str, direction: int) -> Period:
    """The calendar week, month or year before, of or after today.

    The next weekend is the coming one.
    """
    if units != "weekends":
        return unit(shifted(today, units, direction), units)
    if direction == 1 and today.weekday() < 5:
        return unit(today, units)
    return unit(shifted(today, "weeks", direction), units)


def _weekday_of_week(match: re.Match[str], message: Message, rule: Rule) -> Period:
    # Without a word for the direction, the expression itself means the next week.
    direction = 1
    if match["w"] is not None:
        direction = _DIRECTIONS.get(match["w"], 0)
    monday = unit(shifted(message.today, "weeks", direction), "weeks").first
    return _day(monday + timedelta(days=WEEKDAYS[match["n"]]))


def _weekday(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    if rule.recurs(match, message, _WEEKLY) or rule.is_usual(match, message):
        return None
    direction = rule.lean(match, message) or 1
    return _day(nearest_weekday(message.today, WEEKDAYS[match["n"]], direction))


def _relative_day(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return _day(message.today + timedelta(days=_RELATIVE_DAYS[_single_spaced(match["n"])]))


def _fixed_unit(match: re.Match[str], message: Message, rule: Rule) -> Period:
    return _unit_away(message.today, rule.units, rule.direction)


def _count(match: re.Match[str]) -> int:
    count = _single_spaced(match["c"])
    return int(count) if count.isdigit() else NUMBERS[count]


def _counted_units(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """So many units ago or from now; "finished it in 3 days" is a duration, no date."""
    if rule.direction > 0 and rule.lean(match, message) < 0:
        return None
    number = _count(match) * rule.direction
    name = match["u"]
    if name in _CLOCK_UNITS:
        distance = timedelta(**{_CLOCK_UNITS[name]: number})
        moment = message.said_at.astimezone(timezone.utc) + distance
        local = moment.astimezone(message.said_at.tzinfo)
        return Period(local.date(), local.date(), "time", local.time(), local.time())
    day = shifted(message.today, _UNITS[name], number)
    if rule.direction < 0:
        return unit(day, _UNITS[name])._replace(counted=day)
    return _day(day)


def _stretch(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """The last or next so many units, today included."""
    if match["u"] in _CLOCK_UNITS or (rule.direction > 0 and rule.lean(match, message) < 0):
        return None
    return _units_around(match, message, rule)


def _within(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """The next so many units, for what is to be done; "pays within 30 days" is a duration."""
    if match["u"] in _CLOCK_UNITS or not message.says(match, _DUTIES):
        return None
    if rule.lean(match, message) < 0:
        return None
    return _units_around(match, message, rule)


def _units_around(match: re.Match[str], message: Message, rule: Rule) -> Period:
    number = 1
    if "c" in match.groupdict():
        number = _count(match)
    end = shifted(message.today, _UNITS[match["u"]], number * rule.direction)
    return Period(min(end, message.today), max(end, message.today), "range")


def _month(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    name = match["m"]
    lower = message.is_lower(match, "m")
    if name in rule.words.months_also_nouns and lower:
        return None
    preposition = match.groupdict().get("p")
    if preposition in rule.words.prepositions_of_people and (
        lower or name in rule.words.months_also_names
    ):
        return None
    return yearly(_period_of(name), message.today, rule.lean(match, message) or 1, whole=False)


def _season(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """Without a verb that looks back or ahead, "in the summer" is every summer."""
    direction = rule.lean(match, message)
    if not direction or message.is_habit(match):
        return None
    return yearly(_period_of(match["n"]), message.today, direction, whole=False)


def _weekend(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    if message.is_habit(match):
        return None
    return _unit_away(message.today, "weekends", rule.lean(match, message) or 1)


def _day_of_month(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    """Resolve "on the 8th": the nearest one in the sentence's direction, today included.

    "Rent is due on the 3rd" is every month.
    """
    if message.is_habit(match) or rule.recurs(match, message, _MONTHLY):
        return None
    direction = rule.lean(match, message) or 1
    number = int(match["d"])
    first = message.today.replace(day=1)
    for step in range(12):
        try:
            day = shifted(first, "months", step * direction).replace(day=number)
        except ValueError:
            continue
        if (day - message.today).days * direction >= 0:
            return _day(day)
    return None


def _hour(match: re.Match[str], message: Message, rule: Rule) -> Period | None:
    clock = clock_alone(match)
    if clock is None or message.is_habit(match):
        return None
    return Period(message.today, message.today, "time", clock.start, clock.end)


_RESOLVERS: dict[str, Resolver] = {
    "numeric date": _numeric_date,
    "slashed date": _slashed_date,
    "day and month": _day_and_month,
    "days of a month": _days_of_month,
    "edge": _edge,
    "before last": _before_last,
    "weeks from a weekday": _weeks_from_weekday,
    "same day": _same_day,
    "within": _within,
    "month and year": _month_and_year,
    "season and year": _season_and_year,
    "year": _year,
    "last or next": _last_or_next,
    "weekday of a week": _weekday_of_week,
    "weekday": _weekday,
    "relative day": _relative_day,
    "fixed unit": _fixed_unit,
    "counted units": _counted_units,
    "stretch": _stretch,
    "month": _month,
    "season": _season,
    "weekend": _weekend,
    "day of month": _day_of_month,
    "hour": _hour,
}


def _filled(pattern: str) -> str:
    for placeholder, words in _PLACEHOLDERS.items():
        pattern = pattern.replace(placeholder, words)
    pattern = filled(pattern)
    pattern = pattern.replace(" ?", r"\s?").replace(" *", r"\s*")
    return pattern.replace(" ", r"\s{1,3}")


def _rules() -> tuple[Rule, ...]:
    """The rules of all languages; dates in digits come first, whatever their language."""
    rules = []
    for language in languages_read():
        for expression in language.time.expressions:
            rule = Rule(
                quick=QuickPattern(_filled(expression.pattern)),
                resolve=_RESOLVERS[expression.meaning],
                language=language.code,
                direction=expression.direction,
                units=expression.units,
                relative=expression.relative,
            )
            rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.resolve is not _numeric_date))


RULES = Kept(_rules)

"""The rules that find times: one pattern and one resolver each. Pure; texts are folded.

The patterns come from the languages, see `TimeExpression`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta, timezone
from functools import partial

from cogmem_core.languages.merged import (
    AnyPattern,
    Entries,
    Kept,
    all_entries,
    any_word,
    by_language,
    filled,
    languages_read,
)
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.text.folding import single_spaced, text_before
from cogmem_core.text.time.clock import LONE_HOUR, clock_alone
from cogmem_core.text.time.expressions import HABIT, MONTHLY, WEEKLY, Expression, Rule
from cogmem_core.text.time.periods import (
    Period,
    feast,
    month,
    nearest_weekday,
    nth_day,
    nth_week,
    season,
    shifted,
    unit,
    yearly,
)
from cogmem_core.text.time.tense import clause_around
from cogmem_core.text.vocabulary import (
    MONTHS,
    NUMBERS,
    PARTS_OF_DAY,
    SEASONS,
    WEEKDAYS,
)

_DUTIES = AnyPattern("time.ends.duties")

_NEAR = 20  # characters before a word that may make it another one
_DIRECTIONS = all_entries("time.directions")
_EDGES = all_entries("time.edges")
_ORDINALS = all_entries("time.ordinals")
_MONTH_PARTS = all_entries("time.month_parts")
_HOLIDAYS = all_entries("time.holidays")
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


Resolver = Callable[[Expression], "Period | None"]
NO_TIME = Period(date.min, date.min, "range")
"""Of words that are no single time, and whose parts are none either: "every first Friday of the month"."""
_MONTHS_OF = {"quarters": 3, "halves": 6}
_HALF_A_YEAR = 183  # days
_SOON_AGAIN = 273  # days back to a day that comes round within three months
_REACH = 12  # characters beside a day
_MONTHS_TO_DAY = 4  # that are looked through for a day of the month that is a given weekday
_HAPPENED_ON = by_language("time.happened_on")


def _day(day: date) -> Period:
    return Period(day, day, "day")


def _numeric_date(expression: Expression) -> Period:
    return _day(date(int(expression["y"]), int(expression["m"]), int(expression["d"])))


def _slashed_date(expression: Expression) -> Period | None:
    """8/5/2023 is May in Lisbon and August in Boston; only 8/15/2023 and 15/8/2023 are sure."""
    first = int(expression["a"])
    second = int(expression["b"])
    if first <= 12 and second <= 12 and first != second:
        return None
    return _day(date(int(expression["y"]), min(first, second), max(first, second)))


def _day_and_month(expression: Expression) -> Period | None:
    """A day and a month, with its year or with the nearest one in the sentence's direction.

    A month that is a verb, too ("those 11 may come"), is none unless a clause closes with it.
    """
    name = expression["m"]
    number = int(expression["d"])
    verb = name in expression.words.months_also_verbs and expression.match.group().endswith(name)
    start, end = expression.match.span()
    closes = start and not expression.message.folded[end : end + 2].strip().isalnum()
    if verb and expression.is_lower("m") and not closes:
        return None
    return _nearest(expression, lambda year: _day(date(year, _number_of(name), number)))


def _number_of(name: str) -> int:
    """The number of a month by its name, or in digits."""
    return MONTHS[name] if name in MONTHS else int(name)


def _nearest(expression: Expression, make: Callable[[int], Period]) -> Period | None:
    """Days of their year; without it, where the sentence looks.

    But "booked, 5 May" may be told in the past tense: then they are no further back than half a year,
    nor, for an appointment that was made ("offered me an interview on 5 May"), than nine months.
    """
    if expression["y"]:
        return make(int(expression["y"]))
    towards = expression.towards
    found = yearly(make, expression.today, towards, whole=False)
    back = (expression.today - found.last).days if found else 0
    if towards > 0 or back < _HALF_A_YEAR or expression.is_since:
        return found
    start, end = expression.span
    if expression["h"]:
        start = expression.match.start("h")
    folded = expression.message.folded
    before = folded[clause_around(folded, start, end)[0] : start].replace("<", " ")
    far = "|" * (back < _SOON_AGAIN)
    marked = f"{far}{before}<{folded[start:end]}>{folded[end : end + 2 * _REACH]}"
    on = _HAPPENED_ON.get(expression.rule.language)
    if on is None or on.search(marked):
        return found
    return yearly(make, expression.today, 1, whole=False)


def _days_of_month(expression: Expression) -> Period | None:
    """Two days of one month: "from 3 to 7 June"."""
    first = int(expression["d"])
    last = int(expression["d2"])
    number = _number_of(expression["m"])
    if first >= last:
        return None

    def days(year: int) -> Period:
        return Period(date(year, number, first), date(year, number, last), "range")

    return _nearest(expression, days)


def _edge(expression: Expression) -> Period | None:
    """The last or the first day of a week, a month or a year: "the end of the month"."""
    period: Period | None
    if expression["y2"]:
        period = unit(date(int(expression["y2"]), 1, 1), "years")
    elif expression["u"]:
        direction = _DIRECTIONS.get(expression["w"], 0)
        period = _unit_away(expression.today, _UNITS[expression["u"]], direction)
    else:
        period = _nearest(expression, _period_of(expression["m"]))
    if period is None:
        return None
    return _day(period.last if _EDGES[expression["e"]] > 0 else period.first)


def _part(expression: Expression) -> Period | None:
    """Some days of a month or a year: "the last Friday of June", "early May", "KW 12"."""
    if expression["u"]:
        direction = _DIRECTIONS.get(expression["w"] or expression["w2"])
        if direction is None:
            return NO_TIME
        whole = _unit_away(expression.today, _UNITS[expression["u"]], direction)
        return _part_of(expression, whole)
    name = expression["m"]

    def of_year(year: int) -> Period:
        whole = month(year, MONTHS[name]) if name else unit(date(year, 1, 1), "years")
        return _part_of(expression, whole)

    return _nearest(expression, of_year)


def _part_of(expression: Expression, whole: Period) -> Period:
    """That part of a month or a year.

    Raises:
        ValueError: it has none: a fifth Friday.
    """
    if expression["e"]:
        first, last = _MONTH_PARTS[single_spaced(expression["e"])]
        start = whole.first.replace(day=first)
        return Period(start, start.replace(day=min(last, whole.last.day)), "range")
    name = single_spaced(expression["n"])
    number = int(expression["d"] or _ORDINALS[single_spaced(expression["o"])])
    if name in WEEKDAYS:
        return _day(nth_day(whole, WEEKDAYS[name], number))
    units = expression.rule.units or _UNITS[name]
    if units in _MONTHS_OF:
        months = _MONTHS_OF[units]
        start = whole.first if number > 0 else shifted(whole.last, "days", 1)
        start = shifted(start, "months", months * (number - (number > 0)))
        return Period(start, shifted(start, "months", months) - timedelta(days=1), "range")
    return nth_week(whole, number, units)


def _holiday(expression: Expression) -> Period | None:
    """A feast, or a weekday beside it; where no verb looks back or ahead, it is that of every year."""
    if not expression["h"]:
        return NO_TIME
    days = _HOLIDAYS[single_spaced(expression["h"])]

    def of_year(year: int) -> Period:
        period = feast(year, days)
        if not expression["n"]:
            return period
        return _day(
            nearest_weekday(period.first, WEEKDAYS[expression["n"]], expression.rule.direction)
        )

    if not expression["y"] and (not expression.lean or expression.is_habit):
        return NO_TIME
    return _nearest(expression, of_year)


def _before_last(expression: Expression) -> Period:
    """The weekday, night, week, month or year before the last one, or after the next one."""
    name = single_spaced(expression["n"])
    direction = expression.rule.direction or -1
    if name in WEEKDAYS:
        nearest = nearest_weekday(expression.today, WEEKDAYS[name], direction)
        return _day(shifted(nearest, "weeks", direction))
    if name in _UNITS:
        return _unit_away(expression.today, _UNITS[name], 2 * direction)
    return _day(shifted(expression.today, "days", 2 * direction))


def _weeks_from_weekday(expression: Expression) -> Period | None:
    """So many weeks after a day or the coming weekday: "a week tomorrow", "Friday week"."""
    name = expression["n"]
    if name in WEEKDAYS:
        coming = nearest_weekday(expression.today, WEEKDAYS[name], 1)
    elif expression.lean < 0:
        return None  # "Mum died a week today"
    else:
        coming = expression.today + timedelta(days=_RELATIVE_DAYS[name])
    return _day(shifted(coming, "weeks", _count(expression)))


def _same_day(expression: Expression) -> Period:
    return _day(shifted(expression.today, expression.rule.units, expression.rule.direction))


def _month_and_year(expression: Expression) -> Period:
    return month(
        int(expression["y"] or expression["y2"]), _number_of(expression["m"] or expression["m2"])
    )


def _season_and_year(expression: Expression) -> Period:
    return season(int(expression["y"]), SEASONS[expression["n"]])


def _year(expression: Expression) -> Period:
    return unit(date(int(expression["x"][:4]), 1, 1), "years")


def _last_or_next(expression: Expression) -> Period | None:
    """Last, this or next weekday, unit, month or season."""
    direction = _DIRECTIONS.get(expression["w"], 0)
    name = single_spaced(expression["n"])
    verb = name in expression.words.months_also_verbs and not direction
    if verb and expression.is_lower("n"):
        return None
    if name in _UNITS:
        return _unit_away(expression.today, _UNITS[name], direction)
    towards = direction or expression.towards
    if name in WEEKDAYS:
        return _day(nearest_weekday(expression.today, WEEKDAYS[name], towards))
    return yearly(_period_of(name), expression.today, towards, whole=direction != 0)


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


def _weekday_of_week(expression: Expression) -> Period:
    # Without a word for the direction, the expression itself means the next week.
    direction = _DIRECTIONS.get(expression["w"], 0) if expression["w"] else 1
    monday = unit(shifted(expression.today, "weeks", direction), "weeks").first
    return _day(monday + timedelta(days=WEEKDAYS[expression["n"]]))


def _weekday(expression: Expression) -> Period | None:
    if (expression.says(WEEKLY) or expression.is_habit) and expression.stands:
        return None
    return _day(nearest_weekday(expression.today, WEEKDAYS[expression["n"]], expression.towards))


def _relative_day(expression: Expression) -> Period | None:
    """A day by its distance; behind some words it is a time of day: "jeden Morgen", "por la mañana"."""
    start, end = expression.match.span("n")
    before = text_before(expression.message.folded, start, _NEAR).rstrip()
    said = expression.message.folded[max(0, start - _NEAR) : end]
    each_time = any(found.end() == len(before) for found in HABIT.finditer(before))
    if each_time or any(" " in part and said.endswith(part) for part in PARTS_OF_DAY):
        return None
    return _day(expression.today + timedelta(days=_RELATIVE_DAYS[single_spaced(expression["n"])]))


def _fixed_unit(expression: Expression) -> Period:
    return _unit_away(expression.today, expression.rule.units, expression.rule.direction)


def _count(expression: Expression) -> int:
    """How many units; one where no number stands."""
    count = single_spaced(expression["c"] or "1")
    return int(count) if count.isdigit() else NUMBERS[count]


def _counted_units(expression: Expression) -> Period | None:
    """So many units ago or from now; "finished it in 3 days" is a duration, no date."""
    if expression.rule.direction > 0 and expression.lean < 0:
        return None
    number = _count(expression) * expression.rule.direction
    if expression["n"]:
        nearest = nearest_weekday(
            expression.today, WEEKDAYS[expression["n"]], expression.rule.direction
        )
        return _day(shifted(nearest, "weeks", number - expression.rule.direction))
    name = expression["u"]
    if name in _CLOCK_UNITS:
        distance = timedelta(**{_CLOCK_UNITS[name]: number})
        moment = expression.message.said_at.astimezone(timezone.utc) + distance
        local = moment.astimezone(expression.message.said_at.tzinfo)
        return Period(local.date(), local.date(), "time", local.time(), local.time())
    day = shifted(expression.today, _UNITS[name], number)
    if expression.rule.direction < 0:
        return unit(day, _UNITS[name])._replace(counted=day)
    return _day(day)


def _stretch(expression: Expression) -> Period | None:
    """The last or next so many units, today included."""
    if expression["u"] in _CLOCK_UNITS or (expression.rule.direction > 0 and expression.lean < 0):
        return None
    return _units_around(expression)


def _within(expression: Expression) -> Period | None:
    """The next so many units, for what is to be done; "pays within 30 days" is a duration."""
    if expression["u"] in _CLOCK_UNITS or not expression.says(_DUTIES) or expression.lean < 0:
        return None
    return _units_around(expression)


def _units_around(expression: Expression) -> Period:
    number = _count(expression) * expression.rule.direction
    end = shifted(expression.today, _UNITS[expression["u"]], number)
    return Period(min(end, expression.today), max(end, expression.today), "range")


def _month(expression: Expression) -> Period | None:
    name = expression["m"]
    lower = expression.is_lower("m")
    if name in expression.words.months_also_nouns and lower:
        return None
    if expression["p"] in expression.words.prepositions_of_people and (
        lower or name in expression.words.months_also_names
    ):
        return None
    return _nearest(expression, _period_of(name))


def _season(expression: Expression) -> Period | None:
    """Without a verb that looks back or ahead, "in the summer" is every summer."""
    direction = expression.lean
    if not direction or expression.is_habit:
        return None
    return yearly(_period_of(expression["n"]), expression.today, direction, whole=False)


def _weekend(expression: Expression) -> Period | None:
    if expression.is_habit:
        return None
    return _unit_away(expression.today, "weekends", expression.towards)


def _day_of_month(expression: Expression) -> Period | None:
    """Resolve "on the 8th", "Friday the 13th": the nearest one in the sentence's direction, today included.

    "Rent is due on the 3rd" is every month; "the road was closed until the 3rd" may look either way.
    """
    direction = expression.towards
    unsure = expression["until"] and direction < 0
    if unsure or expression.is_habit or (expression.says(MONTHLY) and expression.stands):
        return None
    number = int(expression["d"])
    first = expression.today.replace(day=1)
    weekday = WEEKDAYS.get(expression["n"])
    for step in range(12 if weekday is None else _MONTHS_TO_DAY):
        try:
            day = shifted(first, "months", step * direction).replace(day=number)
        except ValueError:
            continue
        fits = weekday is None or day.weekday() == weekday
        if fits and (day - expression.today).days * direction >= 0:
            return _day(day)
    return None


def _hour(expression: Expression) -> Period | None:
    clock = clock_alone(expression.match)
    if clock is None or expression.is_habit:
        return None
    return Period(expression.today, expression.today, "time", clock.start, clock.end)


_RESOLVERS: dict[str, Resolver] = {
    "numeric date": _numeric_date,
    "slashed date": _slashed_date,
    "day and month": _day_and_month,
    "days of a month": _days_of_month,
    "edge": _edge,
    "part": _part,
    "holiday": _holiday,
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

"""Dates and times in the forms that most languages have, for packs without rules of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cogmem_core.languages.base import NOTHING, DatedWords, TimeExpression, TimeRules
from cogmem_core.languages.tables import any_of

_NONE: frozenset[str] = frozenset()


class TimeForms(NamedTuple):
    r"""How a language names times; regular expressions on folded text.

    Attributes:
        ago: an expression with `<count>` and `<unit>` for so long ago.
        ahead: the same for so long from now.
        past_stretch: the same for the last so many.
        next_stretch: the same for the next so many.
        last_next: expressions with the groups `w`, a direction, and `n`, a unit or a weekday.
        month_before: words before a month that make it one.
        day_link: words between a day and its month.
        day_of_month: an expression with the group `d` for a day of the month.
        season_before: words before a season.
        weekend_before: words before the weekend.
        year_before: words before a year.
        ordinal: what follows a day's number.
        word_end: `\b` where words are written apart.
    """

    ago: str
    ahead: str
    past_stretch: str = NOTHING
    next_stretch: str = NOTHING
    last_next: tuple[str, ...] = ()
    month_before: str = NOTHING
    day_link: str = ""
    day_of_month: str = NOTHING
    season_before: str = NOTHING
    weekend_before: str = NOTHING
    year_before: str = NOTHING
    ordinal: str = ""
    word_end: str = r"\b"


def write_date(words: DatedWords) -> str:
    """A date in digits."""
    first = words.first
    if words.kind == "time":
        return f"{first:%Y-%m-%d %H:%M}"
    if words.kind == "year":
        return f"{first:%Y}"
    if words.kind == "month":
        return f"{first:%Y-%m}"
    if words.kind in ("day", "part"):
        return f"{first.date()}"
    return f"{first.date()}/{words.last.date()}"


class _Named(NamedTuple):
    """Patterns of one name of each sort."""

    weekday: str
    month: str
    season: str
    unit: str
    relative_day: str
    weekend: str


def _dates(forms: TimeForms, named: _Named) -> list[TimeExpression]:
    """What names a date."""
    edge = forms.word_end
    link = f"(?:{forms.day_link or NOTHING})?"

    return [
        TimeExpression(
            r"(?<![\d.-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)",
            "numeric date",
            relative=False,
        ),
        TimeExpression(
            r"(?<![\d/.])(?P<d>\d{1,2})(?P<s>[./-])(?P<m>\d{1,2})(?P=s)(?P<y>\d{4})(?![\d/-])",
            "numeric date",
            relative=False,
        ),
        TimeExpression(
            rf"(?:{edge}{named.weekday},? {link} ?)?(?<![\d.,])"
            rf"(?P<d>\d{{1,2}})(?:{forms.ordinal})? ?{link} ?"
            rf"(?P<m>{named.month}){edge}(?:\.?,? ?{link} ?"
            rf"(?P<y>\d{{4}}){edge})?",
            "day and month",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?P<m>{named.month}),? ?{link} ?(?P<y>\d{{4}}){edge}",
            "month and year",
            relative=False,
        ),
    ]


def _periods(forms: TimeForms, named: _Named) -> list[TimeExpression]:
    """What names a time from today, or a period."""
    edge = forms.word_end
    link = f"(?:{forms.day_link or NOTHING})?"

    def counted(form: str) -> str:
        return edge + form.replace("<unit>", f"(?P<u>{named.unit})") + edge

    return [
        *(TimeExpression(edge + form + edge, "last or next") for form in forms.last_next),
        TimeExpression(rf"{edge}(?P<n>{named.weekday}){edge}", "weekday"),
        TimeExpression(rf"{edge}(?P<n>{named.relative_day}){edge}", "relative day"),
        TimeExpression(counted(forms.ago), "counted units", -1),
        TimeExpression(counted(forms.ahead), "counted units", 1),
        TimeExpression(counted(forms.past_stretch), "stretch", -1),
        TimeExpression(counted(forms.next_stretch), "stretch", 1),
        TimeExpression(
            rf"{edge}(?P<n>{named.season}),? ?{link} ?(?P<y>\d{{4}}){edge}",
            "season and year",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.month_before}) (?P<x>(?P<m>{named.month})){edge}",
            "month",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.season_before}) (?P<x>(?P<n>{named.season})){edge}", "season"
        ),
        TimeExpression(
            rf"{edge}(?:{forms.year_before}) ?(?P<x>(?:19|20)\d\d){edge}(?![-/.:,]?\d)",
            "year",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.weekend_before}) (?P<x>{named.weekend}){edge}", "weekend"
        ),
        TimeExpression(rf"{edge}{forms.day_of_month}(?!\d)", "day of month"),
        TimeExpression(r"<lone hour>", "hour", relative=False),
    ]


def plain_times(
    forms: TimeForms,
    *,
    weekdays: Mapping[str, int],
    months: Mapping[str, int],
    month_names: tuple[str, ...],
    units: Mapping[str, str],
    numbers: Mapping[str, int],
    relative_days: Mapping[str, int],
    seasons: Mapping[str, int],
    season_names: Mapping[int, str],
    directions: Mapping[str, int],
    weekend_names: frozenset[str] = _NONE,
    looks_back: str = NOTHING,
    looks_ahead: str = NOTHING,
    clock_units: Mapping[str, str] | None = None,
    further: tuple[str, ...] = (),
    day_parts: Mapping[str, tuple[int, int]] | None = None,
    **words: object,
) -> TimeRules:
    """Dates and times in the forms that most languages have.

    `further` are a day with its month, a month with its year, and a year, in forms of their own.
    """
    named = _Named(
        any_of(weekdays),
        any_of(months),
        any_of(seasons),
        any_of([*units, *(clock_units or {})]),
        any_of(relative_days),
        any_of(weekend_names),
    )
    expressions = [*_dates(forms, named), *_periods(forms, named)]
    meanings = ("day and month", "month and year", "year")
    expressions[2:2] = [
        TimeExpression(form, meaning, relative=False)
        for form, meaning in zip(further, meanings, strict=False)
    ]
    return TimeRules(
        weekdays=weekdays,
        months=months,
        month_names=month_names,
        seasons=seasons,
        season_names=season_names,
        units=units,
        clock_units=clock_units or {},
        weekend_names=weekend_names,
        numbers=numbers,
        day_parts=day_parts or {},
        relative_days=relative_days,
        directions=directions,
        looks_back=looks_back,
        looks_ahead=looks_ahead,
        expressions=tuple(expression for expression in expressions if expression.pattern),
        write=write_date,
        **words,  # type: ignore[arg-type]
    )

"""Dates and times in the forms that most languages have, for packs that only fill them in."""

from __future__ import annotations

from typing import NamedTuple

from cogmem_core.languages.base import (
    NOTHING,
    Meaning,
    Pattern,
    Patterns,
    TimeExpression,
    TimeRules,
)
from cogmem_core.languages.tables import any_of


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
        days_to: words between two days of one month: "8. bis 19. Mai".
        further: a day with its month, a month with its year, and a year, in forms of their own.
    """

    ago: Pattern = NOTHING
    ahead: Pattern = NOTHING
    past_stretch: Pattern = NOTHING
    next_stretch: Pattern = NOTHING
    last_next: Patterns = ()
    month_before: Pattern = NOTHING
    day_link: Pattern = ""
    day_of_month: Pattern = NOTHING
    season_before: Pattern = NOTHING
    weekend_before: Pattern = NOTHING
    year_before: Pattern = NOTHING
    ordinal: Pattern = ""
    word_end: Pattern = r"\b"
    days_to: Pattern = NOTHING
    further: Patterns = ()


def _dates(forms: TimeForms, words: TimeRules) -> list[TimeExpression]:
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
            rf"(?<![\d.,])(?P<d>\d{{1,2}})(?:{forms.ordinal})? ?(?:{forms.days_to}) ?"
            rf"(?P<d2>\d{{1,2}})(?:{forms.ordinal})? ?{link} ?"
            rf"(?P<m>{any_of(words.months)}{edge}|(?<=\.)\d{{1,2}}(?=\.))"
            rf"(?: ?{link} ?(?P<y>\d{{4}}){edge})?",
            "days of a month",
            relative=False,
        ),
        TimeExpression(
            rf"(?:{edge}{any_of(words.weekdays)},? {link} ?)?(?<![\d.,])"
            rf"(?P<d>\d{{1,2}})(?:{forms.ordinal})? ?{link} ?"
            rf"(?P<m>{any_of(words.months)}){edge}(?:\.?,? ?{link} ?"
            rf"(?P<y>\d{{4}}){edge})?",
            "day and month",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?P<m>{any_of(words.months)}),? ?{link} ?(?P<y>\d{{4}}){edge}",
            "month and year",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.month_before}) "
            r"(?P<x>(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d))(?![-/.]?\w)",
            "month and year",
            relative=False,
        ),
    ]


def _periods(forms: TimeForms, words: TimeRules) -> list[TimeExpression]:
    """What names a time from today, or a period."""
    edge = forms.word_end
    link = f"(?:{forms.day_link or NOTHING})?"

    def counted(form: str) -> str:
        return (
            edge
            + form.replace("<unit>", f"(?P<u>{any_of([*words.units, *words.clock_units])})")
            + edge
        )

    return [
        *(TimeExpression(edge + form + edge, "last or next") for form in forms.last_next),
        TimeExpression(rf"{edge}(?P<n>{any_of(words.weekdays)}){edge}", "weekday"),
        TimeExpression(rf"{edge}(?P<n>{any_of(words.relative_days)}){edge}", "relative day"),
        TimeExpression(counted(forms.ago), "counted units", -1),
        TimeExpression(counted(forms.ahead), "counted units", 1),
        TimeExpression(counted(forms.past_stretch), "stretch", -1),
        TimeExpression(counted(forms.next_stretch), "stretch", 1),
        TimeExpression(
            rf"{edge}(?P<n>{any_of(words.seasons)}),? ?{link} ?(?P<y>\d{{4}}){edge}",
            "season and year",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.month_before}) (?P<x>(?P<m>{any_of(words.months)})){edge}",
            "month",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.season_before}) (?P<x>(?P<n>{any_of(words.seasons)})){edge}",
            "season",
        ),
        TimeExpression(
            rf"{edge}(?:{forms.year_before}) ?(?P<x>(?:19|20)\d\d){edge}(?![-/.:,]?\d)",
            "year",
            relative=False,
        ),
        TimeExpression(
            rf"{edge}(?:{forms.weekend_before}) (?P<x>{any_of(words.weekend_names)}){edge}",
            "weekend",
        ),
        TimeExpression(rf"{edge}{forms.day_of_month}(?!\d)", "day of month"),
        TimeExpression(r"<lone hour>", "hour", relative=False),
    ]


def expressions_by(forms: TimeForms, words: TimeRules) -> tuple[TimeExpression, ...]:
    """What names a time, in order of precedence, in a language with these words."""
    dates = _dates(forms, words)
    meanings: tuple[Meaning, ...] = ("day and month", "month and year", "year")
    further = [
        TimeExpression(form, meaning, relative=False)
        for form, meaning in zip(forms.further, meanings, strict=False)
    ]
    return (*dates[:2], *further, *dates[2:], *_periods(forms, words))

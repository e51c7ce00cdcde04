"""Numbers, units, dates and hours of a fact, beside those of what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import NOTHING, GroundingRules, compiled
from cogmem_core.languages.tables import any_of
from cogmem_core.skills.grounding.reading import Terms, clause_spans, terms_of, words_of
from cogmem_core.text.folding import fold_letters, plain_number
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.time.periods import shifted
from cogmem_core.text.vocabulary import MONTHS

_ORDINAL = ("st", "nd", "rd", "th")
_NEAR = 3  # words between an hour and the word that tells the half of its day
_PARTS = {"0.5", "0.25"}
_MONTH_DAYS = 31
_YEAR_DAYS = 366
_YEARS = range(1, 9)
_HOURS = 24


class Amount(NamedTuple):
    """A number.

    Attributes:
        values: its readings, as plain figures.
        unit: the one spelling of its unit, or "".
        start: where it begins.
        end: where it ends, with its unit.
        aged: it counts the years of an age.
        loose: it is a word that may mean something else.
        ordinal: it tells a place in a row.
        noun: the word behind it, or "".
    """

    values: frozenset[str]
    unit: str
    start: int
    end: int
    aged: bool
    loose: bool
    ordinal: bool
    noun: str


def _figure(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _readings(digits: str) -> set[str]:
    plain = plain_number(digits)
    readings = {plain}
    whole, _, decimals = plain.partition(".")
    if decimals and decimals.isdigit():
        readings.add(_figure(float(plain)))
        if len(decimals) == 3:  # 4.500 may be four thousand and a half
            readings.add(whole + decimals)
    return readings


def amounts_of(text: str, rules: GroundingRules) -> list[Amount]:
    """The numbers of a text, in figures or words, with their units."""
    terms = terms_of(text)
    amounts: list[Amount] = []
    index = 0
    while index < len(terms):
        term = terms[index]
        if term.word[0].isdigit():
            amount, index = _with_unit(terms, index + 1, _readings(term.word), index, rules)
            amounts.append(amount)
        elif term.word in rules.numbers:
            value, following = _in_words(terms, index, rules)
            amount, index = _with_unit(terms, following, {_figure(value)}, index, rules)
            amounts.append(amount)
        else:
            index += 1
    return amounts


def _in_words(terms: Terms, index: int, rules: GroundingRules) -> tuple[float, int]:
    """A number in words ("two hundred fifty" is 250), and the index behind it."""
    numbers = rules.numbers
    factors = rules.factors
    total = numbers[terms[index].word]
    index += 1
    while index < len(terms):
        word = terms[index].word
        if word in factors:
            total *= factors[word]
        elif word in numbers and 0 < numbers[word] < total and total % 10 == 0 and total >= 20:
            total += numbers[word]
        else:
            break
        index += 1
    return total, index


def _with_unit(
    terms: Terms, index: int, values: set[str], first: int, rules: GroundingRules
) -> tuple[Amount, int]:
    """The number that ends before an index, with the factor and the unit behind or before it."""
    start = terms[first].start
    end = terms[index - 1].end
    unit = (
        rules.units.get(terms[first - 1].full, "")
        if first and not terms[first - 1].word.isalnum()
        else ""
    )
    if index < len(terms) and terms[index].word in rules.factors:
        factor = rules.factors[terms[index].word]
        values = {
            _figure(float(value) * factor)
            for value in values
            if value.replace(".", "", 1).isdigit()
        } or values
        end = terms[index].end
        index += 1
    ordinal = terms[first].word in rules.ordinals
    if index < len(terms) and terms[index].word in _ORDINAL:
        ordinal = True
        index += 1
    if index + 1 < len(terms) and terms[index].word in rules.single and not unit:
        behind = rules.units.get(terms[index + 1].word, "")  # "half a litre"
        index += bool(behind and values & _PARTS)
    if index < len(terms) and not unit:
        unit = rules.units.get(terms[index].word, "")
        if unit:
            end = terms[index].end
            index += 1
    aged = any(term.word in rules.aged for term in terms[index : index + 2])
    loose = terms[first].word in rules.loose
    noun = terms[index].word if index < len(terms) else ""
    amount = Amount(frozenset(values), unit, start, end, aged, loose, ordinal, noun)
    return amount, index


def periods_of(text: str, rules: GroundingRules) -> set[str]:
    """The periods that a text names: "a week", "daily", "every morning" (a day)."""
    periods: set[str] = set()
    previous = ""
    for term in terms_of(text):
        unit = rules.units.get(term.word, "")
        if unit in rules.periods and (term.word not in rules.loose or previous in rules.per):
            periods.add(unit)
        previous = term.word
    return periods


def parts_of(text: str, rules: GroundingRules) -> frozenset[str]:
    """The parts of the day that a text names: "morning" for mornings, too."""
    parts = rules.forenoon | rules.afternoon
    words = words_of(text)
    return (words | {word.removesuffix("s") for word in words}) & parts


def implied_periods(text: str, rules: GroundingRules) -> set[str]:
    """The periods that the words of a text imply."""
    words = words_of(text)
    return {period for period, signs in rules.implied.items() if words & signs}


class Times(NamedTuple):
    """The times of which a text speaks.

    Attributes:
        mentions: dates and moments.
        hours: hours of the day, as "19:00".
        spans: where they stand.
        folded: the text.
    """

    mentions: tuple[TimeMention, ...]
    hours: frozenset[str]
    spans: tuple[tuple[int, int], ...]
    folded: str


def times_of(text: str, at: datetime, rules: GroundingRules, *, said: bool = True) -> Times:
    """The times of a text that was said at a moment, or of a fact that was not."""
    folded = fold_letters(text)
    mentions = find_times(text, at)
    for start, end in clause_spans(text, folded, rules) if said else ():
        # Each clause has its tense: "she gave me tickets, the concert is on Friday".
        if (start, end) != (0, len(text)):
            for mention in find_times(text[start:end], at):
                moved = mention._replace(start=mention.start + start, end=mention.end + start)
                mentions = (*mentions, moved)
    hours = list(_hours(folded, rules))
    spans = [(mention.start, mention.end) for mention in mentions]
    spans += [(start, end) for _, start, end in hours]
    return Times(mentions, frozenset(hour for hour, _, _ in hours), tuple(spans), folded)


_Hour = tuple[str, int, int]
_FIGURES = re.compile(r"(?<![\d.,:])(\d{1,2})(?:([:.])(\d\d))?(?![\d.,:]\d|\d)(\s?[ap]\.?m\b)?")
_HOUR_AND_SIGN = re.compile(r"(?<![\d.,:/-])(\d{1,2})(?=(?: [^\W\d]\w*){0,2} ([^\W\d]\w*))")


def _hours(folded: str, rules: GroundingRules) -> Iterator[_Hour]:
    """Hours of the day: "7 pm", "19:00", "half past nine", "noon", "10 at night"."""
    for phrase, clock in rules.clocks.items():
        for match in re.finditer(rf"\b{phrase}\b", folded):
            yield clock, match.start(), match.end()
    half_past = rf"\b{rules.half_past}" if rules.half_past else NOTHING
    for match in compiled(half_past).finditer(folded):
        hour = rules.numbers.get(match["hour"], match["hour"])
        if str(hour).isdigit():
            clock = _clock(int(hour), "30", folded, match.end(), rules)
            yield clock, match.start(), match.end()
    yield from _in_figures(folded, rules)


def _in_figures(folded: str, rules: GroundingRules) -> Iterator[_Hour]:
    for match in _FIGURES.finditer(folded):
        marked = match[2] == ":" or match[4]
        if int(match[1]) <= _HOURS and marked:
            behind = match.end(3) if match[3] else match.end(1)
            clock = _clock(int(match[1]), match[3] or "00", folded, behind, rules)
            yield clock, match.start(), match.end()
    signs = rules.afternoon | rules.forenoon
    for match in _HOUR_AND_SIGN.finditer(folded):
        if 2 * int(match[1]) <= _HOURS and match[2] in signs:
            clock = _clock(int(match[1]), "00", folded, match.end(), rules)
            yield clock, match.start(), match.start()


def _clock(hour: int, minutes: str, folded: str, end: int, rules: GroundingRules) -> str:
    near = re.findall(r"[^\W_]+", folded[end : end + 40])[:_NEAR]
    words_before = re.findall(r"[^\W_]+", folded[max(0, end - 40) : end])[-_NEAR - 1 :]
    if hour < 12 and any(word in rules.afternoon for word in (*near, *words_before)):
        hour += 12
    return f"{hour}:{minutes}"


def years_of(times: Iterable[Times]) -> set[str]:
    """The years of all dates, as figures: they may stand alone."""
    mentions = [mention for text in times for mention in text.mentions]
    return {str(moment.year) for mention in mentions for moment in (mention.first, mention.last)}


def is_told(mention: TimeMention, times: Sequence[Times], today: date) -> bool:
    """Whether a time of a fact is one of those that were said, or a longer one around it.

    A fact that tells a day where none was said may tell the day of its turn.
    """
    first = mention.first.date()
    last = mention.last.date()
    phrase = re.compile(rf"(?<!\w){re.escape(fold_letters(mention.text))}(?!\w)")
    is_dated = False
    for text in times:
        if phrase.search(text.folded) or (first == last and _is_day_of_month(first, text, today)):
            return True
        if mention.kind == "month" and _names_month(first, text, today):
            return True
        for said_first, said_last in _readings_of(text.mentions, today):
            is_dated = True
            if said_last == date.max:
                return True  # where the calendar ends, no year can be told
            is_edge = first == last and first in (said_first, said_last)
            if is_edge or (first <= said_first and said_last <= last):
                return True
    return not is_dated and first <= today <= last


def _readings_of(mentions: Iterable[TimeMention], today: date) -> Iterator[tuple[date, date]]:
    """First and last day of times; a date without its year may be the next one."""
    for mention in mentions:
        first = mention.first.date()
        last = mention.last.date()
        yield first, last
        directions = LANGUAGES[mention.language].time.directions
        words = fold_letters(mention.text).split()
        if mention.kind == "day" and any(directions.get(word, 0) > 0 for word in words):
            # "next Tuesday" may be that of the week after this one.
            yield first + timedelta(days=7), last + timedelta(days=7)
        if last < today and not (mention.relative or str(first.year) in mention.text):
            years = next((y for y in _YEARS if _moved(last, y) >= today), 0)
            yield _moved(first, years), _moved(last, years)


def _moved(day: date, years: int) -> date:
    """A day so many years later; the last one of all where the calendar ends."""
    try:
        return shifted(day, "years", years)
    except (OverflowError, ValueError):
        return date.max


def _names_month(first: date, text: Times, today: date) -> bool:
    """Whether a text names a month of this year or the next without a word before it."""
    names = [name for name, number in MONTHS.items() if number == first.month]
    near = abs((first - today).days) <= _YEAR_DAYS
    return near and re.search(rf"\b{any_of(names)}", text.folded) is not None


def _is_day_of_month(day: date, text: Times, today: date) -> bool:
    """Whether a text names a day by its number alone: "the 11th"."""
    if abs((day - today).days) > _MONTH_DAYS:
        return False
    return re.search(rf"\b(?:the|on) 0?{day.day}(?:st|nd|rd|th)?\b", text.folded) is not None

"""What a text names, as `entity://kind/slug`.

Kinds are technologies, organisations, people, places, dates, numbers and titles. A table of known
names and a few rules of spelling, no model: fast and predictable rather than complete. Dates are
those written out; "yesterday" is for the code that knows when it was said. Linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from cogmem_core.languages.merged import (
    Entries,
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    all_words,
    any_word,
    mark,
)
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import any_of, stems
from cogmem_core.text.folding import MAX_INPUT, fold_letters, mark_span, plain_number, text_before
from cogmem_core.text.observe.names import capitalized_names, known_names
from cogmem_core.text.vocabulary import MONTHS

EntityKind = Literal["tech", "org", "person", "place", "date", "number", "title"]

_LIMIT = 8  # entities of one observation
_PER_KIND = 64  # readings of each kind that are compared; thousands of numbers tell no more
_MAX_SLUG = 64
_TITLE = re.compile(
    '"([^"\n]{2,60})"|\u201c([^\u201d\n]{2,60})\u201d|\u00ab([^\u00bb\n]{2,60})\u00bb'
)
_TITLE_CUE = MergedPattern(rf"\b(?:{all_patterns('observe.entities.title_cues')})\b")
_CUE_DISTANCE = 40  # characters before an opening quotation mark, or after the closing one
_MONTHS_AND_VERBS = all_words("observe.entities.months_and_verbs")
_MONTH = any_word(MONTHS)
_YEAR = r"(?:19|20)[0-9]{2}"
_NTH = f"(?:{all_patterns('observe.entities.ordinals')})?"
_OF = rf"(?:(?:{all_patterns('observe.entities.day_link')})\ )?"
_CLOCK = all_patterns("observe.entities.clock_marks")
_BEFORE_YEAR = any_word(all_words("observe.entities.year_before"))
_BEHIND_YEAR = all_patterns("observe.entities.year_behind")
_DATE = MergedPattern(
    rf"""(?<![\w.,:/-])(?:
      (?P<y>{_YEAR})-(?P<m>[0-9]{{1,2}})-(?P<d>[0-9]{{1,2}})(?![0-9-])
    | (?P<d1>[0-9]{{1,2}})\.(?P<m1>[0-9]{{1,2}})\.(?P<y1>{_YEAR})(?![0-9])
    | (?P<slash>[0-9]{{1,2}}/[0-9]{{1,2}}/(?:{_YEAR}|[0-9]{{2}}))(?![0-9/])
    | (?P<d2>[0-9]{{1,2}}){_NTH}\ {_OF}(?P<m2>{_MONTH})\b
      (?:,?\ (?P<y2>{_YEAR})(?![0-9]))?
    | (?P<m3>{_MONTH})\ (?P<d3>[0-9]{{1,2}}){_NTH}(?![0-9:.]|{_CLOCK})
      (?:,?\ (?P<y3>{_YEAR})(?![0-9]))?
    | (?P<m4>{_MONTH}),?\ (?P<y4>{_YEAR})(?![0-9])
    | {_BEFORE_YEAR}\ (?P<y5>{_YEAR})(?![0-9.%\w])
    | (?P<y6>{_YEAR})(?={_BEHIND_YEAR})
    )""",
    re.VERBOSE,
)
_SYMBOLS = {"°c": "c", "°f": "f"}
_UNITS = Entries(lambda: {**_SYMBOLS, **all_entries("observe.entities.units")})
_SIGNS = {"$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u20ba": "try", "%": "%"}
_PLAIN_UNITS = stems(
    """
    mcg mg kg g lb lbs oz ml cl dl l km cm mm m mi ft usd eur gbp try gb mb tb kb ms hz khz mhz ghz
    mph kmh km/h bpm kcal iu mmol/l mg/dl kwh kw % k
    """
)
_ALL_UNITS = Words(
    lambda: [
        *_UNITS,
        *_PLAIN_UNITS,
        *all_words("observe.entities.plain_units"),
    ]
)
_RELATIVE = mark(lambda: any_of(all_words("observe.entities.relative_marks")).replace(" ", r"\ "))
_NUMBER = MergedPattern(
    rf"""(?<![\w.,:/+-])(?P<sign>[$\u20ac\u00a3\u20ba%])?\ ?
      (?P<value>[0-9]{{1,12}}(?:[.,][0-9]{{1,6}}){{0,3}})(?![0-9:/]|[.,][0-9]|-[0-9])
      (?:[ -]?(?P<unit>{any_word(_ALL_UNITS)})(?![\w/]))?
      (?P<relative>\ {_RELATIVE})?""",
    re.VERBOSE,
)
_NOT_SLUG = re.compile(r"[^\w.%]+")


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a text names.

    Attributes:
        kind: what sort of thing.
        slug: its name in lower-case letters, blanks as hyphens; at most 64 characters.
        start: its first character, without a possessive or case ending behind it.
        end: the character behind it.
    """

    kind: EntityKind
    slug: str
    start: int
    end: int

    @property
    def uri(self) -> str:
        """`entity://tech/docker`."""
        return f"entity://{self.kind}/{self.slug}"


@in_its_language
def entities(text: str, *, limit: int = _LIMIT) -> tuple[Entity, ...]:
    """List what a text names, in order of appearance, each thing once.

    Of overlapping readings the first of title, date, number, known name, capitalised name counts.

    Args:
        text: only its first 5,000 characters are read.
        limit: how many entities are listed at most.
    """
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    claimed = bytearray(len(text))
    accepted: list[Entity] = []
    for entity in _readings(text, folded, claimed):
        if entity.slug and not any(claimed[entity.start : entity.end]):
            mark_span(claimed, entity.start, entity.end)
            accepted.append(entity)
    accepted.sort(key=lambda entity: entity.start)
    unique: dict[tuple[str, str], Entity] = {}
    for entity in accepted:
        unique.setdefault((entity.kind, entity.slug), entity)
    return tuple(unique.values())[:limit]


def _readings(text: str, folded: str, claimed: bytearray) -> Iterator[Entity]:
    for finder in (_titles(text, folded), _dates(text, folded), _numbers(folded)):
        yield from islice(finder, _PER_KIND)
    for name in islice(known_names(text, folded), _PER_KIND):
        yield Entity(name.kind, name.name, name.start, name.end)
    for name in islice(capitalized_names(text, folded, claimed), _PER_KIND):
        yield Entity(name.kind, _slug(name.name), name.start, name.end)


def _titles(text: str, folded: str) -> Iterator[Entity]:
    """Quotations that are titles: every long word has a capital, or a word like `book` is near."""
    for match in _TITLE.finditer(text):
        group = match.lastindex or 1
        title = match[group]
        words = title.split()
        if not words or len(words) > 8 or not words[0][:1].isupper() or title[-1] in ",.!":
            continue
        preceding = text_before(folded, match.start(), _CUE_DISTANCE)
        following = folded[match.end() : match.end() + _CUE_DISTANCE]
        cued = _TITLE_CUE.search(preceding) or _TITLE_CUE.search(following)
        if cued or _has_capitals(words):
            yield Entity("title", _slug(title), match.start(group), match.end(group))


def _has_capitals(words: list[str]) -> bool:
    return len(words) > 1 and all(word[0].isupper() for word in words if len(word) > 3)


def _dates(text: str, folded: str) -> Iterator[Entity]:
    for match in _DATE.finditer(folded):
        parts = {name: value for name, value in match.groupdict().items() if value}
        slug = _date_slug(parts)
        # "They march 5 km" holds no date.
        is_verb = match["m3"] in _MONTHS_AND_VERBS and not match["y3"]
        if slug and not (is_verb and text[match.start()].islower()):
            yield Entity("date", slug, match.start(), match.end())


def _date_slug(parts: dict[str, str]) -> str:
    """As much of an ISO date as the text says: `2023-05-08`, `2023-05`, `2023`, `05-08`.

    Empty if the parts are not those of a date.
    """
    if "slash" in parts:  # day or month first: nobody can tell
        return parts["slash"].replace("/", "-")
    by_letter = {name[0]: value for name, value in parts.items()}
    day = int(by_letter.get("d", "1"))
    month = MONTHS.get(by_letter.get("m", ""), 0) or int(by_letter.get("m", "1"))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    written = {"y": by_letter.get("y", ""), "m": f"{month:02}", "d": f"{day:02}"}
    return "-".join(written[letter] for letter in written if letter in by_letter)


def _numbers(folded: str) -> Iterator[Entity]:
    """Numbers with a unit or a currency, and decimal numbers; not those of "3 days ago"."""
    for match in _NUMBER.finditer(folded):
        unit = match["sign"] or match["unit"] or ""
        is_decimal = len(re.findall("[.,]", match["value"])) == 1
        if match["relative"] or not (unit or is_decimal):
            continue
        slug = plain_number(match["value"])
        if unit:
            slug += "-" + _SIGNS.get(unit, _UNITS.get(unit, unit))
        yield Entity("number", slug, match.start(), match.end())


def _slug(name: str) -> str:
    # One letter i, as in the index.
    plain = name.replace("İ", "i").replace("ı", "i").lower()  # noqa: RUF001
    return _NOT_SLUG.sub("-", plain).strip("-._")[:_MAX_SLUG]

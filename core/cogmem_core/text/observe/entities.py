"""What a text names, as `entity://kind/slug`: technologies, organisations, people, places, dates, numbers, titles.

A table of known names and a few rules of spelling, no model: fast and predictable rather than
    complete. Dates are
those written out; "yesterday" is for the code that knows when it was said. Pure, linear time, EN
and TR.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from cogmem_core.text.folding import MAX_INPUT, fold_letters, plain_number
from cogmem_core.text.lexicon.calendar import MONTHS, any_of
from cogmem_core.text.observe.names import known_names, spelt_names

__all__ = ["Entity", "EntityKind", "entities"]

EntityKind = Literal["tech", "org", "person", "place", "date", "number", "title"]

_LIMIT = 8  # seed 001: "Max 8 per observation"
_MOST = 64  # of each sort that are compared; a text of thousands of numbers tells no more
_MAX_SLUG = 64
_TITLE = re.compile(
    '"([^"\n]{2,60})"|\u201c([^\u201d\n]{2,60})\u201d|\u00ab([^\u00bb\n]{2,60})\u00bb'
)
_TITLE_CUE = re.compile(
    r"\b(?:read|reading|watch\w{0,3}|book|novel|film|movie|song|album|series|show|podcast|game|called|titled|named|poem"
    r"|play|article|paper|kitab\w{0,4}|kitap\w{0,4}|film\w{0,4}|sarki\w{0,4}|dizi\w{0,4}|roman\w{0,4}|oku\w{1,10}"
    r"|izle\w{1,10}|adli)\b"
)
_CUE_DISTANCE = 40  # characters before an opening quotation mark, or after the closing one
_MONTH = any_of(MONTHS)
_MONTHS_OR_VERBS = ("may", "march", "mar")  # "they march 5 km"
_YEAR = r"(?:19|20)[0-9]{2}"
_DATE = re.compile(
    rf"""(?<![\w.,:/-])(?:
      (?P<y>{_YEAR})-(?P<m>[0-9]{{1,2}})-(?P<d>[0-9]{{1,2}})(?![0-9-])
    | (?P<d1>[0-9]{{1,2}})\.(?P<m1>[0-9]{{1,2}})\.(?P<y1>{_YEAR})(?![0-9])
    | (?P<slash>[0-9]{{1,2}}/[0-9]{{1,2}}/(?:{_YEAR}|[0-9]{{2}}))(?![0-9/])
    | (?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<m2>{_MONTH})\b(?:,?\ (?P<y2>{_YEAR})(?![0-9]))?
    | (?P<m3>{_MONTH})\ (?P<d3>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9:.]|\ ?[ap]m\b)(?:,?\ (?P<y3>{_YEAR})(?![0-9]))?
    | (?P<m4>{_MONTH}),?\ (?P<y4>{_YEAR})(?![0-9])
    | (?:in|since|from|until|by|before|after|during|of)\ (?P<y5>{_YEAR})(?![0-9.%\w])
    | (?P<y6>{_YEAR})(?='|\ (?:yil|sene))
    )""",
    re.VERBOSE,
)
_UNITS = {
    "percent": "%",
    "yuzde": "%",
    "dollars": "usd",
    "dollar": "usd",
    "dolar": "usd",
    "bucks": "usd",
    "euros": "eur",
    "euro": "eur",
    "avro": "eur",
    "pounds": "pounds",
    "lira": "try",
    "tl": "try",
    "°c": "c",
    "°f": "f",
    "derece": "degrees",
    "degrees": "degrees",
    "kilos": "kg",
    "kilo": "kg",
    "saat": "hours",
    "dakika": "minutes",
    "gun": "days",
    "hafta": "weeks",
    "yil": "years",
    "yasinda": "years",
    "metre": "m",
    "litre": "l",
}
_SIGNS = {"$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u20ba": "try", "%": "%"}
_PLAIN_UNITS = (
    "mcg mg kg g lb lbs oz ml cl dl l km cm mm m mi miles mile ft feet inches inch usd eur gbp try "
    "hours hour minutes "
    "minute mins seconds days weeks months years gb mb tb kb ms hz khz mhz ghz mph kmh km/h bpm "
    "kcal "
    "calories iu mmol/l mg/dl watts volts kwh kw people users % k"
).split()
_NUMBER = re.compile(
    rf"""(?<![\w.,:/+-])(?P<sign>[$\u20ac\u00a3\u20ba%])?\ ?
      (?P<value>[0-9]{{1,12}}(?:[.,][0-9]{{1,6}}){{0,3}})(?![0-9:/]|[.,][0-9]|-[0-9])
      (?:[ -]?(?P<unit>{any_of([*_UNITS, *_PLAIN_UNITS])})(?![\w/]))?
      (?P<moved>\ (?:ago|later|earlier|from\ now|once|sonra))?""",
    re.VERBOSE,
)
_NOT_SLUG = re.compile(r"[^\w.%]+")


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a text names.

    Attributes:
        kind: what sort of thing.
        slug: its name in lower-case letters, blanks as hyphens; at most 64 characters.
        start, end: where it stands, `text[start:end]`, without possessive or case ending.
    """

    kind: EntityKind
    slug: str
    start: int
    end: int

    @property
    def uri(self) -> str:
        """`entity://tech/docker`."""
        return f"entity://{self.kind}/{self.slug}"


def entities(text: str, *, limit: int = _LIMIT) -> tuple[Entity, ...]:
    """List what a text names, in order of appearance, each thing once.

    Of overlapping readings the first of title, date, number, known name, capitalised name counts.

    Args:
        text: only its first 5,000 characters are read.
        limit: the most that is listed (seed 001: 8).
    """
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    taken = bytearray(len(text))
    found: list[Entity] = []
    for candidate in _candidates(text, folded, taken):
        if candidate.slug and not any(taken[candidate.start : candidate.end]):
            taken[candidate.start : candidate.end] = b"\x01" * (candidate.end - candidate.start)
            found.append(candidate)
    unique: dict[tuple[str, str], Entity] = {}
    for entity in sorted(found, key=lambda entity: entity.start):
        unique.setdefault((entity.kind, entity.slug), entity)
    return tuple(unique.values())[:limit]


def _candidates(text: str, folded: str, taken: bytearray) -> Iterator[Entity]:
    for finder in (_titles(text, folded), _dates(text, folded), _numbers(folded)):
        yield from islice(finder, _MOST)
    for known in islice(known_names(text, folded), _MOST):
        yield Entity(known.kind, known.name, known.start, known.end)
    for spelt in islice(spelt_names(text, folded, taken), _MOST):
        yield Entity(spelt.kind, _slug(spelt.name), spelt.start, spelt.end)


def _titles(text: str, folded: str) -> Iterator[Entity]:
    """Quotations that are titles: every long word has a capital, or a word like `book` stands near."""
    for match in _TITLE.finditer(text):
        group = match.lastindex or 1
        words = match[group].split()
        if not words or len(words) > 8 or not words[0][:1].isupper() or match[group][-1] in ",.!":
            continue
        before = folded[max(0, match.start() - _CUE_DISTANCE) : match.start()]
        after = folded[match.end() : match.end() + _CUE_DISTANCE]
        cued = _TITLE_CUE.search(before) or _TITLE_CUE.search(after)
        if cued or (len(words) > 1 and all(word[0].isupper() for word in words if len(word) > 3)):
            yield Entity("title", _slug(match[group]), match.start(group), match.end(group))


def _dates(text: str, folded: str) -> Iterator[Entity]:
    for match in _DATE.finditer(folded):
        slug = _date_slug({name: value for name, value in match.groupdict().items() if value})
        verb = match["m3"] in _MONTHS_OR_VERBS and not match["y3"] and text[match.start()].islower()
        if slug and not verb:
            yield Entity("date", slug, match.start(), match.end())


def _date_slug(parts: dict[str, str]) -> str:
    """ISO, as much of it as is known: `2023-05-08`, `2023-05`, `2023`, `05-08`.

    Empty if it is no date.
    """
    if "slash" in parts:  # day or month first: nobody can tell
        return parts["slash"].replace("/", "-")
    named = {name[0]: value for name, value in parts.items()}
    year = named.get("y", "")
    day = int(named.get("d", "1"))
    month = MONTHS.get(named.get("m", ""), 0) or int(named.get("m", "1"))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    known = [year] if year else []
    known += [f"{month:02}"] if "m" in named else []
    known += [f"{day:02}"] if "d" in named else []
    return "-".join(known)


def _numbers(folded: str) -> Iterator[Entity]:
    """Numbers with a unit or a currency, and decimal numbers; not those of "3 days ago"."""
    for match in _NUMBER.finditer(folded):
        value = match["value"]
        unit = match["sign"] or match["unit"]
        decimal = len(re.findall("[.,]", value)) == 1
        if match["moved"] or not (unit or decimal):
            continue
        unit = _SIGNS.get(unit or "", _UNITS.get(unit or "", unit or ""))
        slug = "-".join(filter(None, (plain_number(value), unit)))
        yield Entity("number", slug, match.start(), match.end())


def _slug(name: str) -> str:
    plain = name.replace("İ", "i").replace("ı", "i").lower()  # noqa: RUF001 - one letter i, as in the index
    return _NOT_SLUG.sub("-", plain).strip("-._")[:_MAX_SLUG]

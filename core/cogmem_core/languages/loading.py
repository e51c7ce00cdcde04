"""The tables of a language, read from a TOML file into the records of `base`.

An entry is read by the type of its field; what a file has and no field reads is refused. A name in
braces in a pattern, as in `{weekdays}`, stands for a part of the file, or for any word of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

from cogmem_core.base.toml import tomllib
from cogmem_core.errors import InvalidInput
from cogmem_core.languages import base
from cogmem_core.languages.packs import OWN
from cogmem_core.languages.plain_time import TimeForms, expressions_by
from cogmem_core.languages.stemming import LOWERS, OWNERS, STEMMERS, stem_by
from cogmem_core.languages.tables import any_of
from cogmem_core.languages.writing import FITTED, PLACES

Record = TypeVar("Record")


_PLACES = {
    **base.Language.__annotations__,
    **base.CompareRules.__annotations__,
    **base.ObserveRules.__annotations__,
    "aims": "AimRules",
}
AREAS: Mapping[str, str] = {
    name: kind
    for name, kind in _PLACES.items()
    if kind.endswith("Rules") and kind not in ("CompareRules", "ObserveRules")
}
"""The tables of a file, and the records that they are read into."""
_ENTRIES = {"code": "str", "shown_by": "WordSet", "parts": "NamedPatterns", **AREAS}
_ALWAYS_THERE = frozenset(
    ("aims", "evidence", "notes", "query", "retellings", "time", "triggers", "words")
)
"""Tables of which nobody says that a language lacks them."""
TABLES = Path(__file__).parent / "tables"
"""Where our own files lie."""
_NAMED_TABLES = (
    *("weekdays", "months", "seasons", "past_verbs"),
    *("ordinals", "month_parts", "holidays"),
)
_PART = re.compile(r"\{([a-z_]+)\}")


class _File:
    """A file: its name for errors, its text and its entries.

    Attributes:
        checked: patterns are tried; those of our own files are tried by a test.
        problems: what cannot be read, with its line.
    """

    def __init__(self, source: str, text: str, *, checked: bool) -> None:
        self.source = source
        self.text = text
        self.checked = checked
        self.problems: list[str] = []
        try:
            self.values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"{source}: no TOML: {error}") from None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What cannot be read inside the block is noted, and the rest is read."""
        try:
            yield
        except InvalidInput as problem:
            self.problems.append(str(problem))

    @cached_property
    def parts(self) -> dict[str, str]:
        """What names in braces stand for."""
        parts: dict[str, str] = {}
        if isinstance(self.values.get("time"), dict):
            time = _Entry(self, "time", self.values["time"])
            named = {key: time.at(key) for key in time.value}
            parts = {key: any_of(_any_words(named[key])) for key in _NAMED_TABLES if key in named}
            units = [named[key] for key in ("units", "clock_units") if key in named]
            parts["units"] = any_of(word for unit in units for word in _any_words(unit))
        for key, entry in _Entry(self, "parts", self.values.get("parts", {})).items():
            parts[key] = _filled(_joined(entry), parts, entry)
        return parts

    def line(self, name: str, near: str) -> int:
        """The line of an entry, or of a text in it; 1 if it is not found.

        In the name of a row of a table stands which one it is: `time.expressions#3.meaning`.
        """
        place = 0
        header = ""
        *tables, key = name.split(".")
        for table in tables:
            header, place = self._table(f"{header}.{table}".lstrip("."), place)
        _, place = self._table(f"{header}.{key}".lstrip("."), place)
        entry = re.compile(rf"^ *[\"']?{re.escape(key)}[\"']? *=", re.MULTILINE)
        found = entry.search(self.text, place)
        place = found.start() if found and "#" not in key else place
        return self.text.count("\n", 0, max(place, self.text.find(near, place))) + 1

    def _table(self, name: str, place: int) -> tuple[str, int]:
        """The header of a table without the numbers of rows, and where it stands from a place on."""
        header, _, row = name.partition("#")
        headers = re.compile(rf"^ *\[+{re.escape(header)}\]+", re.MULTILINE)
        starts = [found.start() for found in headers.finditer(self.text, place)]
        number = int(row or 1)
        return header, starts[number - 1] if len(starts) >= number else place


class _Entry(NamedTuple):
    """An entry of a file by its full name: `time.numbers`."""

    file: _File
    name: str
    value: Any

    def at(self, key: str) -> _Entry:
        """An entry of a table."""
        return _Entry(self.file, f"{self.name}.{key}".lstrip("."), self.value[key])

    def items(self) -> Iterator[tuple[str, _Entry]]:
        """The entries of a table."""
        if not isinstance(self.value, dict):
            raise self.wrong("make it a table")
        for key in self.value:
            yield key, self.at(key)

    def wrong(self, why: str, near: str = "") -> InvalidInput:
        """The error for it, with its line."""
        line = self.file.line(self.name, near)
        return InvalidInput(f"{self.file.source}, line {line}: {self.name or 'the file'}: {why}")

    def unknown(self, key: str, known: Mapping[str, object]) -> InvalidInput:
        """The error for an entry of it that nothing reads."""
        from difflib import get_close_matches  # mistakes alone need it

        nearest = get_close_matches(key, known, 1) or [", ".join(known)]
        return self.at(key).wrong(f"nothing reads this; did you mean {nearest[0]}?")


def _a(kind: type[Record], what: str) -> Callable[[_Entry], Record]:
    """An entry of a type of TOML."""

    def read(entry: _Entry) -> Record:
        if not isinstance(entry.value, kind):
            raise entry.wrong(f"give {what}")
        return entry.value

    return read


_text = _a(str, "a text in quotes")


def _words(entry: _Entry) -> tuple[str, ...]:
    """Words with blanks between them, or a list of phrases."""
    value = entry.value
    if isinstance(value, str):
        return tuple(value.split())
    if not isinstance(value, list) or not all(isinstance(phrase, str) for phrase in value):
        raise entry.wrong("give words in quotes with blanks between them, or a list of phrases")
    return tuple(value)


def _word_set(entry: _Entry) -> frozenset[str]:
    return frozenset(_words(entry))


def _any_words(entry: _Entry) -> list[str]:
    """The words of an entry, whatever they mean."""
    if isinstance(entry.value, dict):
        return [word for _, words in entry.items() for word in _words(words)]
    return list(_words(entry))


def _joined(entry: _Entry) -> str:
    """A pattern; over several lines, without their ends and the blanks before them."""
    text = _text(entry)
    return "".join(map(str.lstrip, text.splitlines())) if "\n" in text else text


def _filled(text: str, parts: Mapping[str, str], entry: _Entry) -> str:
    def part(match: re.Match[str]) -> str:
        if match[1] not in parts:
            raise entry.wrong(f"there is no part {match[0]}", match[0])
        return parts[match[1]]

    return _PART.sub(part, text) if "{" in text else text


def _pattern(entry: _Entry) -> str:
    """A regular expression with its parts in it."""
    text = _filled(_joined(entry), entry.file.parts, entry)
    if entry.file.checked:
        try:
            re.compile(text)
        except re.error as error:
            first = next(iter(_text(entry).strip().splitlines()), "")
            raise entry.wrong(f"no regular expression: {error}", first) from None
    return text


def _listed(entry: _Entry) -> list[_Entry]:
    """The entries of a list; a text alone is one."""
    values = entry.value if isinstance(entry.value, list) else [entry.value]
    return [entry._replace(value=value) for value in values]


def _groups(entry: _Entry) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in _text(entry).strip().splitlines())


def _pairs(entry: _Entry) -> tuple[tuple[Any, str], ...]:
    """Patterns of a list, each with what stands before it."""
    rows = [row.value for row in _listed(entry)]
    if not all(isinstance(row, list) and len(row) == len(("key", "pattern")) for row in rows):
        raise entry.wrong("give pairs in brackets")
    return tuple((key, _pattern(entry._replace(value=text))) for key, text in rows)


def _opposites(entry: _Entry) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    lines = [line.partition("|") for line in _text(entry).strip().splitlines()]
    return tuple((frozenset(one.split()), frozenset(other.split())) for one, _, other in lines)


def _by_word(read: Callable[[str], Any]) -> Callable[[_Entry], dict[str, Any]]:
    """Words and what they mean, of a table in which each meaning has its words."""

    def by_word(entry: _Entry) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, words in entry.items():
            table.update(dict.fromkeys(_words(words), _meant(words, key, read)))
        return table

    return by_word


def _by_key(
    read: Callable[[_Entry], Any], key_of: Callable[[str], Any] = str
) -> Callable[[_Entry], dict[Any, Any]]:
    return lambda entry: {_meant(value, key, key_of): read(value) for key, value in entry.items()}


def _meant(entry: _Entry, text: str, read: Callable[[str], Any]) -> Any:
    """What a text says that is one of a few, or a figure."""
    try:
        return read(text)
    except ValueError as error:
        raise entry.wrong(f"give {error}") from None


def _whole(text: str) -> int:
    if not text.lstrip("-").isdecimal():
        raise ValueError("a whole number")
    return int(text)


def _hours(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal()):
        raise ValueError("two hours, as in 6-12")
    return int(first), int(last)


def _one_of(known: Mapping[str, Any]) -> Callable[[str], Any]:
    def one(text: str) -> Any:
        if text not in known:
            raise ValueError(f"one of {', '.join(known)}")
        return known[text]

    return one


_feeling, _unit, _meaning = (
    _one_of({each: each for each in get_args(kind)})
    for kind in (base.Feeling, base.Unit, base.Meaning)
)


def _valued(text: str) -> tuple[str, int]:
    """A feeling and its valence: "joy 1"."""
    feeling, _, valence = text.partition(" ")
    return _feeling(feeling), _whole(valence)


def _template(text: str) -> str:
    """How a time is written, with names in braces."""
    try:
        text.format(**dict.fromkeys(PLACES, date(2000, 1, 1)))
    except (KeyError, ValueError, IndexError):
        raise ValueError(f"in braces one of {', '.join(PLACES)}") from None
    return text


def _said(read: Callable[[str], Any]) -> Callable[[_Entry], Any]:
    return lambda entry: _meant(entry, _text(entry), read)


class _Endings(NamedTuple):
    """Endings that a light stemmer cuts off, how many letters it keeps, and what it drops before."""

    endings: base.WordList = ()
    keeps: int = 3
    before: base.Pattern = ""


def _stemmer(entry: _Entry) -> base.Stemmer:
    if isinstance(entry.value, dict):
        return stem_by(*_record(_Endings, entry))
    named: base.Stemmer = _said(_one_of(STEMMERS))(entry)
    return named


class _Guarded(NamedTuple):
    """A pattern, and words of which a text holds one if it matches."""

    words: base.WordList
    pattern: base.Pattern


def _rows(kind: type[Record], entry: _Entry) -> tuple[Record, ...]:
    """A record of each row of a table."""
    rows = []
    for number, row in enumerate(_listed(entry), 1):
        with entry.file.noted():
            rows.append(_record(kind, row._replace(name=f"{entry.name}#{number}")))
    return tuple(rows)


def _given(kinds: Mapping[str, str], entry: _Entry) -> dict[str, Any]:
    """The entries of a table, each by its type."""
    readers = {name: _reader(kind) for name, kind in kinds.items()}
    readable = {name: reader for name, reader in readers.items() if reader}
    given = {}
    for key, value in entry.items():
        with entry.file.noted():
            if key not in readable:
                raise entry.unknown(key, readable)
            given[key] = readable[key](value)
    return given


def _record(kind: type[Record], entry: _Entry) -> Record:
    """A record of a table, each field by its type."""
    given = _given(kind.__annotations__, entry)
    defaults = getattr(kind, "_field_defaults", kind.__annotations__)
    needed = kind.__annotations__.keys() - defaults.keys()
    for name in sorted(needed - entry.value.keys()):
        raise entry.wrong(f"give {name}")
    return kind(**{**dict.fromkeys(needed), **given})  # what is missing now was noted


def _reader(type_: Any) -> Callable[[_Entry], Any] | None:
    """What reads an entry of a field's type; None if the field is not a file's."""
    name: str = (
        getattr(type_, "__forward_arg__", type_).removesuffix(" | None").removeprefix("base.")
    )
    if name.endswith("Rules") and name not in READERS:
        return lambda entry: _record(getattr(base, name), entry)
    return READERS.get(name)


def _time(entry: _Entry) -> base.TimeRules:
    """Dates and times; `forms` makes the expressions of most languages."""
    if "forms" not in entry.value:
        return _record(base.TimeRules, entry)
    words = {"expressions": [], **entry.value}
    del words["forms"]
    rules = _record(base.TimeRules, entry._replace(value=words))
    rules.expressions += expressions_by(_record(TimeForms, entry.at("forms")), rules)
    return rules


READERS: Mapping[str, Callable[[_Entry], Any]] = {
    "str": _text,
    "bool": _a(bool, "true or false"),
    "int": _a(int, "a whole number"),
    "Pattern": _pattern,
    "Meaning": _said(_meaning),
    "WordSet": _word_set,
    "WordList": _words,
    "Patterns": lambda entry: tuple(map(_pattern, _listed(entry))),
    "WordGroups": _groups,
    "tuple[tuple[frozenset[str], frozenset[str]], ...]": _opposites,
    "Frames": lambda entry: tuple((pattern, name) for name, pattern in _pairs(entry)),
    "Mapping[str, Strengths]": _by_key(_pairs),
    "Numbers": _by_word(_whole),
    "Mapping[str, bool]": _by_key(_a(bool, "true or false")),
    "Spellings": _by_word(str),
    "Mapping[str, tuple[int, int]]": _by_word(_hours),
    "Mapping[str, Unit]": _by_word(_unit),
    "Mapping[str, tuple[Feeling, int]]": _by_word(_valued),
    "Mapping[int, str]": _by_key(_text, _whole),
    "NamedPatterns": _by_key(_pattern),
    "WordLists": _by_key(_words),
    "WordSets": _by_key(_word_set),
    "Mapping[Feeling, tuple[str, ...]]": _by_key(_words, _feeling),
    "Mapping[Feeling, frozenset[str]]": _by_key(_word_set, _feeling),
    "PatternTable": lambda entry: _rows(_Guarded, entry),
    "tuple[TimeExpression, ...]": lambda entry: _rows(base.TimeExpression, entry),
    "TimeRules": _time,
    "Templates": _by_key(_said(_template)),
    "Fitting": _said(_one_of(FITTED)),
    "Stemmer": _stemmer,
    "Owner": _said(_one_of(OWNERS)),
    "Lower": _said(_one_of(LOWERS)),
}
"""How an entry of a field's type is read."""


def _read(text: str, source: str, *, checked: bool) -> dict[str, Any]:
    """What a file has.

    Raises:
        InvalidInput: it is no TOML, or has entries that cannot be read.
    """
    file = _File(source, text, checked=checked)
    root = _Entry(file, "", file.values)
    with file.noted():
        given = _given(_ENTRIES, root)
    if "code" not in file.values:
        file.problems.append(str(root.wrong("give code")))
    if file.problems:
        raise InvalidInput("\n".join(dict.fromkeys(file.problems)))
    return given


def _language(given: Mapping[str, Any]) -> base.Language:
    """The language of a file, each table in its place."""

    def part(kind: type[Record]) -> Record:
        return kind(**{name: given[name] for name in kind.__annotations__ if name in given})

    language = part(base.Language)
    language.compare = part(base.CompareRules)
    language.observe = part(base.ObserveRules)
    language.query = given.get("query") or base.QueryRules()
    language.query.aims = given.get("aims") or language.query.aims
    language.lacks = frozenset(AREAS.keys() - _ALWAYS_THERE - given.keys())
    return language


def _our_file(name: str) -> str:
    return (TABLES / f"{name}.toml").read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def language_of_ours(code: str) -> base.Language:
    """The language of our own file of a code."""
    return _language(_read(_our_file(code), f"{code}.toml", checked=False))


@lru_cache(maxsize=1)
def signs_of_languages() -> Mapping[str, Mapping[str, str]]:
    """By which words, letters and scripts a text shows its language, as detect.toml has them."""
    return tomllib.loads(_our_file("detect"))


def language_from_toml(path: Path) -> base.Language:
    """The language of a file; see `Language.from_toml`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: cannot be read: {error}") from None
    given = _read(text, path.name, checked=True)
    if not given.get("shown_by") and given["code"] not in (*OWN, "any"):
        raise InvalidInput(f"{path.name}: shown_by: give words that show the language")
    return _language(given)
